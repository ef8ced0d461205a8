"""Filters of pyarrow as conditions.

An expression is read from pyarrow's own serialized form, the one it is pickled in: an IPC file
whose schema has the tree in its metadata, and the literals and options in its columns. It has every
expression as it was written.

pyarrow also writes Substrait, which does not serve here (pyarrow 26): its size doubles with each
condition that is joined (20 of them take 200 MB), it refuses comparisons that need a cast, such as
a float32 column with 0.1, it has no `match_like`, and it loses how `is_in` takes nulls.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from . import _conditions as conditions
from ._conditions import Column, Condition, Types, Value

_OPERATORS = {
    "equal": "=",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}
_FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_HINT = " Use the text form instead, as in where=\"delay >= 15 and origin in ('ATL', 'ORD')\"."


@dataclass(frozen=True)
class Literal:
    scalar: Any  # of pyarrow


@dataclass
class Call:
    function: str
    arguments: list[Node] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)  # name to scalar of pyarrow


Node = str | Literal | Call  # a str is the path of a column


def translate(expression: Any, types: Types) -> Condition:
    """Returns the condition of a `pyarrow.compute.Expression`."""
    return _Translation(types).condition(read(expression), False)


class _Translation:
    def __init__(self, types: Types) -> None:
        self._types = types

    def condition(self, node: Node, negated: bool) -> Condition:
        if isinstance(node, str):
            return conditions.compare(self._column(node), "=", True, negated)
        if isinstance(node, Literal):
            value = _value(node.scalar)
            if value is not None and not isinstance(value, bool):
                raise TypeError(f"Cannot filter by the value {value!r}: expected a condition.")
            return value is not None and value != negated
        name = node.function
        if name in ("and_kleene", "or_kleene"):
            word = "and" if (name == "and_kleene") != negated else "or"
            parts = (self.condition(each, negated) for each in _operands(node))
            return conditions.join(word, parts)
        if name == "invert":
            return self.condition(node.arguments[0], not negated)
        if name in _OPERATORS:
            return self._comparison(node, negated)
        if name == "is_null":
            return self._is_null(node, negated)
        if name == "is_valid":
            return conditions.is_null(self._column(node.arguments[0]), not negated)
        if name == "is_nan":
            return conditions.is_nan(self._column(node.arguments[0]), negated)
        if name == "is_in":
            return self._is_in(node, negated)
        if name in ("starts_with", "ends_with", "match_substring", "match_like"):
            return self._text(node, negated)
        raise _refused(f"the function '{name}'")

    def _comparison(self, call: Call, negated: bool) -> Condition:
        operator = _OPERATORS[call.function]
        left, right = call.arguments
        if isinstance(left, Literal):
            left, right, operator = right, left, _FLIPPED[operator]
        column = self._column(left)
        if not isinstance(right, Literal):
            return conditions.compare_with(column, operator, self._column(right), negated)
        value = _value(right.scalar)
        return value is not None and conditions.compare(column, operator, value, negated)

    def _is_null(self, call: Call, negated: bool) -> Condition:
        column = self._column(call.arguments[0])
        parts = [conditions.is_null(column, negated)]
        if call.options["nan_is_null"].as_py() and column.has_nan:
            parts.append(conditions.is_nan(column, negated))
        return conditions.join("and" if negated else "or", parts)

    def _is_in(self, call: Call, negated: bool) -> Condition:
        (argument,) = call.arguments
        if isinstance(argument, Call):
            raise _refused(f"'is_in' of the function '{argument.function}'")
        column = self._column(argument)
        matching = call.options["null_matching_behavior"].as_py()
        if matching not in (0, 1):  # MATCH and SKIP
            raise _refused("an 'is_in' of which nulls make the answer unknown")
        values = [_value(each) for each in call.options["value_set"].values]
        given = [value for value in values if value is not None]
        if column.type.startswith("decimal") and any(isinstance(each, float) for each in given):
            raise _refused(f"floats in a list beside the column {column.name!r} of {column.type}")
        return conditions.one_of(column, given, matching == 0 and None in values, negated)

    def _text(self, call: Call, negated: bool) -> Condition:
        column = self._column(call.arguments[0])
        if call.options["ignore_case"].as_py():
            raise _refused(f"'{call.function}' that ignores case")
        pattern = call.options["pattern"].as_py()
        if isinstance(pattern, bytes):
            pattern = pattern.decode()
        if call.function == "starts_with":
            return conditions.starts_with(column, pattern, negated)
        if call.function == "match_like":
            return conditions.like(column, list(_like_parts(pattern)), negated)
        inner = [pattern] if pattern else []
        behind = [None] if call.function == "match_substring" else []
        return conditions.like(column, [None, *inner, *behind], negated)

    def _column(self, node: Node) -> Column:
        if isinstance(node, str):
            return self._types.column(node)
        if isinstance(node, Literal):
            raise _refused("two values without a column")
        if node.function != "cast":
            raise _refused(f"the function '{node.function}' of a column")
        (argument,) = node.arguments
        column, target = self._column(argument), str(node.options["to_type"].type)
        if not _keeps_values(column.type, target):
            raise _refused(f"a cast of column {column.name!r} from {column.type} to {target}")
        return column


def _refused(what: str) -> ValueError:
    return ValueError(
        f"Cannot filter by this expression of pyarrow: it has {what} but expected comparisons,"
        f" and, or, not, is_null, is_valid, is_nan, isin, starts_with, ends_with, match_substring"
        f" and match_like of columns.{_HINT}"
    )


def _operands(call: Call) -> Iterator[Node]:
    """Returns what a tree of one 'and' or 'or' joins, however deep it is."""
    left: list[Node] = [call]
    while left:
        node = left.pop()
        if isinstance(node, Call) and node.function == call.function:
            left.extend(reversed(node.arguments))
        else:
            yield node


def _like_parts(pattern: str) -> Iterator[str | None]:
    """Takes a pattern of pyarrow's apart; a backslash makes wildcards and itself literal."""
    for literal, each in re.findall(r"\\([%_\\])|(.)", pattern, re.DOTALL):
        yield literal or {"%": None, "_": ""}.get(each, each)


