"""Writes the files beside this script. They were written with pyarrow 26.0.1.

Rows go on from one data page to the next, in the middle of lists, and dictionaries are given up in
the middle of rows: parquet-java writes neither. What the rows are follows from their number, here
as in ParquetArrowFilesTest.
"""

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 300


def numbers(i):
    if i % 11 == 5:
        return None
    return [None if (i + j) % 7 == 0 else i * 100 + j for j in range(i * i % 23)]


def texts(i):
    return ["t" + str(i * j % 97) for j in range(i * 5 % 17)]


def points(i):
    if i % 13 == 1:
        return None
    return [
        None if (i + j) % 5 == 0 else {"x": i + j / 4, "y": list(range(j))}
        for j in range(i % 4)
    ]


def scores(i):
    return [("k" + str(j), None if j % 3 == 1 else i - j) for j in range(i % 9)]


def table():
    schema = pa.schema(
        [
            pa.field("numbers", pa.list_(pa.int64())),
            pa.field("texts", pa.large_list(pa.field("item", pa.string(), False)), False),
            pa.field(
                "points",
                pa.list_(pa.struct([("x", pa.float64()), ("y", pa.list_(pa.int32()))])),
            ),
            pa.field("scores", pa.map_(pa.string(), pa.int16()), False),
        ]
    )
    rows = range(ROWS)
    columns = [[make(i) for i in rows] for make in (numbers, texts, points, scores)]
    return pa.table(columns, schema=schema)


for name, version, dictionary in (
    ("plain-v1", "1.0", False),
    ("dictionary-v1", "1.0", True),
    ("dictionary-v2", "2.0", True),
):
    pq.write_table(
        table(),
        name + ".parquet",
        compression="zstd",
        data_page_version=version,
        data_page_size=300,
        write_batch_size=9,
        use_dictionary=dictionary,
        dictionary_pagesize_limit=150,
        row_group_size=200,
        write_statistics=False,
        store_schema=False,
    )
