"""Writes lengths and lists of log-normal length, sigma 1, into a folder, unless they are there.

balance.py DATA_DIR    lengths: 10 files, 100 million rows; lists: 4 files, 262,144 lists
"""
import os
import sys

import numpy
import pyarrow
import pyarrow.parquet


def lengths(random, rows):
    drawn = numpy.exp(random.standard_normal(rows) + 5.5)
    return numpy.maximum(1, numpy.round(drawn)).astype(numpy.int32)


def write(folder, files, table, rows):
    if os.path.isdir(folder):
        return
    os.makedirs(folder)
    for file in range(files):
        path = f"{folder}/part-{file}.parquet"
        pyarrow.parquet.write_table(table(), path, row_group_size=rows, compression="zstd")


def lists(random):
    each = lengths(random, 65_536)
    offsets = numpy.concatenate([[0], numpy.cumsum(each)]).astype(numpy.int32)
    values = random.integers(0, 50_000, offsets[-1]).astype(numpy.int32)
    return pyarrow.table({"tokens": pyarrow.ListArray.from_arrays(offsets, values)})


if __name__ == "__main__":
    random = numpy.random.default_rng(1)
    data = sys.argv[1]
    write(
        f"{data}/lengths",
        10,
        lambda: pyarrow.table({"length": lengths(random, 10_000_000)}),
        1_000_000,
    )
    write(f"{data}/lists", 4, lambda: lists(random), 8_192)
