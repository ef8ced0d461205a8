"""Turns the places of a batch's columns in memory into tensors, arrays or lists.

A batch arrives as pairs of numbers (docs/reference/serving-protocol.md). Nothing is copied: every
tensor is a view of the memory, and keeps it until it is gone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ._errors import FormError
from ._ragged import Ragged

if sys.byteorder != "little":
    raise ImportError("penstock_torch needs a little-endian machine.")

_WIDTHS = {
    "bool": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "uint8": 1,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
    "float16": 2,
    "float32": 4,
    "float64": 8,
}


class Maker(Protocol):
    """Makes tensors or arrays over memory."""

    def values(self, memory: Any, dtype: str, at: int, count: int, shape: tuple[int, ...]) -> Any:
        """Returns `count` elements from byte `at` on."""

    def rows(
        self, memory: Any, dtype: str, at: int, count: int, stride: int, rows: int
    ) -> tuple[Any, ...]:
        """Returns `count` columns of `rows` elements each, `stride` elements apart."""


class TorchMaker:
    """Makes torch tensors."""

    def __init__(self) -> None:
        import torch

        self._torch = torch
        self._dtypes = {name: getattr(torch, name, None) for name in _WIDTHS}
        self._from = torch.from_numpy
        self._arrays: NumpyMaker | None = None
        try:
            self._arrays = NumpyMaker()
            self._from(self._arrays.values(bytearray(1), "uint8", 0, 1, (1,)))
        except (ImportError, RuntimeError):  # none, or not one for this torch: slower without
            self._arrays = None

    def _dtype(self, name: str) -> Any:
        found = self._dtypes[name]
        if found is None:
            raise FormError(f"This torch has no {name}. Cast the column, or use output='numpy'.")
        return found

    def values(self, memory: Any, dtype: str, at: int, count: int, shape: tuple[int, ...]) -> Any:
        if count == 0:
            return self._torch.empty(shape, dtype=self._dtype(dtype))
        made = self._torch.frombuffer(memory, dtype=self._dtype(dtype), count=count, offset=at)
        return made if len(shape) == 1 else made.view(shape)

    def rows(
        self, memory: Any, dtype: str, at: int, count: int, stride: int, rows: int
    ) -> tuple[Any, ...]:
        # Each a tensor with storage and version of its own: as views of one tensor they would write
        # all of it to files, and break each other's autograd when one is written to.
        kind = self._dtype(dtype)
        if self._arrays is not None:
            return tuple(map(self._from, self._arrays.rows(memory, dtype, at, count, stride, rows)))
        width, make = stride * _WIDTHS[dtype], self._torch.frombuffer
        return tuple(
            make(memory, dtype=kind, count=rows, offset=at + i * width) for i in range(count)
        )


class NumpyMaker:
    """Makes numpy arrays."""

    def __init__(self) -> None:
        import numpy

        self._numpy = numpy

    def values(self, memory: Any, dtype: str, at: int, count: int, shape: tuple[int, ...]) -> Any:
        if count == 0:
            return self._numpy.empty(shape, dtype=dtype)
        made = self._numpy.frombuffer(memory, dtype=dtype, count=count, offset=at)
        return made if len(shape) == 1 else made.reshape(shape)

    def rows(
        self, memory: Any, dtype: str, at: int, count: int, stride: int, rows: int
    ) -> tuple[Any, ...]:
        width = _WIDTHS[dtype]
        return tuple(self._numpy.ndarray((count, rows), dtype, memory, at, (stride * width, width)))


# A step reads some columns of a batch into it.
Step = Callable[[Any, dict[str, Any]], None]


class Columns:
    """The columns of an epoch's batches."""

    def __init__(self, forms: list[dict[str, Any]], maker: Maker, lists: Mapping[str, Any]) -> None:
        self._forms = forms
        self._maker = maker
        self._lists = lists
        self._plans: dict[tuple[int, bytes], list[Step]] = {}
        self._repeats = all(form["kind"] == "tensor" for form in forms)

    def read(self, memory: Any, rows: int, places: memoryview) -> dict[str, Any]:
        """Returns the columns of a batch.

        Args:
            memory: the batch
            rows: its rows
            places: pairs of 64-bit numbers
        """
        batch: dict[str, Any] = {}
        if self._repeats:
            # Full batches have their columns at the same places: what to do is found once.
            key = (rows, bytes(places))
            steps = self._plans.get(key)
            if steps is None:
                steps = self._steps(rows, places)
                if len(self._plans) < 64:
                    self._plans[key] = steps
        else:
            steps = self._steps(rows, places)
        for step in steps:
            step(memory, batch)
        return batch

    def _steps(self, rows: int, places: memoryview) -> list[Step]:
        pairs = places.cast("q")
        steps: list[Step] = []
        run: list[tuple[str, str, int]] = []  # neighbouring columns of one number a row
        at = 0
        for form in self._forms:
            name, kind = form["name"], form["kind"]
            if kind == "tensor" and not form["shape"] and rows > 0:
                column = (name, form["dtype"], pairs[at])
                if run and not _goes_on(run, column):
                    steps.append(self._run(run, rows))
                    run = []
                run.append(column)
                at += 2
                continue
            if run:
                steps.append(self._run(run, rows))
                run = []
            if kind == "tensor":
                steps.append(self._tensor(form, rows, pairs[at]))
                at += 2
            elif kind == "ragged":
                steps.append(self._ragged(form, rows, pairs[at : at + 6]))
                at += 6
            else:
                step, at = self._slice(form, pairs, at)
                steps.append(step)
        if run:
            steps.append(self._run(run, rows))
        return steps

    def _run(self, run: list[tuple[str, str, int]], rows: int) -> Step:
        maker, (name, dtype, at) = self._maker, run[0]
        if len(run) == 1:

            def one(memory: Any, batch: dict[str, Any]) -> None:
                batch[name] = maker.values(memory, dtype, at, rows, (rows,))

            return one
        names = [each[0] for each in run]
        count, stride = len(run), (run[1][2] - at) // _WIDTHS[dtype]

        def several(memory: Any, batch: dict[str, Any]) -> None:
            batch.update(zip(names, maker.rows(memory, dtype, at, count, stride, rows)))

        return several

    def _tensor(self, form: dict[str, Any], rows: int, at: int) -> Step:
        maker, name, dtype = self._maker, form["name"], form["dtype"]
        shape = (rows, *form["shape"])
        count = rows
        for extent in form["shape"]:
            count *= extent

        def step(memory: Any, batch: dict[str, Any]) -> None:
            batch[name] = maker.values(memory, dtype, at, count, shape)

        return step

    def _ragged(self, form: dict[str, Any], rows: int, pairs: memoryview) -> Step:
        maker, name, dtype = self._maker, form["name"], form["dtype"]
        values_at, value_bytes, offsets_at, _, length, _ = pairs
        elements = value_bytes // _WIDTHS[dtype]
        wanted = self._lists.get(name, self._lists.get("", "ragged"))

        def step(memory: Any, batch: dict[str, Any]) -> None:
            values = maker.values(memory, dtype, values_at, elements, (elements,))
            offsets = maker.values(memory, "int64", offsets_at, rows + 1, (rows + 1,))
            batch[name] = _list_form(name, Ragged(values, offsets, length), wanted)

        return step

    def _slice(self, form: dict[str, Any], pairs: memoryview, at: int) -> tuple[Step, int]:
        from . import _slices

        name, fill = form["name"], form.get("fill")
        parts, end = _slices.parts(form, pairs, at)

        def step(memory: Any, batch: dict[str, Any]) -> None:
            batch[name] = _slices.to_list(parts, memoryview(memory).cast("B"), fill)

        return step, end


