"""The checks of options, by the kind of their values.

A check takes an option and the value given for it, and returns what the class, or the engine, is
given: a number of any library as Python's, a path as text, a choice by column as a dict.
"""

from __future__ import annotations

import contextlib
import datetime
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from . import _paths
from ._options import Option
from ._scalars import as_float, index, is_truth, list_of, names, nearest, text, whole, wrong
from ._values import Codes, Hashed, Padded, Window

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(?:([KMGT])(I)?)?B?\s*", re.IGNORECASE)
_SHUFFLE = re.compile(r"none|splits|window:[1-9][0-9]*(:[1-9][0-9]*)?|(global|torch)(:[12])?")
_SERVER = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\s:/@\[\]]+):([0-9]{1,5})")


def _seconds(option: Option, value: Any) -> float:
    number = 0.0 if value is None else as_float(value)
    if number is None:
        raise wrong(TypeError, option, value)
    if not option.least <= number <= option.most:
        raise wrong(ValueError, option, value, " 0 waits for ever.")
    return number


def _truth(option: Option, value: Any) -> bool:
    with contextlib.suppress(ValueError, RuntimeError):  # of an array
        if is_truth(value):
            return bool(value)
    raise wrong(TypeError, option, value)


def _secret(option: Option, value: Any) -> str:
    return "" if value is None else text(option, value)


def _choice(option: Option, value: Any) -> str:
    chosen = text(option, value)
    if chosen not in option.choices:
        raise wrong(ValueError, option, value, nearest(chosen, option.choices))
    return chosen


def _size(option: Option, value: Any) -> str | int:
    """Returns a size as the engine takes it; that of our own memory as a number."""
    if isinstance(value, str):
        found = _SIZE.fullmatch(value)
        if found is None:
            raise wrong(ValueError, option, value)
        digits, unit, binary = found.groups()
        power = "KMGT".index(unit.upper()) + 1 if unit else 0
        count = float(digits) * (1024 if binary else 1000) ** power
    else:
        count = whole(option._replace(least=1, most=2**63 - 1), value)
        value = str(count)
    if not 1 <= count < 2**63:
        raise wrong(ValueError, option, value)
    return value if option.java else int(count)


def _path(option: Option, value: Any) -> str:
    path = _paths.location(value) if isinstance(value, os.PathLike) else value
    return path if isinstance(path, str) else text(option, value)


def _locations(option: Option, value: Any) -> Any:
    if isinstance(value, (str, os.PathLike)):
        return _path(option, value)
    several = list_of(value, (str, os.PathLike))
    if several is None:
        found = value if isinstance(value, (list, tuple)) else ()
        others = [repr(each) for each in found if not isinstance(each, (str, os.PathLike))]
        hint = f" {others[0][:80]} is no path." if others else ""
        raise wrong(TypeError, option, value, hint)
    return [_path(option, each) for each in several]


def _dataset(option: Option, value: Any) -> Any:
    from ._dataset import Dataset
    from ._mixture import Mixture

    return value if isinstance(value, (Dataset, Mixture)) else _locations(option, value)


def _mapping(option: Option, value: Any) -> Mapping[str, Any]:
    """Returns a dict whose names are texts."""
    if not isinstance(value, Mapping):
        raise wrong(TypeError, option, value)
    for key in value:
        if not isinstance(key, str):
            raise wrong(TypeError, option, value, f" {key!r} is no text.")
    return value


def _texts(option: Option, value: Any) -> dict[str, str]:
    if isinstance(value, Mapping):
        value = {os.fspath(k) if isinstance(k, os.PathLike) else k: value[k] for k in value}
    made = {}
    for key, each in _mapping(option, value).items():
        made[key] = _plain(each, numbers=option.name != "cast")
        if made[key] is None:
            what = "None" if each is None else f"of type {type(each).__name__}"
            raise wrong(TypeError, option, value, f" The value of {key!r} is {what}.")
    return made


