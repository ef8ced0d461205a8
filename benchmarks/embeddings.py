"""Makes w5's lists of 128 floats anew in other forms: w5h, half-precision in Parquet; w5a, lists of
fixed size in Arrow files.

embeddings.py DATA_DIR
"""
import json
import os
import sys

import numpy
import pyarrow
import pyarrow.ipc
import pyarrow.parquet

WIDTH = 128
GROUP_ROWS = 25_000


def checksum(matrices):
    """The sum of MatrixChecksum, modulo 2^64, with the key 0; and the rows."""
    weighted = keyed = rows = 0
    for matrix in matrices:
        bits = numpy.ascontiguousarray(matrix, dtype=numpy.float32).view(numpy.uint32)
        columns = bits.sum(axis=0, dtype=numpy.uint64)
        weighted += sum((i + 1) * int(value) for i, value in enumerate(columns))
        keyed += int(columns[0])
        rows += len(matrix)
    return {"rows": rows, "checksum": f"{(weighted * 31 + keyed) % 2**64:016x}"}


def halves(matrix, path):
    offsets = pyarrow.array(numpy.arange(len(matrix) + 1, dtype=numpy.int32) * WIDTH)
    values = pyarrow.array(matrix.reshape(-1))
    table = pyarrow.table({"e": pyarrow.ListArray.from_arrays(offsets, values)})
    pyarrow.parquet.write_table(
        table, path + ".parquet", row_group_size=GROUP_ROWS, compression="zstd", use_dictionary=False
    )


def fixed(matrix, path):
    lists = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(matrix.reshape(-1)), WIDTH)
    table = pyarrow.table({"e": lists})
    with pyarrow.ipc.new_file(path + ".arrow", table.schema) as file:
        file.write_table(table, max_chunksize=GROUP_ROWS)


def main(folder):
    manifest = os.path.join(folder, "manifest.json")
    with open(manifest) as file:
        entries = json.load(file)
    source = os.path.join(folder, "w5")
    made = {"w5h": [], "w5a": []}
    for key in made:
        os.makedirs(os.path.join(folder, key), exist_ok=True)
    for name in sorted(os.listdir(source)):
        lists = pyarrow.parquet.read_table(os.path.join(source, name))["e"].combine_chunks()
        matrix = lists.flatten().to_numpy().reshape(-1, WIDTH)
        half = matrix.astype(numpy.float16)
        part = name.removesuffix(".parquet")
        halves(half, os.path.join(folder, "w5h", part))
        fixed(matrix, os.path.join(folder, "w5a", part))
        made["w5h"].append(half)
        made["w5a"].append(matrix)
    for key, matrices in made.items():
        entries[key] = checksum(matrices)
    with open(manifest, "w") as file:
        json.dump(entries, file, indent=1)


main(sys.argv[1])
