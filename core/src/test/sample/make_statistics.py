"""Makes the file with which statistics, page index and bloom filters of Arrow C++ are tested.

    pip install pyarrow==26.0.1 numpy
    python make_statistics.py ../resources/dev/penstock/internal/parquet/statistics-pyarrow.parquet

240 rows in two row groups, in pages of 25 rows. In row i column `s` has no struct when i % 3 is 0,
and its part `x` is null when i % 4 is 0. The same seed and versions give the same file.
"""

import datetime
import decimal
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SEED = 3
ROWS = 240
GROUP_ROWS = 150
PAGE_ROWS = 25


def main(target: str) -> None:
    random = np.random.default_rng(SEED)
    nulls = random.random(ROWS) < 0.2

    def column(values, type_, nullable=True):
        values = list(values)
        if nullable:
            values = [None if null else value for null, value in zip(nulls, values)]
        return pa.array(values, type_)

    def integers(bits, signed):
        low = -(2 ** (bits - 1)) if signed else 0
        high = 2 ** (bits - 1) if signed else 2**bits
        values = [int(v) for v in random.integers(low, high, ROWS, dtype=f"{'' if signed else 'u'}int{bits}")]
        values[7], values[8], values[200] = low, high - 1, 0
        return values

    def floats(dtype):
        values = random.standard_normal(ROWS).astype(dtype)
        values[30:33] = [np.nan, 0.0, -0.0]
        values[50:75] = np.abs(values[50:75])
        values[60] = 0.0
        values[175:200] = np.nan
        values[100:125] = 0.0
        values[125:150] = -0.0
        values[160:162] = [np.inf, -np.inf]
        return values

    def decimals(precision, scale):
        top = 10**precision - 1
        values = [int(random.integers(-10**8, 10**8)) * (top // 10**8 or 1) % top for _ in range(ROWS)]
        values = [v if random.random() < 0.5 else -v for v in values]
        values[3], values[4] = top, -top
        context = decimal.Context(prec=90)
        return [decimal.Decimal(v).scaleb(-scale, context) for v in values]

    words = ["", "a", "ab", "\u00ff" * 60, "\uffee", "\U0001f600", "\u007f", "word"]
    texts = [words[i] if i < len(words) else f"word {v}" for i, v in enumerate(random.integers(0, 500, ROWS))]
    blobs = [bytes(random.integers(0, 256, n, dtype="uint8")) for n in random.integers(0, 80, ROWS)]
    blobs[5], blobs[6] = b"\xff" * 80, b""

    columns = {}
    for bits in (8, 16, 32, 64):
        columns[f"int{bits}"] = column(integers(bits, True), pa.int64() if bits == 64 else getattr(pa, f"int{bits}")())
        columns[f"uint{bits}"] = column(integers(bits, False), getattr(pa, f"uint{bits}")())
    columns["required"] = column(integers(32, True), pa.int32(), nullable=False)
    columns["bool"] = column([bool(v) for v in random.integers(0, 2, ROWS)], pa.bool_())
    columns["float16"] = column(floats("float16"), pa.float16())
    columns["float32"] = column(floats("float32"), pa.float32())
    columns["float64"] = column(floats("float64"), pa.float64())
    for precision in (5, 18, 30, 38):
        columns[f"decimal{precision}"] = column(decimals(precision, 2), pa.decimal128(precision, 2))
    columns["decimal60"] = column(decimals(60, 2), pa.decimal256(60, 2))
    columns["date"] = column([datetime.date(1960, 1, 1) + datetime.timedelta(int(d)) for d in random.integers(0, 9999, ROWS)], pa.date32())
    columns["time"] = column([int(v) for v in random.integers(0, 86_400_000_000, ROWS)], pa.time64("us"))
    columns["timestamp"] = column([int(v) for v in random.integers(-(10**15), 10**15, ROWS)], pa.timestamp("us", "UTC"))
    columns["string"] = column(texts, pa.string())
    columns["binary"] = column(blobs, pa.binary())
    columns["fixed"] = column([bytes(random.integers(0, 256, 5, dtype="uint8")) for _ in range(ROWS)], pa.binary(5))
    columns["nothing"] = pa.array([None] * ROWS, pa.int32())
    parts = [None if i % 3 == 0 else {"x": None if i % 4 == 0 else i, "y": -i} for i in range(ROWS)]
    columns["s"] = pa.array(parts, pa.struct([("x", pa.int64()), pa.field("y", pa.int32(), nullable=False)]))
    columns["l"] = pa.array([None if i % 5 == 0 else list(range(i, i + i % 4)) for i in range(ROWS)], pa.list_(pa.int32()))

    flat = [name for name in columns if name not in ("bool", "s", "l")]
    pq.write_table(
        pa.table(columns, schema=pa.schema([pa.field(n, c.type, nullable=n != "required") for n, c in columns.items()])),
        target,
        row_group_size=GROUP_ROWS,
        max_rows_per_page=PAGE_ROWS,
        use_dictionary=False,
        compression="none",
        write_page_index=True,
        store_schema=False,
        bloom_filter_options={name: {"ndv": GROUP_ROWS, "fpp": 0.05} for name in flat},
    )


main(*sys.argv[1:])
