"""Memory that this process and the engine map both, and that the batches lie in."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from . import _limits
from ._errors import MemoryLimitError

_GIB = 1 << 30


def default_size() -> int:
    """The size of the file: as large as all batches that fit into the machine's memory.

    Only what was written takes memory.
    """
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        machine = 8 * _GIB
    return max(_GIB, machine) // mmap.PAGESIZE * mmap.PAGESIZE


class _Map(mmap.mmap):
    """A map that is told before it is unmapped, when nothing lies over it any more."""

    before_unmapping: Callable[[], object] | None = None

    def __del__(self) -> None:
        # At the end of the process the system undoes everything.
        if self.before_unmapping is not None and not sys.is_finalizing():
            self.before_unmapping()


class SharedMemory:
    """A sealed memory file, mapped. The system frees it when nobody maps it any more."""

    def __init__(self, size: int) -> None:
        self._types: dict[int, Any] = {}
        self._unlink = not hasattr(os, "memfd_create")
        try:
            self._make(size)
        except (OSError, OverflowError) as e:
            why = e.strerror if isinstance(e, OSError) else str(e)
            raise MemoryLimitError(
                f"Cannot make and map a memory file of {size} bytes for the batches: {why}."
                f"{_limits.explained()} Or set shared_memory= to fewer bytes."
            ) from e

    def _make(self, size: int) -> None:
        if self._unlink:
            self._file, self.path = tempfile.mkstemp(prefix="penstock-")  # mode 0600
        else:
            self._file = os.memfd_create("penstock", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            self.path = f"/proc/{os.getpid()}/fd/{self._file}"
        try:
            os.ftruncate(self._file, size)
            if not self._unlink:
                # Nobody can shorten it, which would end the other process by SIGBUS.
                seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
                fcntl.fcntl(self._file, fcntl.F_ADD_SEALS, seals)
            self.map = _Map(self._file, size)
        except BaseException:
            self.shared()
            raise

    def part(self, start: int, count: int) -> Any:
        """Returns a part of the memory: a buffer that lives as long as anything made over it.

        A slice of a memoryview would not do: numpy keeps what is behind it, not the slice.
        """
        made = self._types.get(count)
        if made is None:
            if len(self._types) >= 256:
                self._types.clear()
            made = self._types[count] = ctypes.c_ubyte * count
        return made.from_buffer(self.map, start)

    def shared(self) -> None:
        """Says that the engine has mapped it, too: from now on it has no name."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._unlink:
            os.unlink(self.path)
            self._unlink = False