def _plain(value: Any, numbers: bool) -> Any:
    """Returns a text, a path, a number or a boolean as text; None for others."""
    if isinstance(value, os.PathLike):
        value = _paths.file(value)
    if isinstance(value, str):
        return str.__str__(value)
    if not numbers:
        return None
    if is_truth(value):
        return str(bool(value)).lower()
    if as_float(value) is None:
        return None
    return str(value.item() if hasattr(value, "item") else value)


def _function(option: Option, value: Any) -> Any:
    if not callable(value):
        raise wrong(TypeError, option, value)
    return value


def _anything(_: Option, value: Any) -> Any:
    return value  # the class looks at it


def _time(option: Option, value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime.datetime) else text(option, value)


def _shuffle(option: Option, value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Window):
        return f"window:{value.rows}:{value.interleave}"
    if isinstance(value, str):
        if _SHUFFLE.fullmatch(value) is None:
            raise wrong(ValueError, option, value, nearest(value, ("none", "splits", "global")))
        return str.__str__(value)
    if not is_truth(value):
        number = as_float(value)
        rows = int(number) if number is not None and 1 < number < 2**31 else 65536
        raise wrong(TypeError, option._replace(example=f'"window:{rows}"'), value)
    return "splits" if value else "none"


def _number(option: Option, value: Any) -> float:
    number = None if is_truth(value) else as_float(value)
    if number is None:
        raise wrong(TypeError, option, value)
    if not 0 <= number < math.inf:
        raise wrong(ValueError, option, value)
    return number


def _compose(option: Option, value: Any) -> Any:
    from ._compose import Composition

    if isinstance(value, type) or not isinstance(value, Composition):
        raise wrong(TypeError, option, value)
    return value


def _tokenize(option: Option, value: Any) -> list[Any]:
    from ._tokenize import Tokenize

    several = [value] if isinstance(value, Tokenize) else list_of(value, Tokenize)
    if several is None:
        raise wrong(TypeError, option, value)
    return several


def _rank(option: Option, value: Any) -> tuple[int, int]:
    pair = value
    if isinstance(value, str):
        if re.fullmatch("[0-9]+/[0-9]+", value) is None:
            raise wrong(ValueError, option, value)
        pair = tuple(map(int, value.split("/")))
    is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2
    rank, world = map(index, pair) if is_pair else (None, None)
    if rank is None or world is None:
        raise wrong(TypeError, option, value)
    if not 0 <= rank < world:
        raise wrong(ValueError, option, value)
    return rank, world


def _server(option: Option, value: Any) -> tuple[str, int]:
    address = value
    if isinstance(value, (tuple, list)) and len(value) == 2 and isinstance(value[0], str):
        host, port = value[0], index(value[1])
        is_bare = ":" in host and not host.startswith("[")
        if port is not None:
            address = f"[{host}]:{port}" if is_bare else f"{host}:{port}"
    found = _SERVER.fullmatch(text(option, address))
    if found is None or not 0 < int(found[2]) < 65536:
        raise wrong(ValueError, option, value)
    return found[1].removeprefix("[").removesuffix("]"), int(found[2])


def _by_column(check: Callable[[Option, Any], Any], option: Option, value: Any) -> dict[str, Any]:
    """Returns what a check makes of the value of each column, or of that for all under ''."""
    given = _mapping(option, value) if isinstance(value, Mapping) else {"": value}
    return {name: check(_of_column(option, name), each) for name, each in given.items()}


def _of_column(option: Option, column: str) -> Option:
    """Returns an option under whose name errors show the column."""
    return option._replace(name=f"{option.name}[{column!r}]") if column else option


def _null_policy(option: Option, value: Any) -> str:
    if isinstance(value, str):
        if value in option.choices:
            return str.__str__(value)
        meant = nearest(value, option.choices, 0.8)
        if meant and option.name == "nulls":
            hint = f"{meant} A text that replaces nulls like this one is given by column."
            raise wrong(ValueError, option, value, hint)
        return f"text:{str.__str__(value)}"
    if is_truth(value):
        return f"fill:{float(value)}"
    number = as_float(value)
    if number is None:
        raise wrong(TypeError, option, value)
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "fill:Infinity" if number > 0 else "fill:-Infinity"
    exact = index(value)
    return f"fill:{number if exact is None else exact}"


