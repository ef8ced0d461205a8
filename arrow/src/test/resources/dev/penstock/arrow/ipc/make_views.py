"""Writes the files of views, durations, nulls and null lists that IpcFilesTest reads, and their rows
as Parquet.

Run with pyarrow 26.0.1 and polars 2.1.0: python make_views.py FOLDER
"""

import datetime
import random
import sys

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

folder = sys.argv[1]
rng = random.Random(11)
ROWS = 300


def text():
    size = rng.choice([0, 1, 4, 11, 12, 13, 40, 200])
    return "".join(rng.choice("abcß") for _ in range(size))


def some(make, nulls=0.2):
    return [None if rng.random() < nulls else make() for _ in range(ROWS)]


words = some(lambda: rng.choice(["ant", "a bee that has a long name", "", "ß"]))
columns = {
    "text": pa.array(some(text), pa.string()),
    "all_there": pa.array(some(text, 0), pa.string()),
    "bytes": pa.array(some(lambda: text().encode()), pa.binary()),
    "short": pa.array(some(lambda: text()[:6]), pa.string()),
    "empty": pa.array(some(lambda: ""), pa.string()),
    "list": pa.array(some(lambda: [text(), None, text()][: rng.randrange(4)]), pa.list_(pa.string())),
    "pair": pa.array(
        some(lambda: {"t": text(), "n": rng.randrange(9)}),
        pa.struct([("t", pa.string()), ("n", pa.int64())])),
    "words": pa.array(words, pa.string()),
    "duration": pa.array(some(lambda: rng.randrange(-(10**15), 10**15)), pa.int64()),
    "nothing": pa.array([None] * ROWS, pa.int32()),
    "nothings": pa.array(some(lambda: [None] * rng.randrange(3)), pa.list_(pa.int32())),
}
plain = pa.table(columns)
pq.write_table(plain, folder + "/views.parquet", store_schema=False)

forms = {
    "text": pa.string_view(),
    "all_there": pa.string_view(),
    "bytes": pa.binary_view(),
    "short": pa.string_view(),
    "empty": pa.string_view(),
    "list": pa.list_(pa.string_view()),
    "pair": pa.struct([("t", pa.string_view()), ("n", pa.int64())]),
    "words": pa.dictionary(pa.int16(), pa.string_view()),
    "duration": pa.duration("us"),
    "nothing": pa.null(),
    "nothings": pa.list_(pa.null()),
}


def view(name, type_):
    if name == "words":
        coded = pa.array(words, pa.string()).dictionary_encode()
        return pa.DictionaryArray.from_arrays(
            coded.indices.cast(pa.int16()), coded.dictionary.cast(pa.string_view()))
    return pa.array(columns[name].to_pylist(), type_)


viewed = pa.table({name: view(name, type_) for name, type_ in forms.items()})
for name, opened, options in [
    ("views.arrow", pa.ipc.new_file, {}),
    ("views-zstd.arrow", pa.ipc.new_file, {"compression": "zstd"}),
    ("views-lz4.arrows", pa.ipc.new_stream, {"compression": "lz4"}),
]:
    with opened(folder + "/" + name, viewed.schema, options=pa.ipc.IpcWriteOptions(**options)) as w:
        w.write_table(viewed, max_chunksize=127)

# Polars writes views unless it is asked not to. Rows that were put in order share the buffers of
# those before: their views point anywhere.
frame = pl.DataFrame(
    {
        **{name: plain[name].to_pylist() for name in columns if name not in ("words", "duration")},
        "words": pl.Series(words, dtype=pl.Categorical),
        "duration": [
            None if n is None else datetime.timedelta(microseconds=n)
            for n in columns["duration"].to_pylist()
        ],
    },
    schema_overrides={"nothing": pl.Null, "nothings": pl.List(pl.Null)},
).select(list(columns))
frame.write_ipc(folder + "/views-polars.arrow")
frame.write_ipc_stream(folder + "/views-polars-lz4.arrows", compression="lz4")
back = list(range(ROWS - 1, -1, -1))
frame[back].write_ipc(folder + "/views-polars-back.arrow")

# Many views of one value.
pl.DataFrame({"text": ["x" * 4999 + "y"]})[[0] * 8000].write_ipc(
    folder + "/views-shared.arrow", compression="zstd")

# Lists that are null but have elements, as those of a fixed size do.
at = [rng.random() < 0.3 for _ in range(ROWS)]
filled = {
    "numbers": (pa.list_(pa.float32(), 3), lambda: [rng.choice([None, 0.5, 2.0]) for _ in range(3)]),
    "words": (pa.list_(pa.string(), 2), lambda: [text()[:5], None]),
    "pair": (
        pa.struct([("e", pa.list_(pa.int64(), 2)), ("w", pa.list_(pa.string(), 1))]),
        lambda: {"e": rng.choice([None, [1, rng.randrange(9)]]), "w": rng.choice([None, ["x"]])}),
    "lists": (
        pa.list_(pa.list_(pa.int16(), 2)),
        lambda: [rng.choice([None, [1, None]]) for _ in range(rng.randrange(4))]),
}
gaps = pa.table({
    name: pa.array([None if null else make() for null in at], type_)
    for name, (type_, make) in filled.items()})
pq.write_table(gaps, folder + "/gaps.parquet", store_schema=False)
for name, options in [("gaps.arrow", {}), ("gaps-lz4.arrow", {"compression": "lz4"})]:
    with pa.ipc.new_file(
            folder + "/" + name, gaps.schema, options=pa.ipc.IpcWriteOptions(**options)) as w:
        w.write_table(gaps, max_chunksize=127)
