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
}


def avro(type):
    if type == null:
        return "null"
    names = {"int64": "long", "float": "float", "double": "double", "string": "string"}
    if pa.types.is_struct(type):
        fields = [{"name": f.name, "type": avro(f.type)} for f in type]
        return ["null", {"type": "record", "name": "st", "fields": fields}]
    return ["null", names[str(type)]]


for name, columns in files.items():
    table = pa.table(columns)
    pq.write_table(table, name + ".parquet", store_schema=False)
    with pa.ipc.new_file(name + ".arrow", table.schema) as writer:
        writer.write_table(table)
    fields = [{"name": c, "type": avro(table.schema.field(c).type)} for c in columns]
    with open(name + ".avro", "wb") as out:
        schema = {"type": "record", "name": "row", "fields": fields}
        fastavro.writer(out, schema, table.to_pylist(), sync_marker=bytes(16))
