"""Which parts of the shared memory batches have."""

from __future__ import annotations

import collections
import struct
import weakref
from typing import Any

from ._memory import SharedMemory
from ._messages import MalformedError
from ._pins import Pins, pin


class LentMemory:
    """Shared memory whose parts are lent to batches, until the last tensor over one is gone.

    Args:
        size: its bytes.
    """

    def __init__(self, size: int) -> None:
        self.file = SharedMemory(size)
        self._size = size
        self._pins: Pins | None = None
        self._held: dict[int, weakref.ref[Any]] = {}
        self._released: collections.deque[tuple[int, Any]] = collections.deque()

    def pin(self) -> None:
        """Registers it with CUDA."""
        self._pins = pin(self.file)

    def part(self, number: int, start: int, span: int) -> Any:
        """Lends a part to the batch of a number."""
        if not 0 <= start <= start + span <= self._size:
            raise MalformedError(f"a batch of {span} bytes at {start} of {self._size}")
        part = self.file.part(start, span)
        released, held, pins = self._released, self._held, self._pins

        def release(_: object) -> None:
            # On any thread, at any time: the next credits tell the engine.
            held.pop(number, None)
            released.append((number, None if pins is None else pins.mark()))

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
