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

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from . import _fsspec, _paths
from ._dataset import Dataset
from ._filters import Filter
from ._forms import FORMS, Form, converter
from ._loader import Loader
from ._scalars import whole_number
from ._values import Window

__all__ = ["IcebergDataset", "StructuredDataset"]

Format = Literal["csv", "json", "jsonl", "orc", "parquet"]
_WHOLE_FILES = str(1 << 62)  # bytes


class _Rows:
    """What create_dataloader returns beside the loader. It is that loader's, not another one."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def set_epoch(self, epoch: int) -> None:
        """Sets the number of the next epoch. Epochs advance by themselves."""
        self._loader.set_epoch(epoch)

    def state_dict(self) -> dict[str, Any]:
        """Returns where the batch behind the one last yielded starts."""
        return self._loader.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on behind the batch that was yielded last when the state was taken.

        Call it instead of `set_epoch` for the epoch that goes on.
        """
        if "completed_shards" in state:
            raise ValueError(
                "Cannot resume from a state of torch-dataloader-utils: it has shards but expected"
                f" the next batch. Begin its epoch again, by set_epoch({state.get('epoch')})."
            )
        self._loader.load_state_dict(state)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._loader)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._loader.dataset!r})"


class StructuredDataset(_Rows):
    """Files of one format. Made by `create_dataloader`."""

    @classmethod
    def create_dataloader(
        cls,
        path: str,
        format: Format,
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
    ) -> tuple[Loader, StructuredDataset]:
        """Opens a loader of the files at a path.

        Args:
            path: a folder (read at any depth), a file or a glob.
            format: parquet, orc, csv, json or jsonl.
            batch_size: the rows of a batch.
            columns: the columns to read. Default: all.
            filters: the rows to read: an expression of pyarrow, or a text.
            shuffle: permute the splits; another order in each epoch.
            shuffle_seed: of the shuffle.
            split_bytes, split_rows: pack row groups into splits of up to this size.
            split_strategy: one of torch-dataloader-utils, but not one of your own.
            num_workers: threads that decode. 0 is 1. Default: as many as needed.
            output_format: torch, numpy, arrow or dict.
            storage_options: fsspec's options of the store.
            collate_fn: what to make of each batch.
            partitioning: "hive" reads `key=value` folders as columns: those below a folder, all in
                the path of a file or of a glob.
            num_ranks, rank: how many processes share the rows, and which one this is.
            show_progress, progress_interval_sec: show a bar of tqdm, at most this often.
            shuffle_buffer_size: shuffle rows within windows of so many.

        Returns:
            the loader, and a dataset to set its epoch and to take its state.
        """
        if format not in get_args(Format):
            raise ValueError(
                f"Cannot read the format {format!r}: expected one of {', '.join(get_args(Format))}."
            )
        location = _fsspec.location(os.fspath(path))
        rows = Dataset(
            location,
            columns=columns,
            where=filters,
            format=format,
            partitioning=partitioning,
            storage=_fsspec.storage(location, storage_options) or None,
            missing_columns="nulls",
        )
        loader = _loader(rows, locals())
        return loader, cls(loader)


class IcebergDataset(_Rows):
    """An Iceberg table of a catalog. Made by `create_dataloader`."""

    @classmethod
    def create_dataloader(
        cls,
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
    ) -> tuple[Loader, IcebergDataset]:
        """Opens a loader of a table.

        Args:
            table: its name, "namespace.table" or "catalog.namespace.table".
            catalog_config: what `pyiceberg.catalog.load_catalog` takes.
            filters: the rows to read: an expression of pyarrow, or a text.
            scan_filter: the rows to read, too: an expression of pyiceberg.
            snapshot_id: the snapshot to read. Default: the current one.

        The others are those of `StructuredDataset.create_dataloader`.
        """
        where = [each for each in (filters, scan_filter) if each is not None]
        reading = {"version": snapshot_id, "columns": columns, "where": where or None}
        rows = _table(table, catalog_config, reading)
        loader = _loader(rows, locals())
        return loader, cls(loader)


