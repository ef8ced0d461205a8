"""Penstock's data loader for PyTorch.

Tables in a data lake (Parquet, CSV, JSON, ORC, Avro, Arrow, Iceberg, Delta) become batches of
tensors, decoded by threads of one JVM beside the training processes, in memory that both map.

    from penstock_torch import Dataset, Loader

    with Loader(Dataset("data/flights"), batch_size=512, shuffle=True) as loader:
        for batch in loader:
            delay = batch["delay"]  # torch.Tensor, int64, shape [512]
"""

import logging

from ._compose import Balanced, Buckets, Draws, Groups, Packs, Windows
from ._dataset import Dataset
from ._errors import EngineError, MemoryLimitError, ReadError
from ._loader import Loader
from ._mixture import Mixture
from ._packed import PackedInputs
from ._ragged import Ragged
from ._schema import Schema
from ._score import ScoreCheck, ScoreProgress, ScoreResult, check_scores, score
from ._stats import Stats
from ._step_log import StepDigest
from ._steps import RowPart, StepRow
from ._tokenize import Tokenize
from ._values import Codes, Hashed, Padded, Window

__all__ = [
    "Balanced",
    "Buckets",
    "Codes",
    "Dataset",
    "Draws",
    "EngineError",
    "Groups",
    "Hashed",
    "Loader",
    "MemoryLimitError",
    "Mixture",
    "PackedInputs",
    "Packs",
    "Padded",
    "Ragged",
    "ReadError",
    "RowPart",
    "Schema",
    "ScoreCheck",
    "ScoreProgress",
    "ScoreResult",
    "Stats",
    "StepDigest",
    "StepRow",
    "Tokenize",
    "Window",
    "Windows",
    "check_scores",
    "score",
]
__version__ = "0.1.0"

logging.getLogger(__name__).addHandler(logging.NullHandler())
