"""What an epoch came to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._errors import EngineError
from ._words import in_python


@dataclass(frozen=True)
class Stats:
    """What a loader did and waited for in an epoch so far, at one moment.

    Rows, batches and times are those of your loop, from where the epoch was begun or went on last;
    the other numbers are the engine's, which works ahead.

    Attributes:
        epoch: its number, from 0.
        rows: the rows that your loop has received.
        batches: the batches that your loop has received.
        seconds: how long it has run, until its end came.
        rows_per_second: rows by seconds.
        wait_seconds: how long your loop waited for batches.
        bytes_read: bytes read from storage.
        peak_memory_bytes: the most memory off the heap that the loader has held.
        bottleneck: what its speed depends on most, in one sentence for people.
        rank: this rank and how many there are, as in "0/8"; empty for one.
        rows_of_sources: how many rows of each source of a Mixture the engine has sent; with a
            composition, such as packs, rows of files in the windows that were sent to their end.
        skipped_rows: rows that the filter left out, by how, of a Mixture those that no source
            takes; `files` is a number of files.
        padding: elements that a composition pads, and how many there would be without it.
    """

    epoch: int
    rows: int
    batches: int
    seconds: float
    rows_per_second: float
    wait_seconds: float
    bytes_read: int
    peak_memory_bytes: int
    bottleneck: str
    rank: str
    rows_of_sources: tuple[int, ...]
    skipped_rows: Mapping[str, int]
    padding: Mapping[str, int]

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Stats:
        """Reads an answer of the engine."""
        try:
            return cls(
                epoch=said["epoch"],
                rows=said["rows"],
                batches=said["batches"],
                seconds=said["seconds"],
                rows_per_second=said["rowsPerSecond"],
                wait_seconds=said["waitSeconds"],
                bytes_read=said["bytesRead"],
                peak_memory_bytes=said["peakMemoryBytes"],
                bottleneck=in_python(said["bottleneck"]),
                rank=said.get("rank", ""),
                rows_of_sources=tuple(said.get("rowsOfSources", ())),
                skipped_rows=_snake(said.get("skippedRows", {})),
                padding=_snake(said.get("padding", {})),
            )
        except (LookupError, TypeError) as e:
            raise EngineError(f"Cannot read what the engine sent: statistics: {e!r}.") from e


def _snake(numbers: Mapping[str, int]) -> dict[str, int]:
    return {re.sub("([A-Z])", r"_\1", name).lower(): each for name, each in numbers.items()}
