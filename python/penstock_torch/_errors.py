"""The exceptions of a loader. Their texts are the engine's sentences."""

from __future__ import annotations

from typing import Any


class EngineError(RuntimeError):
    """The engine ended, or cannot be started. The loader's state says where to go on."""


class ReadError(OSError):
    """A file cannot be read: truncated, corrupt, changed, of another schema."""


class MemoryLimitError(MemoryError):
    """The loader's `memory` is too little for a row group or a batch."""


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

# What Java's advice on a missing module means here.
_EXTRAS = {
    "penstock-arrow": "arrow",
    "penstock-avro": "avro",
    "penstock-azure": "azure",
    "penstock-delta": "delta",
    "penstock-gcs": "gcs",
    "penstock-iceberg": "iceberg",
    "penstock-iceberg-glue": "iceberg-glue",
    "penstock-iceberg-hive": "iceberg-hive",
    "penstock-orc": "orc",
    "penstock-s3": "s3",
}


def from_engine(error: dict[str, Any]) -> Exception:
    """Returns the exception for an error frame."""
    message = str(error.get("message", "The engine failed without a message."))
    for module, extra in _EXTRAS.items():
        if f"'dev.penstock:{module}'" in message:
            message += f" In Python: pip install 'penstock-torch[{extra}]'."
            break
    return _KINDS.get(str(error.get("kind")), RuntimeError)(message)
