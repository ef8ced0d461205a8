"""Split strategies of the user's own, beside torch-dataloader-utils itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock_torch import _frames

pa = pytest.importorskip("pyarrow", reason="these files are made of pyarrow's tables")
pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("torch")

from penstock_torch.dataloader_utils import (  # noqa: E402
    RowRange,
    Shard,
    Split,
    StructuredDataset,
)

pytestmark = pytest.mark.usefixtures("engine")
FILES, ROWS = 4, 600
ALL = list(range(FILES * ROWS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of three row groups."""
    made = tmp_path_factory.mktemp("files")
    for k in range(FILES):
        table = pa.table({"id": range(k * ROWS, (k + 1) * ROWS)})
        pq.write_table(table, made / f"{k}.parquet", row_group_size=200)
    return made


class Dealt:
    """Files, the last one first, dealt to the workers in turn: of version 1, without ranks."""

    def generate(self, files: list[Any], num_workers: int, epoch: int = 0) -> list[Any]:
        shards = [Shard(i) for i in range(num_workers)]
        for i, file in enumerate(reversed(files)):
            shards[i % num_workers].splits.append(Split(file))
        return shards


class Shuffled:
    """Row groups, in another order in each epoch."""

    def generate(
        self, files: list[Any], num_workers: int, epoch: int, num_ranks: int, rank: int
    ) -> list[Any]:
        cut = [Split(file, RowRange(at, 200)) for file in files for at in range(0, ROWS, 200)]
        random.Random(epoch).shuffle(cut)
        return [Shard(i, cut[rank::num_ranks][i::num_workers]) for i in range(num_workers)]


class Made:
    """What a function makes of the files."""

    def __init__(self, shards: Callable[[list[Any]], Any]) -> None:
        self._shards = shards

    def generate(self, files: list[Any], num_workers: int, epoch: int) -> Any:
        return self._shards(files)


def shards(*splits: Split) -> list[Shard]:
    return [Shard(0, list(splits))]


def opened(folder: Path, strategy: Any, **options: Any) -> tuple[Any, StructuredDataset]:
    options = {"batch_size": 100, "num_workers": 1, **options}
    return StructuredDataset.create_dataloader(
        str(folder), "parquet", split_strategy=strategy, **options
    )


def ids(batches: Any) -> list[int]:
    return [i for batch in batches for i in batch["id"].tolist()]


@pytest.mark.parametrize("strategy", [Dealt(), Shuffled()], ids=["files", "row groups"])
def test_the_order_is_theirs(folder: Path, strategy: Any) -> None:
    theirs = pytest.importorskip("torch_dataloader_utils")
    files = theirs.filesystem.discovery.discover_files(str(folder))
    files.sort(key=lambda file: file.path)
    reference = theirs.StructuredDataset(
        files, "parquet", split_strategy=strategy, num_workers=1, batch_size=100
    )
    loader, dataset = opened(folder, strategy)
    with loader:
        for epoch in (0, 3, 3):
            reference.set_epoch(epoch)
            dataset.set_epoch(epoch)
            assert ids(loader) == ids(reference)


