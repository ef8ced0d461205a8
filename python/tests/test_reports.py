"""What a loader tells of itself: statistics, plan, schema, length, report."""

from __future__ import annotations

import base64
import gzip
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Command

from penstock_torch import Buckets, Dataset, EngineError, Loader, Mixture, Schema, Stats, _epoch

COLUMNS = {
    "date": "timestamp[us]",
    "delay": "int64",
    "distance": "int64",
    "origin": "string",
    "destination": "string",
}


def loader(dataset: Any, **options: Any) -> Loader:
    return Loader(dataset, options.pop("batch_size", 1000), output="numpy", **options)


def data_of(page: Path) -> dict[str, Any]:
    """Returns the data of a report."""
    pattern = r'id="report" data-encoding="(none|gzip)">(.*?)</script>'
    found = re.search(pattern, page.read_text())
    assert found is not None
    is_packed = found[1] == "gzip"
    return dict(json.loads(gzip.decompress(base64.b64decode(found[2])) if is_packed else found[2]))


def test_statistics_count_what_the_loop_received(flights: str, command: Command) -> None:
    expected = command.json("load", flights, "--progress", "none", "--columns", "delay")
    with loader(Dataset(flights, columns=["delay"])) as batches:
        before = batches.stats()
        assert isinstance(before, Stats)
        assert (before.epoch, before.rows, before.batches, before.seconds) == (0, 0, 0, 0)
        assert "Nothing was delivered" in before.bottleneck
        epoch = iter(batches)
        for received in range(1, 4):
            next(epoch)
            during = batches.stats()
            assert (during.rows, during.batches) == (1000 * received, received)
            assert 0 < during.wait_seconds <= during.seconds
        assert len(list(epoch)) == 297  # what came beside the answers is not lost
        after = batches.stats()
        assert (after.epoch, after.rows, after.batches) == (0, 300_000, 300)
        assert after.bytes_read == expected["bytesRead"] > 0
        assert after.peak_memory_bytes > 0
        assert after.rows_per_second == pytest.approx(300_000 / after.seconds)
        assert batches.stats().seconds == after.seconds  # it has ended
        assert (after.rank, after.rows_of_sources, after.skipped_rows) == ("", (), {})
        list(batches)
        assert (batches.stats().epoch, batches.stats().rows) == (1, 300_000)
    with pytest.raises(RuntimeError, match="it is closed"):
        batches.stats()


class Clock:
    """Time that passes only while the loop works."""

    now = 1

    def perf_counter_ns(self) -> int:
        return self.now


