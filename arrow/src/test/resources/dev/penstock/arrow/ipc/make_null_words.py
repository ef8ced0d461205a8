"""Writes the files of IpcFilesTest with dictionaries some of whose values are null.

Run with pyarrow 26.0.1: python make_null_words.py FOLDER
"""

import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

folder = sys.argv[1]
rng = random.Random(3)

WORDS = pa.array(["ant", None, "", "bee", None, "ß"])
NUMBERS = pa.array([7, 8, None, 9, None, 10])


def indices(rows, most):
    return pa.array(
        [None if rng.random() < 0.1 else rng.randrange(most) for _ in range(rows)], pa.int16())


def batch(rows, most):
    """Rows with the first so many values of the dictionaries."""
    words = pa.DictionaryArray.from_arrays(indices(rows, most), WORDS[:most])
    every = pa.DictionaryArray.from_arrays(indices(rows, most).fill_null(1), WORDS[:most])
    numbers = pa.DictionaryArray.from_arrays(indices(rows, most), NUMBERS[:most])
    fields = [pa.field("w", words.type), pa.field("n", pa.int64())]
    ends = sorted(rng.choices(range(rows + 1), k=rows - 1))
    return pa.record_batch({
        "words": words,
        "every": every,
        "numbers": numbers,
        "struct": pa.StructArray.from_arrays(
            [every, pa.array(range(rows))], fields=fields,
            mask=pa.array([rng.random() < 0.2 for _ in range(rows)])),
        "list": pa.ListArray.from_arrays(pa.array([0, *ends, rows], pa.int32()), every),
    })


def plain(array):
    """The same values without dictionaries."""
    type_ = array.type
    if pa.types.is_dictionary(type_):
        return pa.array(array.to_pylist(), type_.value_type)
    if pa.types.is_struct(type_):
        return pa.array(array.to_pylist(), pa.struct([("w", pa.string()), ("n", pa.int64())]))
    if pa.types.is_list(type_):
        return pa.array(array.to_pylist(), pa.list_(pa.string()))
    return array


batches = [batch(100, most) for most in (2, 4, 6)]
schema = batches[0].schema
deltas = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
for writer in (
        pa.ipc.new_file(folder + "/null-words.arrow", schema, options=deltas),
        pa.ipc.new_stream(folder + "/null-words.arrows", schema)):
    with writer:
        for each in batches:
            writer.write_batch(each)
pq.write_table(
    pa.table({name: pa.concat_arrays(
        [plain(each[name]) for each in batches]) for name in schema.names}),
    folder + "/null-words.parquet", store_schema=False)