def test_shards_come_in_turn_as_workers_would(folder: Path) -> None:
    loader, _ = opened(folder, Dealt(), num_workers=3)
    with loader:
        starts = [batch["id"][0].item() for batch in loader][:: ROWS // 100]
    assert starts == [1800, 1200, 600, 0]


def test_files_are_those_of_the_plan(folder: Path) -> None:
    seen: list[Any] = []

    def whole(files: list[Any]) -> list[Shard]:
        seen.extend(files)
        return shards(*map(Split, files))

    loader, dataset = opened(folder, Made(whole))
    with loader:
        planned = dataset.loader.plan()["files"]
        assert [(f.path, f.file_size, f.record_count) for f in seen[:FILES]] == [
            (each["location"], each["bytes"], each["rows"]) for each in planned
        ]
        assert ids(loader) == ALL
    assert seen[0].path == str(folder / "0.parquet")


def test_each_epoch_is_cut_anew(folder: Path) -> None:
    loader, dataset = opened(folder, Shuffled())
    with loader:
        assert len(loader) == 24
        planned = dataset.loader.plan(1)["sequence"]
        epochs = [ids(loader) for _ in range(3)]
        assert dataset.loader.plan(1)["sequence"] == planned != dataset.loader.plan()["sequence"]
    assert all(sorted(epoch) == ALL for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == 3
    starts = [epochs[1][at] for at in range(0, len(ALL), 200)]
    assert [int(Path(e["file"]).stem) * ROWS + e["offset"] for e in planned] == starts


def test_the_same_splits_need_no_new_connection(folder: Path) -> None:
    loader, dataset = opened(folder, Dealt())
    with loader:
        was = dataset.loader._connection.current
        assert ids(loader) == ids(loader)
        assert dataset.loader._connection.current is was


@pytest.mark.parametrize("batches", [0, 1, 23, 24])
def test_a_state_goes_on_in_another_process(folder: Path, batches: int) -> None:
    loader, dataset = opened(folder, Shuffled())
    with loader:
        dataset.set_epoch(1)
        epochs = ids(loader) + ids(loader)
    loader, dataset = opened(folder, Shuffled())
    with loader:
        dataset.set_epoch(1)
        iterator = iter(loader)
        came = ids(next(iterator) for _ in range(batches))
        state = dataset.state_dict()
    loader, dataset = opened(folder, Shuffled())
    with loader:
        dataset.load_state_dict(state)
        came += ids(loader)
        if batches == 24:
            assert came == epochs
        else:
            assert came + ids(loader) == epochs


def test_an_epoch_goes_on_where_the_connection_broke(folder: Path) -> None:
    loader, dataset = opened(folder, Shuffled())
    with loader:
        dataset.set_epoch(2)
        whole = ids(loader)
        dataset.set_epoch(2)
        epoch = iter(loader)
        came = ids(next(epoch) for _ in range(5))
        dataset.loader._connection.current.close()  # type: ignore[union-attr]
        assert came + ids(epoch) == whole


def test_ranks_share_the_rows(folder: Path) -> None:
    came = []
    for rank in range(3):
        loader, dataset = opened(folder, Shuffled(), num_ranks=3, rank=rank)
        with loader:
            dataset.set_epoch(2)
            came.append(ids(loader))
    assert [len(each) for each in came] == [800] * 3
    assert sorted(i for each in came for i in each) == ALL


def test_a_filter_keeps_the_order(folder: Path) -> None:
    loader, _ = opened(folder, Dealt(), filters="id >= 900 and id < 1900")
    with loader:
        assert ids(loader) == [*range(1800, 1900), *range(1200, 1800), *range(900, 1200)]


@pytest.mark.parametrize(
    ("made", "error", "message"),
    [
        (
            lambda files: shards(*map(Split, files), Split(files[1], RowRange(5, 10))),
            ValueError,
            r"rows \[5, 15\) of .*1.parquet are in two FileSplits. Every row must be in",
        ),
        (
            lambda files: shards(*map(Split, files[1:])),
            ValueError,
            r"\[0, 600\) of .*0.parquet are",
        ),
        (
            lambda files: shards(Split(files[0], RowRange(0, 500)), *map(Split, files[1:])),
            ValueError,
            r"rows \[500, 600\) of .*0.parquet are in no FileSplit",
        ),
        (
            lambda files: shards(Split(files[0], RowRange(0, 601)), *map(Split, files[1:])),
            ValueError,
            "goes beyond the file, which has 600 rows",
        ),
        (
            lambda files: shards(Split(files[0], RowRange(-1, 9))),
            ValueError,
            "'offset' of a split is -1",
        ),
        (
            lambda files: shards(Split(type(files[0])("/other.parquet"))),
            ValueError,
            "'/other.parquet' is not a file of the dataset. Use the files",
        ),
        (
            lambda files: [files],
            TypeError,
            "Made: generate.. returned .* expected a list of Shards",
        ),
        (lambda files: None, TypeError, "generate.. returned None but expected"),
        (lambda files: [Shard(0, files)], TypeError, "Cannot use the split DataFileInfo"),
    ],
)
def test_what_is_no_plan_is_refused(
    folder: Path, made: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):  # noqa: SIM117 - either may raise
        with opened(folder, Made(made))[0] as loader:
            next(iter(loader))


def test_more_than_a_frame_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(files: list[Any]) -> list[Shard]:
        return shards(*(Split(file, RowRange(i, 1)) for file in files for i in range(ROWS)))

    monkeypatch.setattr(_frames, "_LENGTH_MAX", 1 << 16)
    with pytest.raises(ValueError, match=r"takes \d+ bytes, .* less than 65536. Name fewer files"):
        opened(folder, Made(rows))


def test_what_does_not_go_with_it_is_refused(folder: Path) -> None:
    with pytest.raises(TypeError, match="Cannot use int as a split strategy: it has no generate"):
        opened(folder, 7)
    with pytest.raises(ValueError, match="shuffle_buffer_size with the split strategy Dealt"):
        opened(folder, Dealt(), shuffle_buffer_size=100)


def test_a_failing_strategy_is_the_users(folder: Path) -> None:
    def fails(files: list[Any]) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        opened(folder, Made(fails))
