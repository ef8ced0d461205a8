"""Writes the files that IpcFilesTest reads: one table as Parquet and as Arrow IPC in its forms.

Run with pyarrow 26.0.1 and numpy: python make.py FOLDER
"""

import datetime
import decimal
import random
import sys

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

folder = sys.argv[1]
rng = random.Random(7)
ROWS = 160


def column(type_, make, nulls=0.2):
    return pa.array([None if rng.random() < nulls else make() for _ in range(ROWS)], type_)


def text():
    return "".join(rng.choice("abcß") for _ in range(rng.randrange(6)))


def number(digits):
    return decimal.Decimal(rng.randrange(-(10**digits) + 1, 10**digits)).scaleb(-2)


def integer(bits, signed):
    return rng.randrange(-(2 ** (bits - 1)), 2 ** (bits - 1)) if signed else rng.randrange(2**bits)


columns = {}
for bits in (8, 16, 32, 64):
    for signed in (True, False):
        type_ = getattr(pa, ("" if signed else "u") + f"int{bits}")()
        columns[str(type_)] = column(type_, lambda: integer(bits, signed))
columns["bool"] = column(pa.bool_(), lambda: rng.random() < 0.5)
columns["bool_all"] = column(pa.bool_(), lambda: rng.random() < 0.5, 0)
columns["half"] = column(pa.float16(), lambda: np.float16(rng.random()))
columns["float"] = column(pa.float32(), lambda: rng.random(), 0)
columns["double"] = column(pa.float64(), lambda: rng.gauss(0, 1))
columns["text"] = column(pa.string(), text)
columns["large_text"] = column(pa.large_string(), text, 0)
columns["bytes"] = column(pa.binary(), lambda: text().encode())
columns["large_bytes"] = column(pa.large_binary(), lambda: text().encode())
columns["fixed"] = column(pa.binary(5), lambda: rng.randbytes(5))
columns["decimal9"] = column(pa.decimal128(9, 2), lambda: number(9))
columns["decimal38"] = column(pa.decimal128(38, 2), lambda: number(38))
columns["decimal50"] = column(pa.decimal256(50, 2), lambda: number(50))
columns["date"] = column(pa.date32(), lambda: datetime.date.fromordinal(rng.randrange(1, 800_000)))
columns["date64"] = column(pa.date64(), lambda: datetime.date.fromordinal(rng.randrange(1, 800_000)))
columns["time_ms"] = column(pa.time32("ms"), lambda: rng.randrange(86_400_000))
columns["time_us"] = column(pa.time64("us"), lambda: rng.randrange(86_400_000_000))
columns["time_ns"] = column(pa.time64("ns"), lambda: rng.randrange(86_400_000_000_000))
for unit in ("s", "ms", "us", "ns"):
    columns["stamp_" + unit] = column(pa.timestamp(unit), lambda: rng.randrange(-(10**9), 10**9))
    columns["utc_" + unit] = column(pa.timestamp(unit, "UTC"), lambda: rng.randrange(10**9))
columns["none"] = column(pa.int64(), lambda: 1, 1)
columns["list"] = column(
    pa.list_(pa.int32()), lambda: [integer(32, True) for _ in range(rng.randrange(4))])
columns["large_list"] = column(pa.large_list(pa.string()), lambda: [text(), None, text()])
columns["triple"] = column(pa.list_(pa.float32(), 3), lambda: [rng.random() for _ in range(3)])
columns["pair"] = column(pa.list_(pa.int64(), 2), lambda: [1, rng.randrange(9)], 0)
columns["map"] = column(
    pa.map_(pa.string(), pa.int64()),
    lambda: [(str(i), None if i == 2 else i) for i in range(rng.randrange(4))])
inner = pa.struct([("y", pa.string()), ("z", pa.list_(pa.bool_()))])
columns["struct"] = column(
    pa.struct([("x", pa.int64()), ("inner", inner)]),
    lambda: {"x": rng.randrange(9), "inner": None if rng.random() < 0.3 else
             {"y": text(), "z": [True, None, False][: rng.randrange(4)]}})
columns["lists"] = column(pa.list_(pa.list_(pa.int16())), lambda: [[1, None], [], None, [3]])
words = pa.array([rng.choice(["ant", "bee", "", "ß"]) for _ in range(ROWS)], mask=np.array(
    [rng.random() < 0.2 for _ in range(ROWS)]))
codes = {
    "dictionary8": (pa.int8(), words),
    "dictionary_u16": (pa.uint16(), words),
    "dictionary64": (pa.int64(), words.cast(pa.large_string())),
    "dictionary_numbers": (pa.int32(), pa.array([rng.randrange(5) for _ in range(ROWS)])),
}
for name, (index, values) in codes.items():
    columns[name] = values.dictionary_encode().cast(pa.dictionary(index, values.type))

table = pa.table(columns)
plain = table
for name, (_, values) in codes.items():
    plain = plain.set_column(plain.column_names.index(name), name, values)
pq.write_table(plain, folder + "/table.parquet", store_schema=False)


def write(path, made, stream=False, **options):
    opened = pa.ipc.new_stream if stream else pa.ipc.new_file
    with opened(path, made.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(made, max_chunksize=67)


write(folder + "/table.arrow", table)
write(folder + "/table-v4.arrow", table, metadata_version=pa.ipc.MetadataVersion.V4)
write(folder + "/table-zstd.arrow", table, compression="zstd")
write(folder + "/table.arrows", table, stream=True)
write(folder + "/table-lz4.arrows", table, stream=True, compression="lz4")
feather.write_feather(table, folder + "/table-lz4.feather", compression="lz4", chunksize=43)
feather.write_feather(table, folder + "/table.feather", compression="uncompressed")

# A stream whose dictionary grows, by what is new and by a new one.
for delta in (True, False):
    type_ = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema([("d", type_)])
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=delta)
    with pa.ipc.new_stream(
            folder + ("/delta.arrows" if delta else "/replaced.arrows"), schema,
            options=options) as writer:
        for words in (["a", "b"], ["a", "b", "c"], ["a", "b", "c", "dd"]):
            made = pa.DictionaryArray.from_arrays(
                pa.array([len(words) - 1, 0, None], pa.int32()), pa.array(words))
            writer.write_batch(pa.record_batch([made], schema=schema))
