"""Writes the files beside this script, with pyarrow 26.0.1 and fastavro 1.13.1: columns of the type
null in some files.

Pandas, polars and pyarrow give that type to a column in which they see no value.
"""

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq

null = pa.null()
files = {
    "0": {
        "i": pa.array([0, 1]), "s": pa.array([None, None], null), "n": pa.array([None, None], null),
        "x": pa.array([None, None], null), "st": pa.array([None, None], null)},
    "1": {
        "i": pa.array([2, 3]), "s": pa.array(["a", None]), "n": pa.array([0.5, 1.5], pa.float32()),
        "x": pa.array([None, None], null), "st": pa.array([{"a": 7}, {"a": 8}])},
    "2": {
        "i": pa.array([4]), "s": pa.array([None], null), "n": pa.array([2.5], pa.float64()),
        "x": pa.array([None], null), "st": pa.array([None], null)},
    "3": {"i": pa.array([5]), "s": pa.array([6])},
    "nested0": {
        "l": pa.array([[], None, [None, None]], pa.list_(null)),
        "st": pa.array([{"a": None, "b": 1}, None, {"a": None, "b": 2}],
                       pa.struct([("a", null), ("b", pa.int64())])),
        "ls": pa.array([[{"x": None}], [], None], pa.list_(pa.struct([("x", null)]))),
        "m": pa.array([[("k", None)], [], None], pa.map_(pa.string(), null))},
    "nested1": {
        "l": pa.array([["a", None], []], pa.list_(pa.string())),
        "st": pa.array([{"a": [7], "b": 3}, {"a": None, "b": None}],
                       pa.struct([("a", pa.list_(pa.int64())), ("b", pa.int64())])),
        "ls": pa.array([[{"x": 0.5}, {"x": None}], None], pa.list_(pa.struct([("x", pa.float64())]))),
        "m": pa.array([[("k", 0.5)], None], pa.map_(pa.string(), pa.float64()))},
}


def avro(type, name):
    if type == null:
        return "null"
    if pa.types.is_struct(type):
        fields = [{"name": f.name, "type": avro(f.type, name + "_" + f.name)} for f in type]
        return ["null", {"type": "record", "name": name, "fields": fields}]
    if pa.types.is_list(type):
        return ["null", {"type": "array", "items": avro(type.value_type, name + "_")}]
    if pa.types.is_map(type):
        return ["null", {"type": "map", "values": avro(type.item_type, name + "_")}]
    names = {"int64": "long", "float": "float", "double": "double", "string": "string"}
    return ["null", names[str(type)]]


for name, columns in files.items():
    table = pa.table(columns)
    pq.write_table(table, name + ".parquet", store_schema=False)
    with pa.ipc.new_file(name + ".arrow", table.schema) as writer:
        writer.write_table(table)
    fields = [{"name": c, "type": avro(table.schema.field(c).type, c)} for c in columns]
    with open(name + ".avro", "wb") as out:
        schema = {"type": "record", "name": "row", "fields": fields}
        fastavro.writer(out, schema, table.to_pylist(maps_as_pydicts="strict"), sync_marker=bytes(16))
