"""Runs an example with a trainer in several processes, kills it, and says which rows it saw.

    run = train("train_lightning.py", table, folder, ranks=2, die_at=10)

with the fixture `train` starts the processes as torchrun would, each with the table's and the
folder's name as arguments.
The table has a column `id`; which ids came is recorded by recorder/sitecustomize.py, not by the
example. With `die_at` rank 0 is killed (SIGKILL) as it asks for its batch behind that many, and
then so are the others. The last line that rank 0 prints ends with the loss.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
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


class Training:
    """Runs scripts of the examples, each in forks of one process; see forks.py."""

    def __init__(self) -> None:
        self._forks: dict[Path, subprocess.Popen[str]] = {}

    def __call__(
        self,
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
        shared = _environment() | {"MASTER_ADDR": "localhost", "MASTER_PORT": str(port)}
        processes = []
        for rank in range(ranks):
            own = {"RECORDER_FILE": str(records / f"{rank}.jsonl")}
            if rank == 0 and die_at is not None:
                own["RECORDER_DIE_AT"] = str(die_at)
            if ranks > 1:  # else as without a launcher
                own |= {"RANK": str(rank), "WORLD_SIZE": str(ranks)}
                own |= {"LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": str(ranks)}
            process: dict[str, Any] = {"env": shared | own}
            for stream in ("out", "err"):
                (records / f"{rank}.{stream}").touch()
                process[stream] = str(records / f"{rank}.{stream}")
            processes.append(process)
        awaited = ranks if die_at is None else 1
        request = {
            "arguments": [str(table), str(folder), *arguments],
            "seconds": _PATIENCE,
            "processes": processes,
            "awaited": awaited,
        }
        codes = self._run(EXAMPLES / example, request)[:awaited]
        said = "".join((records / f"{rank}.err").read_text() for rank in range(ranks))
        expected = [0] * ranks if die_at is None else [-signal.SIGKILL]
        assert codes == expected, f"the processes ended with {codes}\n{said}"
        lines = [_lines(records / f"{rank}.jsonl") for rank in range(ranks)]
        return Run(
            [[line["ids"] for line in rank if "ids" in line] for rank in lines],
            [line["state"] for rank in lines for line in rank if "state" in line],
            (records / "0.out").read_text(),
        )

    def _run(self, script: Path, request: dict[str, Any]) -> list[int]:
        if script not in self._forks:
            self._forks[script] = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("forks.py"), script],
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        forks = self._forks[script]
        assert forks.stdin and forks.stdout
        forks.stdin.write(json.dumps(request) + "\n")
        forks.stdin.flush()
        return list(json.loads(forks.stdout.readline()))

    def close(self) -> None:
        for each in self._forks.values():
            each.communicate()


def _environment() -> dict[str, str]:
    path = f"{RECORDER}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".strip(os.pathsep)
    return dict(os.environ, PYTHONPATH=path, OMP_NUM_THREADS="1")


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
