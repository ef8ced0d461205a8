"""Filters of other libraries as the text that the engine reads."""

from __future__ import annotations

from typing import Any


def to_text(where: Any) -> str:
    """Returns the text of a filter."""
    raise TypeError(
        f"Cannot filter by a {type(where).__name__}: expected a text, or an expression of pyarrow"
        " or pyiceberg."
    )
