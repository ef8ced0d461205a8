"""Columns that are not numbers, in Arrow's memory layout."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ._errors import FormError, ReadError
from ._messages import Column, Places


@dataclass(frozen=True)
class Part:
    """A column of a batch, or a part of a nested one: places are bytes from the batch's start.

    A buffer is (place, bytes), with a place of -1 where there is none.
    """

    column: Column
    rows: int
    nulls: int
    validity: tuple[int, int]
    offsets: tuple[int, int]
    values: tuple[int, int]
    children: list[Part]


def part(column: Column, places: Places) -> Part:
    """Takes where a column is from the places of a batch."""
    none = (-1, 0)
    rows, nulls = places.numbers()
    validity = places.next((rows + 7) // 8 if nulls else 0, is_optional=not nulls)
    offsets = places.next(4 * (rows + 1), is_optional=not rows) if column.has_offsets else none
    values = places.next(is_optional=True) if column.has_values else none
    children = [part(child, places) for child in column.children]
    return Part(column, rows, nulls, validity, offsets, values, children)


def to_list(part: Part, memory: Any, fill: str | None) -> list[Any]:
    """Returns the rows as Python objects; a null is None, or `fill`."""
    kind = part.column.type
    if kind in ("string", "binary"):
        return _texts(part, memory, kind == "string", fill)
    made: list[Any] = to_arrow(part, memory).to_pylist()
    return made


def _texts(part: Part, memory: Any, decode: bool, fill: str | None) -> list[Any]:
    ends = memory[part.offsets[0] : part.offsets[0] + 4 * (part.rows + 1)].cast("i").tolist()
    raw = bytes(memory[part.values[0] : part.values[0] + part.values[1]])
    is_ascii = decode and raw.isascii()
    whole: Any = raw.decode("ascii") if is_ascii else raw
    made: list[Any] = [whole[a:b] for a, b in zip(ends, ends[1:])]
    if decode and not is_ascii:
        try:
            made = [each.decode("utf-8") for each in made]
        except UnicodeDecodeError as e:
            raise _not_text(part.column.name, made.index(e.object), e) from None
    if part.nulls:
        bits = memory[part.validity[0] : part.validity[0] + part.validity[1]]
        for row in range(part.rows):
            if not bits[row >> 3] >> (row & 7) & 1:
                made[row] = fill
    return made


def _not_text(column: str, row: int, error: UnicodeDecodeError) -> ReadError:
    start = max(0, error.start - 20)
    return ReadError(
        f"Cannot read column '{column}' as text: row {row} of the batch is not UTF-8 from its byte"
        f" {error.start} on, {error.object[start : error.start + 20]!r}. Take bytes, by"
        f" cast={{'{column}': 'binary'}}, or mend the files."
    )


def to_arrow(part: Part, memory: Any) -> Any:
    """Returns the rows as an arrow array over the same memory."""
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError(
            f"Column '{part.column.name}' of type {part.column.type} needs pyarrow: pip"
            " install 'penstock-torch[arrow]', or leave the column out."
        ) from None

    def buffer(place: tuple[int, int]) -> Any:
        at, count = place
        return pa.py_buffer(memory[at : at + count]) if at >= 0 else None

    column = part.column
    buffers = [buffer(part.validity) if part.nulls else None]
    buffers += [buffer(part.offsets)] if column.has_offsets else []
    buffers += [buffer(part.values)] if column.has_values else []
    children = [to_arrow(child, memory) for child in part.children]
    made = _type(pa, column)
    return pa.Array.from_buffers(made, part.rows, buffers, part.nulls, children=children)


_TYPE = re.compile(r"([a-z]+)(\d*)(?:\((.*)\)|\[(ms|us|ns)(, UTC)?\])?")


def _type(pa: Any, column: Column) -> Any:
    kind, children = column.type, column.children
    if kind == "list":
        return pa.list_(pa.field("element", _type(pa, children[0]), children[0].is_nullable))
    if kind == "map":
        key, value = children[0].children
        return pa.map_(_type(pa, key), pa.field("value", _type(pa, value), value.is_nullable))
    if kind == "struct":
        return pa.struct([pa.field(c.name, _type(pa, c), c.is_nullable) for c in children])
    found = _TYPE.fullmatch(kind)
    if found is None:
        raise FormError(f"Column type {kind} has no form in Arrow.")
    name, _, arguments, unit, utc = found.groups()
    if name == "decimal":
        precision, scale = (int(each) for each in arguments.split(","))
        wide = pa.decimal128 if precision <= 38 else pa.decimal256
        return wide(precision, scale)
    simple = {
        "bool": pa.bool_,
        "date": pa.date32,
        "fixed": lambda: pa.binary(int(arguments)),
        "uuid": lambda: pa.binary(16),
        "interval": lambda: pa.binary(12),
    }
    if name in simple:
        return simple[name]()
    if name in ("int", "uint", "float", "string", "binary", "null"):
        return getattr(pa, kind)()
    if name == "timestamp":
        return pa.timestamp(unit, "UTC" if utc else None)
    if name == "time":
        return pa.time32("ms") if unit == "ms" else pa.time64(unit)
    raise FormError(f"Column type {kind} has no form in Arrow.")
