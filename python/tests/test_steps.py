"""The rows of steps: what is said of them is what comes, and what is left out never does."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import ROOT, Command

from penstock_torch import Dataset, Loader, Mixture, Packs, StepRow
from penstock_torch._steps import row_text

ROWS = 700  # of each file


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders with files whose column `id` is a row's number in all of them."""
    root = tmp_path_factory.mktemp("lake")
    for number, name in enumerate(("web/a", "web/b", "books/c")):
        ids = np.arange(ROWS) + ROWS * number
        file = root / f"{name}.parquet"
        file.parent.mkdir(exist_ok=True)
        lists = [list(range(each % 5 + 1)) for each in ids]
        table = pa.table({"id": ids, "tokens": lists})
        pq.write_table(table, file, row_group_size=250)
    return root


def loader(dataset: Any, **options: Any) -> Loader:
    return Loader(dataset, options.pop("batch_size", 64), output="numpy", seed=7, **options)


def ids(rows: Iterable[StepRow]) -> list[int]:
    """Returns the column `id` of rows, by where they are stored."""
    return [ROWS * "abc".index(row.file[-9]) + row.row for row in rows]


def ids_of(batches: Iterable[Any]) -> list[int]:
    return [int(each) for batch in batches for each in batch["id"]]


@pytest.mark.parametrize("shuffle", [False, True, "window:200"])
def test_rows_of_all_ranks_are_those_that_come(engine: None, lake: Path, shuffle: Any) -> None:
    mixture = Mixture({lake / "web": 0.5, lake / "books": 0.5}, stop="all", columns=["id"])
    for dataset in (Dataset(lake / "web", columns=["id"]), mixture):
        with loader(dataset, shuffle=shuffle, rank=(0, 2)) as first:
            asked = list(first.rows(range(100)))
            assert not list(first.rows(100))
            assert ids(first.rows(3, rank=1)) == ids(
                row for row in asked if (row.step, row.rank) == (3, 1)
            )
            came = {0: [batch["id"].tolist() for batch in first]}
            assert ids(first.rows("0..100", epoch=0)) == ids(asked)  # behind it, too
        with loader(dataset, shuffle=shuffle, rank=(1, 2)) as second:
            came[1] = [batch["id"].tolist() for batch in second]
        said: dict[int, list[list[int]]] = {0: [], 1: []}
        for row, number in zip(asked, ids(asked)):
            batches = said[row.rank]
            if row.place == 0:
                batches.append([])
            assert row.step == len(batches) - 1 and row.place == len(batches[-1])
            batches[-1].append(number)
            assert row.source == (None if dataset is not mixture else number // (2 * ROWS))
            assert row.end_row == row.row + 1 and row.part is None and row.row_id is None
        assert said == came


def test_rows_are_found_by_what_they_have(engine: None, lake: Path) -> None:
    with loader(Dataset(lake / "web", columns=["tokens"]), shuffle="window:200") as batches:
        (row,) = batches.where("id = 17")
        assert (row.file, row.row) == (str(lake / "web/a.parquet"), 17)
        assert row in list(batches.rows(row.step))
        import pyarrow.compute as pc

        assert list(batches.where(pc.field("id") == 17)) == [row]
        assert [each.epoch for each in batches.where("id < 2", epoch=3)] == [3, 3]
    matching = Dataset(lake / "web", columns=["id"], where="id >= 100 and id < 900")
    with loader(matching, rank=(0, 2)) as batches:
        with pytest.raises(RuntimeError, match=r"passes=True"):
            batches.rows(0)
        rows = list(batches.rows("0..9", rank=0, passes=True))
        assert ids(rows) == ids_of(batches)
        assert list(batches.rows("0..9", rank=0, epoch=0, passes=True)) == rows
        assert list(batches.rows("0..9", rank=1))  # they were counted for the epoch
    packed = {"compose": Packs("tokens", 16), "count_matches": False}
    with loader(Dataset(lake / "web", columns=["tokens"]), **packed) as batches:
        with pytest.raises(RuntimeError, match="passes=True"):
            batches.rows(0)
        first = list(batches.rows(0, passes=True))
        packs = next(iter(batches))["tokens"]
        for row in first[:20]:
            assert row.part is not None
            at, end = row.part.offset, row.part.offset + row.part.length
            tokens = np.arange(row.part.first, row.part.first + row.part.length)
            assert packs[row.place][at:end].tolist() == tokens.tolist()


@pytest.mark.parametrize("shuffle", [True, "window:200"])
def test_what_is_left_out_never_comes_and_all_else_once(
    engine: None, lake: Path, tmp_path: Path, shuffle: Any
) -> None:
    dataset = Dataset(lake / "web", columns=["id"])
    with loader(dataset, shuffle=shuffle) as batches:
        epoch = iter(batches)
        came = ids_of(next(epoch) for _ in range(3))
        left = batches.batches_left()
        skipped = list(batches.rows("3..5")) + list(batches.rows(8))
        batches.skip(range(3, 5))
        batches.skip(8)
        assert left is not None and batches.batches_left() == left - 3
        came += ids_of([next(epoch)])
        assert json.loads(batches.state_dict()["penstock_state"])["batches"] == 6
        gone = list(batches.rows("6..8"))[::20]
        batches.exclude(gone)
        (tmp_path / "gone.jsonl").write_text('{"id": 1300}\n{"id": 4}\n')
        batches.exclude(tmp_path / "gone.jsonl")
        never = {*ids(gone), 1300, 4}
        state = batches.state_dict()
        here = ids_of(epoch)
        assert not never & set(here)
        delivered = came + here
        missing = {*ids(skipped), *(never - set(came))}
        assert len(set(delivered)) == len(delivered)
        assert set(delivered) == set(range(2 * ROWS)) - missing
        everywhere = sorted(set(range(2 * ROWS)) - never)
        assert sorted(ids_of(batches)) == everywhere  # the next epoch
        next(iter(batches))
        assert batches._connection.current is not None
        batches._connection.current.close()
        with pytest.warns(UserWarning, match="Epoch 2 was left before its end"):
            assert sorted(ids_of(batches)) == everywhere  # over another connection
        batches.set_epoch(5)
        fifth = ids_of(batches)
    with loader(dataset, shuffle=shuffle) as batches:
        batches.load_state_dict(state)
        assert batches.state_dict() == state
        assert ids_of(batches) == here
        batches.set_epoch(5)
        later = batches.state_dict()
    with loader(dataset, shuffle=shuffle) as batches:
        batches.load_state_dict(later)
        assert batches.epoch == 5 and ids_of(batches) == fifth
        assert sorted(fifth) == everywhere
    with loader(dataset, shuffle=shuffle) as batches:
        first = list(batches.rows(0))
        batches.skip(0)  # before anything was begun
        assert sorted([*ids_of(batches), *ids(first)]) == list(range(2 * ROWS))


def test_sizes_are_without_rows_that_are_excluded(engine: None, lake: Path) -> None:
    dataset = Dataset(lake / "web", columns=["id"])
    with loader(dataset, shuffle=True, rank=(0, 2)) as batches:
        assert len(batches) == 11 and batches.rows_per_epoch() == ROWS
        batches.exclude(batches.rows("0..2"))
        state = batches.state_dict()
        for _ in range(2):
            assert len(batches) == batches.batches_left() == 9
            assert batches.rows_per_epoch() == len(ids_of(batches)) == ROWS - 128
        epoch = iter(batches)
        next(epoch)
        batches.exclude(batches.rows("1..3"))
        assert len(batches) == 9 and batches.batches_left() is None
        assert len(ids_of(epoch)) == ROWS - 3 * 64 - 128
        assert len(batches) == 7 and len(ids_of(batches)) == ROWS - 256
    with loader(dataset, shuffle=True, rank=(0, 2)) as batches:
        assert len(batches) == 11
        batches.load_state_dict(state)
        assert len(batches) == batches.batches_left() == 9


def test_row_that_was_made_of_several_is_excluded_whole() -> None:
    row = StepRow(0, 3, 1, 5, "a.parquet", 7, 9, None, None, None)
    assert json.loads(row_text([row])) == row.said()
    assert row.said()["endRow"] == 9


def test_log_of_steps_is_as_the_command_writes_it(
    engine: None, lake: Path, tmp_path: Path, command: Command
) -> None:
    log, theirs = tmp_path / "steps.jsonl", tmp_path / "theirs.jsonl"
    with loader(lake / "web", shuffle=True, step_log=log) as batches:
        assert batches.last_step is None
        epoch = iter(batches)
        first = next(epoch)
        assert len(log.read_text().splitlines()) == 1  # what is sent ahead was not received
        assert batches.last_step is not None
        assert batches.last_step[:5] == (0, 0, 0, 1, len(first["id"]))
        next(epoch)
        state = batches.state_dict()
    with log.open("a") as file:
        file.write('{"epo')  # the disk was full
    with loader(lake / "web", shuffle=True, step_log=log) as batches:
        batches.load_state_dict(state)
        list(batches)
    lines = log.read_text().splitlines()
    assert lines.pop(2) == '{"epo'
    options = ["--shuffle", "splits", "--seed", "7", "--batch-size", "64"]
    command.load(str(lake / "web"), *options, "--step-log", str(theirs))
    assert lines == theirs.read_text().splitlines()
    with (
        loader(lake / "web", step_log=tmp_path) as batches,
        pytest.raises(OSError, match="Cannot write the log of steps"),
    ):
        next(iter(batches))


def test_guides_do_what_they_say(
    engine: None,
    flights: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("torch")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/flights").symlink_to(flights)
    monkeypatch.chdir(tmp_path)
    trained: list[int] = []
    names: dict[str, Any] = {"train": lambda _, delay: trained.append(len(delay))}
    exec(python_of("docs/guide/bad-step.md", "## In Python"), names)
    assert len(names["step"]) == 512
    assert [row.step for row in names["late"]] == [98, 105]  # as the command says there
    assert sum(trained) == 300_000 - 8 * 512 - 2
    log = Path("data/steps-python.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in log] == [*range(98), *range(106, 586)]
    exec(python_of("docs/guide/python.md", "## The rows of a step"), {})
    assert capsys.readouterr().out.count("\n") == 2 * 512


def python_of(page: str, heading: str) -> str:
    """Returns the first program of a section."""
    section = (ROOT / page).read_text().split(f"\n{heading}\n")[1]
    return section.split("```python\n")[1].split("```")[0]


def test_what_is_wrong_is_said(engine: None, lake: Path) -> None:
    with loader(lake / "web") as batches:
        for wrong, kind in (("1-2", ValueError), (-1, ValueError), (1.5, TypeError)):
            with pytest.raises(kind, match=r"Cannot use steps=.*range\(4700, 4720\)"):
                batches.rows(wrong)  # type: ignore[arg-type]
        for steps in (range(0, 9, 2), range(5, 3), "5..3"):
            with pytest.raises(ValueError, match="steps|Steps"):
                batches.skip(steps)
        with pytest.raises(ValueError, match="nope"):
            batches.exclude([{"nope": 3}])
        with pytest.raises(ValueError, match="999999"):
            batches.exclude([{"id": 999999}])
        with pytest.raises(ValueError, match="Cannot use rank=-1"):
            batches.rows(0, rank=-1)
        with pytest.raises(TypeError, match=r"Cannot use rows=.*list"):
            batches.exclude([{"id": [3]}])
        with pytest.raises(TypeError, match="expected dicts"):
            batches.exclude({"id": 3})  # type: ignore[dict-item]
        with pytest.raises(ValueError, match="leave out one"):
            batches.rows(0, epoch=1, state=batches.state_dict())
        with pytest.raises(TypeError, match="passes=1"):
            batches.rows(0, passes=1)  # type: ignore[arg-type]
        assert not list(batches.rows("0..0")) and not list(batches.rows("99..999999999999999999"))
        assert len(ids_of(batches)) == 2 * ROWS  # nothing of it had an effect
    with loader(lake / "web") as batches:
        one, other = batches.rows("0..9"), batches.rows("0..9")
        assert ids(one) == ids(other)  # they fit into a piece
