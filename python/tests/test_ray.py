"""Ray Train: ranks from its workers, and places in its checkpoints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from trainers import RECORDER

from penstock_torch._ranks import find_rank

pa = pytest.importorskip("pyarrow")


def _stand_in(get_context: Any) -> ModuleType:
    module: Any = ModuleType("ray.train")
    module.get_context = get_context
    return module  # type: ignore[no-any-return]


def test_a_workers_rank_beats_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_PROCID", "5")  # of the step that started Ray on this node
    monkeypatch.setenv("SLURM_NTASKS", "8")
    monkeypatch.setenv("SLURM_STEP_ID", "0")
    context = SimpleNamespace(get_world_rank=lambda: 1, get_world_size=lambda: 3)
    monkeypatch.setitem(sys.modules, "ray.train", _stand_in(lambda: context))
    assert find_rank(None) == "1/3"
    assert find_rank((0, 2)) == "0/2"


@pytest.mark.parametrize("error", [RuntimeError, DeprecationWarning])
def test_a_process_that_is_no_worker_has_the_launchers_rank(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def outside() -> None:
        raise error("cannot be used outside of a Ray Train training function")

    monkeypatch.setitem(sys.modules, "ray.train", _stand_in(outside))
    assert find_rank(None) == "0/1"


@pytest.mark.skipif(
    "PENSTOCK_RAY" not in os.environ, reason="takes minutes of processors: set PENSTOCK_RAY"
)
def test_killed_workers_go_on_and_then_fewer(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    import pyarrow.parquet

    table = tmp_path / "table"
    table.mkdir()
    x = [i % 100 / 100 for i in range(4000)]
    columns = {"id": range(4000), "x": pa.array(x, "float32"), "y": pa.array(x, "float32")}
    pyarrow.parquet.write_table(pa.table(columns), table / "a.parquet", row_group_size=500)
    path = f"{RECORDER}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".strip(os.pathsep)
    recording = {"RECORDER_FILE": f"{tmp_path}/{{pid}}.jsonl"}
    dying = {"RECORDER_DIE_AT": "14", "RECORDER_DIE_RANK": "0/2"}
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("ray_on_loopback.py"), table, tmp_path / "out"],
        env=dict(os.environ, PYTHONPATH=path) | recording | dying,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert "failed:" in done.stdout
    assert float(done.stdout.split()[-1]) < 0.05

    attempts: dict[int, list[list[list[int]]]] = {}  # rows of batches, of each process, by begin
    for file in tmp_path.glob("*.jsonl"):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        begin = lines[0]["state"]["batches"] if "state" in lines[0] else 0
        attempts.setdefault(begin, []).append([line["ids"] for line in lines if "ids" in line])
    begins = sorted(attempts)
    assert [len(attempts[begin]) for begin in begins] == [2, 2, 1]
    ids = []
    for begin, end in zip(begins, [*begins[1:], None]):
        for batches in attempts[begin]:
            ids += [i for batch in batches[: end and end - begin] for i in batch]
    assert sorted(ids) == list(range(4000))  # each once after the last checkpoint
