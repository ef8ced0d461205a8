"""Records what the Loaders of a training process deliver, and kills it in the middle.

Python imports this at its start where the folder is in PYTHONPATH; see trainers.py. Each process
appends lines of JSON to RECORDER_FILE: {"ids": [...]} for a batch that the training took, of the
column RECORDER_COLUMN (default: id), and {"state": {...}} for a place that was loaded; {pid} in
RECORDER_FILE is that of the process.
RECORDER_DIE_AT=n kills the process, as it asks for the batch behind the first n; with
RECORDER_DIE_RANK=r/w only where that is the Loader's rank.
"""

from __future__ import annotations

import json
import os
import signal
from typing import Any

_DIE_AT = int(os.environ.get("RECORDER_DIE_AT", "-1"))
_COLUMN = os.environ.get("RECORDER_COLUMN", "id")


def _write(line: dict[str, Any]) -> None:
    with open(os.environ["RECORDER_FILE"].format(pid=os.getpid()), "a") as file:
        file.write(json.dumps(line) + "\n")


def _record() -> None:
    from penstock_torch._epochs import Batches, Epochs

    count = 0
    take, go_to = Batches.__next__, Epochs.go_to

    def taken(self: Any) -> Any:
        nonlocal count
        if count == _DIE_AT and os.environ.get("RECORDER_DIE_RANK", self._owner.rank) == (
            self._owner.rank
        ):
            os.kill(os.getpid(), signal.SIGKILL)
        batch = take(self)
        if _COLUMN in batch:
            count += 1
            _write({"ids": batch[_COLUMN].tolist()})
        return batch

    def gone_to(self: Any, place: Any) -> None:
        if place.is_loaded:
            _write({"state": json.loads(place.saved()["penstock_state"])})
        go_to(self, place)

    Batches.__next__ = taken  # type: ignore[method-assign]
    Epochs.go_to = gone_to  # type: ignore[method-assign]


if "RECORDER_FILE" in os.environ:
    _record()
