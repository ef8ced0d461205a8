"""The interface of torch-dataloader-utils, over Penstock's loader.

    from penstock_torch.dataloader_utils import StructuredDataset

    loader, dataset = StructuredDataset.create_dataloader("data/flights", "parquet", batch_size=512)
    for epoch in range(3):
        dataset.set_epoch(epoch)
        for batch in loader:
            delay = batch["delay"]  # torch.Tensor, int64, shape [512]

docs/guide/from-torch-dataloader-utils.md has the differences.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, get_args

from torch.utils.data import DataLoader, IterableDataset

from . import _fsspec, _paths
from ._connection import require_no_worker
from ._dataset import Dataset, Path
from ._filters import Filter
from ._forms import FORMS, Form, converter
from ._loader import Loader
from ._scalars import whole_number
from ._splits import CutLoader, DataFileInfo, RowRange, Shard, Split
from ._values import Window

__all__ = [
    "DataFileInfo",
    "IcebergDataset",
    "RowRange",
    "Shard",
    "Split",
    "StructuredDataset",
    "WorkerMetrics",
]

Format = Literal["csv", "json", "jsonl", "orc", "parquet"]
_WHOLE_FILES = str(1 << 62)  # bytes

_P = ParamSpec("_P")
_T = TypeVar("_T", bound="_Rows")


@dataclass
class WorkerMetrics:
    """What came of an epoch. There is one: workers are threads and share the rows.

    Attributes:
        worker_id: 0.
        rows_read: the rows that came.
        batches_read: the batches that came.
        bytes_read: bytes that the engine, which works ahead, read from storage.
        elapsed_sec: how long they took, the training between them included.
    """

    worker_id: int = 0
    rows_read: int = 0
    batches_read: int = 0
    bytes_read: int = 0
    elapsed_sec: float = 0.0


class _Counted:
    """Converts the batches of epochs, and counts them."""

    def __init__(self, convert: Callable[[Any], Any], bar: Any) -> None:
        self._convert, self._bar = convert, bar
        self._metrics: list[WorkerMetrics] = []
        self.begin()

    def begin(self) -> None:
        self._began, self.now = time.perf_counter(), WorkerMetrics()

    def take(self, batch: Any) -> Any:
        if not self.now.batches_read:
            self._metrics.append(self.now)
        self.now.rows_read += batch.num_rows
        self.now.batches_read += 1
        self.now.elapsed_sec = time.perf_counter() - self._began
        if self._bar is not None:
            self._bar.update(batch.num_rows)
        return self._convert(batch)

    def drain(self) -> list[WorkerMetrics]:
        metrics, self._metrics = self._metrics, []
        return metrics


class _Rows(IterableDataset[Any]):
    """A dataset that torch's `DataLoader(dataset, batch_size=None)` takes.

    Attributes:
        loader: the `penstock_torch.Loader` that reads it.
    """

    def __init__(self, given: Mapping[str, Any], dataset: Callable[[], Dataset]) -> None:
        """Makes the loader as the arguments of a constructor say."""
        form = given["output_format"]
        if form not in FORMS:
            raise ValueError(
                f"Cannot deliver batches as {form!r}: expected one of {', '.join(FORMS)}."
            )
        interval = given["progress_interval_sec"] if given["show_progress"] else None
        self._collate_fn = given["collate_fn"]  # of the DataLoader, not of this
        self._epochs = _Counted(converter(form), None if interval is None else _bar(interval))
        self.loader = _loader(dataset(), given, self._epochs.take)

    def set_epoch(self, epoch: int) -> None:
        """Sets the number of the next epoch. Epochs advance by themselves."""
        self._epochs.drain()
        self.loader.set_epoch(epoch)

    def get_metrics(self) -> list[WorkerMetrics]:
        """Returns what came of each epoch since this or `set_epoch` was called."""
        self._settle()
        return self._epochs.drain()

    def state_dict(self) -> dict[str, Any]:
        """Returns where the batch behind the one last yielded starts."""
        return self.loader.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on behind the batch that was yielded last when the state was taken.

        Call it instead of `set_epoch` for the epoch that goes on.
        """
        if "completed_shards" in state:
            raise ValueError(
                "Cannot resume from a state of torch-dataloader-utils: it has shards but expected"
                f" the next batch. Begin its epoch again, by set_epoch({state.get('epoch')})."
            )
        self._epochs.drain()
        self.loader.load_state_dict(state)

    def __iter__(self) -> Iterator[Any]:
        require_no_worker()
        self._settle()
        batches = iter(self.loader)
        self._epochs.begin()
        return batches

    def _settle(self) -> None:
        """Asks what the engine read in the epoch that was begun last."""
        if self._epochs.now.batches_read:
            self._epochs.now.bytes_read = self.loader.stats().bytes_read

    def close(self) -> None:
        """Ends the epoch and the engine's threads."""
        try:
            with contextlib.suppress(RuntimeError, OSError):  # closed, or the engine is stuck
                self._settle()
        finally:
            self._epochs.begin()
            self.loader.close()

    def __len__(self) -> int:
        return len(self.loader)

    def __reduce__(self) -> str:
        raise TypeError(
            f"Cannot send a {type(self).__name__} to another process: the engine decodes in threads"
            " of its own. Use num_workers=0 with torch's DataLoader; its own num_workers are those"
            " threads."
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.loader.dataset!r})"