def _built(option: Option, parts: Mapping[str, Any], *kinds: type) -> Any:
    """Returns a value that a dict has the parts of."""
    names = {kind: [each.name for each in fields(kind)] for kind in kinds}
    known = [name for each in names.values() for name in each]
    for kind in kinds:
        if parts and set(parts) <= set(names[kind]):
            try:
                return kind(**parts)
            except (TypeError, ValueError) as e:
                raise wrong(type(e), option, dict(parts), f" {e}") from None
    unknown = next((str(key) for key in parts if key not in known), "")
    raise wrong(ValueError, option, dict(parts), nearest(unknown, known))


def _strings(option: Option, value: Any) -> list[dict[str, Any]]:
    if isinstance(value, str):
        raise wrong(TypeError, option, value, " Name each column of strings.")
    forms = _by_column(_string_form, option, _mapping(option, value))
    return [{"column": column, **form} for column, form in forms.items()]


def _string_form(option: Option, form: Any) -> dict[str, Any]:
    expected = option.expected.removeprefix("a dict from column to ")
    shown = option._replace(expected=expected, example='"codes"')
    if isinstance(form, Mapping):
        form = _built(shown, form, Codes, Hashed)
    if isinstance(form, Hashed):
        return {"form": "hash", "buckets": form.buckets}
    if not isinstance(form, Codes):
        return {"form": _choice(shown, form)}
    given = {"vocabulary": form.vocabulary, "unknown": form.unknown}
    return {"form": "codes", **{key: each for key, each in given.items() if each is not None}}


def _features(option: Option, value: Any) -> list[dict[str, Any]]:
    listed = list_of(value, str)
    if listed:
        raise wrong(TypeError, option._replace(example=f"{{'x': {listed}}}"), value)
    matrices = _by_column(_matrix, option, _mapping(option, value))
    return [{"name": name, "columns": columns} for name, columns in matrices.items()]


def _matrix(option: Option, value: Any) -> list[str]:
    option = option._replace(expected="a list of columns", example='["a", "b"]')
    columns = names(option, value)
    if not columns:
        raise wrong(ValueError, option, value)
    return columns


def _lists(option: Option, value: Any) -> dict[str, str | Padded]:
    is_by_column = isinstance(value, Mapping) and (
        not value or any(isinstance(each, (str, Mapping, Padded)) for each in value.values())
    )
    return _by_column(_list_form, option, value if is_by_column else {"": value})


def _list_form(option: Option, form: Any) -> str | Padded:
    if option.name != "lists":
        option = option._replace(expected=option.expected.partition(";")[0], example='"padded"')
    if isinstance(form, Mapping) and form:
        form = _built(option, form, Padded)
    if isinstance(form, Padded):
        return form
    chosen = _choice(option, form)
    return Padded() if chosen == "padded" else chosen


CHECKS: dict[str, Callable[[Option, Any], Any]] = {
    "anything": _anything,
    "sources": _anything,
    "choice": _choice,
    "choice_by_column": partial(_by_column, _choice),
    "compose": _compose,
    "dataset": _dataset,
    "features": _features,
    "function": _function,
    "lists": _lists,
    "locations": _locations,
    "names": names,
    "number": _number,
    "nulls": partial(_by_column, _null_policy),
    "path": _path,
    "rank": _rank,
    "seconds": _seconds,
    "secret": _secret,
    "secrets": _texts,
    "server": _server,
    "shuffle": _shuffle,
    "size": _size,
    "strings": _strings,
    "text": text,
    "texts": _texts,
    "time": _time,
    "tokenize": _tokenize,
    "truth": _truth,
    "whole": whole,
}
