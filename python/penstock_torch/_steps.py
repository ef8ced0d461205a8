"""The rows of steps: which rows a batch had, or will have, on any rank."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path as File
from typing import Any, NamedTuple

from ._messages import Answer
from ._options import Option
from ._scalars import index, is_truth, wrong

_STEPS = re.compile(r"[0-9]{1,18}\.\.[0-9]{1,18}")
_STEPS_OPTION = Option(
    "steps",
    "",
    "",
    'a step, counted from 0 in the epoch, a range of steps, or a text "A..B"',
    "range(4700, 4720)",
    "",
    0,
    0,
    (),
)
_ROWS_OPTION = Option(
    "rows",
    "",
    "",
    "dicts, each with the values of keys, or a file and a row; what rows() returns; or a file with"
    " such a dict in JSON a line",
    '[{"id": 17}, {"file": "a.parquet", "row": 3}]',
    "",
    0,
    0,
    (),
)
_PASSES_OPTION = Option("passes", "", "", "True or False", "True", "", 0, 0, ())
_PLAIN = (str, bool, int, float)

#: Asks the engine about steps; returns what is taken of its answer.
Ask = Callable[[dict[str, Any], Callable[[Answer], Any]], Any]


class RowPart(NamedTuple):
    """The elements of a row's list that a pack has."""

    first: int  # the first of them, from 0 in the list
    length: int  # how many, at least 1
    offset: int  # where the first is in the pack, from 0


class StepRow(NamedTuple):
    """A row of a step: where it was in the batches, and where it is stored.

    Where a composition makes a row of several, as `Packs` does, each of them is one of these, at
    the same place.
    """

    epoch: int  # from 0
    step: int  # the batch of every rank, from 0 in the epoch
    rank: int  # whose batch
    place: int  # the row in the batch, from 0
    file: str  # its location
    row: int  # as it is stored, from 0 in the file, deleted rows included
    end_row: int  # the one after it; a later one where a transform made it of several
    row_id: int | None  # Iceberg's `_row_id`; one that the file stores only with `passes`
    source: int | None  # the number of the dataset in a Mixture
    part: RowPart | None  # what a pack has of it; None for a whole row

    @classmethod
    def parse(cls, said: Mapping[str, Any]) -> StepRow:
        part = RowPart(said["from"], said["count"], said["offset"]) if "count" in said else None
        row = said["row"]
        return cls(
            said["epoch"],
            said["step"],
            said["rank"],
            said["place"],
            said["file"],
            row,
            said.get("endRow", row + 1),
            said.get("rowId"),
            said.get("source"),
            part,
        )

    def said(self) -> dict[str, Any]:
        """Returns what the engine takes to leave out all rows that it was made of."""
        named = {"epoch": self.epoch, "step": self.step, "rank": self.rank, "place": self.place}
        return {**named, "file": self.file, "row": self.row, "endRow": self.end_row}


def steps_text(steps: int | range | str) -> str:
    """Returns steps as the engine takes them: "A..B", half-open."""
    number = index(steps)
    if number is not None:
        if number < 0:
            raise wrong(ValueError, _STEPS_OPTION, steps)
        return f"{number}..{number + 1}"
    if isinstance(steps, range):
        if steps.step != 1 or steps.start < 0 or steps.stop < steps.start:
            raise wrong(ValueError, _STEPS_OPTION, steps)
        return f"{steps.start}..{steps.stop}"
    if not isinstance(steps, str):
        raise wrong(TypeError, _STEPS_OPTION, steps)
    if not _STEPS.fullmatch(steps):
        raise wrong(ValueError, _STEPS_OPTION, steps)
    return steps


def is_passed(passes: Any) -> bool:
    if not is_truth(passes):
        raise wrong(TypeError, _PASSES_OPTION, passes)
    return bool(passes)


def row_text(rows: Iterable[Mapping[str, Any] | StepRow] | str | os.PathLike[str]) -> str:
    """Returns rows as the engine takes them: an object of JSON a line."""
    if isinstance(rows, (str, os.PathLike)):
        return File(rows).read_text(encoding="utf-8")
    if isinstance(rows, (Mapping, StepRow, bytes)) or not isinstance(rows, Iterable):
        raise wrong(TypeError, _ROWS_OPTION, rows)
    return "\n".join(_line(each, rows) for each in rows)


def _line(row: Any, rows: Any) -> str:
    if isinstance(row, StepRow):
        row = row.said()
    if not isinstance(row, Mapping):
        raise wrong(TypeError, _ROWS_OPTION, rows, f" {row!r} is no dict.")
    return json.dumps({key: _plain(key, value, rows) for key, value in row.items()})


def _plain(key: Any, value: Any, rows: Any) -> Any:
    """Returns a value of any library as Python's."""
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(key, str) or not isinstance(value, _PLAIN):
        hint = f" The value of {key!r} is of type {type(value).__name__}."
        raise wrong(TypeError, _ROWS_OPTION, rows, hint)
    return value


def rows_of(ask: Ask, question: dict[str, Any]) -> Iterator[StepRow]:
    """Asks for rows; the first of them are there when it returns, the others come when needed."""
    return _rest(ask, ask(question, _piece))


class _Piece(NamedTuple):
    number: int  # of the question
    rows: list[StepRow]
    has_more: bool


def _piece(said: Answer) -> _Piece:
    rows = [StepRow.parse(each) for each in said.field("rows", list)]
    return _Piece(said.field("number", int), rows, said.field("more", bool))


def _rest(ask: Ask, piece: _Piece) -> Iterator[StepRow]:
    while True:
        yield from piece.rows
        if not piece.has_more:
            return
        piece = ask({"what": "next", "number": piece.number}, _piece)
