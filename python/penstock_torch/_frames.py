"""Frames between a loader and its engine, over a stream socket.

Four bytes with the length of what follows, little-endian; the kind, one byte; the contents.
docs/reference/serving-protocol.md lists the kinds.
"""

from __future__ import annotations

import collections
import contextlib
import json
import os
import socket
import struct
import time
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from ._errors import EngineError

PROTOCOL = 1

# A frame holds a batch's places and state, or the columns; never the batch itself.
_LENGTH_MAX = 64 << 20
_RECEIVE = 1 << 18

_HEAD = struct.Struct("<IB")  # the length of what follows, and the kind

#: What a batch's contents begin with: its number and that of its epoch; the rows; the bytes of the
#: state; how many pairs its places are; where it is in the shared memory, or -1; its bytes.
BATCH_HEAD = struct.Struct("<QiiiiqQ")
_START, _SPAN = 5, 6


class FrameKind(IntEnum):
    """Capital letters come from a loader, small ones from its engine."""

    HELLO, OPEN, BEGIN, MORE, ASK, STEPS, SCORE, OUTPUTS = b"HOBMATSR"
    WELCOME, OPENED, COLUMNS, DIGEST, BATCH, END, ERROR, ANSWER, PROGRESS = b"hocdbexap"


_KINDS = {int(kind): kind for kind in FrameKind}
_BATCH = int(FrameKind.BATCH)


class Frame(NamedTuple):
    kind: FrameKind
    contents: bytes
    #: the numbers of a batch's head
    head: tuple[int, ...] = ()
    #: the memory of a batch that is not in shared memory
    sent: bytearray | None = None


class Frames:
    """A connected socket that carries frames. One thread at a time; `close` from any."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket: socket.socket | None = connected
        self._pid = os.getpid()
        self._data = b""
        self._at = 0
        self._partial: bytearray | None = None  # what is being read of a frame that came in parts
        self._filled = 0
        self._announced: Frame | None = None  # its memory is being read
        self._kept: collections.deque[Frame] = collections.deque()
        self._is_timed = True  # as far as this knows

    def send(self, kind: FrameKind, contents: bytes, deadline: float | None = None) -> None:
        connected = self._open()
        try:
            self._wait_until(deadline)
            connected.sendall(_HEAD.pack(1 + len(contents), kind) + contents)
        except OSError as e:
            self.close()
            raise EngineError(f"The engine is gone: {e}.") from e
        except BaseException:
            self.close()  # perhaps only half a frame was sent
            raise

    def try_send(self, kind: FrameKind, contents: bytes) -> None:
        """Sends a frame if the other side still takes it; if not, what it sent last can be read."""
        try:
            self._open().sendall(_HEAD.pack(1 + len(contents), kind) + contents)
        except OSError:
            pass  # the next read says so
        except BaseException:
            self.close()
            raise

    def send_json(
        self, kind: FrameKind, value: Mapping[str, Any], deadline: float | None = None
    ) -> None:
        contents = json.dumps(value).encode()
        if len(contents) >= _LENGTH_MAX:
            raise ValueError(
                f"Cannot ask for this: it takes {len(contents)} bytes, but a request has less than"
                f" {_LENGTH_MAX}. Name fewer files, values or splits."
            )
        self.send(kind, contents, deadline)

    def read(self, deadline: float | None = None) -> Frame:
        """Waits for the next frame, as `read_new`."""
        return self._kept.popleft() if self._kept else self.read_new(deadline)

    def keep(self, frame: Frame) -> None:
        """Leaves a frame for a later `read`."""
        self._kept.append(frame)

    def read_new(self, deadline: float | None = None) -> Frame:
        """Waits for the next frame that was not kept.

        Raises TimeoutError behind the deadline, which is on time.monotonic()'s clock; reading may
        then go on where it was.
        """
        self._open()
        try:
            frame = self._announced or self._read_announced(deadline)
            if frame.head and frame.head[_START] < 0:
                self._announced = frame
                frame = frame._replace(sent=self._fill(frame.head[_SPAN], deadline))
                self._announced = None
            return frame
        except OSError as e:
            if isinstance(e, TimeoutError) and e.errno is None:
                raise  # the deadline
            self.close()
            raise EngineError(f"The engine is gone: {e}.") from e
        except BaseException:
            self.close()  # also when interrupted: what was read of a frame is lost
            raise

    def _read_announced(self, deadline: float | None) -> Frame:
        """Returns a frame without the memory that follows it."""
        while self._partial is None and len(self._data) - self._at < _HEAD.size:
            self._receive(deadline)
        length = kind = 0
        if self._partial is None:
            length, kind = _HEAD.unpack_from(self._data, self._at)
            if not 1 <= length <= _LENGTH_MAX:
                raise EngineError(f"The engine sent a frame of {length} bytes.")
        end = self._at + 4 + length
        if self._partial is None and end <= len(self._data):
            contents = self._data[self._at + _HEAD.size : end]
            self._at = end
        else:
            whole = self._fill(4 + length, deadline)
            kind, contents = whole[4], bytes(whole[_HEAD.size :])
        try:
            head = BATCH_HEAD.unpack_from(contents) if kind == _BATCH else ()
            return Frame(_KINDS[kind], contents, head)
        except (KeyError, struct.error) as e:
            raise EngineError(f"Cannot read what the engine sent: a frame of kind {e}.") from e

    def _fill(self, count: int, deadline: float | None) -> bytearray:
        """Waits for so many bytes, or for the rest of those that it waited for before."""
        if self._partial is None:
            self._partial = bytearray(count)
            had = self._data[self._at : self._at + count]
            self._partial[: len(had)] = had
            self._filled = len(had)
            self._at += len(had)
        view = memoryview(self._partial)
        while self._filled < len(view):
            self._wait_until(deadline)
            self._filled += _received(self._open().recv_into(view[self._filled :]))
        whole, self._partial = self._partial, None
        return whole

    def _receive(self, deadline: float | None) -> None:
        self._wait_until(deadline)
        more = self._open().recv(_RECEIVE)
        _received(len(more))
        self._data = self._data[self._at :] + more
        self._at = 0

    def _wait_until(self, deadline: float | None) -> None:
        """Has the socket wait no longer."""
        if deadline is None and not self._is_timed:
            return
        self._is_timed = deadline is not None
        self._open().settimeout(deadline and max(deadline - time.monotonic(), 1e-3))

    def _open(self) -> socket.socket:
        if self._socket is None:
            raise EngineError("Cannot go on with this connection: it is closed.")
        return self._socket

    def close(self) -> None:
        connected, self._socket = self._socket, None  # the thread that is woken closes too
        if connected is not None:
            if self._pid == os.getpid():  # in a forked process the connection is not its own
                with contextlib.suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits
            connected.close()

    @property
    def is_closed(self) -> bool:
        return self._socket is None


def _received(count: int) -> int:
    if count == 0:
        raise EngineError("The engine is gone: it closed the connection.")
    return count
