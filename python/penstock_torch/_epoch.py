"""The batches of one epoch, as they come from the engine."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._columns import Reader
from ._errors import EngineError
from ._frames import Frame, FrameKind, Frames
from ._lending import LentMemory
from ._messages import (
    Answer,
    Column,
    Digest,
    End,
    Failed,
    MalformedError,
    parse,
    places_and_state,
    unreadable,
)

# Batches on their way to this process: at most so many bytes of them, and so many batches.
_AHEAD_BYTES = 16 << 20
_AHEAD_MAX = 64
_AHEAD_FIRST = 2


class Taken(NamedTuple):
    """A batch that came."""

    batch: Any
    state: bytes  # behind it
    digest: str | None  # the line of a log of steps, where one is written


class Slow(TimeoutError):
    """The engine waits longer than its timeout. Its batch may still come."""


@dataclass(eq=False)
class Epoch:
    """One epoch on one connection."""

    frames: Frames
    _number: int  # in the connection, which its frames carry
    _make_reader: Callable[[list[Column], list[str]], Reader]
    _memory: LentMemory | None  # what batches lie in; None if they are sent
    _reader: Reader | None = None
    _ahead: int = _AHEAD_FIRST  # batches that the engine may have sent and we not taken
    _credit: int = _AHEAD_FIRST  # how many of them it may still send
    #: the state behind the last batch, when the engine has said that it was the last
    end: str | None = None
    _digest: str | None = None  # of the batch that follows
    _rows: int = 0
    _batches: int = 0
    _waited: int = 0  # nanoseconds
    _began: int = 0
    _ended: int = 0  # 0 until its end came

    def begin(self, where: dict[str, Any]) -> None:
        """Has the engine begin; batches of an earlier epoch are over."""
        self._began = time.perf_counter_ns()
        self.frames.send(FrameKind.MORE, self._more(0))
        begin = {"number": self._number, "credits": _AHEAD_FIRST, **where}
        self.frames.send_json(FrameKind.BEGIN, begin)

    def next(self, deadline: float | None) -> Taken | None:
        """Waits for a batch; returns it, or None at the end.

        Raises TimeoutError behind the deadline, Slow when the engine says that it waits; it may
        then be called again.
        """
        asked = time.perf_counter_ns()
        try:
            return self._next(deadline)
        finally:
            now = time.perf_counter_ns()
            self._waited += now - asked
            if self.end is not None and not self._ended:
                self._ended = now

    def received(self) -> dict[str, int]:
        """Returns what came, and how long that took: the engine knows only what it sent."""
        nanos = (self._ended or time.perf_counter_ns()) - self._began
        counts = {"rows": self._rows, "batches": self._batches}
        return {**counts, "nanos": nanos, "waitNanos": self._waited}

    def _next(self, deadline: float | None) -> Taken | None:
        if self._credit <= self._ahead // 2:
            self._give_credits()
        batch: Taken | None = None
        while batch is None and self.end is None:
            frame = self._read(deadline)
            try:
                batch = self._take(frame)
            except MalformedError as e:
                raise unreadable(self.frames, e) from e
        return batch

    def _read(self, deadline: float | None) -> Frame:
        try:
            return self.frames.read(deadline)
        except EngineError as e:
            raise EngineError(
                f"{e} No batch is lost: the next iter(), or next() of the same iterator, goes on"
                " behind the one last received, as state_dict() says."
            ) from e

    def _take(self, frame: Frame) -> Taken | None:
        if frame.head:
            return self._batch(frame)
        said = parse(frame)
        if isinstance(said, Failed):
            if said.epoch in (0, self._number):
                is_slow = isinstance(said.error, TimeoutError)
                raise Slow(str(said.error)) if is_slow else said.error
        elif isinstance(said, Answer):
            raise MalformedError(f"a frame of kind {frame.kind.name} within an epoch")
        elif said.epoch == self._number:
            if isinstance(said, End):
                self.end = said.state
            elif isinstance(said, Digest):
                self._digest = said.line
            else:
                self._reader = self._make_reader(said.columns, said.warnings)
        return None

    def _batch(self, frame: Frame) -> Taken | None:
        number, epoch, rows, _, _, start, span = frame.head
        places, state = places_and_state(frame)
        memory: Any = frame.sent
        if memory is None:
            if self._memory is None:
                raise MalformedError("a batch in shared memory, of which there is none")
            memory = self._memory.part(number, start, span)
        if epoch != self._number:
            return None  # of an epoch that was left
        self._credit -= 1
        self._rows += rows
        self._batches += 1
        if self._ahead == _AHEAD_FIRST:
            self._ahead = max(_AHEAD_FIRST, min(_AHEAD_MAX, _AHEAD_BYTES // max(1, span)))
        if self._reader is None:
            raise MalformedError("a batch before its columns")
        digest, self._digest = self._digest, None
        return Taken(self._reader.read(memory, rows, places), state, digest)

    def _give_credits(self) -> None:
        """Lets the engine send more, and use the memory again of batches that are gone."""
        self.frames.try_send(FrameKind.MORE, self._more(self._ahead - self._credit))
        self._credit = self._ahead

    def _more(self, credits: int) -> bytes:
        freed = b"" if self._memory is None else self._memory.freed()
        return struct.pack("<i", credits) + freed