class _TorchLoader(DataLoader[Any]):
    """torch's DataLoader over a dataset, with the state of its loader."""

    # Accelerate's prepare() would deal the batches of one rank to all ranks.
    _is_accelerate_prepared = True

    def __init__(self, dataset: _Rows, **options: Any) -> None:  # Lightning makes copies
        super().__init__(dataset, **options)
        self.state_dict = dataset.state_dict
        self.load_state_dict = dataset.load_state_dict
        self.close = dataset.close

    def __enter__(self) -> _TorchLoader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _as_it_is(batch: Any) -> Any:
    return batch


def _create(
    init: Callable[Concatenate[_T, _P], None],
) -> Callable[Concatenate[type[_T], _P], tuple[_TorchLoader, _T]]:
    """Returns `create_dataloader`, which takes what a constructor takes."""

    @functools.wraps(init)
    def create_dataloader(cls: Any, *args: Any, **options: Any) -> tuple[_TorchLoader, _T]:
        if "accelerator" in options:
            raise TypeError(
                f"{cls.__name__} has no option 'accelerator'. Use"
                " num_ranks=accelerator.num_processes and rank=accelerator.process_index."
            )
        dataset = cls(*args, **options)
        collate_fn = dataset._collate_fn or _as_it_is
        return _TorchLoader(dataset, batch_size=None, collate_fn=collate_fn), dataset

    create_dataloader.__name__ = "create_dataloader"
    create_dataloader.__doc__ = """Returns torch's DataLoader over a dataset, and the dataset.

    The arguments are those of the class.
    """
    made: Any = create_dataloader
    return made  # type: ignore[no-any-return]


