"""Writes nested.parquet with pyarrow, and beside it nested.jsonl: the same rows as `penstock cat` shall print them,
made from pyarrow's own reading of the file. Recorded with pyarrow 26.0.1.

usage: python nested.py
"""
import base64, datetime, decimal, json, os, random
import pyarrow as pa, pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = 60
UTC = datetime.timezone.utc
random.seed(5)

SCHEMA = pa.schema([
    pa.field("id", pa.int64(), nullable=False),
    pa.field("embedding", pa.list_(pa.field("element", pa.float32(), nullable=False)), nullable=False),
    pa.field("tokens", pa.list_(pa.int32())),
    pa.field("unsigned", pa.list_(pa.uint64())),
    pa.field("flags", pa.list_(pa.bool_())),
    pa.field("days", pa.list_(pa.date32())),
    pa.field("stamps", pa.list_(pa.timestamp("us", tz="UTC"))),
    pa.field("tags", pa.list_(pa.string())),
    pa.field("blobs", pa.list_(pa.binary())),
    pa.field("amounts", pa.list_(pa.decimal128(10, 2))),
    pa.field("grid", pa.list_(pa.list_(pa.int16()))),
    pa.field("place", pa.struct([
        pa.field("name", pa.string()),
        pa.field("where", pa.struct([pa.field("lat", pa.float64()), pa.field("at", pa.time64("ns"))])),
        pa.field("seen", pa.list_(pa.timestamp("ms"))),
    ])),
    pa.field("scores", pa.map_(pa.string(), pa.float32())),
    pa.field("people", pa.list_(pa.struct([pa.field("name", pa.string(), nullable=False), pa.field("age", pa.int8())]))),
])


def maybe(make, chance=0.2):
    return None if random.random() < chance else make()


def many(make, most=4):
    return [make() for _ in range(random.randrange(most + 1))]


def text():
    return random.choice(["", "a", "bee", "\u00e4\u20ac\U0001f600", 'say "hi"\n'])


def quarter():
    return random.randrange(-4000, 4000) / 4


def stamp(unit):
    micros = random.randrange(0, 2_000_000_000_000_000) // unit * unit
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=micros)


def row(i):
    return {
        "id": i,
        "embedding": [quarter() for _ in range(8)],
        "tokens": maybe(lambda: many(lambda: maybe(lambda: random.randrange(-(2**31), 2**31)))),
        "unsigned": maybe(lambda: many(lambda: maybe(lambda: random.randrange(2**64)))),
        "flags": maybe(lambda: many(lambda: maybe(lambda: random.random() < 0.5))),
        "days": maybe(lambda: many(lambda: maybe(lambda: datetime.date(1900 + random.randrange(200), 2, 28)))),
        "stamps": maybe(lambda: many(lambda: maybe(lambda: stamp(1).replace(tzinfo=UTC)))),
        "tags": maybe(lambda: many(lambda: maybe(text))),
        "blobs": maybe(lambda: many(lambda: maybe(lambda: random.randbytes(random.randrange(5))))),
        "amounts": maybe(lambda: many(lambda: maybe(lambda: decimal.Decimal(random.randrange(-99999, 99999)).scaleb(-2)))),
        "grid": maybe(lambda: many(lambda: maybe(lambda: many(lambda: maybe(lambda: random.randrange(-9, 9)))))),
        "place": maybe(lambda: {
            "name": maybe(text),
            "where": maybe(lambda: {"lat": maybe(quarter), "at": maybe(lambda: datetime.time(random.randrange(24), 5, 6, 789))}),
            "seen": maybe(lambda: many(lambda: maybe(lambda: stamp(1000)))),
        }),
        # Keys may come twice: the format does not forbid it.
        "scores": maybe(lambda: many(lambda: (text(), maybe(quarter)))),
        "people": maybe(lambda: many(lambda: maybe(lambda: {"name": text(), "age": maybe(lambda: random.randrange(100))}))),
    }


def shown(t, v):
    """Renders a value that pyarrow gave, as the command's reference says."""
    if v is None:
        return None
    if pa.types.is_map(t):
        return [{"key": shown(t.key_type, k), "value": shown(t.item_type, x)} for k, x in v]
    if pa.types.is_list(t):
        return [shown(t.value_type, x) for x in v]
    if pa.types.is_struct(t):
        return {f.name: shown(f.type, v[f.name]) for f in t}
    if pa.types.is_binary(t):
        return base64.b64encode(v).decode()
    if pa.types.is_decimal(t):
        return str(v)
    if pa.types.is_date(t):
        return v.isoformat()
    if pa.types.is_time(t):
        return v.isoformat("microseconds") + "000"
    if pa.types.is_timestamp(t):
        text = v.replace(tzinfo=None).isoformat(timespec="milliseconds" if t.unit == "ms" else "microseconds")
        return text + ("Z" if t.tz else "")
    return v


if __name__ == "__main__":
    path = os.path.join(HERE, "nested.parquet")
    table = pa.Table.from_pylist([row(i) for i in range(ROWS)], schema=SCHEMA)
    pq.write_table(table, path, row_group_size=25, compression="zstd", data_page_size=200, write_batch_size=7)
    read = pq.read_table(path)
    with open(os.path.join(HERE, "nested.jsonl"), "w", encoding="utf-8") as out:
        for r in read.to_pylist():
            shown_row = {f.name: shown(f.type, r[f.name]) for f in read.schema}
            out.write(json.dumps(shown_row, ensure_ascii=False, separators=(",", ":")) + "\n")
