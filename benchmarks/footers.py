"""The other side of benchmarks/footers.sh: makes the files, and takes in their footers with pyarrow.

footers.py make DATA_DIR | footers.py read FILE...
"""
import os
import statistics
import sys
import time

import numpy
import pyarrow
import pyarrow.parquet


def numbers(columns, rows):
    """Columns as of DLRM: a few of floats, the others of small integers."""
    random = numpy.random.default_rng(1)
    return {
        f"c{i:03}": random.random(rows, dtype=numpy.float32)
        if i < columns // 15
        else random.integers(0, random.integers(10, 100_000), rows).astype(numpy.int32)
        for i in range(columns)
    }


def texts(columns, rows):
    """Identifiers of 36 characters, as bounds of which footers have much to say."""
    random = numpy.random.default_rng(2)
    drawn = random.integers(0, 1 << 60, (columns, rows)).tolist()
    return {
        f"c{i:03}": [f"{value:016x}-{value % 4093:04x}-4000-8000" for value in column]
        for i, column in enumerate(drawn)
    }


# File, columns, row groups, rows of each, values; then what pyarrow is told.
FILES = {
    "dlrm": (200, 250, 64, numbers, {}),
    "doubles": (100, 10, 1000, lambda columns, rows: {
        f"c{i}": numpy.random.default_rng(i).random(rows) for i in range(columns)}, {}),
    "texts": (20, 50, 64, texts, {}),
    "indexed": (100, 50, 64, numbers, {"write_page_index": True}),
    "one": (20, 1, 1000, numbers, {}),
}


def make(folder):
    for name, (columns, groups, rows, values, options) in FILES.items():
        path = os.path.join(folder, f"{name}.parquet")
        if not os.path.exists(path):
            table = pyarrow.table(values(columns, groups * rows))
            pyarrow.parquet.write_table(table, path, row_group_size=rows, **options)


def read(path):
    """Prints microseconds for each column of a row group: to parse, and to get at statistics."""
    with open(path, "rb") as file:
        data = pyarrow.py_buffer(file.read())
    parsed, got = [], []
    for _ in range(15):
        start = time.perf_counter()
        metadata = pyarrow.parquet.read_metadata(pyarrow.BufferReader(data))
        parsed.append(time.perf_counter() - start)
        start = time.perf_counter()
        for group in range(metadata.num_row_groups):
            columns = metadata.row_group(group)
            for column in range(metadata.num_columns):
                columns.column(column).statistics.has_min_max
        got.append(time.perf_counter() - start)
    chunks = metadata.num_row_groups * metadata.num_columns
    print(
        f"{os.path.basename(path)}: pyarrow {pyarrow.__version__} parses in"
        f" {statistics.median(parsed) / chunks * 1e6:.3f} us a column of a row group, and gets at"
        f" statistics in {statistics.median(got) / chunks * 1e6:.3f}"
    )


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        for each in sys.argv[2:]:
            read(each)
