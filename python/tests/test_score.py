"""Scores: each row of a table once through a module, written as Parquet by the engine."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_network import TOKEN, serving

from penstock_torch import (
    Dataset,
    Loader,
    Mixture,
    ReadError,
    ScoreCheck,
    ScoreProgress,
    check_scores,
    score,
)
from penstock_torch._frames import FrameKind
from penstock_torch._messages import Failed, parse
from penstock_torch._network import connect

torch = pytest.importorskip("torch")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.usefixtures("engine")

ROWS = 1000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Four files: an id, two numbers, one of which may be null, a text and a list."""
    folder = tmp_path_factory.mktemp("table")
    for start in range(0, ROWS, 250):
        ids = range(start, start + 250)
        columns = {
            "id": pa.array(ids, pa.int64()),
            "a": [i / 2 for i in ids],
            "b": pa.array([None if i % 7 == 0 else i for i in ids], pa.float32()),
            "name": [None if i == 5 else f"n{i}ä" for i in ids],
            "tokens": [list(range(i % 3)) for i in ids],
        }
        pq.write_table(pa.table(columns), folder / f"{start:04}.parquet", row_group_size=100)
    return str(folder)


def read(folder: Path) -> Any:
    """Returns the scores, in the order of the files' names."""
    return pq.read_table(folder)


def parts(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.glob("part-*"))


class Model(torch.nn.Module):  # type: ignore[misc,name-defined]
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.layers = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Dropout(0.5))

    def forward(self, x: Any) -> Any:
        assert not torch.is_grad_enabled()
        return self.layers(x)


def test_scores_are_those_of_the_module_over_a_loader(table: str, tmp_path: Path) -> None:
    model = Model()
    model.layers[0].eval()  # frozen, while the rest is trained
    told: list[ScoreProgress] = []
    out = tmp_path / "scores"
    result = score(
        Dataset(table),
        model,
        out=out,
        keys=["id"],
        columns=["name", "b"],
        inputs=["a", "b"],
        part_rows=100,
        batch_size=64,
        progress=told.append,
    )
    assert [model.training, model.layers[0].training] == [True, False]
    assert (result.rows, result.parts, result.is_complete) == (ROWS, 10, True)
    assert told[-1] == ScoreProgress(rows=ROWS, rows_total=ROWS, parts=10, parts_total=10)
    scores = read(out)
    assert scores.column_names == ["id", "name", "b", "score"]
    source = pq.read_table(table)
    for name in ("id", "name", "b"):
        assert scores[name].to_pylist() == source[name].to_pylist()
    model.eval()
    expected = []
    with Loader(table, 500, features={"x": ["a", "b"]}) as loader, torch.inference_mode():
        for batch in loader:
            expected.append(model(batch["x"]))
    actual = torch.tensor(scores["score"].to_pylist())
    torch.testing.assert_close(actual, torch.cat(expected), equal_nan=True)
    assert check_scores(table, out) == ScoreCheck(parts=10, rows=ROWS, skipped=0)
    again = score(
        table, model, out=out, keys=["id"], columns=["name", "b"], inputs=["a", "b"], workers=1
    )
    assert (again.rows, again.found) == (0, 10)


def test_a_function_gets_what_a_loader_delivers(table: str, tmp_path: Path) -> None:
    with Loader(table, ROWS, output="numpy", strings={"name": "list"}) as loader:
        (expected,) = loader

    def rule(batch: dict[str, Any]) -> dict[str, Any]:
        ids = batch["id"]
        assert list(batch) == list(expected)
        np.testing.assert_array_equal(batch["b"], expected["b"][ids])
        assert batch["name"] == [expected["name"][i] for i in ids]
        return {
            "length": batch["tokens"].lengths(),
            "whole": np.stack([ids, ids + 1], 1).astype(np.uint16),
            "text": [None if name is None else name + "!" for name in batch["name"]],
            "even": ids % 2 == 0,
        }

    score(table, rule, out=tmp_path, keys=["id", "b"], part_rows=300, output="numpy")
    scores = read(tmp_path).to_pylist()
    assert len(scores) == ROWS
    for i, row in enumerate(scores):
        text = None if i == 5 else f"n{i}ä!"
        wanted = {"length": i % 3, "whole": [i, i + 1], "text": text, "even": i % 2 == 0}
        assert row == {"id": i, "b": None if i % 7 == 0 else i, **wanted}