# How many bits of an integer each type of numbers holds exactly, with a sign.
_HOLDS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
_HOLDS |= {"uint8": 9, "uint16": 17, "uint32": 33, "uint64": 65}
_HOLDS |= {"halffloat": 12, "float": 25, "double": 54}
_FLOATS = {"halffloat": 16, "float": 32, "double": 64}


def _keeps_values(source: str, target: str) -> bool:
    """Whether all values of a type of Penstock's are the same in a type of pyarrow's."""
    if source == target or (source == "string" and target == "large_string"):
        return True
    if source.startswith("float"):
        return int(source[5:]) <= _FLOATS.get(target, 0)
    if "int" not in source or source not in _HOLDS:
        return False
    if target.startswith("uint") and not source.startswith("uint"):
        return False
    return _HOLDS[source] <= _HOLDS.get(target, 0)


def _value(scalar: Any) -> Value | None:
    """Returns a scalar of pyarrow as a value; None if it is null."""
    import pyarrow.types as kinds

    kind = scalar.type
    if not scalar.is_valid:
        return None
    if kinds.is_dictionary(kind):
        return _value(scalar.value)
    if kinds.is_date32(kind):
        return conditions.Day(scalar.value)
    if kinds.is_date64(kind):
        return conditions.Point(scalar.value * 10**6, utc=False)
    if kinds.is_timestamp(kind):
        return conditions.Point(scalar.value * _NANOS[kind.unit], utc=kind.tz is not None)
    if kinds.is_time(kind):
        return conditions.TimeOfDay(scalar.value * _NANOS[kind.unit])
    value = scalar.as_py()
    if not isinstance(value, (bool, int, float, Decimal, str, bytes)):
        raise _refused(f"a value of type {kind}")
    return value


def read(expression: Any) -> Node:
    """Returns the tree of a `pyarrow.compute.Expression`."""
    import pyarrow as pa

    try:
        _, (serialized,) = expression.__reduce__()
        file = pa.ipc.open_file(serialized)
        columns = file.get_batch(0).columns
        pairs = iter(_metadata(file.schema))
    except (pa.ArrowException, NotImplementedError, ValueError, TypeError) as e:
        raise ValueError(f"Cannot read this expression of pyarrow: {e}.{_HINT}") from e
    # Calls whose arguments are being read, under a last one that gets the whole.
    calls = [Call("")]
    for key, value in pairs:
        if key == "call":
            calls.append(Call(value))
        elif key == "end":
            call = calls.pop()
            calls[-1].arguments.append(call)
        elif key == "options":
            calls[-1].options = dict(columns[int(value)][0].items())
        elif key == "literal":
            calls[-1].arguments.append(Literal(columns[int(value)][0]))
        elif key == "field_ref":
            calls[-1].arguments.append(value)
        elif key == "nested_field_ref":
            calls[-1].arguments.append(".".join(next(pairs)[1] for _ in range(int(value))))
        else:
            raise ValueError(
                f"Cannot read this expression of pyarrow {pa.__version__}: it has '{key}'.{_HINT}"
            )
    return calls[0].arguments[0]


def _metadata(schema: Any) -> list[tuple[str, str]]:
    """Returns the pairs of a schema's metadata in order; pyarrow itself drops repeated keys."""
    capsule = schema.__arrow_c_schema__()  # owns the memory that is read below
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    place = pointer(capsule, b"arrow_schema") + 2 * ctypes.sizeof(ctypes.c_void_p)
    at = ctypes.c_size_t.from_address(place).value  # the third pointer of a schema
    texts: list[str] = []
    (pairs,) = struct.unpack("=i", ctypes.string_at(at, 4))
    at += 4
    for _ in range(2 * pairs):
        (length,) = struct.unpack("=i", ctypes.string_at(at, 4))
        texts.append(ctypes.string_at(at + 4, length).decode())
        at += 4 + length
    return list(zip(texts[::2], texts[1::2], strict=True))
