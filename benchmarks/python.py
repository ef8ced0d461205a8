"""Penstock in Python, one workload -> one line of JSON, as the other systems print it.

python benchmarks/python.py WORKLOAD DATA_DIR [WORKERS]     PEERS: the folder with checks.py

Warm-up epochs take at least 30 epochs and 20 seconds, or WARM_UP; the checksum is taken in one of them. Memory and
processor time are those of this process and of the engine together.
"""

import json
import os
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, os.environ.get("PEERS", str(Path(__file__).resolve().parents[2] / "shared/bench")))

import numpy as np
import torch
from checks import ColumnSum, MatrixSum
from penstock_torch import Dataset, Loader

FN = [f"f{i:02d}" for i in range(64)]
W2N = [f"d{k}" for k in range(6)] + [f"i{k}" for k in range(3)] + ["l0", "l1", "t0", "t1"]
WORKLOADS = {
    "w1": ("w1", [*FN, "label"], 1024, {"features": {"x": FN}}),
    "w2n": ("w2", W2N, 4096, {}),
    "w3": ("w34", ["f07", "row_id"], 1024, {}),
    "w5": ("w5", ["e"], 1024, {"lists": "block"}),
}
EPOCHS = 5
WARM_UP = float(os.environ.get("WARM_UP", "20"))  # seconds; the JVM compiles for as long


def processes() -> list[int]:
    own = os.getpid()
    children = Path(f"/proc/{own}/task").glob("*/children")
    return [own, *(int(each) for file in children for each in file.read_text().split())]


def cpu_seconds() -> float:
    ticks = 0
    for process in processes():
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_mb() -> float:
    lines = (Path(f"/proc/{p}/smaps_rollup").read_text().splitlines() for p in processes())
    return sum(int(line.split()[1]) for each in lines for line in each if line[:4] == "Pss:") / 1024


def touched(batch: dict) -> float:
    first = next(iter(batch.values()))
    return float(first[-1, -1] if first.ndim == 2 else first[-1])


def check(workload: str, sums, batch: dict) -> None:
    if workload == "w2n":
        sums.add({name: np.asarray(column) for name, column in batch.items()})
    elif workload == "w1":
        sums.add(np.asarray(batch["x"]), np.asarray(batch["label"]))
    elif workload == "w5":
        sums.add(np.asarray(batch["e"]), np.zeros(len(batch["e"]), np.int64))
    else:
        sums.add(np.asarray(batch["f07"]).reshape(-1, 1), np.asarray(batch["row_id"]))


def main(workload: str, data: str, workers: int) -> None:
    torch.set_num_threads(1)
    folder, columns, size, options = WORKLOADS[workload]
    expected = json.loads(Path(data, "manifest.json").read_text())[workload]
    sums = ColumnSum() if workload == "w2n" else MatrixSum()
    dataset = Dataset(f"{data}/{folder}", columns=columns)
    peak = 0.0
    with Loader(dataset, size, workers=workers, **options) as loader:
        for batch in loader:
            check(workload, sums, batch)
        del batch
        start, warm = time.perf_counter(), 0
        while warm < 30 or time.perf_counter() - start < WARM_UP:
            for batch in loader:
                touched(batch)
            del batch
            warm += 1
            peak = max(peak, memory_mb())
        seconds, cpu, rows, batches, sink = [], [], 0, 0, 0.0
        for _ in range(EPOCHS):
            rows = batches = 0
            before, start = cpu_seconds(), time.perf_counter()
            for batch in loader:
                rows += len(next(iter(batch.values())))
                batches += 1
                sink += touched(batch)
            seconds.append(time.perf_counter() - start)
            cpu.append(cpu_seconds() - before)
    result = sums.result()
    median = statistics.median(seconds)
    print(
        json.dumps(
            {
                "system": f"penstock-python:{workers}",
                "workload": workload,
                "rows": rows,
                "batches": batches,
                "seconds": median,
                "rows_per_s": rows / median,
                "checksum": result["checksum"],
                "peak_rss_mb": round(peak),
                "ok": rows == expected["rows"] and result["checksum"] == expected["checksum"],
                "epochs": seconds,
                "cpu_s": statistics.median(cpu),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 2)
