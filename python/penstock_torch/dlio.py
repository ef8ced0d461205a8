"""Penstock in DLIO, the benchmark behind MLPerf Storage.

    reader:
      data_loader_classname: penstock_torch.dlio.PenstockDataLoader
      data_loader_sampler: none
    checkpoint:
      checkpoint_mechanism_classname: penstock_torch.dlio.PenstockCheckpointing

docs/guide/dlio.md has the rest of a configuration. Needs dlio_benchmark, which installs Hydra.
"""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from dlio_benchmark.checkpointing.pytorch_checkpointing import PyTorchCheckpointing
from dlio_benchmark.common.enumerations import DataLoaderType, DatasetType
from dlio_benchmark.data_loader.base_data_loader import BaseDataLoader
from dlio_benchmark.reader.reader_handler import FormatReader
from hydra.core.hydra_config import HydraConfig
from omegaconf import OmegaConf

from ._dataset import Dataset
from ._loader import Loader
from ._values import Window

__all__ = ["PenstockCheckpointing", "PenstockDataLoader", "PenstockReader"]

_log = logging.getLogger(__name__)
_SHUFFLES = ("off", "seed", "random")


class PenstockDataLoader(BaseDataLoader):  # type: ignore[misc]
    """Delivers the rows of the workload's files in the batches of a `Loader`.

    DLIO's options say how: batch_size, read_threads, prefetch_size, file_shuffle, sample_shuffle,
    shuffle_size, seed and seed_change_epoch. A last batch with too few rows is left out, as DLIO
    leaves it out.
    """

    #: the one that reads for training now, whose place a checkpoint saves
    training: ClassVar[PenstockDataLoader | None] = None

    def __init__(self, format_type: Any, dataset_type: Any, epoch_number: int) -> None:
        super().__init__(format_type, dataset_type, epoch_number, DataLoaderType.CUSTOM)
        self._is_training = dataset_type is DatasetType.TRAIN
        self._loader: Loader | None = None
        self._before = 0  # rows of the epoch that all ranks took in earlier runs
        self._batches = 0  # of the epoch, that this rank took in this run

    def read(self) -> None:
        args = self._args
        if args.preprocess_time or args.preprocess_time_stdev:
            raise ValueError(
                f"Cannot wait for reader.preprocess_time {args.preprocess_time}:"
                " PenstockDataLoader prepares rows by decoding them. Leave it out."
            )
        ahead = math.ceil(args.prefetch_size / max(1, args.read_threads))
        workload = _workload()
        self._loader = _open(
            workload,
            args,
            args.file_list_train if self._is_training else args.file_list_eval,
            self.batch_size,
            rank=(args.my_rank, args.comm_size),
            workers=args.read_threads,
            prefetch_factor=ahead or None,
            shuffle=_shuffle(args),
            seed=args.seed,
            drop_last=True,
        )
        if self._is_training:
            PenstockDataLoader.training = self
            self._epochs = args.epochs
            if (workload.get("checkpoint") or {}).get("resume"):
                self._resume(self._loader, _saved(args))
        else:
            self._epochs = len(
                range(args.eval_after_epoch, args.epochs + 1, args.epochs_between_evals)
            )

    def next(self) -> Iterator[Any]:
        if self._loader is None:
            raise RuntimeError("Cannot read: read() was not called, or all epochs are over.")
        if not self._args.seed_change_epoch:
            self._loader.set_epoch(0)  # the same order again
        for batch in self._loader:
            self._batches += 1
            yield batch

    def finalize(self) -> None:
        """Ends an epoch, and with the last one the engine's threads."""
        self._before = self._batches = 0
        self._epochs -= 1
        if self._epochs <= 0:
            self.close()

    def close(self) -> None:
        if PenstockDataLoader.training is self:
            PenstockDataLoader.training = None
        if self._loader is not None:
            self._loader.close()
            self._loader = None

    def state_dict(self) -> dict[str, Any]:
        """Returns where the batch behind the one last taken starts, on all ranks."""
        if self._loader is None:
            raise RuntimeError("Cannot say where it is: it does not read.")
        taken = self._before + self._batches * self._rows_per_step
        is_over = self.num_samples - taken < self._rows_per_step
        return {"rows": 0 if is_over else taken, "loader": self._loader.state_dict()}

    @property
    def _rows_per_step(self) -> int:
        return int(self.batch_size * self._args.comm_size)

    def _resume(self, loader: Loader, file: Path) -> None:
        if not file.exists():
            _log.info("Begins with the first row: there is no %s.", file)
            return
        try:
            state = json.loads(file.read_text())
            loader.load_state_dict(state["loader"])
            self._before = int(state["rows"])
        except (LookupError, TypeError, ValueError) as e:
            raise ValueError(
                f"Cannot resume from {file}: it is not what PenstockCheckpointing saves."
            ) from e
        left = (self.num_samples - self._before) // self._rows_per_step
        steps = self.num_samples // self._rows_per_step
        if self._args.total_training_steps > 0:
            steps = min(steps, self._args.total_training_steps)
        if steps > left:
            raise ValueError(
                f"Cannot resume: {left} steps of the epoch are left but DLIO would take {steps}."
                f" Set train.total_training_steps to {left} and train.epochs to 1. [{file}]"
            )
        _log.info("Goes on behind %s rows of the epoch, as %s says.", self._before, file)


