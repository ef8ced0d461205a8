"""The exceptions of a loader. Their texts are the engine's sentences."""

from __future__ import annotations

from typing import Any

from ._words import in_python, option_name


class EngineError(RuntimeError):
    """The engine ended, or cannot be started. The loader's state says where to go on."""


class ReadError(OSError):
    """A file cannot be read: truncated, corrupt, changed, of another schema."""


class MemoryLimitError(MemoryError):
    """The loader's `memory`, or what the system allows, is too little for its batches."""


class FormError(ValueError):
    """A column has no place in the form that was asked for."""


_KINDS: dict[str, type[Exception]] = {
    "io": ReadError,
    "memory": MemoryLimitError,
    "permission": PermissionError,
    "state": RuntimeError,
    "timeout": TimeoutError,
    "value": ValueError,
}


def from_engine(error: dict[str, Any]) -> Exception:
    """Returns the exception for an error frame."""
    text = in_python(error) if "message" in error else "The engine failed without a message."
    if "option" in error:
        text += f" [option {option_name(str(error['option']))}]"
    return _KINDS.get(str(error.get("kind")), RuntimeError)(text)
