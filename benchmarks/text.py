"""The other side of benchmarks/text.sh: makes the files, and reads them with pyarrow on one thread.

text.py make DATA_DIR ROWS | text.py read FILE ROUNDS
"""
import json
import os
import sys
import time

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.json
import pyarrow.orc


NAMES = [f"c{i}" for i in range(10)]


def bits(values):
    return numpy.asarray(values, dtype=numpy.float64).view(numpy.uint64)


def checksum(columns, left, right):
    """The sum of ColumnsChecksum, modulo 2^64: of arrays of unsigned integers by column name."""
    total = 31 * int(numpy.sum(columns[left] * columns[right], dtype=numpy.uint64))
    for i, name in enumerate(sorted(columns)):
        total += (i + 1) * int(numpy.sum(columns[name], dtype=numpy.uint64))
    return {"rows": len(columns[left]), "checksum": f"{total % 2**64:016x}"}


def doubles(path, rows):
    random = numpy.random.default_rng(1)
    columns = {name: random.standard_normal(rows) for name in NAMES}
    pyarrow.csv.write_csv(pyarrow.table(columns), path)
    return checksum({name: bits(values) for name, values in columns.items()}, "c0", "c1")


def records(path, rows):
    values = numpy.random.default_rng(2).standard_normal((rows, 4))
    sums = {name: bits(values[:, i].copy()) for i, name in enumerate("xyzw")}
    sums |= {name: numpy.zeros(rows, numpy.uint64) for name in ("id", "name", "ok", "n", "tags")}
    with open(path, "w") as out:
        for i, (x, y, z, w) in enumerate(values.tolist()):
            row = {"id": i, "name": f"user{i % 1000}", "ok": i % 3 == 0, "x": x, "y": y}
            row |= {"z": z, "n": i * 7 % 1000, "tags": [i % 5, i % 7], "w": w}
            out.write(json.dumps(row) + "\n")
            sums["id"][i] = i
            sums["name"][i] = len(row["name"]) + 1000 * ord(row["name"][-1])
            sums["ok"][i] = row["ok"]
            sums["n"][i] = row["n"]
            sums["tags"][i] = sum(row["tags"])
    return checksum(sums, "id", "n")


def make(folder, rows):
    """Makes the files that are not there with so many rows, and their entries in the manifest."""
    manifest = os.path.join(folder, "manifest.json")
    entries = {}
    if os.path.exists(manifest):
        with open(manifest) as file:
            entries = json.load(file)
    csv = os.path.join(folder, "doubles.csv")
    lines = os.path.join(folder, "records.jsonl")
    orc = os.path.join(folder, "doubles.orc")
    for key, path, count, write in (("csv", csv, rows, doubles), ("jsonl", lines, rows // 2, records)):
        if entries.get(key, {}).get("rows") != count or not os.path.exists(path):
            entries[key] = write(path, count)
            if key == "csv" and os.path.exists(orc):
                os.remove(orc)
    if not os.path.exists(orc):
        pyarrow.orc.write_table(pyarrow.csv.read_csv(csv), orc)
    with open(manifest, "w") as file:
        json.dump(entries, file, indent=1)


def read(path, rounds):
    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        if path.endswith(".csv"):
            options = pyarrow.csv.ReadOptions(use_threads=False)
            table = pyarrow.csv.read_csv(path, read_options=options)
        elif path.endswith(".orc"):
            file = pyarrow.orc.ORCFile(path)
            stripes = [file.read_stripe(i) for i in range(file.nstripes)]
            table = pyarrow.Table.from_batches(stripes)
        else:
            options = pyarrow.json.ReadOptions(use_threads=False)
            table = pyarrow.json.read_json(path, read_options=options)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"pyarrow-{pyarrow.__version__} {wall:.3f} {cpu:.3f} {table.num_rows}")


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]))
else:
    read(sys.argv[2], int(sys.argv[3]))
