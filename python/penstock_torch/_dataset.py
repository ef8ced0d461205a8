"""What to read."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from . import _paths
from ._arguments import checked, requested
from ._filters import Filter, require_filter, to_text
from ._messages import Field
from ._schema import Described

Path = str | os.PathLike[str]
Plain = Path | int | float


@checked
class Dataset(Described):
    """Table files, or a table, to read. Immutable; nothing is opened until it is iterated.

    Relative paths are those of the folder that the process works in when the Dataset is made.

    Args:
        locations: a folder (read at any depth), a file, a glob, or several; local paths, `s3://`,
            `gs://`, `az://`, `abfs://`, `http(s)://`. A folder that is a Delta or Iceberg table is
            read as that table, unless `format` or `partitioning` is given.
        columns: the columns to read, in that order; dotted names reach into structs, and with
            brackets, `messages[].content`, into structs in lists. Default: all.
        where: the rows to read: a text such as "delay >= 15 and origin in ('ATL', 'ORD')", an
            expression of pyarrow or pyiceberg, or a list of these, which must all be true. Default:
            all.
        format: the format of the files: parquet, csv, json, jsonl, orc, avro or arrow. Default: by
            extension, then by first bytes.
        partitioning: "hive" reads `key=value` folders as columns: those below a folder, all of a
            file's path or of a glob's. Default: folders are just folders.
        storage: options of the store, such as endpoint, region or access-key-id. Default: what the
            environment says.
        format_options: how files are written, such as {"delimiter": ";"} for CSV.
        cast: column to type, as in {"price": "float64"}.
        missing_columns: what becomes of a column that some file lacks: an error, or nulls in that
            file's rows: one of "error", "nulls". Default: "error", or what the table says.
        on_bad_file: what becomes of a file whose footer, header or sample cannot be read: an error,
            or it is left out with a warning: one of "fail", "skip". Default: "fail".
        case_sensitive: whether names of columns must match in case. Default: True.
        plan: a plan of the files, which is read in place of their footers, or a folder of plans,
            which ends in "/": the plan of exactly these files is found there, or made. Default: the
            footers of the files.
        table: the name of an Iceberg table in a catalog, such as db.flights, instead of locations.
        catalog: the options of that catalog, as Iceberg takes them.
        metadata: a metadata file of an Iceberg table, or the table's folder, instead of locations.
        version: the version of a Delta table or the snapshot of an Iceberg table. Default: the
            current one.
        as_of: the table as it was at a time, such as 2026-11-01T12:00:00Z; without a zone in UTC.
        ref: a branch or tag of an Iceberg table.
        map_location: where files are that a table's metadata names elsewhere: {from: to}.
    """

    def __init__(
        self,
        locations: Path | Sequence[Path] | None = None,
        *,
        columns: Sequence[str] | None = None,
        where: Filter | None = None,
        format: str | None = None,
        partitioning: Literal["hive"] | None = None,
        storage: Mapping[str, Plain] | None = None,
        format_options: Mapping[str, Plain] | None = None,
        cast: Mapping[str, str] | None = None,
        missing_columns: Literal["error", "nulls"] | None = None,
        on_bad_file: Literal["fail", "skip"] | None = None,
        case_sensitive: bool | None = None,
        plan: Path | None = None,
        table: str | None = None,
        catalog: Mapping[str, Plain] | None = None,
        metadata: Path | None = None,
        version: int | None = None,
        as_of: str | datetime.datetime | None = None,
        ref: str | None = None,
        map_location: Mapping[Path, Path] | Mapping[str, Path] | None = None,
    ) -> None:
        given = dict(locals())
        sources = sum(each is not None for each in (locations, table, metadata))
        if sources != 1:
            raise ValueError(
                "Cannot tell what to read: give either locations, a table of a catalog or the"
                f" metadata of a table, got {sources} of them."
            )
        #: a filter that is not a text yet: how values compare depends on the columns' types
        self._expression = None if isinstance(where, str) else where
        if self._expression is not None:
            require_filter(self._expression)
            given["where"] = None
        for name, rooted in _ROOTED.items():
            if given[name] is not None:
                given[name] = rooted(given[name])
        self._request = requested("Dataset", given)
        of_table = {key: self._request.pop(key) for key in _OF_TABLE if key in self._request}
        if of_table:
            self._request["table"] = of_table

    def request(self, columns_of: Callable[[Any], list[Field]] = lambda _: []) -> dict[str, Any]:
        """Returns what the engine is asked for, with the secrets of `storage` and `catalog`.

        `columns_of` asks for all columns of a request: a filter compares by their types.
        """
        if self._expression is None:
            return self._request
        every = {key: value for key, value in self._request.items() if key != "columns"}
        where = to_text(self._expression, columns_of(every))
        return {**self._request, "where": where} if where else self._request

    def __repr__(self) -> str:
        table = self._request.get("table", {})
        what = self._request.get("locations") or [table.get("name") or table.get("metadata")]
        return f"Dataset({', '.join(map(repr, what))})"


def _locations(given: Path | Sequence[Path]) -> list[str]:
    several = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    return [_paths.location(each) for each in several]


# What names files is told from the root.
_ROOTED: dict[str, Callable[[Any], Any]] = {
    "locations": _locations,
    "metadata": _paths.location,
    "plan": _paths.prefix,
    "storage": _paths.storage,
    "catalog": _paths.catalog,
    "map_location": _paths.moves,
}
_OF_TABLE = ("name", "metadata", "catalog", "version", "asOf", "ref", "mapLocation")