class StructuredDataset(_Rows):
    """Files of one format.

    Args:
        path: a folder (read at any depth), a file or a glob; or files, as `files`.
        format: parquet, orc, csv, json or jsonl.
        batch_size: the rows of a batch.
        columns: the columns to read. Default: all.
        filters: the rows to read: an expression of pyarrow, or a text.
        shuffle: permute the splits; another order in each epoch.
        shuffle_seed: of the shuffle.
        split_bytes, split_rows: pack row groups into splits of up to this size.
        split_strategy: one of torch-dataloader-utils, or of your own: what has `generate(files,
            num_workers, epoch)`, which returns a list of Shards with all rows once. Their first
            splits come first, then the second of each.
        num_workers: threads that decode. 0 is 1. Default: as many as needed.
        output_format: torch, numpy, arrow or dict.
        storage_options: fsspec's options of the store.
        collate_fn: what the DataLoader of `create_dataloader` makes of each batch.
        partitioning: "hive" reads `key=value` folders as columns: those below a folder, all in
            the path of a file or of a glob.
        num_ranks, rank: how many processes share the rows, and which one this is.
        show_progress, progress_interval_sec: show a bar of tqdm, at most this often.
        shuffle_buffer_size: shuffle rows within windows of so many.
        files: the files instead of a path: paths, or what `discover_files` returns.
    """

    def __init__(
        self,
        path: Path | Sequence[Any] | None = None,
        format: Format | None = None,
        batch_size: int = 1024,
        columns: Sequence[str] | None = None,
        filters: Filter | None = None,
        shuffle: bool = False,
        shuffle_seed: int = 42,
        split_bytes: int | str | None = None,
        split_rows: int | None = None,
        split_strategy: object = None,
        num_workers: int | None = None,
        output_format: Form = "torch",
        storage_options: Mapping[str, Any] | None = None,
        collate_fn: Callable[[Any], Any] | None = None,
        partitioning: Literal["hive"] | None = None,
        num_ranks: int = 1,
        rank: int = 0,
        show_progress: bool = False,
        progress_interval_sec: float = 120.0,
        shuffle_buffer_size: int | None = None,
        *,
        files: Sequence[Any] | None = None,
    ) -> None:
        if format not in get_args(Format):
            raise ValueError(
                f"Cannot read the format {format!r}: expected one of {', '.join(get_args(Format))}."
            )
        if (path is None) == (files is None):
            raise TypeError("Cannot tell what to read: give either path or files.")
        given = files if path is None else path
        several = [given] if isinstance(given, (str, os.PathLike)) else list(given or ())
        locations = [_fsspec.location(os.fspath(getattr(at, "path", at))) for at in several]
        super().__init__(
            locals(),
            lambda: Dataset(
                locations,
                columns=columns,
                where=filters,
                format=format,
                partitioning=partitioning,
                storage=_fsspec.storage("".join(locations[:1]), storage_options) or None,
                missing_columns="nulls",
            ),
        )

    create_dataloader = classmethod(_create(__init__))


class IcebergDataset(_Rows):
    """An Iceberg table of a catalog.

    Args:
        table: its name, "namespace.table" or "catalog.namespace.table".
        catalog_config: what `pyiceberg.catalog.load_catalog` takes, or a catalog of type jdbc.
        filters: the rows to read: an expression of pyarrow, or a text.
        scan_filter: the rows to read, too: an expression of pyiceberg.
        snapshot_id: the snapshot to read. Default: the current one.

    The others are those of `StructuredDataset`.
    """

    def __init__(
        self,
        table: str,
        catalog_config: Mapping[str, Any],
        batch_size: int = 1024,
        columns: Sequence[str] | None = None,
        filters: Filter | None = None,
        scan_filter: Filter | None = None,
        snapshot_id: int | None = None,
        shuffle: bool = False,
        shuffle_seed: int = 42,
        split_bytes: int | str | None = None,
        split_rows: int | None = None,
        split_strategy: object = None,
        num_workers: int | None = None,
        output_format: Form = "torch",
        collate_fn: Callable[[Any], Any] | None = None,
        num_ranks: int = 1,
        rank: int = 0,
        show_progress: bool = False,
        progress_interval_sec: float = 120.0,
        shuffle_buffer_size: int | None = None,
    ) -> None:
        where = [each for each in (filters, scan_filter) if each is not None]
        reading = {"version": snapshot_id, "columns": columns, "where": where or None}
        super().__init__(locals(), lambda: _table(table, catalog_config, reading))

    create_dataloader = classmethod(_create(__init__))


