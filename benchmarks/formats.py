"""The Python side of benchmarks/formats.sh: makes the files, and reads them with peers.

formats.py make DATA_DIR WORKLOAD...            generates what is not there, and enters its sums into the manifest
formats.py read DATA_DIR THREADS WORKLOAD...    polars, pyarrow and duckdb; prints a line of JSON for each

PEERS: the folder with formats_generate.py, formats_peers.py and dlrm_generate.py
"""

import json
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

PEERS = Path(os.environ["PEERS"])
CLICKS = ["label", *(f"d{i:02}" for i in range(13)), *(f"c{i:03}" for i in range(26))]
NULL_DOUBLE = 0x9E3779B97F4A7C15


def counts(column):
    """What the values of a column count in a sum, as in ColumnsChecksum: unsigned integers."""
    column = column.combine_chunks()
    if column.type == "string":
        last = np.frombuffer(pc.utf8_slice_codeunits(column, -1).buffers()[2], np.uint8)
        return pc.utf8_length(column).to_numpy() + last[: len(column)].astype(np.uint64) * 1000
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind == "f":
        bits = values.view(f"u{values.dtype.itemsize}").astype(np.uint64)
        return np.where(np.isnan(values), np.uint64(NULL_DOUBLE), bits)
    return values.astype(np.int64).view(np.uint64)


def entry(folder, columns, left, right):
    """The rows of a folder and their sum, modulo 2^64."""
    table = pq.read_table(folder, columns=columns)
    sums = {name: counts(table[name]) for name in sorted(table.column_names)}
    total = 31 * int(np.sum(sums[left] * sums[right], dtype=np.uint64))
    for i, each in enumerate(sums.values(), 1):
        total += i * int(np.sum(each, dtype=np.uint64))
    return {"rows": table.num_rows, "checksum": f"{total % 2**64:016x}"}


def make(data, workloads):
    manifest = data / "manifest.json"
    entries = json.loads(manifest.read_text()) if manifest.exists() else {}
    for key, files, *sums in (
        ("formats", "formats/parquet", None, "i0", "l0"),
        ("dlrm", "dlrm", CLICKS, "c000", "c001"),
    ):
        if not any((workload == "dlrm") == (key == "dlrm") for workload in workloads):
            continue
        if not any((data / files).glob("*.parquet")):
            (data / key).mkdir(exist_ok=True)
            subprocess.run([sys.executable, PEERS / f"{key}_generate.py", data / key], check=True)
            entries.pop(key, None)
        entries[key] = entries.get(key) or entry(data / files, *sums)
    manifest.write_text(json.dumps(entries, indent=1))


def report(system, workload, threads, speed):
    found = {"system": f"{system}:{threads}", "workload": workload}
    found |= {"error": speed} if isinstance(speed, str) else {"rows_per_s": round(speed), "ok": True}
    print(json.dumps(found), flush=True)


def clicks(data, threads):
    """polars whole, pyarrow a row group at a time on each thread."""
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars

    files = sorted((data / "dlrm").glob("*.parquet"))
    rows = sum(pq.read_metadata(file).num_rows for file in files)

    def share(file, thread):
        with pq.ParquetFile(file) as opened:
            for group in range(thread, opened.num_row_groups, threads):
                opened.read_row_group(group, CLICKS, use_threads=False)

    def groups(file):
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(share, [file] * threads, range(threads)))

    for system, read in (
        ("polars", lambda: polars.read_parquet(files, columns=CLICKS)),
        ("pyarrow", lambda: [groups(file) for file in files]),
    ):
        seconds = []
        for _ in range(7):
            start = time.perf_counter()
            read()
            seconds.append(time.perf_counter() - start)
        report(system, "dlrm", threads, rows / statistics.median(seconds[2:]))


def read(data, threads, workloads):
    if "dlrm" in workloads:
        clicks(data, threads)
    if workloads != ["dlrm"]:
        command = [sys.executable, PEERS / "formats_peers.py", data / "formats", str(threads)]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        for key, speed in found.items():
            workload, system = key.split()
            if workload in workloads and system != "fastavro":  # which reads one of four files
                report(system, workload, threads, speed if isinstance(speed, str) else speed * 1e6)


if sys.argv[1] == "make":
    make(Path(sys.argv[2]), sys.argv[3:])
else:
    read(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
