"""Columns that are not numbers, in Arrow's memory layout."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ._errors import FormError


@dataclass
class Part:
    """A column, or a part of a nested one: places are bytes from the start of the batch.

    A buffer is (place, bytes), with a place of -1 where there is none.
    """

    form: dict[str, Any]
    rows: int
    nulls: int
    validity: tuple[int, int]
    offsets: tuple[int, int] = (-1, 0)
    values: tuple[int, int] = (-1, 0)
    children: list[Part] = field(default_factory=list)


def parts(form: dict[str, Any], pairs: memoryview, at: int) -> tuple[Part, int]:
    """Reads where a column is, from its pairs; returns the place behind them."""
    kind = form["type"]
    part = Part(form, pairs[at], pairs[at + 1], (pairs[at + 2], pairs[at + 3]))
    at += 4
    if kind in ("list", "map", "string", "binary"):
        part.offsets = (pairs[at], pairs[at + 1])
        at += 2
    if kind not in ("list", "map", "struct"):
        part.values = (pairs[at], pairs[at + 1])
        at += 2
    for child in form.get("children", ()):
        made, at = parts(child, pairs, at)
        part.children.append(made)
    return part, at


def to_list(part: Part, memory: Any, fill: str | None) -> list[Any]:
    """Returns the rows as Python objects; a null is None, or `fill`."""
    kind = part.form["type"]
    if kind in ("string", "binary"):
        return _texts(part, memory, kind == "string", fill)
    made: list[Any] = to_arrow(part, memory).to_pylist()
    return made


def _texts(part: Part, memory: Any, decode: bool, fill: str | None) -> list[Any]:
    ends = memory[part.offsets[0] : part.offsets[0] + 4 * (part.rows + 1)].cast("i").tolist()
    raw = bytes(memory[part.values[0] : part.values[0] + part.values[1]])
    if decode and raw.isascii():
        text = raw.decode("ascii")
        made: list[Any] = [text[a:b] for a, b in zip(ends, ends[1:])]
    elif decode:
        made = [raw[a:b].decode("utf-8") for a, b in zip(ends, ends[1:])]
    else:
        made = [raw[a:b] for a, b in zip(ends, ends[1:])]
    if part.nulls:
        bits = memory[part.validity[0] : part.validity[0] + part.validity[1]]
        for row in range(part.rows):
            if not bits[row >> 3] >> (row & 7) & 1:
                made[row] = fill
    return made


def to_arrow(part: Part, memory: Any) -> Any:
    """Returns the rows as an arrow array over the same memory."""
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError(
            f"Column '{part.form.get('name')}' of type {part.form['type']} needs pyarrow: pip"
            " install 'penstock-torch[arrow]', or leave the column out."
        ) from None

    def buffer(place: tuple[int, int]) -> Any:
        at, count = place
        return pa.py_buffer(memory[at : at + count]) if at >= 0 else None

    kind = part.form["type"]
    validity = buffer(part.validity) if part.nulls else None
    if kind == "struct":
        fields = [pa.field(c.form["name"], _type(pa, c.form), True) for c in part.children]
        children = [to_arrow(child, memory) for child in part.children]
        return pa.Array.from_buffers(
            pa.struct(fields), part.rows, [validity], part.nulls, children=children
        )
    if kind in ("list", "map"):
        buffers = [validity, buffer(part.offsets)]
        children = [to_arrow(child, memory) for child in part.children]
        made = _type(pa, part.form)
        return pa.Array.from_buffers(made, part.rows, buffers, part.nulls, children=children)
    made = _type(pa, part.form)
    if kind in ("string", "binary"):
        buffers = [validity, buffer(part.offsets), buffer(part.values)]
    else:
        buffers = [validity, buffer(part.values)]
    array = pa.Array.from_buffers(made, part.rows, buffers, part.nulls)
    return array


_TYPE = re.compile(r"([a-z]+)(\d*)(?:\((.*)\)|\[(ms|us|ns)(, UTC)?\])?")


def _type(pa: Any, form: dict[str, Any]) -> Any:
    kind = form["type"]
    children = form.get("children", [])
    if kind == "list":
        return pa.list_(pa.field("element", _type(pa, children[0]), children[0]["nullable"]))
    if kind == "map":
        key, value = children[0]["children"]
        return pa.map_(_type(pa, key), pa.field("value", _type(pa, value), value["nullable"]))
    if kind == "struct":
        return pa.struct([pa.field(c["name"], _type(pa, c), c["nullable"]) for c in children])
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
        "string": pa.string,
        "binary": pa.binary,
        "date": pa.date32,
        "null": pa.null,
    }
    if name in simple:
        return simple[name]()
    if name in ("int", "uint"):
        return getattr(pa, kind)()
    if name == "float":
        return getattr(pa, kind)()
    if name == "timestamp":
        return pa.timestamp(unit, "UTC" if utc else None)
    if name == "time":
        return pa.time32("ms") if unit == "ms" else pa.time64(unit)
    if name == "fixed":
        return pa.binary(int(arguments))
    if name == "uuid":
        return pa.binary(16)
    if name == "interval":
        return pa.binary(12)
    raise FormError(f"Column type {kind} has no form in Arrow.")
