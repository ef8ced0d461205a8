"""Writes the files of this folder, with pyarrow, polars, DuckDB and fastparquet.

    python make.py

Versions that wrote what is checked in: pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.0,
fastparquet 2026.9.0 (pandas 3.1.1), numpy 2.4.6.
The values are those of WrittenByOthersTest, which computes them again.
"""

import datetime
import decimal
import pathlib

ROWS = 300
HERE = pathlib.Path(__file__).parent


def wrap(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def columns():
    rows = range(ROWS)
    return {
        "i8": [wrap(i * 37, 8) for i in rows],
        "i32": [wrap(i * 2654435761 + 12345, 32) for i in rows],
        "i64": [wrap(i * 0x9E3779B97F4A7C15, 64) for i in rows],
        "step": [1000 + 3 * i for i in rows],
        "sparse": [None if (i * 7) % 5 == 0 else wrap(i * i * 97, 32) for i in rows],
        "f32": [i * 0.25 - 10 for i in rows],
        "f64": [None if i % 11 == 4 else i * 0.125 - 1000 for i in rows],
        "text": [f"row-{i // 3}-" + "x" * (i % 5) for i in rows],
        "maybe": [None if i % 3 == 1 else "v" * (i % 40) for i in rows],
        "raw": [bytes([i % 256]) * (i % 7) for i in rows],
        "flag": [None if i % 13 == 0 else i % 3 == 0 for i in rows],
        "money": [decimal.Decimal((i - 150) * 10**12 + i).scaleb(-3) for i in rows],
        "day": [datetime.date(1970, 1, 1) + datetime.timedelta(days=i - 100) for i in rows],
        "time": [datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=i * 1000003)
                 for i in rows],
    }


def table():
    import pyarrow as pa

    types = {
        "i8": pa.int8(), "i32": pa.int32(), "i64": pa.int64(), "step": pa.int64(),
        "sparse": pa.int32(), "f32": pa.float32(), "f64": pa.float64(), "text": pa.string(),
        "maybe": pa.string(), "raw": pa.binary(), "flag": pa.bool_(),
        "money": pa.decimal128(20, 3), "day": pa.date32(), "time": pa.timestamp("us"),
    }
    arrays = {name: pa.array(values, types[name]) for name, values in columns().items()}
    fixed = [(i * i).to_bytes(5, "big") for i in range(ROWS)]
    arrays["fixed"] = pa.array(fixed, pa.binary(5))
    return pa.table(arrays)


def pyarrow_files():
    import pyarrow.parquet as pq

    data = table()
    delta = {
        "i8": "DELTA_BINARY_PACKED", "i32": "DELTA_BINARY_PACKED", "i64": "DELTA_BINARY_PACKED",
        "step": "DELTA_BINARY_PACKED", "sparse": "DELTA_BINARY_PACKED", "day": "DELTA_BINARY_PACKED",
        "time": "DELTA_BINARY_PACKED", "f32": "BYTE_STREAM_SPLIT", "f64": "BYTE_STREAM_SPLIT",
        "text": "DELTA_BYTE_ARRAY", "maybe": "DELTA_LENGTH_BYTE_ARRAY",
        "raw": "DELTA_LENGTH_BYTE_ARRAY", "fixed": "DELTA_BYTE_ARRAY",
        "money": "BYTE_STREAM_SPLIT", "flag": "RLE",
    }
    split = {
        "i8": "BYTE_STREAM_SPLIT", "i32": "BYTE_STREAM_SPLIT", "i64": "BYTE_STREAM_SPLIT",
        "step": "BYTE_STREAM_SPLIT", "sparse": "BYTE_STREAM_SPLIT", "f32": "BYTE_STREAM_SPLIT",
        "f64": "BYTE_STREAM_SPLIT", "text": "DELTA_LENGTH_BYTE_ARRAY",
        "maybe": "DELTA_BYTE_ARRAY", "raw": "DELTA_BYTE_ARRAY", "fixed": "BYTE_STREAM_SPLIT",
        "money": "DELTA_BYTE_ARRAY", "day": "BYTE_STREAM_SPLIT", "time": "BYTE_STREAM_SPLIT",
        "flag": "PLAIN",
    }
    for name, encodings, codec, page in [
        ("pyarrow-delta-v1-none", delta, "none", "1.0"),
        ("pyarrow-delta-v2-zstd", delta, "zstd", "2.0"),
        ("pyarrow-split-v1-lz4", split, "lz4", "1.0"),
        ("pyarrow-split-v2-brotli", split, "brotli", "2.0"),
        ("pyarrow-dictionary-v1-brotli", None, "brotli", "1.0"),
        ("pyarrow-dictionary-v2-gzip", None, "gzip", "2.0"),
    ]:
        pq.write_table(
            data, HERE / f"{name}.parquet", version="2.6", compression=codec,
            use_dictionary=encodings is None, column_encoding=encodings,
            data_page_version=page, data_page_size=512, write_batch_size=50,
            row_group_size=170, store_schema=False, write_page_checksum=page == "2.0")


def polars_files():
    import polars as pl

    data = pl.from_arrow(table().drop(["fixed"]))
    for codec in ["zstd", "brotli", "lz4"]:
        data.write_parquet(HERE / f"polars-{codec}.parquet", compression=codec,
                           row_group_size=170, data_page_size=512)


def duckdb_files():
    import duckdb

    data = table()  # found by its name
    assert data.num_rows == ROWS
    for version, codec in [("v1", "lz4_raw"), ("v2", "brotli"), ("v2", "zstd")]:
        path = HERE / f"duckdb-{version}-{codec}.parquet"
        duckdb.sql(f"COPY (SELECT * FROM data) TO '{path}' (FORMAT parquet, "
                   f"PARQUET_VERSION {version}, COMPRESSION {codec}, "
                   f"DICTIONARY_SIZE_LIMIT {1000 if version == 'v1' else 1})")


def fastparquet_files():
    import fastparquet
    import pandas

    kept = ["i8", "i32", "i64", "step", "f32", "text"]
    values = columns()
    frame = pandas.DataFrame({name: values[name] for name in kept})
    frame = frame.astype({"i8": "int8", "i32": "int32", "i64": "int64", "step": "int64",
                          "f32": "float32", "text": "object"})
    fastparquet.write(str(HERE / "fastparquet-gzip.parquet"), frame, compression="GZIP",
                      row_group_offsets=170, has_nulls=True)


if __name__ == "__main__":
    import sys

    for part in sys.argv[1:] or ["pyarrow", "polars", "duckdb", "fastparquet"]:
        globals()[part + "_files"]()
