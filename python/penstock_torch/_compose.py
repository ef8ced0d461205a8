"""What is made of the rows of each window before they are batched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._arguments import checked


@checked
@dataclass(frozen=True)
class Balanced:
    """Rows as they are, in batches of nearly the same cost on all ranks at each step.

    Args:
        column: a column of lists, whose lengths are the costs, or of numbers from 0 on.
        quadratic: the weight of the square: a list of n elements costs n + n * n times this, as in
            attention. Default: 0.
        accumulate: how many batches make a step of the optimizer: steps have nearly the same cost,
            and so have the batches of a step. Default: 1.
    """

    column: str
    quadratic: float = 0
    accumulate: int = 1


@checked
@dataclass(frozen=True)
class Buckets:
    """Rows with lists of similar length in the same batch.

    Args:
        column: a column of lists.
        tokens: the most elements of a batch, padded to its longest list. Default: only the batch
            size bounds it.
        balanced: whether batches cost nearly the same on all ranks at each step. Default: False.
        quadratic: if balanced: the weight of the square, as Balanced has it. Default: 0.
        accumulate: if balanced: how many batches make a step of the optimizer. Default: 1.
    """

    column: str
    tokens: int | None = None
    balanced: bool = False
    quadratic: float | None = None
    accumulate: int | None = None


@checked
@dataclass(frozen=True)
class Packs:
    """Lists packed into rows of one length: tensors `[rows, length]` under the column's name,
    COLUMN.segment and COLUMN.position.

    Args:
        column: a column of lists; other columns are left out.
        length: the elements of a row.
        mode: "cut", where a list may go on in the next row, "whole", by best fit within a window,
            or "stream", as "cut" but lists are not told apart. Default: "cut".
        too_long: with "whole", what becomes of a longer list: one of "error", "cut", "drop".
            Default: "error".
        balanced: whether batches cost nearly the same on all ranks at each step. Default: False.
        quadratic: if balanced: the weight of the square, as Balanced has it. Default: 0.
        accumulate: if balanced: how many batches make a step of the optimizer. Default: 1.
    """

    column: str
    length: int
    mode: Literal["cut", "whole", "stream"] = "cut"
    too_long: Literal["error", "cut", "drop"] = "error"
    balanced: bool = False
    quadratic: float | None = None
    accumulate: int | None = None


@checked
@dataclass(frozen=True)
class Groups:
    """All rows of a key in one batch. The files have to have all rows of a key together.

    Args:
        column: the key.
    """

    column: str


@checked
@dataclass(frozen=True)
class Windows:
    """Sliding windows over the rows of each key: tensors `[rows, length]`, the key, and KEY.rows,
    how many rows of a window are not padding.

    Args:
        column: the key.
        length: the rows of a window.
        stride: how many rows further the next one begins.
    """

    column: str
    length: int
    stride: int


@checked
@dataclass(frozen=True)
class Draws:
    """Rows drawn with replacement, in proportion to their weights.

    Args:
        column: the weights.
        num_samples: the draws of an epoch. Default: as many as there are rows.
    """

    column: str
    num_samples: int | None = None


Composition = Balanced | Buckets | Packs | Groups | Windows | Draws
