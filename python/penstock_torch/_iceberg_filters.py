"""Filters of pyiceberg as conditions.

The rows are those that a scan of pyiceberg keeps with the same `row_filter`: values are converted
to the columns' types as pyiceberg does when it binds them, and nulls follow its rules. NotEqualTo,
NotStartsWith and NotNaN drop nulls; a NotIn of two values or more keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from . import _conditions as conditions
from ._conditions import Column, Condition, Types, Value

_OPERATORS = {
    "EqualTo": "=",
    "NotEqualTo": "!=",
    "LessThan": "<",
    "LessThanOrEqual": "<=",
    "GreaterThan": ">",
    "GreaterThanOrEqual": ">=",
}


def translate(expression: Any, types: Types, negated: bool = False) -> Condition:
    """Returns the condition of a `pyiceberg.expressions.BooleanExpression`."""
    kind = type(expression).__name__
    if kind in ("And", "Or"):
        word = "and" if (kind == "And") != negated else "or"
        parts = (translate(each, types, negated) for each in _operands(expression))
        return conditions.join(word, parts)
    if kind == "Not":
        return translate(expression.child, types, not negated)
    if kind in ("AlwaysTrue", "AlwaysFalse"):
        return (kind == "AlwaysTrue") != negated
    term: Any = getattr(expression, "term", None)
    if type(term).__name__ != "Reference":
        raise _refused(f"{kind} of a {type(term).__name__}")
    column = types.column(term.name)
    if kind in _OPERATORS:
        return _comparison(column, _OPERATORS[kind], expression.literal, negated)
    negated = kind.startswith("Not") != negated
    what = kind.removeprefix("Not").removeprefix("Is")
    if what == "Null":
        return conditions.is_null(column, negated)
    if what == "NaN":
        return conditions.is_nan(column, negated) if column.has_nan else negated
    if what == "In":
        return _one_of(column, expression.literals, negated)
    if what == "StartsWith":
        return conditions.starts_with(column, str(expression.literal.value), negated)
    raise _refused(kind)


def _refused(what: str) -> ValueError:
    return ValueError(
        f"Cannot filter by this expression of pyiceberg: it has {what} but expected And, Or, Not"
        ' and unbound predicates of columns. Use the text form instead, as in where="delay >= 15".'
    )


def _operands(expression: Any) -> Iterator[Any]:
    """Returns what a tree of one And or Or joins, however deep it is."""
    left = [expression]
    while left:
        each = left.pop()
        if type(each) is type(expression):
            left += [each.right, each.left]
        else:
            yield each


def _comparison(column: Column, operator: str, literal: Any, negated: bool) -> Condition:
    converted = _converted(column, literal)
    for beyond, others in (("AboveMax", ("<", "<=", "!=")), ("BelowMin", (">", ">=", "!="))):
        if type(converted).__name__.endswith(beyond):
            return (operator in others) != negated
    return conditions.compare(column, operator, _value(converted), negated)


def _one_of(column: Column, literals: Any, negated: bool) -> Condition:
    converted = [_converted(column, each) for each in literals]
    values = {
        _value(each)
        for each in converted
        if not type(each).__name__.endswith(("AboveMax", "BelowMin"))
    }
    if len(values) == 1:  # as pyiceberg, which then compares
        return conditions.compare(column, "=", values.pop(), negated)
    return conditions.one_of(column, values, False, negated)


def _converted(column: Column, literal: Any) -> Any:
    """Returns a literal in the column's type; as it is if that is unknown."""
    wanted = _type(column.type)
    try:
        return literal if wanted is None else literal.to(wanted)
    except (TypeError, ValueError) as e:
        raise ValueError(
            f"Cannot compare column {column.name!r} of type {column.type} with"
            f" {literal.value!r}: {e}"
        ) from e


def _type(name: str) -> Any:
    from pyiceberg import types

    simple = {
        **dict.fromkeys(("int8", "int16", "int32", "uint8", "uint16"), types.IntegerType),
        "bool": types.BooleanType,
        "int64": types.LongType,
        "uint32": types.LongType,
        "float16": types.FloatType,
        "float32": types.FloatType,
        "float64": types.DoubleType,
        "string": types.StringType,
        "binary": types.BinaryType,
        "uuid": types.UUIDType,
        "date": types.DateType,
    }
    if name in simple:
        return simple[name]()
    if name.startswith("timestamp["):
        return types.TimestamptzType() if ", UTC" in name else types.TimestampType()
    if name.startswith("time["):
        return types.TimeType()
    numbers = [int(each) for each in re.findall(r"\d+", name)]
    if name.startswith("decimal("):
        return types.DecimalType(*numbers)
    return types.FixedType(*numbers) if name.startswith("fixed(") else None


def _value(literal: Any) -> Value:
    kind, value = type(literal).__name__, literal.value
    if kind == "DateLiteral":
        return conditions.Day(value)
    if kind == "TimeLiteral":
        return conditions.TimeOfDay(value * 1000)
    if kind == "TimestampLiteral":
        return conditions.Point(value * 1000, utc=False)  # beside a column in UTC it is in UTC
    if kind == "FloatLiteral":
        return conditions.rounded(value, 32)
    result: Value = value
    return result
