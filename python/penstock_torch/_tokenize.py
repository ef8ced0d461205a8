"""Texts become token ids while they are read."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from . import _paths
from ._arguments import checked, requested
from ._dataset import Path


@checked
@dataclass(frozen=True)
class Tokenize:
    """A column of strings as lists of token ids, int32.

    Args:
        column: a column of strings, or of lists of strings.
        tokenizer: a tokenizer.json of Hugging Face's tokenizers.
        into: the name of the column of ids. Default: that of the texts.
        end: a token of the tokenizer at the end of every text.
        pair: the column of second texts, which are joined to the first as the tokenizer says.
        special_tokens: whether to add what the tokenizer's post-processor adds, such as [CLS] and
            [SEP]. Default: True.
        truncate: the most ids of a text, special tokens and the end token among them. Default: all.
        too_long: what becomes of a text of more than 16 MiB: "error", "cut" (into pieces) or "drop"
            (no ids). Default: "error".
    """

    column: str
    tokenizer: Path
    _: KW_ONLY
    into: str | None = None
    end: str | None = None
    pair: str | None = None
    special_tokens: bool = True
    truncate: int | None = None
    too_long: Literal["error", "cut", "drop"] = "error"

    def request(self) -> dict[str, object]:
        """Returns what a request has of it."""
        return {
            **requested("Tokenize", vars(self)),
            "tokenizer": _paths.file(self.tokenizer),
        }
