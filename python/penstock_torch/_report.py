"""Files that are complete or not there."""

from __future__ import annotations

import contextlib
import os
import uuid


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Writes a text under another name, and then gives it its own."""
    part = f"{os.fspath(path)}.{uuid.uuid4()}.part"
    try:
        with open(part, "x", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(part, path)
    except OSError as e:
        raise OSError(e.errno, e.strerror, os.fspath(path)) from e
    finally:
        with contextlib.suppress(OSError):
            os.unlink(part)