class ArrowColumns:
    """The columns of an epoch's batches, as arrow record batches."""

    def __init__(self, forms: list[dict[str, Any]]) -> None:
        self._forms = forms

    def read(self, memory: Any, rows: int, places: memoryview) -> Any:
        from . import _slices

        pairs = places.cast("q")
        view = memoryview(memory).cast("B")
        arrays, at = [], 0
        for form in self._forms:
            parts, at = _slices.parts(form, pairs, at)
            arrays.append(_slices.to_arrow(parts, view))
        import pyarrow

        return pyarrow.RecordBatch.from_arrays(arrays, [form["name"] for form in self._forms])


def _goes_on(run: list[tuple[str, str, int]], column: tuple[str, str, int]) -> bool:
    """Returns whether a column lies as far behind the last as that behind the one before."""
    (_, dtype, before), (_, other, at) = run[-1], column
    if dtype != other or at <= before or (at - before) % _WIDTHS[dtype]:
        return False
    return len(run) == 1 or at - before == before - run[-2][2]


def _list_form(name: str, lists: Ragged, wanted: Any) -> Any:
    if wanted == "ragged":
        return lists
    try:
        if wanted == "block":
            return lists.block()
        if wanted == "padded":
            return lists.padded()
        if isinstance(wanted, Mapping):
            return lists.padded(wanted.get("value", 0), wanted.get("length"))
    except ValueError as e:
        raise FormError(f"Column {name!r}: {e}") from None
    raise FormError(
        f"Cannot deliver lists as {wanted!r}: expected 'ragged', 'block', 'padded' or"
        " {'value': 0, 'length': 128}."
    )
