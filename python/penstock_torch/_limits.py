"""The limits of this process that the engine and its memory run into."""

from __future__ import annotations

import resource

_ENOUGH_FILES = 1024  # the engine has up to 200 jars open, and the files that it reads
_ENOUGH_THREADS = 1024


def explained() -> str:
    """Returns a sentence with the limits that may be too low, and a blank before it; or nothing."""
    found = [
        f"{what} of at most {most >> 10} KiB ({command})"
        for limit, what, command in (
            (resource.RLIMIT_AS, "an address space", "ulimit -v"),
            (resource.RLIMIT_DATA, "data", "ulimit -d"),
            (resource.RLIMIT_FSIZE, "files", "ulimit -f"),
        )
        if (most := resource.getrlimit(limit)[0]) != resource.RLIM_INFINITY
    ]
    found += [
        f"{most} {what} ({command})"
        for limit, what, command, enough in (
            (resource.RLIMIT_NOFILE, "open files", "ulimit -n", _ENOUGH_FILES),
            (resource.RLIMIT_NPROC, "threads of this user's", "ulimit -u", _ENOUGH_THREADS),
        )
        if 0 <= (most := resource.getrlimit(limit)[0]) < enough
    ]
    return f" This process is limited to {' and '.join(found)}: raise that." if found else ""
