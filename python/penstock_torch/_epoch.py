"""The batches of one epoch, as they come from the engine."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Protocol

from ._errors import EngineError, FormError, from_engine
from ._frames import BATCH, BEGIN, COLUMNS, END, ERROR, MORE, Frame, Frames

_HEAD = struct.Struct("<QiiiiqQ")

# Batches on their way to this process: at most so many bytes of them, and so many batches.
_AHEAD_BYTES = 16 << 20
_AHEAD_MAX = 64
_AHEAD_FIRST = 2


class Reader(Protocol):
    """Makes batches of what lies in memory."""

    def read(self, memory: Any, rows: int, places: memoryview) -> Any: ...


class Slow(TimeoutError):
    """The engine waits longer than its timeout. Its batch may still come."""


class Epoch:
    """One epoch on one connection.

    Args:
        frames: the connection.
        number: the number of the epoch in the connection, which its frames carry.
        reader: makes the reader of batches with certain columns; is told what the engine warns of.
        memory: takes a batch's number, start and span, and returns the memory that they are.
        free: returns the numbers of batches that are gone, as the engine takes them.
    """

    def __init__(
        self,
        frames: Frames,
        number: int,
        reader: Callable[[list[dict[str, Any]], list[str]], Reader],
        memory: Callable[[int, int, int], Any],
        free: Callable[[], bytes],
    ) -> None:
        self.frames = frames
        self._number = number
        self._make_reader = reader
        self._memory = memory
        self._free = free
        self._reader: Reader | None = None
        self._ahead = _AHEAD_FIRST  # batches that the engine may have sent and we not taken
        self._credit = _AHEAD_FIRST  # how many of them it may still send
        #: the state behind the last batch, when the engine has said that it was the last
        self.end: str | None = None

    def begin(self, where: dict[str, Any]) -> None:
        """Has the engine begin; batches of an earlier epoch are over."""
        self.frames.send(MORE, struct.pack("<i", 0) + self._free())
        begin = {"number": self._number, "credits": _AHEAD_FIRST, **where}
        self.frames.send_json(BEGIN, begin)

    def next(self, deadline: float | None) -> tuple[Any, bytes] | None:
        """Waits for a batch; returns it and the state behind it, or None at the end.

        Raises TimeoutError behind the deadline, Slow when the engine says that it waits; it may
        then be called again.
        """
        self._give_credits()
        batch: tuple[Any, bytes] | None = None
        while batch is None and self.end is None:
            frame = self._read(deadline)
            try:
                batch = self._take(frame)
            except FormError:
                raise
            except (AttributeError, LookupError, TypeError, ValueError, struct.error) as e:
                self.frames.close()
                raise EngineError(f"Cannot read what the engine sent: {e!r}.") from e
            if frame.kind == ERROR:
                self._raise(frame.json())
        return batch

    def _read(self, deadline: float | None) -> Frame:
        try:
            return self.frames.read(deadline)
        except EngineError as e:
            raise EngineError(
                f"{e} No batch is lost: the next iter(), or next() of the same iterator, goes on"
                " behind the one last received, as state_dict() says."
            ) from e

    def _take(self, frame: Frame) -> tuple[Any, bytes] | None:
        if frame.kind == BATCH:
            return self._batch(frame)
        message = frame.json()
        is_ours = message["number"] == self._number
        if is_ours and frame.kind == COLUMNS:
            self._reader = self._make_reader(message["columns"], message.get("warnings", []))
        elif is_ours and frame.kind == END:
            self.end = str(message["state"])
        elif frame.kind not in (COLUMNS, END, ERROR):
            raise ValueError(f"a frame of kind {frame.kind} within an epoch")
        return None

    def _raise(self, error: dict[str, Any]) -> None:
        if error["number"] in (0, self._number):
            met = from_engine(error)
            raise Slow(str(met)) if isinstance(met, TimeoutError) else met

    def _batch(self, frame: Frame) -> tuple[Any, bytes] | None:
        contents = frame.contents
        number, epoch, rows, state_bytes, pairs, start, span = _HEAD.unpack_from(contents)
        memory = self._memory(number, start, span) if frame.sent is None else frame.sent
        if epoch != self._number:
            return None  # of an epoch that was left
        self._credit -= 1
        if self._ahead == _AHEAD_FIRST:
            self._ahead = max(_AHEAD_FIRST, min(_AHEAD_MAX, _AHEAD_BYTES // max(1, span)))
        places_end = _HEAD.size + 16 * pairs
        if self._reader is None:
            raise ValueError("a batch before its columns")
        batch = self._reader.read(memory, rows, contents[_HEAD.size : places_end])
        return batch, bytes(contents[places_end : places_end + state_bytes])

    def _give_credits(self) -> None:
        """Lets the engine send more, and use the memory again of batches that are gone."""
        if self._credit > self._ahead // 2:
            return
        credits = self._ahead - self._credit
        self.frames.try_send(MORE, struct.pack("<i", credits) + self._free())
        self._credit = self._ahead
