"""Packs of tokens as trainers want them: batches of one shape, labels one token further."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from .._packed import PackedInputs


def shifted(
    batch: Mapping[str, torch.Tensor], column: str, shape: tuple[int, int]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns tokens, their positions from 0 in each document, and the labels of a batch of packs,
    each of shape `[rows, length - 1]`.

    The label is -100 where the next token is of another document, or padding. Rows of padding
    follow the batch's own.

    Args:
        batch: what a Loader with Packs delivers.
        column: the column of tokens.
        shape: the rows to fill up to, and the length of a pack.
    """
    names = (column, f"{column}.segment")
    packs = PackedInputs(column, "same")({name: _filled(batch[name], shape) for name in names})
    tokens, positions = packs["input_ids"][:, :-1], packs["position_ids"][:, :-1]
    return tokens.contiguous(), positions.contiguous(), packs["labels"][:, 1:].contiguous()


def _filled(column: torch.Tensor, shape: tuple[int, int]) -> torch.Tensor:
    whole = torch.zeros(shape, dtype=torch.long)
    whole[: len(column)] = column
    return whole
