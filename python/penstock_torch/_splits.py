"""Splits that a strategy of the user's own makes, as torch-dataloader-utils has them."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._connection import Peer
from ._loader import Loader


@dataclass
class DataFileInfo:
    """A file, as a split strategy gets it.

    Attributes:
        path: where it is, as the engine names it.
        file_size: its bytes.
        record_count: its rows.
        partition: the values of its partition folders, by key.
    """

    path: str
    file_size: int | None = None
    record_count: int | None = None
    partition: Mapping[str, str] | None = None


@dataclass
class RowRange:
    """Rows of a file: the first, counted from 0, and how many."""

    offset: int
    length: int


@dataclass
class Split:
    """A file, or rows of it."""

    file: DataFileInfo
    row_range: RowRange | None = None


@dataclass
class Shard:
    """What one worker would read, in order."""

    id: int
    splits: list[Split] = field(default_factory=list)
    row_count: int | None = None
    size_bytes: int | None = None


class CutLoader(Loader):
    """A loader whose splits are those of a strategy, in each epoch."""

    def __init__(self, strategy: Any, shards: int, *args: Any, **options: Any) -> None:
        self._strategy, self._shards = strategy, shards
        super().__init__(*args, **options)

    def _cut(self, peer: Peer, dataset: Mapping[str, Any]) -> Callable[[int], list[Any]]:
        plan = peer.ask_once({"dataset": dataset}, "plan", "plan", dict, epoch=0)
        files = [
            DataFileInfo(each["location"], each["bytes"], each["rows"], each.get("partition"))
            for each in plan["files"]
        ]
        return lambda epoch: _in_turn(_generated(self._strategy, files, self._shards, epoch), files)


def _generated(
    strategy: Any, files: Sequence[DataFileInfo], shards: int, epoch: int
) -> list[list[Any]]:
    """Asks a strategy for all rows: of ranks, each then gets its share."""
    given: dict[str, Any] = {"num_workers": shards, "epoch": epoch}
    if "num_ranks" in inspect.signature(strategy.generate).parameters:
        given |= {"num_ranks": 1, "rank": 0}
    made = strategy.generate(list(files), **given)
    try:
        return [list(shard.splits) for shard in made]
    except (AttributeError, TypeError) as e:
        raise TypeError(
            f"Cannot use the split strategy {type(strategy).__name__}: generate() returned"
            f" {made!r:.100} but expected a list of Shards, each with its splits."
        ) from e  # of the user's own, if it is a generator


def _in_turn(shards: Sequence[Sequence[Any]], files: Sequence[DataFileInfo]) -> list[Any]:
    """Returns the first split of each shard, then the second of each, as a request has them."""
    rows = {file.path: file.record_count for file in files}
    splits = []
    for split in filter(None, itertools.chain(*itertools.zip_longest(*shards))):
        try:
            path, part = split.file.path, split.row_range
            offset, length = (0, rows.get(path)) if part is None else (part.offset, part.length)
        except AttributeError:
            raise TypeError(
                f"Cannot use the split {split!r:.100}: expected a Split, with a file and a"
                " row_range."
            ) from None
        if path not in rows:
            raise ValueError(
                f"Cannot use the split strategy's plan: {path!r} is not a file of the dataset."
                " Use the files that generate() gets."
            )
        if length != 0:
            splits.append({"file": path, "offset": offset, "length": length})
    return splits