class PenstockReader(FormatReader):  # type: ignore[misc]
    """Delivers the rows of a `Loader` one by one, to DLIO's data loader of type pytorch.

    In file order only, and in DLIO's process: with reader.read_threads 0.
    """

    def __init__(self, dataset_type: Any, thread_index: int, epoch: int) -> None:
        super().__init__(dataset_type, thread_index)
        if thread_index >= 0:
            raise ValueError(
                f"Cannot read in a worker of torch's DataLoader: reader.read_threads is"
                f" {self._args.read_threads} but PenstockReader expects 0, since it decodes in"
                " threads of its own. Or use penstock_torch.dlio.PenstockDataLoader."
            )
        if _text("sample_shuffle", self._args.sample_shuffle) != "off":
            raise ValueError(
                f"Cannot read rows in another order: reader.sample_shuffle is"
                f" '{self._args.sample_shuffle}' but PenstockReader expects 'off'. Or use"
                " penstock_torch.dlio.PenstockDataLoader."
            )
        self._first = min(self.global_index_map)
        files = list(dict.fromkeys(file for file, _ in self.global_index_map.values()))
        if files != sorted(files):
            raise ValueError(
                "Cannot read the files in DLIO's order: dataset.num_subfolders_train is"
                f" {self._args.num_subfolders_train} but PenstockReader expects 0."
            )
        self._loader = _open(_workload(), self._args, files, self.batch_size, rank=(0, 1))
        self._batches: Iterator[Any] | None = None

    def read_index(self, global_sample_idx: int, step: int) -> dict[str, Any]:
        """Returns a row: a dict from column to value."""
        if self._batches is None or global_sample_idx == self._first:
            # With the file of this rank's first sample, also where DLIO left an epoch.
            self._loader.set_epoch(0)
            self._batches = iter(self._loader)
            self._start = self._end = self._first - self.global_index_map[self._first][1]
        if global_sample_idx < self._start:
            raise ValueError(
                f"Cannot read sample {global_sample_idx} behind sample {self._start}: expected"
                " them in order."
            )
        while global_sample_idx >= self._end:
            self._batch = next(self._batches)
            self._start, self._end = self._end, self._end + len(next(iter(self._batch.values())))
        self.preprocess()
        return {name: rows[global_sample_idx - self._start] for name, rows in self._batch.items()}

    def next(self) -> Iterator[Any]:
        raise NotImplementedError(
            "Cannot deliver batches: PenstockReader reads by index, for reader.data_loader"
            " 'pytorch'. Use penstock_torch.dlio.PenstockDataLoader."
        )

    def finalize(self) -> None:
        self._loader.close()

    def is_index_based(self) -> bool:
        return True

    def is_iterator_based(self) -> bool:
        return False

    def open(self, filename: str) -> None:
        """All files are open."""

    def close(self, filename: str) -> None:
        """All files stay open."""

    def get_sample(self, filename: str, sample_index: int) -> None:
        """Only read_index() returns something."""


