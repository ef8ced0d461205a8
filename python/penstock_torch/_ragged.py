"""Lists of numbers, each row of its own length."""

from __future__ import annotations

import sys
from typing import Any


class Ragged:
    """Lists of numbers: the elements of all rows, and where each row's start.

    `values` has shape `[elements]`. `offsets` has shape `[rows + 1]`, int64: row `i` has the
    elements `[offsets[i], offsets[i + 1])`. Both are tensors, or arrays under output "numpy".
    """

    __slots__ = ("values", "offsets", "length")

    def __init__(self, values: Any, offsets: Any, length: int = -1) -> None:
        self.values = values
        self.offsets = offsets
        #: the length of all rows; -1 if they differ
        self.length = length

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Any:
        if not -len(self) <= row < len(self):
            raise IndexError(f"Row {row} is not among the {len(self)} rows.")
        row %= len(self)
        return self.values[int(self.offsets[row]) : int(self.offsets[row + 1])]

    def lengths(self) -> Any:
        """Returns the length of each row, of shape `[rows]`."""
        return self.offsets[1:] - self.offsets[:-1]

    def block(self) -> Any:
        """Returns the rows as one tensor of shape `[rows, n]`, without a copy.

        Raises ValueError if they do not all have one length.
        """
        if self.length < 0 and len(self) > 0:
            raise ValueError(
                "Cannot make one block of these lists: their lengths differ, from "
                f"{int(self.lengths().min())} to {int(self.lengths().max())}. Use padded()."
            )
        return self.values.reshape(len(self), max(self.length, 0))

    def padded(self, value: float = 0, length: int | None = None) -> Any:
        """Returns a tensor of shape `[rows, n]`, short rows filled up with `value`.

        `n` is the longest row's length, or `length`; longer rows are an error.
        """
        lengths = self.lengths()
        longest = int(lengths.max()) if len(self) else 0
        wide = longest if length is None else length
        if longest > wide:
            raise ValueError(f"Cannot pad to {wide}: a row has {longest} elements.")
        if self.length == wide:
            return self.block()
        is_array = type(self.values).__module__ == "numpy"
        library = sys.modules["numpy" if is_array else "torch"]
        made = library.full((len(self), wide), value, dtype=self.values.dtype)
        made[library.arange(wide) < lengths[:, None]] = self.values
        return made

    def nested(self) -> Any:
        """Returns torch's nested tensor (layout jagged) over the same memory."""
        import torch

        if not hasattr(torch.nested, "nested_tensor_from_jagged"):
            raise RuntimeError(f"torch {torch.__version__} has no jagged layout. Use padded().")
        return torch.nested.nested_tensor_from_jagged(self.values, self.offsets)

    def pin_memory(self) -> Ragged:
        """Returns the same in pinned memory: what torch asks of batches with `pin_memory=True`."""
        from ._pins import pin_deep

        return Ragged(pin_deep(self.values), pin_deep(self.offsets), self.length)

    def __repr__(self) -> str:
        return f"Ragged({len(self)} rows, {len(self.values)} elements, {self.values.dtype})"