def test_loop_that_is_slow_is_the_bottleneck_however_short_the_epoch(
    flights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(_epoch, "time", clock)
    with loader(Dataset(flights, columns=["delay"]), steps_per_epoch=3) as batches:
        epoch = iter(batches)  # all three are sent at once
        next(epoch)
        clock.now += 300_000_000
        assert "consumer is the bottleneck" in batches.stats().bottleneck
        for _ in epoch:
            clock.now += 300_000_000
        stats = batches.stats()
        assert stats.seconds == pytest.approx(0.9) and stats.wait_seconds == 0


def test_statistics_say_what_was_filtered_mixed_and_padded(tmp_path: Path, flights: str) -> None:
    where = "delay >= 15"
    with loader(Dataset(flights, where=where), rank=(0, 2), rank_end="drop") as batches:
        rows = sum(len(batch["delay"]) for batch in batches)
        stats = batches.stats()
        assert stats.rank == "0/2" and stats.rows == rows
        assert set(stats.skipped_rows) == {
            "files",
            "statistics",
            "bloom_filters",
            "page_index",
            "values",
        }
        assert stats.skipped_rows["values"] > 0
    with loader(Mixture([(flights, 1), (flights, 1)])) as batches:
        list(batches)
        assert sum(batches.stats().rows_of_sources) == batches.stats().rows
    lines = (json.dumps({"tokens": [1] * (1 + n % 7)}) for n in range(100))
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    with loader(tmp_path, batch_size=10, compose=Buckets("tokens")) as batches:
        list(batches)
        assert set(batches.stats().padding) == {"elements", "padded", "padded_without", "dropped"}


def test_going_on_counts_from_there(flights: str) -> None:
    with loader(flights) as batches:
        epoch = iter(batches)
        for _ in range(290):
            next(epoch)
        state = batches.state_dict()
    with loader(flights) as batches:
        batches.load_state_dict(state)
        assert len(list(batches)) == batches.stats().batches == 10


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, []),
        ({"shuffle": True, "seed": 3}, ["--shuffle", "splits", "--seed", "3", "--epoch", "2"]),
        ({"rank": (1, 3), "rank_end": "pad"}, ["--rank", "1/3", "--rank-end", "pad"]),
        ({"split_rows": 10_000}, ["--split-rows", "10000"]),
    ],
)
def test_plan_is_that_of_the_command(
    flights: str, command: Command, options: dict[str, Any], words: list[str]
) -> None:
    where = "date < timestamp '2001-01-20T00:00:00'"
    expected = command.json("plan", flights, "--where", where, "--workers", "2", *words)
    assert expected["pruned"]
    with loader(Dataset(flights, where=where), workers=2, **options) as batches:
        assert batches.plan(expected["epoch"]) == expected
        assert expected["rows"] == sum(each["length"] for each in expected["sequence"])


def test_plan_is_that_of_the_epoch_that_runs_or_comes(flights: str) -> None:
    with loader(flights, shuffle=True) as batches:
        assert batches.plan()["epoch"] == 0
        epoch = iter(batches)
        next(epoch)
        assert batches.plan()["epoch"] == 0
        list(epoch)
        assert batches.plan() == batches.plan(1) != batches.plan(0)
        batches.set_epoch(7)
        assert batches.plan()["epoch"] == 7
        with pytest.raises(ValueError, match="epoch"):
            batches.plan(-1)
    with pytest.raises(RuntimeError, match="it is closed"):
        batches.plan()


def test_schema_is_that_of_the_command(flights: str, command: Command, tmp_path: Path) -> None:
    schema = Dataset(flights).schema
    assert isinstance(schema, Schema)
    assert dict(schema) == COLUMNS
    assert schema["delay"] == "int64" and len(schema) == 5 and "dlay" not in schema
    assert list(schema.fields) == command.json("schema", flights)["columns"]
    assert str(schema).splitlines()[:2] == ["date: timestamp[us]", "delay: int64"]
    assert dict(Dataset(flights, columns=["origin"]).schema) == {"origin": "string"}
    mixed = Mixture({flights: 1}, source_column="source", columns=["delay", "source"])
    assert dict(mixed.schema) == {"delay": "int64", "source": "int32"}
    with loader(mixed) as batches:
        assert batches.schema().fields == mixed.schema.fields
    (tmp_path / "day=1").mkdir()
    (tmp_path / "day=1/a.csv").write_text("n\n1\n")
    fields = Dataset(tmp_path, partitioning="hive").schema.fields
    assert [each.get("partition", False) for each in fields] == [False, True]
    with pytest.raises(OSError, match="no such file or folder"):
        print(Dataset(tmp_path / "none").schema)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"batch_size": 1024},
        {"batch_size": 1024, "drop_last": True},
        {"batch_size": 1024, "steps_per_epoch": 7},
        {"batch_size": 1024, "rank": (1, 7)},
        {"batch_size": 1024, "rank": (6, 7), "rank_end": "pad"},
        {"batch_size": 1024, "rank": (6, 7), "rank_end": "drop", "drop_last": True},
    ],
)
def test_rows_of_an_epoch_are_known(flights: str, options: dict[str, Any]) -> None:
    with loader(Dataset(flights, columns=["delay"]), **options) as batches:
        total = batches.rows_per_epoch()
        assert total == sum(len(batch["delay"]) for batch in batches)


