"""The data loader of a torchtitan run: packs of tokens from a table, as its configuration wants.

config.dataloader = PackedTokens.Config(dataset_path="data/tokens", shuffle="window:65536")
config.tokenizer = NoTokenizer.Config()  # where the table has tokens, none is needed
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import torch
import tyro
from torchtitan.components.dataloader import BaseDataLoader
from torchtitan.components.tokenizer import BaseTokenizer

from .._compose import Packs
from .._dataset import Dataset
from .._loader import Loader
from ._tokens import shifted

# The only key, of a value that is always a text: torch's checkpoints ask for the keys that a fresh
# loader has, and write what all ranks have once.
_KEY = "penstock"


class PackedTokens(BaseDataLoader):
    """Yields `({"input": ..., "positions": ...}, labels)`, each int64 of shape
    `[local_batch_size, seq_len]`.

    A pack has `seq_len + 1` tokens; its labels are the tokens one further. Positions count from 0
    in each document, as torchtitan's attention tells documents apart. A label that belongs to
    another document than its input, or to none, is ignored by the loss. So are the rows that fill
    up a last batch: batches have one shape, and all ranks have the same number of them.

    The state is one for the run, and fits any data-parallel degree.
    """

    @dataclass(kw_only=True, slots=True)
    class Config(BaseDataLoader.Config):
        """Where the tokens are, and how they become packs."""

        source: Annotated[Any, tyro.conf.Suppress] = None
        """A Dataset or a Mixture, instead of dataset_path"""

        column: str = "tokens"
        """The column of lists of tokens"""

        mode: Literal["cut", "whole", "stream"] = "cut"
        """Whether a document may go on in the next pack, stays whole, or all are one stream"""

        too_long: Literal["error", "cut", "drop"] = "error"
        """With "whole": what becomes of a document that is longer than a pack"""

        shuffle: str | None = None
        """For example "window:65536". Default: the order of the table"""

        seed: int = 0
        """The seed of the shuffle"""

        repeat: bool = True
        """Whether another epoch follows. Without, all ranks end at the same step"""

        options: Annotated[dict[str, Any], tyro.conf.Suppress] = field(default_factory=dict)
        """More options of Loader, such as memory"""

    def __init__(
        self,
        config: Config,
        *,
        dp_world_size: int,
        dp_rank: int,
        seq_len: int,
        local_batch_size: int,
        **_: Any,  # the tokenizer, and how often torchdata is to take its state
    ) -> None:
        if config.dataset or (config.source is None) == (config.dataset_path is None):
            raise ValueError(
                "Cannot build the data loader: give it either dataset_path or source, got"
                f" dataset={config.dataset!r}, dataset_path={config.dataset_path!r} and"
                f" source={config.source!r}."
            )
        self._column = config.column
        self._shape = (local_batch_size, seq_len + 1)
        self._repeat = config.repeat
        source = config.source
        if source is None:
            source = Dataset(str(config.dataset_path), columns=[config.column])
        self._loader = Loader(
            source,
            local_batch_size,
            compose=Packs(config.column, seq_len + 1, config.mode, config.too_long),
            shuffle=config.shuffle,
            seed=config.seed,
            rank=(dp_rank, dp_world_size),
            **config.options,
        )

    def __iter__(self) -> Iterator[tuple[dict[str, torch.Tensor], torch.Tensor]]:
        while True:
            for batch in self._loader:
                yield self._shifted(batch)
            if not self._repeat:
                return

    def state_dict(self) -> dict[str, Any]:
        return {_KEY: json.dumps(self._loader.state_dict())}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        if state_dict:
            self._loader.load_state_dict(json.loads(state_dict[_KEY]))

    def close(self) -> None:
        self._loader.close()

    def _shifted(
        self, batch: Mapping[str, torch.Tensor]
    ) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
        tokens, positions, labels = shifted(batch, self._column, self._shape)
        return {"input": tokens, "positions": positions}, labels


class NoTokenizer(BaseTokenizer):
    """Stands for the tokenizer, which torchtitan builds also where the data has tokens already."""

    @dataclass(kw_only=True, slots=True)
    class Config(BaseTokenizer.Config):
        """Nothing."""

    def __init__(self, config: Config | None = None, **_: Any) -> None:
        super().__init__()

    def encode(self, *_: Any, **__: Any) -> list[int]:
        raise NotImplementedError("Cannot encode text: this run has no tokenizer.")

    def decode(self, *_: Any, **__: Any) -> str:
        raise NotImplementedError("Cannot decode tokens: this run has no tokenizer.")

    def get_vocab_size(self) -> int:
        raise NotImplementedError("Cannot tell the vocabulary: this run has no tokenizer.")
