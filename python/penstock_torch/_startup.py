"""The start-up cache: classes that an earlier engine loaded, with which Java starts faster.

Java runs what is in it. So it is taken only from a file that nobody but this user or root can have
written. Java gets the file that was looked at, open, since a path may lead elsewhere by then.
"""

from __future__ import annotations

import contextlib
import fnmatch
import logging
import os
import stat
import warnings
from pathlib import Path

_log = logging.getLogger(__name__)

_QUIET = "-Xlog:aot*=off:stderr"
_OPEN_FILES = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"


def flags(key: str) -> tuple[list[str], tuple[int, ...]]:
    """Returns flags for the Java, its options and jars of a key, and files for it to inherit."""
    where = os.environ.get("PENSTOCK_CACHE", "")
    if where == "off":
        return [], ()
    try:
        home = Path(where or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home.absolute() / "penstock-torch"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (OSError, RuntimeError) as e:  # no such folder can be made; no home is known
        _log.info("Java starts without its cache: %s", e)
        return [], ()
    try:
        return _flags(key, folder, opened, where)
    except OSError as e:
        _log.info("Java starts without its cache in %s: %s", folder, e)
        return [], ()
    finally:
        os.close(opened)


def _flags(key: str, folder: Path, opened: int, where: str) -> tuple[list[str], tuple[int, ...]]:
    found = os.fstat(opened)
    is_own = found.st_uid == os.getuid()
    if is_own:
        if found.st_mode & 0o022:
            os.fchmod(opened, stat.S_IMODE(found.st_mode) & ~0o022)
        _take_over(opened, key)
    cache = _open(opened, f"{key}.aot")
    if cache is not None:
        return [_QUIET, f"-XX:AOTCache={_OPEN_FILES}/{cache}"], (cache,)
    if is_own:
        return [_QUIET, f"-XX:AOTCacheOutput={folder}/{key}.%p.new"], ()
    if where and found.st_uid != 0:
        warnings.warn(
            f"PENSTOCK_CACHE ({where}) is not used: {folder} belongs to user {found.st_uid}, and"
            " Java would run what is in it. Name a folder of this user's, or 'off'.",
            RuntimeWarning,
            stacklevel=2,
        )
    return [], ()


def _take_over(folder: int, key: str) -> None:
    """Gives what engines that have ended have written the name by which it is found."""
    cache = f"{key}.aot"
    for name in fnmatch.filter(os.listdir(folder), f"{key}.*.new*"):
        writer = name.split(".")[1].removeprefix("pid")
        if os.path.exists(f"/proc/{writer}"):
            continue  # it is still being written
        if name.endswith(".new") and _is_own(folder, name) and not _is_own(folder, cache):
            os.replace(name, cache, src_dir_fd=folder, dst_dir_fd=folder)
        else:
            os.unlink(name, dir_fd=folder)


def _is_own(folder: int, name: str) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return _is_trusted(os.stat(name, dir_fd=folder, follow_symlinks=False))
    return False


def _open(folder: int, name: str) -> int | None:
    try:
        # Another user's FIFO would keep this waiting.
        how = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = os.open(name, how, dir_fd=folder)
    except OSError:  # not there, a link, or not to be read by this user
        return None
    if _is_trusted(os.fstat(file)):
        return file
    os.close(file)
    return None


def _is_trusted(found: os.stat_result) -> bool:
    return (
        stat.S_ISREG(found.st_mode)
        and found.st_uid in (0, os.getuid())
        and not found.st_mode & 0o022
    )
