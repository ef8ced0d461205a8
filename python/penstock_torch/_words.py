"""What the engine advises, in the words of Python.

A message of the engine comes in parts: texts, and the options and modules that it names, so that
nothing which is the user's is taken for an option.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from typing import Any

from ._options import OPTIONS

_OPTIONS = {each.java: each for options in OPTIONS.values() for each in options if each.java}

# The forms of batches that have other names here.
_OUTPUTS = {"tensor": "torch", "map": "arrow"}

# Values with parts, by what stands before the colon.
_FORMS = {
    "fill": "{}",
    "hash": "Hashed(buckets={})",
    "unknown": "Codes(vocabulary=[...], unknown={})",
}


def option_name(java: str) -> str:
    """Returns what the option of a request is called here."""
    return _OPTIONS[java].name if java in _OPTIONS else java


def in_python(message: Mapping[str, Any]) -> str:
    """Returns the text of a message: that of Java if it has no parts."""
    parts: Sequence[Any] | None = message.get("parts")
    if parts is None:
        return str(message["message"])
    return "".join(part if isinstance(part, str) else _word(part) for part in parts)


def _word(part: Mapping[str, str]) -> str:
    java = part["java"]
    if "module" in part:
        module = part["module"]
        if module not in _extras():
            return java
        return f"{java} In Python: pip install 'penstock-torch[{module}]'."
    before, after = part["before"], part["after"]
    word = _option(part["option"], part["value"])
    if word is not None:
        return before + word + after
    return "" if before or after else java


def _extras() -> Sequence[str]:
    try:
        extras = importlib.metadata.metadata("penstock-torch").get_all("Provides-Extra")
    except importlib.metadata.PackageNotFoundError:
        return ()
    return extras or ()


def _option(java: str, value: str) -> str | None:
    """Returns an option and its value; None if it is not there."""
    if java == "where":
        return repr(value)
    if java == "pass":
        return "passes=True"
    if java == "state":
        return "state_dict()"
    if java not in _OPTIONS:
        return None
    option = _OPTIONS[java]
    if not value:
        return option.name
    if option.kind == "names":
        return f"{option.name}=[...]"
    if java == "output":
        value = _OUTPUTS.get(value, value)
    if value.endswith("=VALUE"):
        return f"{option.name}[{value.removesuffix('=VALUE')!r}]"
    return f"{option.name}={_value(value)}"


def _value(text: str) -> str:
    if text in ("true", "false"):
        return text.capitalize()
    key, equals, value = text.partition("=")
    if equals:
        return f"{{{_literal(key)}: {_value(value)}}}"
    form, colon, rest = text.partition(":")
    if colon and form in _FORMS:
        return _FORMS[form].format(rest)
    return _literal(text)


def _literal(text: str) -> str:
    """Returns a text as Python writes it. Words in capitals stand for what the user chooses."""
    return text if text.isupper() or text.isdigit() else repr(text)
