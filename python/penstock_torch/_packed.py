"""Packs of tokens as language models take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

IGNORED = -100  # the label that torch's cross_entropy leaves out, and all trainers with it


@dataclass(frozen=True)
class PackedInputs:
    """For `collate_fn`, beside `compose=Packs(...)`: makes a dict of a batch of packs.

        Loader(texts, compose=Packs("text", 2048), collate_fn=PackedInputs("text", labels="same"))

    A piece is the part of a document that is in a row; a row that is not full ends with a piece of
    padding. With Packs(mode="stream") a row is one piece. All tensors are copies.

    - `input_ids`, int64, `[rows, length]`: the tokens; 0 in padding.
    - `position_ids`, int64, `[rows, length]`: from 0 in each piece.
    - `cu_seqlens`, int32, `[pieces + 1]`: where pieces begin in the flattened rows, and the end:
      FlashAttention's `cu_seqlens_q` and `cu_seqlens_k`.
    - `max_seqlen`, an int: the length of the longest piece.
    - `labels`, int64, `[rows, length]`, if asked for.

    Args:
        column: the column of tokens, as in Packs.
        labels: "same" for models that shift labels by themselves, as those of transformers do: the
            tokens, but -100 for the first of each piece and in padding. "shifted": the next token
            of the same piece, -100 at its end and in padding. Default: none.
    """

    column: str
    labels: Literal["same", "shifted"] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.column, str):
            raise TypeError(f"Cannot use column={self.column!r}: expected the name of a column.")
        if self.labels not in (None, "same", "shifted"):
            raise ValueError(
                f'Cannot use labels={self.labels!r}: expected one of "same", "shifted", or None.'
            )

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Raises ValueError if the batch has no packs of that column as tensors."""
        import torch

        tokens, segment = self._packs(batch)
        begins = torch.ones_like(segment, dtype=torch.bool)
        begins[:, 1:] = segment[:, 1:] != segment[:, :-1]
        first = begins.view(-1).nonzero().view(-1)
        end = torch.tensor([segment.numel()], dtype=torch.int32)  # refuses what is beyond
        cu_seqlens = torch.cat([first.int(), end])
        lengths = cu_seqlens.diff()
        position = torch.arange(segment.numel()) - first.repeat_interleave(lengths)
        made = {
            "input_ids": tokens.long(),
            "position_ids": position.view(segment.shape),
            "cu_seqlens": cu_seqlens,
            "max_seqlen": int(lengths.max()) if len(lengths) else 0,
        }
        if self.labels is not None:
            labels = made["input_ids"].masked_fill(begins | (segment == 0), IGNORED)
            if self.labels == "shifted":
                labels = torch.nn.functional.pad(labels[:, 1:], (0, 1), value=IGNORED)
            made["labels"] = labels
        return made

    def _packs(self, batch: Mapping[str, Any]) -> tuple[Any, Any]:
        import torch

        names = (self.column, f"{self.column}.segment")
        columns = batch if isinstance(batch, Mapping) else {}
        packs = [each for each in map(columns.get, names) if isinstance(each, torch.Tensor)]
        if len(packs) < 2 or any(each.dim() != 2 for each in packs):
            found = {name: type(each).__name__ for name, each in columns.items()}
            raise ValueError(
                f"Cannot find packs of column {self.column!r}: expected {names[0]!r} and"
                f" {names[1]!r} as tensors [rows, length], got {found or type(batch).__name__}. Use"
                f" compose=Packs({self.column!r}, ...) and output='torch'."
            )
        return packs[0], packs[1]