@pytest.mark.parametrize("stop", ["first", "all", "repeat"])
def test_rows_of_a_mixture_are_known(flights: str, stop: Any) -> None:
    half = f"{flights}/*0.parquet"
    mixed = Mixture([(flights, 0.7), (half, 0.3)], stop=stop, columns=["delay"])
    with loader(mixed) as batches:
        total = batches.rows_per_epoch()
        assert total == sum(len(batch["delay"]) for batch in batches)


def test_rows_that_only_reading_tells_are_not_known(flights: str) -> None:
    few = Dataset(flights, where="delay > 60")
    for dataset in (few, Mixture([(few, 0.5), (flights, 0.5)])):
        with loader(dataset) as batches:
            assert batches.rows_per_epoch() is None
    with loader(few, rank=(0, 2)) as batches:
        assert batches.rows_per_epoch() is None


def test_progress_of_tqdm(flights: str) -> None:
    tqdm = pytest.importorskip("tqdm").tqdm
    with loader(flights) as batches:
        bar = tqdm(batches, disable=True)
        assert bar.total == 300 and sum(1 for _ in bar) == 300
        with tqdm(total=batches.rows_per_epoch(), unit="rows", disable=True) as bar:
            assert bar.total == 300_000
    with loader(Dataset(flights, where="delay > 60")) as batches:
        assert tqdm(batches, disable=True).total is None
        assert tqdm(total=batches.rows_per_epoch(), disable=True).total is None


def test_report_is_written_during_an_epoch_and_after_it(
    flights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "run.html"
    with loader(flights, shuffle=True) as batches:
        batches.report("run.html")  # relative: this process's folder, not the engine's
        assert data_of(page)["runs"] == []
        epoch = iter(batches)
        next(epoch)
        batches.report(page)
        assert data_of(page)["runs"][0]["name"] == "epoch 0"
        assert sum(1 for _ in epoch) == 299
        list(batches)
        batches.report(page)
        said = data_of(page)
        assert [run["rows"] for run in said["runs"]] == [300_000, 300_000]
        assert said["plan"]["epoch"] == 1 and said["plan"]["rows"] == 300_000
        assert {"name": "batchSize", "value": "1000"} in said["options"]
        assert page.read_text().lower().startswith("<!doctype html>")
        with pytest.raises(FileNotFoundError, match="none/run.html'$"):
            batches.report("none/run.html")
        with pytest.raises(TypeError):
            batches.report(3)  # type: ignore[arg-type]
    assert [each.name for each in tmp_path.iterdir()] == ["run.html"]
    with pytest.raises(RuntimeError, match="it is closed"):
        batches.report(page)


def test_questions_of_another_thread_are_refused(flights: str) -> None:
    with loader(flights) as batches:
        met: list[Exception] = []

        def ask() -> None:
            try:
                batches.stats()
            except RuntimeError as e:
                met.append(e)

        with batches._connection.alone:  # as during next()
            thread = threading.Thread(target=ask)
            thread.start()
            thread.join()
        assert "another thread is in it" in str(met)


def test_guide_shows_what_runs(
    flights: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("tqdm")
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/flights").symlink_to(flights)
    section = (ROOT / "docs/guide/python.md").read_text().split("## Progress, plan and report\n")[1]
    exec(section.split("```python\n")[1].split("```")[0], {})
    said = capsys.readouterr().out.splitlines()
    assert said[:4] == ["date: timestamp[us]", "delay: int64", "int64", "8"]
    assert re.fullmatch(r"waited [0-9.]+ of [0-9.]+ s: .*\.", said[4])
    run = data_of(tmp_path / "run.html")["runs"][0]
    assert run["recorded"] and run["slices"]["worker"]


def test_statistics_that_lack_a_number_are_the_engine_s_fault() -> None:
    with pytest.raises(EngineError, match="Cannot read what the engine sent: .*'rows'"):
        Stats.of({"epoch": 0})
