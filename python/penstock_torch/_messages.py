"""What an engine's frames say, read from their contents (docs/reference/serving-protocol.md)."""

from __future__ import annotations

import contextlib
import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypedDict, TypeVar

from ._errors import EngineError, from_engine
from ._frames import BATCH_HEAD, Frame, FrameKind, Frames
from ._words import in_python

#: Bytes of an element, by its dtype.
WIDTHS = {
    dtype: width
    for width, dtypes in {
        1: "bool int8 uint8",
        2: "int16 uint16 float16",
        4: "int32 uint32 float32",
        8: "int64 uint64 float64",
    }.items()
    for dtype in dtypes.split()
}

_T = TypeVar("_T")


class MalformedError(ValueError):
    """What the engine sent is not in the protocol."""


def unreadable(frames: Frames, why: MalformedError) -> EngineError:
    """Ends a connection over which comes what is not in the protocol; returns the error."""
    frames.close()
    return EngineError(f"Cannot read what the engine sent: {why}.")


@contextlib.contextmanager
def reading(frames: Frames) -> Iterator[None]:
    """Where one frame is read; for many, `unreadable` costs less."""
    try:
        yield
    except MalformedError as e:
        raise unreadable(frames, e) from e


class _Field(TypedDict):
    name: str
    type: str
    nullable: bool


class Field(_Field, total=False):
    """A column of a dataset."""

    partition: bool  # true if it comes from folders


@dataclass(frozen=True)
class Column:
    """A column of an epoch's batches, or a part of a nested one."""

    name: str
    kind: str  # "tensor", "ragged" (lists of numbers) or "slice" (Arrow's layout)
    dtype: str = ""  # of a tensor's elements, or of those of lists
    shape: tuple[int, ...] = ()  # of a row of a tensor
    type: str = ""  # of a slice
    is_nullable: bool = True
    fill: str | None = None  # what replaces nulls of a slice
    children: tuple[Column, ...] = ()

    @cached_property
    def numbers(self) -> int:
        """How many numbers say where it is in a batch."""
        if self.kind != "slice":
            return 2 if self.kind == "tensor" else 6
        buffers = 1 + self.has_offsets + self.has_values
        return 2 + 2 * buffers + sum(child.numbers for child in self.children)

    @property
    def has_offsets(self) -> bool:
        return self.type in ("list", "map", "string", "binary")

    @property
    def has_values(self) -> bool:
        return self.type not in ("list", "map", "struct")

    @classmethod
    def parse(cls, said: Any, kind: str = "") -> Column:
        name, kind = _field(said, "name", str), kind or _field(said, "kind", str)
        if kind == "slice":
            type, is_nullable = _field(said, "type", str), _field(said, "nullable", bool, True)
            children = tuple(cls.parse(each, kind) for each in said.get("children", ()))
            parts = {"list": 1, "map": 1}.get(type, len(children))
            if len(children) != parts or (type == "map" and len(children[0].children) != 2):
                raise MalformedError(f"column {name!r} has {len(children)} parts")
            return cls(name, kind, "", (), type, is_nullable, said.get("fill"), children)
        dtype = _field(said, "dtype", str)
        if kind not in ("tensor", "ragged") or dtype not in WIDTHS:
            raise MalformedError(f"column {name!r} is a {kind} of {dtype}")
        shape = tuple(map(operator.index, said["shape"])) if kind == "tensor" else ()
        return cls(name, kind, dtype, shape)


class Columns(NamedTuple):
    """Those of the batches that follow."""

    epoch: int
    columns: list[Column]
    warnings: list[str]


class End(NamedTuple):
    """The epoch is over."""

    epoch: int
    state: str


class Digest(NamedTuple):
    """That of the rows of the batch that follows."""

    epoch: int
    line: str  # of a log of steps


class Failed(NamedTuple):
    """An epoch, or with 0 something else, met an error."""

    epoch: int
    error: Exception


class Answer(NamedTuple):
    """What was asked for; nothing where a loader was opened."""

    fields: Mapping[str, Any]

    def field(self, name: str, kind: type[_T]) -> _T:
        return _field(self.fields, name, kind)

    def read(self, take: Callable[[Answer], _T]) -> _T:
        """Returns what is taken of it."""
        try:
            return take(self)
        except (LookupError, TypeError) as e:
            raise MalformedError(f"an answer: {type(e).__name__}: {e}") from e


class Places:
    """Where the columns of a batch are, taken pair by pair: a place and bytes."""

    def __init__(self, places: bytes, columns: Sequence[Column], span: int) -> None:
        numbers = memoryview(places).cast("q")
        if len(numbers) != sum(column.numbers for column in columns):
            raise MalformedError(f"{len(numbers)} numbers for the places of a batch's columns")
        self._numbers = iter(numbers)
        self._span = span

    def numbers(self) -> tuple[int, int]:
        """Returns a pair that is not a place."""
        return next(self._numbers), next(self._numbers)

    def next(self, least: int = 0, is_optional: bool = False) -> tuple[int, int]:
        """Returns a place of at least `least` bytes; one that is optional may be -1."""
        at, count = self.numbers()
        if (at < 0 and not is_optional) or count < 0 or at + max(least, count) > self._span:
            raise MalformedError(f"{count} bytes at {at} of a batch of {self._span}")
        return at, count


def parse(frame: Frame) -> Columns | Digest | End | Failed | Answer:
    """Reads any frame but a batch's; raises MalformedError if it is not in the protocol."""
    try:
        said = json.loads(frame.contents)
        if frame.kind in (FrameKind.WELCOME, FrameKind.OPENED, FrameKind.ANSWER):
            return Answer(dict(said))
        epoch = _field(said, "number", int)
        if frame.kind == FrameKind.COLUMNS:
            columns = [Column.parse(each) for each in _field(said, "columns", list)]
            warnings = [in_python(each) for each in _field(said, "warnings", list, [])]
            return Columns(epoch, columns, warnings)
        if frame.kind == FrameKind.DIGEST:
            return Digest(epoch, _field(said, "digest", str))
        if frame.kind == FrameKind.END:
            return End(epoch, _field(said, "state", str))
        if frame.kind == FrameKind.ERROR:
            return Failed(epoch, from_engine(said))
    except (LookupError, TypeError, ValueError) as e:
        raise MalformedError(f"a frame of kind {frame.kind.name}: {e}") from e
    raise MalformedError(f"a frame of kind {frame.kind.name}")


def places_and_state(frame: Frame) -> tuple[bytes, bytes]:
    """Returns the places of a batch's columns, pairs of 64-bit numbers, and the loader's state
    behind it.
    """
    _, _, rows, state_bytes, pairs, _, _ = frame.head
    contents, end = frame.contents, BATCH_HEAD.size + 16 * pairs
    if rows < 0 or pairs < 0 or state_bytes < 0 or end + state_bytes != len(contents):
        raise MalformedError(f"a batch of {rows} rows, {pairs} pairs and {state_bytes} bytes")
    return contents[BATCH_HEAD.size : end], contents[end:]


def _field(said: Any, name: str, kind: type[_T], usual: _T | None = None) -> _T:
    value = said.get(name, usual) if isinstance(said, Mapping) else said
    if not isinstance(said, Mapping) or not isinstance(value, kind):
        raise MalformedError(f"{name} is {value!r}")
    return value
