"""What a loader delivers, beside the command, which runs the same engine."""

from __future__ import annotations

import os
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import Command
from digest import digests

from penstock_torch import Dataset, Loader, MemoryLimitError, Ragged, ReadError


def loader(dataset: Any, **options: Any) -> Loader:
    return Loader(dataset, options.pop("batch_size", 1000), output="numpy", **options)


@pytest.mark.parametrize(
    ("shuffle", "rank"),
    [("none", "0/1"), ("splits", "0/1"), ("splits", "2/3"), ("window:5000", "1/2")],
)
def test_rows_are_those_of_the_command(
    flights: str, command: Command, shuffle: str, rank: str
) -> None:
    expected = command.load(
        flights, "--shuffle", shuffle, "--seed", "7", "--epoch", "1", "--rank", rank
    )
    for workers in (0, 2):
        with loader(flights, shuffle=shuffle, seed=7, rank=rank, workers=workers) as batches:
            batches.set_epoch(1)
            order, content, rows = digests(batches)
            assert (order, content, rows) == (
                expected["orderDigest"],
                expected["contentDigest"],
                expected["rows"],
            )


def test_filter_columns_codes_and_matrix(flights: str, command: Command) -> None:
    where = "delay >= 15 and origin in ('ATL', 'ORD')"
    expected = command.load(flights, "--where", where, "--columns", "delay,origin")
    dataset = Dataset(flights, where=where, columns=["delay", "origin"])
    with loader(dataset) as batches:
        order, content, _ = digests(batches)
        assert (order, content) == (expected["orderDigest"], expected["contentDigest"])
        with pytest.raises(TypeError, match="filter"):
            len(batches)
    with loader(dataset, strings={"origin": "codes"}, features={"x": ["delay"]}) as batches:
        assert batches.vocabulary("origin") == ["ATL", "ORD"]
        batch = next(iter(batches))
        assert set(batch) == {"origin", "x"}
        assert batch["x"].shape == (1000, 1) and batch["x"].dtype == np.float32
        assert set(batch["origin"].tolist()) == {0, 1}


def test_epochs_lengths_and_a_last_short_batch(flights: str) -> None:
    with loader(flights, batch_size=1024, shuffle=True) as batches:
        assert len(batches) == 293
        first = [batch["delay"][0] for batch in batches]
        second = [batch["delay"][0] for batch in batches]
        batches.set_epoch(0)
        again = [batch["delay"][0] for batch in batches]
        assert len(first) == 293 and first == again and first != second
    with loader(flights, batch_size=1024, drop_last=True) as batches:
        assert len(batches) == 292
        assert {len(batch["delay"]) for batch in batches} == {1024}
    with loader(flights, steps_per_epoch=5) as batches:
        assert len(batches) == len(list(batches)) == 5


@pytest.mark.parametrize("options", [{}, {"shuffle": "window:3000", "workers": 2}])
def test_state_means_the_batch_last_yielded(flights: str, options: dict[str, Any]) -> None:
    with loader(flights, **options) as batches:
        whole = [batch["distance"].copy() for batch in batches]
    seed = random.randrange(1 << 30)
    print("seed", seed)
    for stop in random.Random(seed).sample(range(1, len(whole)), 5):
        with loader(flights, **options) as batches:
            epoch = iter(batches)
            for _ in range(stop):
                next(epoch)
            state = batches.state_dict()
        with loader(flights, **(options | {"workers": 1})) as batches:
            batches.load_state_dict(state)
            assert batches.state_dict() == state
            rest = [batch["distance"].copy() for batch in batches]
        assert len(rest) == len(whole) - stop
        assert all(np.array_equal(a, b) for a, b in zip(rest, whole[stop:]))


def test_state_behind_an_epoch_begins_the_next(flights: str) -> None:
    with loader(flights, shuffle=True) as batches:
        assert '"epoch":0' in batches.state_dict()["penstock_state"]
        list(batches)
        state = batches.state_dict()
        second = digests(batches)
    with loader(flights, shuffle=True) as batches:
        batches.load_state_dict(state)
        assert digests(batches) == second
    with loader(flights, shuffle=True) as batches:
        batches.set_epoch(1)
        state = batches.state_dict()
    with loader(flights, shuffle=True) as batches:
        batches.load_state_dict(state)
        assert digests(batches) == second


def test_leaving_an_epoch_begins_the_next(flights: str) -> None:
    with loader(flights) as batches:
        for _ in batches:
            break
        assert sum(len(batch["delay"]) for batch in batches) == 300_000
        old = iter(batches)
        new = iter(batches)
        next(new)
        with pytest.raises(RuntimeError, match="a later one was started"):
            next(old)


