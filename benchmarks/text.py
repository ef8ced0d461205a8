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


def make(folder, rows):
    csv = os.path.join(folder, "doubles.csv")
    lines = os.path.join(folder, "records.jsonl")
    orc = os.path.join(folder, "doubles.orc")
    random = numpy.random.default_rng(1)
    if not os.path.exists(csv):
        columns = {f"c{i}": random.standard_normal(rows) for i in range(10)}
        pyarrow.csv.write_csv(pyarrow.table(columns), csv)
    if not os.path.exists(orc):
        pyarrow.orc.write_table(pyarrow.csv.read_csv(csv), orc)
    if not os.path.exists(lines):
        values = random.standard_normal((rows // 2, 4)).tolist()
        with open(lines, "w") as out:
            for i, (x, y, z, w) in enumerate(values):
                row = {"id": i, "name": f"user{i % 1000}", "ok": i % 3 == 0, "x": x, "y": y}
                row |= {"z": z, "n": i * 7 % 1000, "tags": [i % 5, i % 7], "w": w}
                out.write(json.dumps(row) + "\n")


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
