"""The plug-ins, which save at the process's end what DLIO took: batches, or rows."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from typing import Any

import torch

from penstock_torch import Ragged
from penstock_torch.dlio import PenstockDataLoader, PenstockReader

_taken: list[dict[str, Any]] = []


def _keep(args: Any) -> None:
    atexit.register(lambda: torch.save(_taken, f"{os.environ['TAKEN']}-{args.my_rank}.pt"))


class RecordedDataLoader(PenstockDataLoader):
    def read(self) -> None:
        super().read()
        _keep(self._args)

    def next(self) -> Iterator[Any]:
        for batch in super().next():
            _taken.append(
                {name: v.block() if isinstance(v, Ragged) else v for name, v in batch.items()}
            )
            yield batch


class RecordedReader(PenstockReader):
    def __init__(self, dataset_type: Any, thread_index: int, epoch: int) -> None:
        super().__init__(dataset_type, thread_index, epoch)
        _keep(self._args)

    def read_index(self, global_sample_idx: int, step: int) -> dict[str, Any]:
        row = super().read_index(global_sample_idx, step)
        _taken.append({name: value[None] for name, value in row.items()})
        return row
