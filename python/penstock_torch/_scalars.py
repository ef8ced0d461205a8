"""Checks of single values: numbers, texts and lists of these, of any library."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Mapping, Set
from typing import Any

from ._options import Option


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    lower = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), lower, 1, cutoff)
    return f" Did you mean {lower[found[0]]!r}?" if found else ""


def wrong(kind: type[Exception], option: Option, value: Any, hint: str = "") -> Exception:
    return kind(
        f"Cannot use {option.name}={_shown(option, value)}: expected {option.expected}, such as"
        f" {option.name}={option.example}.{hint}"
    )


def _shown(option: Option, value: Any) -> str:
    hidden = option.kind.startswith("secret")
    if hidden or (option.kind in ("dataset", "locations") and isinstance(value, (list, tuple))):
        return f"... of type {type(value).__name__}"
    if isinstance(value, type) or callable(value):
        return getattr(value, "__name__", type(value).__name__)
    text = " ".join(repr(value).split())
    if "@" in text and "/" in text:  # it may be an address with a password
        return f"... of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def is_truth(value: Any) -> bool:
    """Returns whether a value is True or False, of numpy or torch, too."""
    return isinstance(value, bool) or "bool" in str(getattr(value, "dtype", ""))


def index(value: Any) -> int | None:
    """Returns a whole number of any library; None for what is none."""
    try:
        return None if is_truth(value) else operator.index(value)
    except (TypeError, RuntimeError):  # torch's for tensors that are no scalars
        return None


def whole(option: Option, value: Any) -> int:
    number = index(value)
    if number is None:
        is_torchs = value is None and option.name == "batch_size"
        hint = " For single rows use batch_size=1, batches of one row." if is_torchs else ""
        raise wrong(TypeError, option, value, hint)
    if not option.least <= number <= option.most:
        hint = f" At most {option.most}." if number > option.most else ""
        raise wrong(ValueError, option, number, hint)
    return number


def as_float(value: Any) -> float | None:
    """Returns a number of any library as a float; None for what is no number."""
    if is_truth(value) or isinstance(value, (str, bytes)):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return None


def text(option: Option, value: Any) -> str:
    if not isinstance(value, str):
        raise wrong(TypeError, option, value)
    return str.__str__(value)


def list_of(value: Any, types: type | tuple[type, ...]) -> list[Any] | None:
    """Returns the values of a list, or of another that has an order; None if it is none."""
    if isinstance(value, (str, bytes, Mapping, Set)) or not isinstance(value, Iterable):
        return None
    values = []
    try:
        for each in value:
            if not isinstance(each, types):
                return None
            values.append(each)
    except TypeError:  # torch's for tensors that are scalars
        return None
    return values


def names(option: Option, value: Any) -> list[str]:
    if isinstance(value, str):
        raise wrong(TypeError, option._replace(example=f"[{value!r}]"), value)
    names = list_of(value, str)
    if names is None:
        raise wrong(TypeError, option, value)
    return [str(each) for each in names]


def _no_option(name: str, expected: str, example: str, least: int = 0, most: int = 0) -> Option:
    return Option(name, "", "", expected, example, "", least, most, ())


def whole_number(name: str, value: Any, least: int, most: int = 2**63 - 1) -> int:
    """Checks a whole number that is no option."""
    expected = f"a whole number of at least {least}"
    return whole(_no_option(name, expected, str(max(least, 1)), least, most), value)


def number(name: str, value: Any) -> None:
    """Checks a number, or a truth, that is no option."""
    if as_float(value) is None and not is_truth(value):
        raise wrong(TypeError, _no_option(name, "a number", "0"), value)


def name_of_column(name: str, value: Any) -> str:
    return text(_no_option(name, "the name of a column", '"label"'), value)


def texts(name: str, value: Any) -> tuple[str, ...]:
    return tuple(names(_no_option(name, "a list of texts", '["a", "b"]'), value))
