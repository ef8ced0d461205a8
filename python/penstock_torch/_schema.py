"""The columns of a dataset, to look at."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ._by_number import BatchNumber, ByNumber
from ._connection import Peer, require_no_worker
from ._messages import Field

if TYPE_CHECKING:
    from ._loader import Loader

_Self = TypeVar("_Self", bound="Described")


class Schema(Mapping[str, str]):
    """The names of columns and their types, in order. Immutable.

    Types are as the command prints them: `int64`, `timestamp[us]`, `list<float32>`.

    Attributes:
        fields: name, type and nullable of each column; `partition` is true of those in folders.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = tuple(fields)
        self._types = {each["name"]: each["type"] for each in fields}

    def __getitem__(self, column: str) -> str:
        return self._types[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def __repr__(self) -> str:
        return f"Schema({self._types!r})"

    def __str__(self) -> str:
        return "\n".join(
            f"{each['name']}: {each['type']}" + ("" if each["nullable"] else " not null")
            for each in self.fields
        )


class Described:
    """What has columns that can be asked for: a Dataset or a Mixture."""

    #: whose batches are asked for by number; None if it is of no loader
    _loader: Loader | None = None
    _by_number: ByNumber

    @property
    def schema(self) -> Schema:
        """The columns that are read. Asks an engine of this machine, which looks at the files.

        For what a server reads, ask `Loader.schema()`.
        """
        require_no_worker()
        peer = Peer(None, "", None, 0)
        return Schema(peer.columns(self.request(peer.columns)))

    def request(self, columns_of: Callable[[Any], list[Field]]) -> dict[str, Any]:
        raise NotImplementedError

    def viewed(self: _Self, loader: Loader) -> _Self:
        """Returns this as the dataset of a loader, whose batches it has by their numbers."""
        view = copy.copy(self)
        view._loader = loader
        view._by_number = ByNumber(lambda number: loader._start_at(number))
        return view

    def __getitems__(self, numbers: Sequence[int]) -> Any:
        """Returns the batch of a loader whose number its `batch_sampler` gave."""
        if self._loader is not None and len(numbers) == 1 and isinstance(numbers[0], BatchNumber):
            return self._by_number.take(numbers[0])
        return self[numbers[0] if len(numbers) else 0]

    def __getitem__(self, number: Any) -> Any:
        kind = type(self).__name__
        raise TypeError(
            f"Cannot take row {number!r} of a {kind} by number: rows are read in the order of the"
            f" files or of a shuffle. Iterate Loader({kind.lower()}, batch_size=...)."
        )

    def __len__(self) -> int:
        rows = None if self._loader is None else self._loader._all_rows()
        if rows is None:
            raise TypeError(
                f"Cannot tell the rows of a {type(self).__name__} without reading it. Give it to a"
                " Loader: rows_per_epoch() of that tells, where there is no filter."
            )
        return rows

    def __bool__(self) -> bool:
        return True
