"""Writes two Delta tables: `deleted`, of 1.6 million rows of which a deletion vector for each file
deletes 5 %, and `plain`, whose files have only the rows that are left.

delta.py FOLDER
"""
import json
import os
import struct
import sys
import uuid
import zlib

import numpy
import pyarrow
import pyarrow.parquet

FILES = 4
FILE_ROWS = 400_000
DELETED = 0.05


def rows(rng, first):
    """Columns f have no nulls, in columns n each tenth is one."""
    columns = {"id": numpy.arange(first, first + FILE_ROWS, dtype=numpy.int64)}
    for i in range(8):
        columns[f"f{i}"] = rng.random(FILE_ROWS, dtype=numpy.float32)
    for i in range(4):
        columns[f"n{i}"] = pyarrow.array(
            rng.random(FILE_ROWS), mask=rng.integers(0, 10, FILE_ROWS) == 0
        )
    columns["text"] = pyarrow.array([f"text{i}" for i in rng.integers(0, 500, FILE_ROWS)])
    return pyarrow.table(columns)


def bitmap(numbers):
    """A 32-bit roaring bitmap of array containers in the portable format."""
    keys, counts = numpy.unique(numbers >> 16, return_counts=True)
    head = struct.pack("<II", 12346, len(keys))
    head += b"".join(struct.pack("<HH", key, count - 1) for key, count in zip(keys, counts))
    starts = len(head) + 4 * len(keys) + 2 * (numpy.cumsum(counts) - counts)
    assert counts.max() <= 4096
    return head + starts.astype("<u4").tobytes() + (numbers & 0xFFFF).astype("<u2").tobytes()


def vector(numbers, path):
    """Writes a deletion vector, and returns how the log describes it."""
    data = struct.pack("<IQI", 1681511377, 1, 0) + bitmap(numbers)
    with open(path, "wb") as file:
        file.write(b"\x01" + struct.pack(">I", len(data)) + data)
        file.write(struct.pack(">I", zlib.crc32(data)))
    return {
        "storageType": "p",
        "pathOrInlineDv": "file://" + os.path.abspath(path),
        "offset": 1,
        "sizeInBytes": len(data),
        "cardinality": len(numbers),
    }


TYPES = {"int64": "long", "float": "float", "double": "double", "string": "string"}


def commit(folder, schema, adds):
    fields = [
        {"name": field.name, "type": TYPES[str(field.type)], "nullable": True, "metadata": {}}
        for field in schema
    ]
    actions = [
        {
            "protocol": {
                "minReaderVersion": 3,
                "minWriterVersion": 7,
                "readerFeatures": ["deletionVectors"],
                "writerFeatures": ["deletionVectors"],
            }
        },
        {
            "metaData": {
                "id": str(uuid.uuid4()),
                "format": {"provider": "parquet", "options": {}},
                "schemaString": json.dumps({"type": "struct", "fields": fields}),
                "partitionColumns": [],
                "configuration": {"delta.enableDeletionVectors": "true"},
            }
        },
    ]
    actions += [{"add": add} for add in adds]
    os.makedirs(os.path.join(folder, "_delta_log"))
    with open(os.path.join(folder, "_delta_log", "0" * 20 + ".json"), "w") as log:
        log.writelines(json.dumps(action) + "\n" for action in actions)


def main(folder):
    rng = numpy.random.default_rng(1)
    tables = {name: os.path.join(folder, name) for name in ("plain", "deleted")}
    adds = {"plain": [], "deleted": []}
    schema = None
    for path in tables.values():
        os.makedirs(path)
    for file in range(FILES):
        table = rows(rng, file * FILE_ROWS)
        schema = table.schema
        gone = rng.random(FILE_ROWS) < DELETED
        for name, written in (("deleted", table), ("plain", table.filter(pyarrow.array(~gone)))):
            path = os.path.join(tables[name], f"{file}.parquet")
            pyarrow.parquet.write_table(
                written, path, row_group_size=100_000, compression="zstd"
            )
            add = {
                "path": f"{file}.parquet",
                "partitionValues": {},
                "size": os.path.getsize(path),
                "modificationTime": 0,
                "dataChange": True,
                "stats": json.dumps({"numRecords": len(written)}),
            }
            if name == "deleted":
                numbers = numpy.flatnonzero(gone).astype(numpy.uint32)
                add["deletionVector"] = vector(numbers, os.path.join(path + ".bin"))
            adds[name].append(add)
    for name, path in tables.items():
        commit(path, schema, adds[name])


main(sys.argv[1])
