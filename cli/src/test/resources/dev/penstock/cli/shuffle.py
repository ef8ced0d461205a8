"""Writes shuffle/part-0.parquet and part-1.parquet with pyarrow: 1,600 rows, in row groups of 100, sorted by label.
Recorded with pyarrow 26.0.1.

usage: python shuffle.py
"""
import os
import pyarrow as pa, pyarrow.parquet as pq

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shuffle")
ROWS = 800

for part in range(2):
    ids = range(part * ROWS, (part + 1) * ROWS)
    table = pa.table({
        "id": pa.array(ids, pa.int64()),  # as the rows stand in the files
        "name": pa.array(["class %d" % (i // 200) for i in ids], pa.string()),  # 8 classes of 200 rows
        "number": pa.array([None if i < 200 else i // 200 for i in ids], pa.int16()),  # the same, with a null
        "half": pa.array([i >= ROWS for i in ids], pa.bool_()),
        "one": pa.array([1] * ROWS, pa.uint8()),
        "share": pa.array([i / 1600 for i in ids], pa.float64()),
    })
    pq.write_table(table, os.path.join(HERE, "part-%d.parquet" % part), row_group_size=100, compression="snappy")
