"""Filters of other libraries as the text that the engine reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _conditions

if TYPE_CHECKING:
    from pyarrow.compute import Expression
    from pyiceberg.expressions import BooleanExpression

Filter: TypeAlias = "str | Expression | BooleanExpression | list[Filter]"


def require_filter(where: Any) -> None:
    """Refuses anything but a text, an expression of pyarrow or pyiceberg, or a list of these."""
    if isinstance(where, list):
        for each in where:
            require_filter(each)
    elif not (
        isinstance(where, str)
        or _is_from(where, "pyarrow", "Expression")
        or _is_from(where, "pyiceberg", "BooleanExpression")
    ):
        raise TypeError(
            f"Cannot filter by a {type(where).__name__}: expected a text, or an expression of"
            " pyarrow or pyiceberg."
        )


def to_text(where: Any, schema: Iterable[Mapping[str, Any]] | None = None) -> str:
    """Returns the text of a filter that keeps the same rows; '' if it keeps all.

    Args:
        where: a text, a `pyarrow.compute.Expression`, a `pyiceberg.expressions.BooleanExpression`,
            or a list of these, which must all be true
        schema: the dataset's columns, with `name` and `type`. Without it values are
            compared as the filter language does by itself: beside a float32 column 0.1 is
            the float32 that is nearest to it.

    Raises TypeError if it is none of these, ValueError if the language has no such condition.
    """
    require_filter(where)
    types = _conditions.Types(schema or ())
    return _conditions.text(_condition(where, types), types.names)


def _condition(where: Any, types: _conditions.Types) -> _conditions.Condition:
    if isinstance(where, str):
        return _conditions.Joined("", (where,))
    if isinstance(where, list):
        return _conditions.join("and", [_condition(each, types) for each in where])
    if _is_from(where, "pyarrow", "Expression"):
        from ._arrow_filters import translate
    else:
        from ._iceberg_filters import translate
    return translate(where, types)


def _is_from(value: Any, package: str, name: str) -> bool:
    """Whether a value is of a class of a package, without importing that."""
    return any(
        each.__name__ == name and each.__module__.split(".")[0] == package
        for each in type(value).__mro__
    )