def test_named_inputs_are_arguments(table: str, tmp_path: Path) -> None:
    def rule(x: Any, name: Any, one: Any) -> Any:
        assert (x.shape, one.shape) == ((len(name), 2), (len(name), 1))
        return x.sum(1) + one[:, 0]

    inputs = {"x": ["id", "a"], "name": "name", "one": ["a"]}
    score(table, rule, out=tmp_path, keys=["id"], inputs=inputs)
    assert read(tmp_path)["score"].to_pylist() == [2.0 * i for i in range(ROWS)]


def fails_for(*bad: int) -> Any:
    def rule(batch: dict[str, Any]) -> Any:
        for each in bad:
            if each in batch["id"].tolist():
                raise KeyError(f"no {each}")
        return {"score": batch["id"] * 2, "name": batch["name"]}

    return rule


def test_an_exception_names_file_and_row(table: str, tmp_path: Path) -> None:
    with pytest.raises(
        RuntimeError, match=r"row 113 of .*/0500\.parquet: KeyError: 'no 613'"
    ) as met:
        score(table, fails_for(613), out=tmp_path, keys=["id"], batch_size=64)
    assert isinstance(met.value.__cause__, KeyError)


def test_rows_that_are_skipped_are_listed(table: str, tmp_path: Path) -> None:
    bad = [3, 613, 614]
    result = score(
        table, fails_for(*bad), out=tmp_path, keys=["id"], columns=["b"], on_error="skip"
    )
    assert (result.rows, result.skipped) == (ROWS - 3, 3)
    assert read(tmp_path)["id"].to_pylist() == [i for i in range(ROWS) if i not in bad]
    lines = [
        json.loads(line)
        for file in sorted((tmp_path / "_skipped").iterdir())
        for line in file.read_text().splitlines()
    ]
    assert [line["row"] for line in lines] == [3, 113, 114]
    assert check_scores(table, tmp_path).skipped == 3


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (lambda n: torch.zeros(n + 1), r"'score' is float32 of shape \[2\], but expected numbers"),
        (
            lambda n: torch.zeros(n, 2, 2),
            r"of shape \[1, 2, 2\], but expected .* \[1\] or \[1, n\]",
        ),
        (lambda n: {"x": ["a"] * (n + 2)}, "'x' has 3 texts, but expected 1"),
        (lambda n: {"x": None}, "'x' is a NoneType, but expected a tensor, an array, a list"),
        (lambda n: {}, "returned no output"),
        (lambda n: {"id": torch.zeros(n)}, "both named 'id'"),
    ],
)
def test_outputs_that_cannot_be_written(result: Any, said: str, table: str, tmp_path: Path) -> None:
    with pytest.raises((RuntimeError, ValueError), match=said):
        score(table, lambda batch: result(len(batch["id"])), out=tmp_path, keys=["id"])


def test_another_model_is_refused(table: str, tmp_path: Path) -> None:
    one, other = Model(), Model()
    torch.nn.init.zeros_(other.layers[0].weight)
    score(table, one, out=tmp_path, keys=["id"], inputs=["a", "b"])
    score(table, one, out=tmp_path, keys=["id"], inputs=["a", "b"])
    for call in [{"module": other}, {"module": one, "version": "2"}]:
        with pytest.raises(ValueError, match="Cannot go on with the scores in .*their model is"):
            score(table, out=tmp_path, keys=["id"], inputs=["a", "b"], **call)  # type: ignore[arg-type]


