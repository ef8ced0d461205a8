"""Batches in the forms that torch-dataloader-utils gives them.

Numbers and booleans are tensors or arrays, all else lists of Python objects. As there, a column of
integers is of float64 in the batches where it has nulls, which are NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

Form = Literal["torch", "numpy", "arrow", "dict"]
FORMS = get_args(Form)


def converter(form: Form) -> Callable[[Any], Any]:
    """Returns what makes a batch of an arrow record batch."""
    if form == "arrow":
        return lambda batch: batch
    column: Callable[[str, Any], Any] = {"torch": _tensor, "numpy": _array}.get(
        form, lambda _, values: values.to_pylist()
    )

    def convert(batch: Any) -> dict[str, Any]:
        names = batch.schema.names
        return {name: column(name, values) for name, values in zip(names, batch.columns)}

    return convert


def _is_number(values: Any) -> bool:
    import pyarrow

    kinds: Any = pyarrow.types
    kind = values.type
    return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind))


def _dtype(kind: Any) -> str:
    floats = {"halffloat": "float16", "float": "float32", "double": "float64"}
    return floats.get(str(kind), str(kind))


def _array(_: str, values: Any) -> Any:
    import numpy
    import pyarrow.types as kinds

    if not _is_number(values):
        return values.to_pylist()
    if values.null_count or kinds.is_boolean(values.type) or len(values) == 0:
        return values.to_numpy(zero_copy_only=False)
    dtype = numpy.dtype(_dtype(values.type))
    at = values.offset * dtype.itemsize
    return numpy.frombuffer(values.buffers()[1], dtype, len(values), at)


def _tensor(name: str, values: Any) -> Any:
    import pyarrow
    import torch

    if not _is_number(values):
        return values.to_pylist()
    is_bool = pyarrow.types.is_boolean(values.type)
    if values.null_count and is_bool:
        raise ValueError(
            f"Cannot make a tensor of the boolean column {name!r}: {values.null_count} rows of a"
            f" batch are null. Leave them out by filters=pc.field({name!r}).is_valid(), or use"
            " output_format='numpy'."
        )
    if values.null_count:
        return torch.from_numpy(values.to_numpy(zero_copy_only=False))
    if is_bool:
        return _tensor(name, values.cast(pyarrow.uint8())).view(torch.bool)
    dtype = getattr(torch, _dtype(values.type))
    if len(values) == 0:
        return torch.empty(0, dtype=dtype)
    at = values.offset * dtype.itemsize
    return torch.frombuffer(values.buffers()[1], dtype=dtype, count=len(values), offset=at)
