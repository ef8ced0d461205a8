"""Runs DLIO on small tables in the shapes of MLPerf Storage's DLRM and Flux, decoding on.

    check.py FOLDER    an empty one, for the tables and what DLIO writes

What each rank took is compared with the table, value by value.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch

HERE = Path(__file__).resolve().parent
FOLDER = Path(sys.argv[1]).resolve()
BIN = Path(sys.executable).parent

# The columns are those of the configurations in github.com/mlcommons/storage. Its files have
# 1,536,000 rows and 256; its Flux takes 1.35 s for a step of 48.
KINDS = ["float32"] * 27 + ["float64"] * 5 + ["float16"] * 4 + ["int8"] * 4  # what DLRM reads
LISTS = {
    "t5_encodings": 524_328,
    "clip_encodings": 409,
    "mean": 8_232,
    "logvar": 8_232,
    "timestamp": 7,
}


@dataclass(frozen=True)
class Workload:
    name: str  # of none of DLIO's own workloads, which it would take first
    rows: int  # of each of two files
    row_group: int
    batch: int
    seconds: float  # of a step
    threads: int
    columns: dict[str, bool]  # whether each is read

    def configuration(self) -> dict[str, Any]:
        columns = [{"name": name, "read": read} for name, read in self.columns.items()]
        return {
            "model": self.name,
            "framework": "pytorch",
            "workflow": {"train": True},
            "dataset": {
                "data_folder": str(FOLDER / self.name),
                "format": "synthetic",
                "num_files_train": 2,
                "num_samples_per_file": self.rows,
                "parquet": {"columns": columns},
            },
            "reader": {
                "data_loader": "pytorch",
                "data_loader_classname": "recorded.RecordedDataLoader",
                "data_loader_sampler": "none",
                "batch_size": self.batch,
                "read_threads": self.threads,
            },
            "train": {"computation_time": self.seconds},
            "checkpoint": {
                "checkpoint_folder": str(FOLDER / "checkpoints"),
                "checkpoint_mechanism_classname": "penstock_torch.dlio.PenstockCheckpointing",
                "layer_parameters": [],
            },
        }


DLRM = Workload(
    "small_dlrm",
    24_576,
    6_144,
    1_024,
    0.000375,
    2,
    {f"feature_{i:03}": i % 5 == 0 for i in range(200)},
)
FLUX = Workload("small_flux", 16, 8, 4, 0.05, 1, dict.fromkeys(LISTS, True))


def dlrm_columns(first: int) -> dict[str, Any]:
    """Returns 200 columns, of which every fifth is read."""
    numbers = np.arange(first, first + DLRM.rows)
    kinds = [KINDS[i // 5] if i % 5 == 0 else KINDS[-i % 40] for i in range(200)]
    return {f"feature_{i:03}": (numbers + i).astype(kind) for i, kind in enumerate(kinds)}


def flux_columns(first: int) -> dict[str, Any]:
    random = np.random.default_rng(first)
    return {
        name: pa.ListArray.from_arrays(
            np.arange(FLUX.rows + 1, dtype=np.int32) * size,
            random.random(FLUX.rows * size, np.float32),
        )
        for name, size in LISTS.items()
    }


def write(workload: Workload, columns: Any) -> None:
    """Writes the files and the configuration."""
    folder = FOLDER / workload.name
    (folder / "train").mkdir(parents=True)
    (folder / "valid").mkdir()  # which DLIO lists in any case
    for k in range(2):
        # DLIO 2.0.0 has no format parquet, and wants files whose names end as its format.
        file = folder / "train" / f"{k}.parquet.synthetic"
        pq.write_table(
            pa.table(columns(k * workload.rows)),
            file,
            row_group_size=workload.row_group,
            compression="none",
        )
    configuration = FOLDER / "configurations/workload" / f"{workload.name}.yaml"
    configuration.parent.mkdir(parents=True, exist_ok=True)
    configuration.write_text(json.dumps(workload.configuration()))  # which is YAML, too


def run(workload: Workload, ranks: int = 1, **options: Any) -> list[dict[str, Any]]:
    """Runs DLIO; returns what each rank took of each column."""
    taken = FOLDER / "taken"
    output = FOLDER / "output"
    given = [f"++workload.{name.replace('__', '.')}={value}" for name, value in options.items()]
    command = [str(BIN / "dlio_benchmark"), "--config-dir", str(FOLDER / "configurations")]
    command += [f"workload={workload.name}", f"hydra.run.dir={output}", *given]
    if ranks > 1:
        command = [str(BIN / "mpiexec"), "-n", str(ranks), *command]
    path = [str(HERE), str(HERE / "stand_ins"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "TAKEN": str(taken)}
    done = subprocess.run(
        command,
        cwd=FOLDER,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    utilization = re.search(r"Training Accelerator Utilization .*?: ([\d.]+)", done.stdout)
    if done.returncode or utilization is None:
        sys.exit(f"{done.stdout}\n{' '.join(command)} ended with code {done.returncode}.")
    print(
        f"{workload.name}, {ranks} ranks, {given}: utilization {utilization.group(1)} %", flush=True
    )
    parts = []
    for rank in range(ranks):
        batches = torch.load(f"{taken}-{rank}.pt", weights_only=False)
        parts.append({name: torch.cat([b[name] for b in batches]) for name in batches[0]})
    return parts


def require(taken: dict[str, Any], workload: Workload, *ranges: range) -> None:
    """Compares what came with rows of the table."""
    read = [name for name, is_read in workload.columns.items() if is_read]
    assert list(taken) == read, f"columns {list(taken)} but expected {read}"
    table = pq.read_table(sorted((FOLDER / workload.name / "train").iterdir()), columns=read)
    for name, found in taken.items():
        values = table[name].combine_chunks()
        if name in LISTS:
            values = values.flatten().to_numpy().reshape(-1, LISTS[name])
        else:
            values = values.to_numpy()
        expected = np.concatenate([values[rows.start : rows.stop] for rows in ranges])
        assert np.array_equal(found.numpy(), expected), f"{workload.name}, {name}: other values"


write(DLRM, dlrm_columns)
write(FLUX, flux_columns)
ROWS = 2 * DLRM.rows

(whole,) = run(DLRM)
require(whole, DLRM, range(ROWS))

# Two ranks, which have a half each, stop behind a checkpoint; one goes on with the rest.
STEPS = 10
taken = STEPS * DLRM.batch
stopped = run(
    DLRM,
    ranks=2,
    workflow__checkpoint=True,
    checkpoint__steps_between_checkpoints=STEPS,
    train__total_training_steps=STEPS,
)
require(stopped[0], DLRM, range(taken))
require(stopped[1], DLRM, range(DLRM.rows, DLRM.rows + taken))
(rest,) = run(
    DLRM,
    checkpoint__resume=True,
    train__total_training_steps=ROWS // DLRM.batch - 2 * STEPS,
)
require(rest, DLRM, range(taken, DLRM.rows), range(DLRM.rows + taken, ROWS))

(whole,) = run(FLUX)
require(whole, FLUX, range(2 * FLUX.rows))

# DLIO's own data loader, on Penstock's reader.
(whole,) = run(
    FLUX,
    reader__data_loader_classname="null",
    reader__data_loader_sampler="index",
    reader__reader_classname="recorded.RecordedReader",
    reader__read_threads=0,
)
require(whole, FLUX, range(2 * FLUX.rows))
