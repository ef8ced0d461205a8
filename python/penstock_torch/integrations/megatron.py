"""The data iterator of a Megatron run, over packs of tokens from a table.

It has the interface that Megatron-LM and Megatron-Bridge want of a loader of type "external", and
was tried with stand-ins for them only, not on GPUs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import torch

from .._compose import Packs
from .._dataset import Dataset
from .._loader import Loader
from .._mixture import Mixture
from .._packed import IGNORED
from ._tokens import shifted


class PackedTokens:
    """Yields micro-batches without end: `tokens`, `labels`, `position_ids`, int64, and `loss_mask`,
    float32, each of shape `[micro_batch_size, seq_length]`; `attention_mask` is None.

    Positions count from 0 in each document, and the loss mask is 0 for a label that belongs to
    another document than its token. The state is one for the run: that of any data-parallel rank
    fits all ranks of the next run, however many they are.

    Args:
        source: a Dataset, a Mixture, or a location.
        seq_length: the tokens of a row. A pack has one more.
        micro_batch_size: the rows of a micro-batch.
        rank: the data-parallel rank: (rank, world). Default: as megatron.core says.
        column: the column of lists of tokens.
        mode: whether a document may go on in the next pack ("cut"), stays "whole", or all are one
            "stream", whose positions count from 0 in each pack.
        too_long: with "whole", what becomes of a longer document: one of "error", "cut", "drop".
        repeat: whether another epoch follows. Without, all ranks end at the same step.
        options: more options of Loader.
    """

    def __init__(
        self,
        source: Dataset | Mixture | str,
        seq_length: int,
        micro_batch_size: int,
        *,
        rank: tuple[int, int] | None = None,
        column: str = "tokens",
        mode: Literal["cut", "whole", "stream"] = "cut",
        too_long: Literal["error", "cut", "drop"] = "error",
        repeat: bool = True,
        **options: Any,
    ) -> None:
        self._column = column
        self._shape = (micro_batch_size, seq_length + 1)
        self._repeat = repeat
        self._loader = Loader(
            source,
            micro_batch_size,
            compose=Packs(column, seq_length + 1, mode, too_long),
            rank=_data_parallel() if rank is None else rank,
            **options,
        )
        self._batches: Iterator[Any] | None = None

    def __iter__(self) -> PackedTokens:
        return self

    def __next__(self) -> dict[str, torch.Tensor | None]:
        if self._batches is None:
            self._batches = iter(self._loader)
        batch = next(self._batches, None)
        if batch is None and self._repeat:
            self._batches = iter(self._loader)
            batch = next(self._batches, None)
        if batch is None:
            raise StopIteration
        tokens, positions, labels = shifted(batch, self._column, self._shape)
        is_label = labels != IGNORED
        return {
            "tokens": tokens,
            "labels": labels * is_label,
            "loss_mask": is_label.float(),
            "attention_mask": None,
            "position_ids": positions,
        }

    def save_state(self) -> dict[str, Any]:
        """Returns the place, which Megatron saves where `dataloader_save` says."""
        return self._loader.state_dict()

    def restore_state(self, state: Mapping[str, Any]) -> None:
        """Goes on at a place that any rank of any world saved."""
        self._loader.load_state_dict(state)
        self._batches = None

    def close(self) -> None:
        self._loader.close()


def _data_parallel() -> tuple[int, int]:
    from megatron.core import parallel_state

    return parallel_state.get_data_parallel_rank(), parallel_state.get_data_parallel_world_size()
