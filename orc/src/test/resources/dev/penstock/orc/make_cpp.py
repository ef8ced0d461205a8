"""Writes old times and dates as ORC's library for C++ stores them, and the same rows as Parquet.

Run with pyarrow 26.0.1, whose ORC is 2.2.2: python make_cpp.py FOLDER
"""

import random
import sys

import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq

folder = sys.argv[1]
rng = random.Random(3)
ROWS = 2500
SECOND = 10**9


def time():
    near = rng.choice([2, 10**3, 10**6, SECOND, 2 * SECOND, 10**12, 9 * 10**18])
    unit = rng.choice([1, 1, 10**3, 10**6, SECOND])
    return rng.randrange(-near, near) // unit * unit


def day():
    return rng.choice([rng.randrange(-250_000, -100_000), rng.randrange(-3000, 3000)])


def column(type_, make):
    return pa.array([None if rng.random() < 0.1 else make() for _ in range(ROWS)], type_)


table = pa.table({
    "time": column(pa.timestamp("ns"), time),
    "utc": column(pa.timestamp("ns", "UTC"), time),
    "before": column(pa.timestamp("ns"), lambda: -abs(time()) - 1),
    "day": column(pa.date32(), day),
    "times": column(pa.list_(pa.timestamp("ns")), lambda: [time() for _ in range(rng.randrange(3))]),
    "both": column(
        pa.struct([("utc", pa.timestamp("ns", "UTC")), ("day", pa.date32())]),
        lambda: {"utc": time(), "day": day()}),
})
orc.write_table(
    table, folder + "/cpp.orc", compression="zstd", stripe_size=1024, batch_size=500,
    row_index_stride=1000)
pq.write_table(table, folder + "/cpp.parquet", compression="zstd", store_schema=False)


def nested(row):
    """Nulls of the inner struct, but for the second stride; and there of a part."""
    inner, part = (0, 0.1) if row // 1000 == 1 else (0.1, 0)
    text = None if rng.random() < part else rng.choice(["a", "b"])
    number = rng.randrange(5, 9)
    return {"a": 1, "in": None if rng.random() < inner else {"s": text, "n": number}}


type_ = pa.struct([
    ("a", pa.int16()),
    ("in", pa.struct([("s", pa.string()), ("n", pa.int32())])),
])
orc.write_table(
    pa.table({"st": pa.array([nested(row) for row in range(ROWS)], type_)}),
    folder + "/cpp-nested.orc", compression="zstd", row_index_stride=1000)
