"""Packs of tokens as models train on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Shifted:
    """A batch of packs, each tensor of shape `[rows, length - 1]`."""

    inputs: torch.Tensor
    #: the tokens one further
    labels: torch.Tensor
    #: whether a label belongs to the document of its input
    is_label: torch.Tensor
    #: from 0 in each document
    positions: torch.Tensor

    @classmethod
    def of(cls, batch: Mapping[str, torch.Tensor], column: str, shape: tuple[int, int]) -> Shifted:
        """Takes packs of a length; rows of zeros, without labels, follow the batch's own.

        Args:
            batch: what a Loader with Packs delivers.
            column: the column of tokens.
            shape: the rows to fill up to, and the length of a pack.
        """
        tokens = _filled(batch[column], shape)
        segment = _filled(batch[f"{column}.segment"], shape)
        is_same = segment[:, 1:] == segment[:, :-1]
        place = torch.arange(shape[1] - 1).expand(shape[0], -1)
        begins = torch.zeros_like(place)
        begins[:, 1:] = torch.where(is_same[:, :-1], 0, place[:, 1:])
        return cls(
            inputs=tokens[:, :-1].contiguous(),
            labels=tokens[:, 1:].contiguous(),
            is_label=is_same & (segment[:, 1:] != 0),
            positions=place - begins.cummax(dim=1).values,
        )


def _filled(column: torch.Tensor, shape: tuple[int, int]) -> torch.Tensor:
    whole = torch.zeros(shape, dtype=torch.long)
    if len(column):
        whole[: len(column)] = column
    return whole
