"""Frames between a loader and its engine, over a stream socket.

Four bytes with the length of what follows, little-endian; the kind, one byte; the contents.
docs/reference/serving-protocol.md lists the kinds.
"""

from __future__ import annotations

import collections
import json
import socket
import struct
from typing import Any, NamedTuple

from ._errors import EngineError

HELLO, OPEN, BEGIN, MORE, ASK = b"HOBMA"
WELCOME, OPENED, COLUMNS, BATCH, END, ERROR, ANSWER = b"hocbexa"

PROTOCOL = 1

# A frame holds a batch's places and state, or the columns; never the batch itself.
_LENGTH_MAX = 64 << 20
_RECEIVE = 1 << 18


_HEAD = struct.Struct("<IB")  # the length of what follows, and the kind

# In the head of a batch: where it is in the shared memory, or -1, and how many bytes it spans.
_PLACE = struct.Struct("<qQ")
_PLACE_AT = 24


class Frame(NamedTuple):
    kind: int
    contents: memoryview
    #: the memory of a batch that is not in shared memory
    sent: bytearray | None

    def json(self) -> dict[str, Any]:
        return dict(json.loads(bytes(self.contents)))


class Frames:
    """A connected socket that carries frames. Not for several threads at once."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket: socket.socket | None = connected
        self._data = b""
        self._at = 0
        self._kept: collections.deque[Frame] = collections.deque()

    def send(self, kind: int, contents: bytes) -> None:
        if self._socket is None:
            raise EngineError("Cannot go on with this connection: it is closed.")
        try:
            self._socket.sendall(_HEAD.pack(1 + len(contents), kind) + contents)
        except OSError as e:
            self.close()
            raise EngineError(f"The engine is gone: {e}.") from e
        except BaseException:
            self.close()  # perhaps only half a frame was sent
            raise

    def try_send(self, kind: int, contents: bytes) -> None:
        """Sends a frame if the other side still takes it; if not, what it sent last can be read."""
        try:
            self._open().sendall(_HEAD.pack(1 + len(contents), kind) + contents)
        except OSError:
            pass  # the next read says so
        except BaseException:
            self.close()
            raise

    def send_json(self, kind: int, value: dict[str, Any]) -> None:
        self.send(kind, json.dumps(value).encode())

    def read(self) -> Frame:
        """Waits for the next frame."""
        return self._kept.popleft() if self._kept else self.read_new()

    def keep(self, frame: Frame) -> None:
        """Leaves a frame for a later `read`."""
        self._kept.append(frame)

    def read_new(self) -> Frame:
        """Waits for the next frame that was not kept."""
        try:
            data, at = self._data, self._at
            while len(data) - at < 5:
                data, at = self._receive(data, at)
            length, kind = _HEAD.unpack_from(data, at)
            if not 1 <= length <= _LENGTH_MAX:
                raise EngineError(f"The engine sent a frame of {length} bytes.")
            end = at + 4 + length
            if len(data) < end:
                data, at = self._receive_until(data, at, 4 + length)
                end = at + 4 + length
            self._data, self._at = data, end
            contents = memoryview(data)[at + 5 : end]
            sent = None
            if kind == BATCH:
                place, span = _PLACE.unpack_from(contents, _PLACE_AT)
                if place < 0:
                    sent = self._read_raw(span)
            return Frame(kind, contents, sent)
        except OSError as e:
            self.close()
            raise EngineError(f"The engine is gone: {e}.") from e
        except BaseException:
            self.close()  # also when interrupted: what was read of a frame is lost
            raise

    def _read_raw(self, count: int) -> bytearray:
        """Waits for bytes that follow a frame."""
        raw = bytearray(count)
        had = self._data[self._at : self._at + count]
        raw[: len(had)] = had
        self._at += len(had)
        view, filled = memoryview(raw), len(had)
        while filled < count:
            filled += self._received(self._open().recv_into(view[filled:]))
        return raw

    def _open(self) -> socket.socket:
        if self._socket is None:
            raise EngineError("Cannot go on with this connection: it is closed.")
        return self._socket

    def _receive(self, data: bytes, at: int) -> tuple[bytes, int]:
        more = self._open().recv(_RECEIVE)
        self._received(len(more))
        return data[at:] + more, 0

    def _receive_until(self, data: bytes, at: int, count: int) -> tuple[bytes, int]:
        parts = [data[at:]]
        have = len(parts[0])
        while have < count:
            more, _ = self._receive(b"", 0)
            parts.append(more)
            have += len(more)
        return b"".join(parts), 0

    @staticmethod
    def _received(count: int) -> int:
        if count == 0:
            raise EngineError("The engine is gone: it closed the connection.")
        return count

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    @property
    def is_closed(self) -> bool:
        return self._socket is None