def test_two_calls_refuse_each_other(table: str, tmp_path: Path) -> None:
    def rule(batch: dict[str, Any]) -> Any:
        with pytest.raises(ReadError, match="another run is at work there"):
            score(table, fails_for(), out=tmp_path, keys=["id"])
        return batch["id"]

    score(table, rule, out=tmp_path, keys=["id"], part_rows=ROWS)
    assert read(tmp_path).num_rows == ROWS


def test_ranks_share_the_work(table: str, tmp_path: Path) -> None:
    made = [
        score(table, fails_for(), out=tmp_path, keys=["id"], part_rows=100, rank=(rank, 3))
        for rank in range(3)
    ]
    assert [(each.parts, each.is_complete) for each in made] == [(4, False), (3, False), (3, True)]
    assert read(tmp_path)["id"].to_pylist() == list(range(ROWS))


KILLED = """
import signal, sys, time
from penstock_torch import score
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
def rule(batch):
    if batch["id"][-1] > 600:
        print("here", flush=True)
        time.sleep(600)
    return batch["id"] * 2
once = {"batch_size": 50, "part_rows": 50, "workers": 1, "version": "1"}
score(sys.argv[1], rule, out=sys.argv[2], keys=["id"], **once)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_what_is_killed_goes_on(how: signal.Signals, table: str, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, table, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        assert process.stdout is not None and process.stdout.readline() == b"here\n"
        process.send_signal(how)
        process.wait(timeout=60)
    there = parts(tmp_path)
    assert len(there) == 12
    times = [os.stat(tmp_path / each).st_mtime_ns for each in there]
    result = score(
        table, lambda batch: batch["id"] * 2, out=tmp_path, keys=["id"], part_rows=50, version="1"
    )
    assert (result.found, result.parts, result.is_complete) == (12, 8, True)
    assert times == [os.stat(tmp_path / each).st_mtime_ns for each in there]
    assert read(tmp_path).to_pydict() == {
        "id": list(range(ROWS)),
        "score": [2 * i for i in range(ROWS)],
    }


def test_a_loader_goes_on_beside_it(table: str, tmp_path: Path) -> None:
    with Loader(table, 100) as loader:
        batches = iter(loader)
        first = next(batches)["id"].tolist()
        score(table, fails_for(), out=tmp_path, keys=["id"])
        assert first + [i for batch in batches for i in batch["id"].tolist()] == list(range(ROWS))


def test_what_is_wrong_is_said_before_anything_is_read(table: str, tmp_path: Path) -> None:
    def call(**given: Any) -> Any:
        return score(**{"dataset": table, "module": abs, "out": tmp_path, "keys": ["id"], **given})

    with pytest.raises(ValueError, match="Cannot write scores without keys"):
        call(keys=[])
    with pytest.raises(TypeError, match=r"Cannot use keys='id': .*such as keys=\['id'\]"):
        call(keys="id")
    with pytest.raises(TypeError, match="score has no option 'num_workers'. Use workers=4"):
        call(num_workers=2)
    with pytest.raises(TypeError, match="Cannot use inputs='a': expected a list of columns"):
        call(inputs="a")
    with pytest.raises(ValueError, match="Cannot use on_error='ignore'"):
        call(on_error="ignore")
    with pytest.raises(TypeError, match="Cannot score a Mixture"):
        call(dataset=Mixture({table: 1}))
    with pytest.raises(ValueError, match="none of that name, but id, a, b, name, tokens"):
        call(keys=["nope"])
    assert parts(tmp_path) == []


def test_no_server_writes_for_a_client(table: str, tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        frames = connect(address, TOKEN, None, 0)
        with contextlib.closing(frames):
            request = {"dataset": {"locations": [table]}, "scores": {"out": str(tmp_path / "out")}}
            frames.send_json(FrameKind.SCORE, request)
            said = parse(frames.read(time.monotonic() + 30))
    assert isinstance(said, Failed)
    assert "no files are written on the server's machine" in str(said.error)
    assert not (tmp_path / "out").exists()
