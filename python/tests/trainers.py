"""Runs an example with a trainer in several processes, kills it, and says which rows it saw.

    run = train("train_lightning.py", table, folder, ranks=2, die_at=10)

starts the processes as torchrun would, each with the table's and the folder's name as arguments.
The table has a column `id`; which ids came is recorded by recorder/sitecustomize.py, not by the
example. With `die_at` rank 0 is killed (SIGKILL) as it asks for its batch behind that many, and
then so are the others. The last line that rank 0 prints ends with the loss.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import ROOT

EXAMPLES = ROOT / "python/examples"
RECORDER = Path(__file__).parent / "recorder"

# The most seconds a run may take before it counts as one that hangs.
_PATIENCE = 300


@dataclass(frozen=True)
class Run:
    """What the processes of a training did."""

    #: the ids of each batch, by rank
    batches: list[list[list[int]]]
    #: the places that were loaded, of all ranks
    loaded: list[dict[str, Any]]
    #: what rank 0 printed
    printed: str

    @property
    def loss(self) -> float:
        return float(self.printed.split()[-1])

    def ids(self, first: int | None = None) -> list[int]:
        """Returns the ids of the first batches of each rank, or of all, sorted."""
        return sorted(i for rank in self.batches for batch in rank[:first] for i in batch)


def line(table: Path, rows: int) -> Path:
    """Writes a table of four files: `id` counts, `x` is in [0, 1), and `y` is 3 x + 1."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet

    table.mkdir()
    x = np.random.default_rng(1).random(rows, np.float32)
    for number, ids in enumerate(np.array_split(np.arange(rows), 4)):
        columns = {"id": ids, "x": x[ids], "y": 3 * x[ids] + 1}
        pa.parquet.write_table(pa.table(columns), table / f"{number}.parquet")
    return table


def train(
    example: str | Path,
    table: Path,
    folder: Path,
    *arguments: str,
    ranks: int = 1,
    die_at: int | None = None,
) -> Run:
    """Runs a script of the examples; fails if it does, unless it was to die."""
    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
    records = folder.parent / f"{folder.name}-{port}"
    records.mkdir()
    path = f"{RECORDER}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".strip(os.pathsep)
    shared = dict(os.environ, PYTHONPATH=path, OMP_NUM_THREADS="1")
    shared |= {"MASTER_ADDR": "localhost", "MASTER_PORT": str(port)}
    processes = []
    for rank in range(ranks):
        own = {"RECORDER_FILE": str(records / f"{rank}.jsonl")}
        if rank == 0 and die_at is not None:
            own["RECORDER_DIE_AT"] = str(die_at)
        if ranks > 1:  # else as without a launcher
            own |= {"RANK": str(rank), "WORLD_SIZE": str(ranks)}
            own |= {"LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": str(ranks)}
        with open(records / f"{rank}.out", "w") as out, open(records / f"{rank}.err", "w") as err:
            command: list[str | Path] = [sys.executable, EXAMPLES / example, table, folder]
            started = subprocess.Popen(
                [*command, *arguments],
                env=shared | own,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        processes.append(started)
    try:
        waited_for = processes if die_at is None else processes[:1]
        codes = [process.wait(_PATIENCE) for process in waited_for]
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    said = "".join((records / f"{rank}.err").read_text() for rank in range(ranks))
    expected = [0] * ranks if die_at is None else [-signal.SIGKILL]
    assert codes == expected, f"the processes ended with {codes}\n{said}"
    lines = [_lines(records / f"{rank}.jsonl") for rank in range(ranks)]
    return Run(
        [[line["ids"] for line in rank if "ids" in line] for rank in lines],
        [line["state"] for rank in lines for line in rank if "state" in line],
        (records / "0.out").read_text(),
    )


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
