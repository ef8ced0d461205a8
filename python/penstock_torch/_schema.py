"""The columns of a dataset, to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ._connection import Peer, require_no_worker
from ._messages import Field


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
