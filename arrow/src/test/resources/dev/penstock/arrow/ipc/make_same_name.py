"""Writes same-name.arrow: two columns of one name, one of them with a dictionary, beside others.

Run with pyarrow 26.0.1: python make_same_name.py FOLDER
"""

import sys

import pyarrow as pa

columns = [
    pa.array(["x", "y", "x"]).dictionary_encode(),
    pa.array([1, 2, 3], pa.int64()),
    pa.array([4, 5, None], pa.int32()),
    pa.array(["p", "q", "p"]).dictionary_encode(),
]
schema = pa.schema(
    [pa.field(name, column.type) for name, column in zip(["a", "b", "a", "c"], columns)]
)
with pa.ipc.new_file(sys.argv[1] + "/same-name.arrow", schema) as writer:
    writer.write(pa.record_batch(columns, schema=schema))
