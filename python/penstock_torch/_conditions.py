"""Conditions in Penstock's filter language (docs/reference/filters.md), one function for each kind.

A filter delivers the rows for which it is true, so "false" and "unknown" need not be told apart
once negations stand at the leaves. Every function here takes `negated` and returns a condition that
is true for exactly the wanted rows.
"""

from __future__ import annotations

import datetime
import math
import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class Column:
    """A column, or a part of a struct, and its type as Penstock writes it ('' if unknown)."""

    name: str
    type: str

    @property
    def float_bits(self) -> int:
        """The width of a floating-point type; 0 for others."""
        return int(self.type[5:]) if re.fullmatch(r"float\d+", self.type) else 0

    @property
    def has_nan(self) -> bool:
        """Whether it may have NaN, as far as is known."""
        return self.type == "" or self.float_bits > 0

    @property
    def is_bytes(self) -> bool:
        return self.type in ("binary", "uuid") or self.type.startswith("fixed(")

    def __str__(self) -> str:
        return _name(self.name)


@dataclass(frozen=True)
class Day:
    """A date: days since 1970-01-01."""

    days: int


@dataclass(frozen=True)
class TimeOfDay:
    """A time: nanoseconds since midnight."""

    nanos: int


@dataclass(frozen=True)
class Point:
    """A date and time: nanoseconds since 1970-01-01, in UTC or without a zone."""

    nanos: int
    utc: bool


Value = bool | int | float | Decimal | str | bytes | Day | TimeOfDay | Point


@dataclass(frozen=True)
class Joined:
    """Conditions joined by 'and' or by 'or'; or one that may need parentheses, with no word."""

    word: str
    parts: tuple[str | Joined, ...]


# True and False are conditions that all rows and no rows meet.
Condition = bool | str | Joined

_DAY = 86_400 * 10**9
_SWAPPED = {"=": "!=", "!=": "="}
# What to compare with the nearest value of the column's type that is above or below the given one.
_NEXT_ABOVE = {"<": "<", "<=": "<", ">": ">=", ">=": ">="}
_NEXT_BELOW = {"<": "<=", "<=": "<=", ">": ">", ">=": ">"}


def text(condition: Condition, columns: Sequence[str]) -> str:
    """Returns a condition's text, '' if all rows meet it; if none can, it names some column."""
    if condition is True:
        return ""
    if condition is False:
        if not columns:
            raise ValueError(
                "Cannot filter: no row can match, and there is no column to say it by."
            )
        column = _name(columns[0])
        return f"{column} is null and {column} is not null"
    return condition if isinstance(condition, str) else _joined_text(condition)


def _joined_text(joined: Joined) -> str:
    return f" {joined.word} ".join(
        part if isinstance(part, str) else f"({_joined_text(part)})" for part in joined.parts
    )


def join(word: str, conditions: Iterable[Condition]) -> Condition:
    """Joins conditions by 'and' or 'or'."""
    decided = word == "or"
    parts: list[str | Joined] = []
    for each in conditions:
        if isinstance(each, bool):
            if each == decided:
                return decided
        elif isinstance(each, Joined) and each.word == word:
            parts.extend(each.parts)
        else:
            parts.append(each)
    if len(parts) < 2:
        return parts[0] if parts else not decided
    return Joined(word, tuple(parts))


def is_null(column: Column, negated: bool) -> Condition:
    return f"{column} is not null" if negated else f"{column} is null"


def is_nan(column: Column, negated: bool) -> Condition:
    """NaN, or a number that is not; a null is neither."""
    if not column.has_nan:
        return is_null(column, True) if negated else False
    return f"{column} is not nan" if negated else f"{column} is nan"


def compare(column: Column, operator: str, value: Value, negated: bool) -> Condition:
    """A comparison that is exact: the value is not rounded to the column's type."""
    constant = (operator == "!=") != negated
    if isinstance(value, float) and math.isnan(value):
        return is_null(column, True) if constant else False
    nearest, order = _nearest(column, value)
    if order != 0:
        if operator in _SWAPPED:
            return is_null(column, True) if constant else False
        operator = (_NEXT_ABOVE if order > 0 else _NEXT_BELOW)[operator]
    return compare_with(column, operator, literal(column, nearest), negated)


def compare_with(left: Column, operator: str, right: Column | str, negated: bool) -> Condition:
    """A comparison with another column, or with the text of a value."""
    if negated and operator in _SWAPPED:
        return f"{left} {_SWAPPED[operator]} {right}"
    return f"not ({left} {operator} {right})" if negated else f"{left} {operator} {right}"


