"""Which parts of the shared memory batches have."""

from __future__ import annotations

import collections
import struct
import weakref
from collections.abc import Callable
from typing import Any

from ._memory import SharedMemory
from ._messages import MalformedError
from ._pins import pin


class LentMemory:
    """Shared memory whose parts are lent to batches, until the last tensor over one is gone."""

    def __init__(self, size: int) -> None:
        self.file = SharedMemory(size)
        self._size = size
        self._mark: Callable[[], Any] | None = None  # the end of copies from pinned memory
        self._held: dict[int, weakref.ref[Any]] = {}
        self._released: collections.deque[tuple[int, Any]] = collections.deque()

    def pin(self) -> None:
        """Registers it with CUDA."""
        self._mark = pin(self.file)

    def part(self, number: int, start: int, span: int) -> Any:
        """Lends a part to the batch of a number."""
        if not 0 <= start <= start + span <= self._size:
            raise MalformedError(f"a batch of {span} bytes at {start} of {self._size}")
        part = self.file.part(start, span)
        released, held, mark = self._released, self._held, self._mark

        def release(_: object) -> None:
            # On any thread, at any time: the next credits tell the engine.
            held.pop(number, None)
            released.append((number, None if mark is None else mark()))

        held[number] = weakref.ref(part, release)
        return part

    def freed(self) -> bytes:
        """Returns the numbers of batches that are gone since this was called last."""
        numbers = []
        for _ in range(len(self._released)):
            number, copies = self._released.popleft()
            if copies is None or copies.query():
                numbers.append(number)
            else:
                self._released.append((number, copies))
        return struct.pack(f"<{len(numbers)}Q", *numbers)
