"""Makes what start.sh reads: files of the shape of MLPerf Storage's DLRM data, 200 columns in 250 row
groups of 6,144 rows, all links to one; and files of 2 and of 100 columns in ten row groups.

start.py DATA_DIR FILES
"""
import os
import sys

import numpy
import pyarrow
import pyarrow.parquet

COLUMNS = 200
GROUPS = 250
GROUP_ROWS = 6_144


def group(columns, rows):
    """Values of few bits, since only their number counts."""
    random = numpy.random.default_rng(1)
    values = [random.integers(0, 4, rows).astype(numpy.int32) for _ in range(columns)]
    return pyarrow.table({f"c{i:03}": each for i, each in enumerate(values)})


def write(path, columns, groups, rows):
    table = group(columns, rows)
    with pyarrow.parquet.ParquetWriter(path, table.schema, compression="snappy") as file:
        for _ in range(groups):
            file.write_table(table, row_group_size=rows)


def main(folder, files):
    os.makedirs(os.path.join(folder, "dlrm"), exist_ok=True)
    for name, columns, rows in (("small", 2, 100_000), ("wide", 100, 1_000)):
        path = os.path.join(folder, f"{name}.parquet")
        if not os.path.exists(path):
            write(path, columns, 10, rows)
    parts = [os.path.join(folder, "dlrm", f"part-{i:04}.parquet") for i in range(files)]
    if not os.path.exists(parts[0]):
        write(parts[0], COLUMNS, GROUPS, GROUP_ROWS)
    for part in parts[1:]:
        if not os.path.exists(part):
            os.link(parts[0], part)


main(sys.argv[1], int(sys.argv[2]))