def _loader(rows: Dataset, given: Mapping[str, Any]) -> Loader:
    """Makes a loader as the arguments of `create_dataloader` say."""
    shuffle, seed = bool(given["shuffle"]), given["shuffle_seed"]
    split_rows, split_bytes = given["split_rows"], given["split_bytes"]
    strategy = given["split_strategy"]
    if strategy is not None:
        kind = type(strategy).__name__
        if not type(strategy).__module__.startswith("torch_dataloader_utils."):
            raise TypeError(
                f"Cannot use a split strategy of class {kind}: expected one of"
                " RoundRobinSplitStrategy, SizeBalancedSplitStrategy and TargetSizeSplitStrategy."
                " Workers here take whatever split is next, so none has to be dealt to them: leave"
                " it out, or set split_rows or split_bytes."
            )
        shuffle, seed = bool(strategy.shuffle), strategy.seed
        split_rows = getattr(strategy, "target_rows", None)
        split_bytes = getattr(strategy, "target_bytes", _WHOLE_FILES)
    window, workers = given["shuffle_buffer_size"], given["num_workers"]
    interval = given["progress_interval_sec"] if given["show_progress"] else None
    return Loader(
        rows,
        given["batch_size"],
        workers=None if workers is None else whole_number("num_workers", workers, 0),
        shuffle=Window(whole_number("shuffle_buffer_size", window, 1)) if window else shuffle,
        seed=seed,
        split_bytes=None if split_bytes is None else str(split_bytes),
        split_rows=split_rows,
        rank=(given["rank"], given["num_ranks"]),
        output="arrow",
        collate_fn=_collate(given["output_format"], given["collate_fn"], interval),
    )


def _collate(
    form: Form, collate_fn: Callable[[Any], Any] | None, interval: float | None
) -> Callable[[Any], Any]:
    if form not in FORMS:
        raise ValueError(f"Cannot deliver batches as {form!r}: expected one of {', '.join(FORMS)}.")
    convert = converter(form)
    bar = None if interval is None else _bar(interval)

    def collate(batch: Any) -> Any:
        if bar is not None:
            bar.update(batch.num_rows)
        made = convert(batch)
        return made if collate_fn is None else collate_fn(made)

    return collate


def _bar(interval: float) -> Any:
    try:
        from tqdm import tqdm
    except ImportError:
        raise ImportError("Cannot show progress without tqdm. Run: pip install tqdm") from None
    return tqdm(unit="rows", leave=False, mininterval=interval, maxinterval=interval)


def _table(name: str, config: Mapping[str, Any], reading: Mapping[str, Any]) -> Dataset:
    """Returns a table of a catalog.

    The engine asks REST catalogs itself, because it then gets fresh credentials when they end.
    Others may be of Python only, so pyiceberg finds the table's metadata.
    """
    parts = name.split(".")
    short = ".".join(parts[1:]) if len(parts) == 3 else name
    if str(config.get("type", "")).lower() == "rest":
        return _rest_table(short, config, reading)
    try:
        from pyiceberg.catalog import load_catalog
    except ImportError:
        raise ImportError(
            f"Cannot find the table '{name}' in a catalog of type {config.get('type')!r} without"
            " pyiceberg. Run: pip install pyiceberg"
        ) from None
    catalog = load_catalog(**config)
    if type(catalog).__name__ == "RestCatalog":
        return _rest_table(short, catalog.properties, reading)
    table = catalog.load_table(short)
    metadata, place = table.metadata_location, table.location()
    return Dataset(
        metadata=metadata,
        storage=_fsspec.iceberg_storage(metadata, table.io.properties) or None,
        # A table made in a relative warehouse names its files by relative paths.
        map_location={place: place} if _paths.is_relative(place) else None,
        **reading,
    )


def _rest_table(name: str, properties: Mapping[str, Any], reading: Mapping[str, Any]) -> Dataset:
    catalog = {"type": "rest"}
    for key, value in properties.items():
        if isinstance(value, (Mapping, list)):
            raise ValueError(
                f"Cannot use the catalog's property '{key}': it is a {type(value).__name__} but"
                " expected a text. docs/guide/iceberg.md lists what REST catalogs take."
            )
        if key not in ("name", "type") and value is not None:
            catalog[key] = value
    return Dataset(table=name, catalog=catalog, **reading)
