"""Batches by number: how torch's DataLoader, and code that skips batches, ask a loader."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ._epochs import Batches, Epochs

if TYPE_CHECKING:
    from ._loader import Loader


class BatchNumber(int):
    """The number of a batch in its epoch, from 0."""


class BatchNumbers:
    """The numbers of the batches of an epoch, each in a list: the `batch_sampler` of a loader.

    With the loader's `dataset` it makes a DataLoader of torch that delivers the same batches; where
    its first n are skipped, as Accelerate does to resume, the loader goes to batch n at once.
    """

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        #: all ranks have the same number of batches; Accelerate sets it
        self.even_batches = True

    @property
    def batch_size(self) -> int:
        return self._loader.batch_size

    @property
    def drop_last(self) -> bool:
        return self._loader.drop_last

    @property
    def sampler(self) -> Any:
        return self._loader.sampler

    def set_epoch(self, epoch: int) -> None:
        self._loader.set_epoch(epoch)

    def __iter__(self) -> Iterator[list[BatchNumber]]:
        # The rest of an epoch that other ranks began may be longer: taking them ends it.
        return ([BatchNumber(each)] for each in itertools.count())

    def __len__(self) -> int:
        return len(self._loader)


class ByNumber:
    """Takes batches by their numbers, which count up from any of them."""

    def __init__(self, start: Callable[[int], Batches]) -> None:
        self._start = start
        self._batches: Batches | None = None
        self._number = 0  # of the next one

    def take(self, number: int) -> Any:
        """Returns a batch; raises StopIteration behind the last one."""
        if self._batches is None or number != self._number:
            self._batches, self._number = self._start(number), number
        batch = next(self._batches)
        self._number += 1
        return batch


def first(epochs: Epochs) -> Callable[[int], Batches]:
    """Returns what starts at the first batch alone."""

    def start(number: int) -> Batches:
        if number != 0:
            raise ValueError(
                f"Cannot deliver batch {number} of a Loader now: its batches come in order. Leave"
                " out shuffle= and sampler= of torch's DataLoader; Loader(..., shuffle=True)"
                " shuffles."
            )
        return epochs.start(None)  # an owner would keep itself

    return start
