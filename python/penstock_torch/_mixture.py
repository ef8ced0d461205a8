"""What to read from several datasets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from ._arguments import checked, checks, requested
from ._dataset import Dataset, Path
from ._messages import Field
from ._scalars import name_of_column, whole_number
from ._schema import Described

Source = Dataset | Path


@checked
class Mixture(Described):
    """Datasets that are read together, each with a share of the rows. Immutable.

    Rows `[1024 * i, 1024 * (i + 1))` of an epoch have the share of each source to within one row.

        Mixture([(Dataset("data/web"), 0.7), (Dataset("data/books"), 0.3)])
        Mixture({"data/web": 0.7, "data/books": 0.3})

    Args:
        sources: datasets, or locations, and their weights: a share is the weight divided by the sum
            of all. It counts rows, such as documents, not their tokens.
        stop: when an epoch ends: "first" when a source has ended, "all" when all have, "repeat"
            when every source was read at least once; those that end before begin anew. Default:
            "first".
        source_column: the name of an int32 column to add, with the number of each row's source,
            from 0.
        weights_from: other weights from a row of the epoch on, counted over all ranks: {row:
            [weight of each source]}.
        columns: the columns to read, in that order. Default: those of the sources, which must all
            have them, or missing_columns.
        where: the rows of all sources to read, as text. Each source may have a filter of its own.
            Default: all.
    """

    def __init__(
        self,
        sources: Mapping[Any, float] | Iterable[tuple[Source, float]],  # Source, were it covariant
        *,
        stop: Literal["first", "all", "repeat"] = "first",
        source_column: str | None = None,
        weights_from: Mapping[int, Iterable[float]] | None = None,
        columns: Sequence[str] | None = None,
        where: str | None = None,
    ) -> None:
        if isinstance(sources, str) or not isinstance(sources, Iterable):
            _source(sources)
        pairs = sources.items() if isinstance(sources, Mapping) else sources
        self._sources = [_source(pair) for pair in pairs]
        self._balanced: tuple[Dataset, str] | None = None
        if where is not None and not isinstance(where, str):
            raise TypeError(
                f"Cannot filter a mixture by a {type(where).__name__}: expected a text. Give"
                " expressions of pyarrow or pyiceberg to the Datasets that it mixes."
            )
        given = requested("Mixture", {**locals(), "sources": None})
        if weights_from is not None:
            given["weightsFrom"] = _later(weights_from)
        self._reading: dict[str, Any] = {
            key: given.pop(key) for key in ("columns", "where") if key in given
        }
        self._mixing = given

    @classmethod
    @checks("Mixture")
    def balanced(
        cls,
        dataset: Source,
        column: str,
        *,
        stop: Literal["first", "all", "repeat"] = "first",
        source_column: str | None = None,
        columns: Sequence[str] | None = None,
        where: str | None = None,
    ) -> Mixture:
        """Mixes the rows of one dataset by the values of a column, each with the same share.

        Args:
            dataset: the dataset, or its location.
            column: a column of strings, integers or booleans, with at most 1,000 values. It is read
                once when the Loader is made.
            stop: "first" ends an epoch with the rarest class (undersampling); with "repeat" it has
                all rows, and those of rare classes several times (oversampling); "all" has every
                row once.

        The others are those of `Mixture`. Sources are the values in ascending order, then that of
        rows with null.
        """
        made = cls([], stop=stop, source_column=source_column, columns=columns, where=where)
        made._balanced = (_dataset(dataset), name_of_column("column", column))
        return made

    def request(self, columns_of: Callable[[Any], list[Field]] = lambda _: []) -> dict[str, Any]:
        """Returns what the engine is asked for, as Dataset.request."""
        mixed = dict(self._mixing)
        if self._balanced is None:
            mixed["sources"] = [
                {"weight": weight, "dataset": dataset.request(columns_of)}
                for dataset, weight in self._sources
            ]
        else:
            dataset, column = self._balanced
            mixed["balance"] = {"dataset": dataset.request(columns_of), "column": column}
        return {"mixture": mixed, **self._reading}

    def __repr__(self) -> str:
        if self._balanced is not None:
            dataset, column = self._balanced
            return f"Mixture.balanced({dataset!r}, {column!r})"
        pairs = ", ".join(f"({dataset!r}, {weight})" for dataset, weight in self._sources)
        return f"Mixture([{pairs}])"


def _later(weights_from: Mapping[int, Iterable[float]]) -> list[dict[str, Any]]:
    if not isinstance(weights_from, Mapping) or not all(
        isinstance(weights, Iterable) and not isinstance(weights, str)
        for weights in weights_from.values()
    ):
        raise TypeError(
            "weights_from must be a dict from row to the weights of all sources, such as"
            f" {{1_000_000: [0.5, 0.5]}}, got {weights_from!r}."
        )
    return [
        {
            "row": whole_number("weights_from row", row, 1),
            "weights": [_weight(each) for each in weights_from[row]],
        }
        for row in sorted(weights_from)
    ]


def _source(pair: Any) -> tuple[Dataset, float]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(
            f"Cannot mix {pair!r}: expected a dataset and its weight, as in"
            " Mixture([(Dataset('data/web'), 0.7), (Dataset('data/books'), 0.3)])."
        )
    dataset, weight = pair
    return _dataset(dataset), _weight(weight)


def _dataset(given: Any) -> Dataset:
    if isinstance(given, Mixture):
        raise TypeError(
            "Cannot mix a Mixture: give all sources to one, with the product of their weights."
        )
    return given if isinstance(given, Dataset) else Dataset(given)


def _weight(given: Any) -> float:
    try:
        weight = float(given)
    except (TypeError, ValueError):
        weight = math.nan
    if not (0 <= weight < math.inf):
        raise ValueError(f"The weight of a source must be a positive number, got {given!r}.")
    return weight