def one_of(column: Column, values: Iterable[Value], null: bool, negated: bool) -> Condition:
    """One of some values, NaN included; a null is one of them or not, as `null` says."""
    listed, nan = set(), False
    for value in values:
        if isinstance(value, float) and math.isnan(value):
            nan = True
            continue
        nearest, order = _nearest(column, value)
        if not isinstance(value, Point) or order == 0:
            # A list of floats is rounded to the column's type, as pyarrow rounds it.
            listed.add(literal(column, nearest if isinstance(nearest, Day) else value))
    # Sorted: the text is part of the loader's state, and must be the same in every process.
    options = f"({', '.join(sorted(listed))})"
    if not negated:
        found: Condition = f"{column} in {options}" if listed else False
        return join("or", [found, nan and is_nan(column, False), null and is_null(column, False)])
    others = f"{column} not in {options}" if listed else is_null(column, True)
    other = join("and", [others, not nan or is_nan(column, True)])
    return other if null else join("or", [other, is_null(column, False)])


def starts_with(column: Column, prefix: str, negated: bool) -> Condition:
    return f"{column} {'not ' if negated else ''}starts with {_quoted(prefix)}"


def like(column: Column, parts: Sequence[str | None], negated: bool) -> Condition:
    """A pattern: texts, '%' for any text given as None, and '_' as '' for one character."""
    pattern = "".join(
        "%" if part is None else "_" if part == "" else re.sub("([!%_])", r"!\1", part)
        for part in parts
    )
    escape = " escape '!'" if "!" in pattern else ""
    return f"{column} {'not ' if negated else ''}like {_quoted(pattern)}{escape}"


def _nearest(column: Column, value: Value) -> tuple[Value, int]:
    """Returns the nearest value of the column's type, and whether it is above (1) or below (-1)."""
    if column.type == "date" and isinstance(value, Point):
        return Day(value.nanos // _DAY), -1 if value.nanos % _DAY else 0
    if column.float_bits and isinstance(value, (int, float, Decimal)):
        exact = float(value) if isinstance(value, Decimal) else value
        nearest = rounded(exact, column.float_bits)
        return nearest, (nearest > exact) - (nearest < exact)
    return value, 0


def rounded(value: float, bits: int) -> float:
    """Returns the nearest floating-point number of a width."""
    form = {16: "<e", 32: "<f", 64: "<d"}[bits]
    try:
        return float(struct.unpack(form, struct.pack(form, value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def literal(column: Column, value: Value) -> str:
    """Returns a value's text beside a column."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        _require_exact_decimal(column)
        return repr(value) if math.isfinite(value) else "infinity" if value > 0 else "-infinity"
    if isinstance(value, (int, Decimal)):
        return str(value)
    if isinstance(value, str) and column.is_bytes:
        value = value.encode()
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, Day):
        return f"date '{_date(value.days)}'"
    if isinstance(value, TimeOfDay):
        return f"time '{_time(value.nanos)}'"
    zone = "Z" if value.utc else ""
    return f"timestamp '{_date(value.nanos // _DAY)}T{_time(value.nanos % _DAY)}{zone}'"


def _require_exact_decimal(column: Column) -> None:
    """Refuses floats beside decimals of which two may be one float."""
    found = re.match(r"decimal\((\d+)", column.type)
    if found and int(found.group(1)) > 15:
        raise ValueError(
            f"Cannot filter column {column.name!r} by a float: it is {column.type}, and several of"
            " its values are the same float. Compare with a Decimal, or use the text form."
        )


def _date(days: int) -> str:
    try:
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days)).isoformat()
    except OverflowError:
        raise ValueError(
            f"Cannot filter by day {days} since 1970-01-01: expected one of the years 1 to 9999."
        ) from None


def _time(nanos: int) -> str:
    seconds, rest = divmod(nanos, 10**9)
    shown = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{shown}.{rest:09}".rstrip("0") if rest else shown


_WORDS = frozenset(
    ("and", "or", "not", "in", "between", "is", "null", "nan", "true", "false", "infinity")
)


def _name(name: str) -> str:
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name) and name.lower() not in _WORDS
    return name if plain else '"' + name.replace('"', '""') + '"'


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


class Types:
    """The types of a dataset's columns, and of the parts of its structs."""

    def __init__(self, schema: Iterable[Mapping[str, Any]]) -> None:
        self.names: list[str] = []
        self._types: dict[str, str] = {}
        for field in schema:
            self.names.append(str(field["name"]))
            self._add(str(field["name"]), str(field["type"]))

    def _add(self, path: str, type: str) -> None:
        self._types.setdefault(path, type)
        if type.startswith("struct<"):
            for part in _parts(type[len("struct<") : -1]):
                name, _, inner = part.partition(": ")
                self._add(f"{path}.{name}", inner)

    def column(self, path: str) -> Column:
        """Returns a column; the engine says what is wrong with one that is not there."""
        found = self._types.get(path)
        if found is None:
            same = [type for name, type in self._types.items() if name.lower() == path.lower()]
            found = same[0] if same else ""
        return Column(path, found)


def _parts(fields: str) -> list[str]:
    """Splits at the commas that are not within another type."""
    parts, depth, start = [], 0, 0
    for at, each in enumerate(fields):
        depth += (each in "<([") - (each in ">)]")
        if each == "," and depth == 0:
            parts.append(fields[start:at])
            start = at + 2
    return [*parts, fields[start:]]
