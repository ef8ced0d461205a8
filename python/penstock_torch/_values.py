"""Values of a Loader's options that have parts: the forms of lists and strings, and a shuffle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._scalars import number, texts, whole_number

_INT_MAX = 2**31 - 1


@dataclass(frozen=True)
class Padded:
    """For `lists`: a tensor `[rows, length]`, short lists filled up.

    Args:
        value: what they are filled with.
        length: the elements of a row. Default: those of the batch's longest list.
    """

    value: float = 0
    length: int | None = None

    def __post_init__(self) -> None:
        number("value", self.value)
        _set(self, "length", whole_number, 1, _INT_MAX)


@dataclass(frozen=True)
class Codes:
    """For `strings`: an int32 tensor with the place of each string in a vocabulary.

    Args:
        vocabulary: the strings by code. Default: those of the column, in ascending order; other
            rows have other codes: keep `loader.vocabulary(column)` with a model, and score with it.
        unknown: the code of strings that are not in the vocabulary. Default: they are an error.
    """

    vocabulary: Sequence[str] | None = None
    unknown: int | None = None

    def __post_init__(self) -> None:
        _set(self, "vocabulary", texts)
        _set(self, "unknown", whole_number, -_INT_MAX - 1, _INT_MAX)


@dataclass(frozen=True)
class Hashed:
    """For `strings`: an int32 tensor with a hash of each string.

    Args:
        buckets: how many values the hash has.
    """

    buckets: int

    def __post_init__(self) -> None:
        _set(self, "buckets", whole_number, 1, _INT_MAX)


@dataclass(frozen=True)
class Window:
    """For `shuffle`: splits are permuted, and rows within windows.

    Args:
        rows: the rows of a window.
        interleave: how many splits take turns in filling a window.
    """

    rows: int
    interleave: int = 4

    def __post_init__(self) -> None:
        _set(self, "rows", whole_number, 1, _INT_MAX)
        _set(self, "interleave", whole_number, 1, _INT_MAX)


# The short forms beside them.
NullPolicy = Literal["nan", "mask", "error"] | str | float
StringForm = Literal["list", "codes"] | Codes | Hashed | Mapping[str, Any]
ListForm = Literal["ragged", "block", "padded"] | Padded | Mapping[str, Any]
EpochUnit = Literal["stored", "days", "seconds", "millis", "micros", "nanos"]
DecimalForm = Literal["object", "float64", "unscaled"]


def _set(value: Any, name: str, check: Any, *limits: int) -> None:
    """Sets a part to what a check makes of it; one whose default is None may be that."""
    given = getattr(value, name)
    if given is not None or getattr(type(value), name, 0) is not None:
        object.__setattr__(value, name, check(name, given, *limits))
