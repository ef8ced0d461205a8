"""The log of steps: a line for each batch, with the digest of its rows."""

from __future__ import annotations

import errno
import json
import os
from typing import NamedTuple

from . import _paths


class StepDigest(NamedTuple):
    """A digest of the rows of a step: of where they are stored, not of their values."""

    epoch: int  # from 0
    step: int  # from 0 in the epoch
    rank: int
    world: int  # how many ranks there are
    rows: int  # of the batch
    digest: str  # 16 hexadecimal digits


class StepLog:
    """A file to which lines are appended, or none.

    Each line is one write in append mode, so lines of several ranks do not mix. It is in the file
    before its batch is yielded.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self._path = None if path is None else _paths.file(path)
        self._file: int | None = None
        self._line: str | None = None

    @property
    def last(self) -> StepDigest | None:
        return None if self._line is None else StepDigest(**json.loads(self._line))

    def append(self, line: str) -> None:
        assert self._path is not None
        data = line.encode() + b"\n"
        try:
            if self._file is None:
                self._file = _open(self._path)
            if os.write(self._file, data) != len(data):
                raise OSError(errno.ENOSPC, "No space left on device")
        except OSError as e:
            raise OSError(
                e.errno, f"Cannot write the log of steps '{self._path}': {e.strerror}."
            ) from e
        self._line = line

    def close(self) -> None:
        open_file, self._file = self._file, None
        if open_file is not None:
            os.close(open_file)


def _open(path: str) -> int:
    """Opens a log. A line that was cut off, as by a full disk, is ended: the next stays whole."""
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    size = os.fstat(file).st_size
    if size and os.pread(file, 1, size - 1) != b"\n":
        os.write(file, b"\n")
    return file
