"""How the rank is found, and what happens when torch.distributed says another one later."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from penstock_torch import Loader
from penstock_torch._ranks import find_rank, rank_in

_FILE = ROOT / "core/src/test/resources/dev/penstock/split/ranks.txt"
_CASES = [
    [part.strip() for part in line.split("|", 1)]
    for line in _FILE.read_text().splitlines()
    if "|" in line and not line.startswith("#")
]


@pytest.mark.parametrize(("environment", "expected"), _CASES)
def test_java_and_python_find_the_same_rank(environment: str, expected: str) -> None:
    variables = dict(each.split("=", 1) for each in environment.split())
    try:
        found = rank_in(variables)
    except ValueError as e:
        found = str(e)
    assert found == expected


def test_a_given_rank_beats_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")  # without a count: an error, were it asked for
    assert find_rank((2, 5)) == find_rank("2/5") == "2/5"


def test_rank_is_that_of_mpirun(flights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "1")
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "3")
    with Loader(flights, output="numpy") as loader:
        assert loader.rank == "1/3"


# Made in two processes before init_process_group; prints what came of it.
_EARLY = """
import json, os, sys
import torch
import torch.distributed as dist
from penstock_torch import Loader

def said(how):
    loader = None
    if how == "environment":
        os.environ.update(RANK=str(rank), WORLD_SIZE="2")
    if how != "late":
        loader = Loader(flights, 1000, rank=(0, 1) if how == "given" else None)
    if how == "between":
        next(iter(loader))
    dist.init_process_group("gloo", init_method=f"file://{store}-{how}", rank=rank, world_size=2)
    if how == "late":
        loader = Loader(flights, 1000)
    for what in (lambda: sum(len(batch["delay"]) for batch in loader), lambda: len(loader)):
        try:
            yield what()
        except RuntimeError as e:
            yield str(e)
    dist.destroy_process_group()

flights, store, rank = sys.argv[1], sys.argv[2], int(sys.argv[3])
for how in sys.argv[4:]:
    print(json.dumps(list(said(how))), flush=True)
"""


def test_init_process_group_after_the_loader(flights: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    ways = ["early", "between", "late", "given", "environment"]
    ranks = [
        subprocess.Popen(
            [sys.executable, "-c", _EARLY, flights, str(tmp_path / "store"), str(rank), *ways],
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    for rank, process in enumerate(ranks):
        lines = process.communicate(timeout=120)[0].splitlines()
        assert process.returncode == 0
        said = dict(zip(ways, map(json.loads, lines), strict=True))
        error = (
            "Cannot read the rows of rank 0/1, which this Loader found when it was made:"
            f" torch.distributed says {rank}/2 now. Make the Loader after init_process_group,"
            " or pass rank=(rank, world)."
        )
        assert said["early"] == said["between"] == [error, error]
        assert said["given"] == [300_000, 300]
        assert said["late"] == said["environment"] == [150_000, 150]
