"""Writes Feather files as the first pyarrow that compressed them did.

Run with pyarrow 0.17.1: python make_early.py FOLDER
"""

import sys

import pyarrow as pa
import pyarrow.feather as feather

folder = sys.argv[1]
rows = range(300)
table = pa.Table.from_arrays(
    [
        pa.array(list(rows), pa.int64()),
        pa.array([None if i % 3 == 0 else "text %d" % (i % 7) for i in rows]),
        pa.array(["xy"[i % 2] for i in rows]).dictionary_encode(),
    ],
    names=["number", "text", "word"],
)
for codec, name in (("uncompressed", ""), ("lz4", "-lz4"), ("zstd", "-zstd")):
    feather.write_feather(
        table, folder + "/early" + name + ".feather", compression=codec, chunksize=200)