class PenstockCheckpointing(PyTorchCheckpointing):  # type: ignore[misc]
    """Saves DLIO's checkpoint for PyTorch, and then where `PenstockDataLoader` is.

    That is one file for all ranks, penstock.json in checkpoint.checkpoint_folder. A run with
    checkpoint.resume goes on there, also on another number of ranks.
    """

    _made: ClassVar[PenstockCheckpointing | None] = None

    @staticmethod
    def get_instance() -> PenstockCheckpointing:
        if PenstockCheckpointing._made is None:
            PenstockCheckpointing._made = PenstockCheckpointing()
        return PenstockCheckpointing._made

    def checkpoint(self, epoch: int, step_number: int) -> None:
        reader = PenstockDataLoader.training
        if reader is None:
            raise RuntimeError(
                "Cannot save where the training is: PenstockCheckpointing expects"
                " reader.data_loader_classname: penstock_torch.dlio.PenstockDataLoader."
            )
        super().checkpoint(epoch, step_number)
        if self.args.my_rank == 0:
            file = _saved(self.args)
            draft = file.with_suffix(".tmp")
            draft.write_text(json.dumps(reader.state_dict()))
            os.replace(draft, file)


def _saved(args: Any) -> Path:
    return Path(args.checkpoint_folder, "penstock.json")


def _open(
    workload: Mapping[str, Any], args: Any, files: Sequence[str], batch_size: int, **options: Any
) -> Loader:
    """Returns a loader of files that have the rows that DLIO counts on."""
    given = (workload.get("data_reader") or workload.get("reader") or {}).get("penstock") or {}
    dataset = Dataset(files, columns=_columns(workload))  # in the order of their paths
    loader = Loader(dataset, **{"batch_size": batch_size, **options, **given})
    for file in loader.plan(0)["files"]:
        if file["rows"] != args.num_samples_per_file:
            loader.close()
            raise ValueError(
                f"Cannot run the workload: dataset.num_samples_per_file is"
                f" {args.num_samples_per_file} but the file has {file['rows']} rows."
                f" [{file['location']}]"
            )
    return loader


def _columns(workload: Mapping[str, Any]) -> list[str] | None:
    """Returns what dataset.parquet.columns names, but for `read: false`; None for all."""
    parquet = (workload.get("dataset") or {}).get("parquet") or {}
    named = parquet.get("columns")
    return named and [each["name"] for each in named if each.get("read", True)]


def _shuffle(args: Any) -> bool | Window:
    if _text("sample_shuffle", args.sample_shuffle) != "off":
        return Window(args.shuffle_size)
    return _text("file_shuffle", args.file_shuffle) != "off"


def _text(option: str, value: Any) -> str:
    """Returns the name of a shuffle; YAML's `off` is False."""
    text = "off" if value is False else str(value)
    if text not in _SHUFFLES:
        raise ValueError(
            f"Cannot shuffle by reader.{option} '{text}': expected one of {', '.join(_SHUFFLES)}."
        )
    return text


def _workload() -> dict[str, Any]:
    """Returns the whole configuration, which Hydra has saved: DLIO keeps only what it knows."""
    hydra = HydraConfig.get()
    if hydra.output_subdir is None:
        raise ValueError(
            "Cannot find the workload's configuration: hydra.output_subdir is null but expected"
            " '.hydra'. Leave it out."
        )
    file = Path(hydra.runtime.output_dir, hydra.output_subdir, "config.yaml")
    workload = OmegaConf.to_container(OmegaConf.load(file)["workload"], resolve=True)
    return dict(workload)