@pytest.fixture
def kinds(tmp_path: Path) -> str:
    rows = [
        '{"n": 1, "x": 1.5, "s": "ä", "b": true, "l": [1, 2], "e": [1.0, 2.0], "o": {"a": 1}}',
        '{"n": null, "x": null, "s": null, "b": false, "l": [], "e": [3.0, 4.0], "o": {"a": 2}}',
        '{"n": 3, "x": 2.5, "s": "", "b": true, "l": [5], "e": [5.0, 6.0], "o": null}',
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(tmp_path)


def test_kinds_of_columns(kinds: str) -> None:
    dataset = Dataset(kinds, columns=["n", "x", "s", "b", "l", "e"])
    options: dict[str, Any] = {"nulls": {"n": -1, "s": "none", "l": "mask"}}
    with Loader(dataset, 8, output="numpy", **options) as batches:
        (batch,) = batches
    assert batch["n"].tolist() == [1, -1, 3] and batch["n"].dtype == np.int64
    assert np.isnan(batch["x"][1]) and batch["x"].tolist()[::2] == [1.5, 2.5]
    assert batch["s"] == ["ä", "none", ""]
    assert batch["b"].tolist() == [True, False, True]
    assert [row.tolist() for row in batch["l"]] == [[1, 2], [], [5]]
    assert isinstance(batch["l"], Ragged)
    assert batch["l"].padded(-1).tolist() == [[1, 2], [-1, -1], [5, -1]]
    assert batch["e"].block().tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(ValueError, match="lengths differ, from 0 to 2"):
        batch["l"].block()
    lists = {"e": "block", "l": {"value": 9, "length": 3}}
    with Loader(dataset, 8, output="numpy", lists=lists, **options) as batches:
        (batch,) = batches
    assert batch["e"].shape == (3, 2)
    assert batch["l"].tolist() == [[1, 2, 9], [9, 9, 9], [5, 9, 9]]


def test_nested_columns_and_arrow(kinds: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with Loader(Dataset(kinds, columns=["o", "s"]), 8, output="numpy") as batches:
        (batch,) = batches
    assert batch == {"o": [{"a": 1}, {"a": 2}, None], "s": ["ä", None, ""]}
    with Loader(kinds, 8, output="arrow") as batches:
        (table,) = batches
    assert isinstance(table, pyarrow.RecordBatch)
    assert table.column("n").to_pylist() == [1, None, 3]
    assert table.column("l").to_pylist() == [[1, 2], [], [5]]
    assert table.column("b").to_pylist() == [True, False, True]
    table.validate(full=True)


def test_errors_are_sentences(flights: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Cannot use batch_size=0"):
        Loader(flights, 0, output="numpy")
    with pytest.raises(ReadError, match="no such column.*Did you mean 'delay'"):
        next(iter(loader(Dataset(flights, columns=["dlay"]))))
    with pytest.raises(ReadError, match="no such file or folder"):
        next(iter(loader(str(tmp_path / "none"))))
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ReadError, match="a.parquet"):
        next(iter(loader(str(tmp_path))))
    with pytest.raises(MemoryLimitError, match="memory"):
        next(iter(loader(flights, memory="1KiB")))
    with pytest.raises(TypeError, match="expected a list of names"):
        Dataset(flights, columns="delay")
    with pytest.raises(ValueError, match="give either locations"):
        Dataset()
    with loader(flights) as batches, pytest.raises(ValueError, match="it is not the state|no '"):
        batches.load_state_dict({"other": 1})


def test_names_in_errors_have_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    file = tmp_path / "a\x1bc\nok.csv"
    for text, columns in (('a\n"1\n', None), ("\x1b[2J\n1\n", ["y"])):
        file.write_text(text)
        with pytest.raises(ReadError) as met:
            list(loader(Dataset(str(file), columns=columns)))
        assert str(met.value).isprintable() and r"a\u001bc\u000aok.csv" in str(met.value)
    assert r"Columns are: [\u001b[2J]." in str(met.value)
    file.write_text("\x1b[2J\n1\n")
    assert [set(batch) for batch in loader(str(file))] == [{"\x1b[2J"}]


def test_state_of_other_files_is_refused(flights: str, kinds: str) -> None:
    with loader(kinds) as batches:
        state = batches.state_dict()
    with loader(flights) as batches:
        batches.load_state_dict(state)
        with pytest.raises(ValueError, match="Cannot resume: the files are"):
            next(iter(batches))


def test_relative_paths_are_this_process_s(flights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(os.path.dirname(flights))
    with loader("flights") as batches:
        assert len(batches) == 300


def test_what_may_be_meant_otherwise_is_warned_of_once(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a;b\n1;2\n")
    (tmp_path / "README.md").write_text("# Data")
    with loader(tmp_path) as batches:
        with pytest.warns(UserWarning) as warned:
            list(batches)
        told = [str(each.message) for each in warned]
        assert len(told) == 2
        assert "1 .md (README.md). One is read where it is named itself, with format=" in told[0]
        assert "fields. If that separates fields, set format_options=" in told[1]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            list(batches)


def test_nulls_that_will_end_the_epoch_are_warned_of_once(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    columns = {"n": [*range(2000), None], "k": [*range(2001)], "f": [0.5] * 2000 + [None]}
    pq.write_table(pa.table(columns), file)
    with loader(file) as batches:
        with pytest.warns(UserWarning, match=r"'n' has 1 null\. Use nulls=VALUE or") as warned:
            assert len(next(iter(batches))["n"]) == 1000
        assert [each.filename for each in warned] == [__file__]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            batches.set_epoch(1)
            with pytest.raises(ReadError, match="row 2000 is null"):
                list(batches)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for dataset, options in (
            (Dataset(file), {"nulls": {"n": "mask"}}),
            (Dataset(file, where="n is not null"), {}),
            (Dataset(file, columns=["k", "f"]), {}),
        ):
            with loader(dataset, **options) as batches:
                assert len(list(batches)) >= 2