def _loader(rows: Dataset, given: Mapping[str, Any], collate: Callable[[Any], Any]) -> Loader:
    shuffle, seed = bool(given["shuffle"]), given["shuffle_seed"]
    split_rows, split_bytes = given["split_rows"], given["split_bytes"]
    window, workers = given["shuffle_buffer_size"], given["num_workers"]
    if workers is not None:
        workers = whole_number("num_workers", workers, 0)
    strategy = given["split_strategy"]
    make: Callable[..., Loader] = Loader
    if type(strategy).__module__.startswith("torch_dataloader_utils."):
        shuffle, seed = bool(strategy.shuffle), strategy.seed
        split_rows = getattr(strategy, "target_rows", None)
        split_bytes = getattr(strategy, "target_bytes", _WHOLE_FILES)
    elif strategy is not None:
        make = functools.partial(CutLoader, _own(strategy, window), workers or 1)
        shuffle, split_rows, split_bytes = False, None, None
    return make(
        rows,
        given["batch_size"],
        workers=workers,
        shuffle=Window(whole_number("shuffle_buffer_size", window, 1)) if window else shuffle,
        seed=seed,
        split_bytes=None if split_bytes is None else str(split_bytes),
        split_rows=split_rows,
        rank=(given["rank"], given["num_ranks"]),
        output="arrow",
        collate_fn=collate,
    )


def _own(strategy: Any, window: object) -> Any:
    kind = type(strategy).__name__
    if not callable(getattr(strategy, "generate", None)):
        raise TypeError(
            f"Cannot use {kind} as a split strategy: it has no generate(files, num_workers, epoch)."
        )
    if window:
        raise ValueError(
            f"Cannot use shuffle_buffer_size with the split strategy {kind}: the order of its"
            " splits would be lost. Leave one of them out, or shuffle in generate()."
        )
    return strategy


def _bar(interval: float) -> Any:
    try:
        from tqdm import tqdm
    except ImportError:
        raise ImportError("Cannot show progress without tqdm. Run: pip install tqdm") from None
    return tqdm(unit="rows", leave=False, mininterval=interval, maxinterval=interval)


def _table(name: str, config: Mapping[str, Any], reading: Mapping[str, Any]) -> Dataset:
    """Returns a table of a catalog.

    The engine asks REST catalogs itself, because it then gets fresh credentials when they end, and
    those of JDBC, which pyiceberg does not know. Others may be of Python only, so pyiceberg finds
    the table's metadata.
    """
    parts = name.split(".")
    short = ".".join(parts[1:]) if len(parts) == 3 else name
    kind = str(config.get("type", "")).lower()
    if kind in ("jdbc", "rest"):
        return _engines_table(short, kind, config, reading)
    try:
        from pyiceberg.catalog import load_catalog
    except ImportError:
        raise ImportError(
            f"Cannot find the table '{name}' in a catalog of type {config.get('type')!r} without"
            " pyiceberg. Run: pip install pyiceberg"
        ) from None
    catalog = load_catalog(**config)
    if type(catalog).__name__ == "RestCatalog":
        return _engines_table(short, "rest", catalog.properties, reading)
    table = catalog.load_table(short)
    metadata, place = table.metadata_location, table.location()
    return Dataset(
        metadata=metadata,
        storage=_fsspec.iceberg_storage(metadata, table.io.properties) or None,
        # A table made in a relative warehouse names its files by relative paths.
        map_location={place: place} if _paths.is_relative(place) else None,
        **reading,
    )


def _engines_table(
    name: str, kind: str, properties: Mapping[str, Any], reading: Mapping[str, Any]
) -> Dataset:
    catalog = {"type": kind}
    for key, value in properties.items():
        if isinstance(value, (Mapping, list)):
            raise ValueError(
                f"Cannot use the catalog's property '{key}': it is a {type(value).__name__} but"
                " expected a text. docs/guide/iceberg.md lists what catalogs take."
            )
        if key == "name" and kind == "jdbc" and value is not None:
            catalog.setdefault("catalog-name", value)  # by which it keeps its tables
        elif key not in ("name", "type") and value is not None:
            catalog[key] = value
    return Dataset(table=name, catalog=catalog, **reading)
