"""Turns the places of a batch's columns in memory into tensors, arrays or lists.

A batch arrives as pairs of numbers (docs/reference/serving-protocol.md). Nothing is copied: every
tensor is a view of the memory, and keeps it until it is gone.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from . import _slices
from ._errors import FormError
from ._messages import WIDTHS, Column, Places
from ._ragged import Ragged
from ._scalars import nearest
from ._values import Padded

if sys.byteorder != "little":
    raise ImportError("penstock_torch needs a little-endian machine.")

_Number = tuple[str, str, int]  # a column of one number a row: name, dtype, place

Values: TypeAlias = Callable[[Any], Any]  # makes a tensor or an array over memory

_RECORD_MAX = 1 << 31  # numpy's records are shorter


class TorchMaker:
    """Makes torch tensors over memory, as NumpyMaker makes arrays."""

    def __init__(self) -> None:
        try:
            import torch
        except ImportError as e:
            raise ImportError(
                f"Cannot deliver batches as tensors: {e}. Run: pip install torch. Or use"
                " output='numpy' or output='arrow', which need none."
            ) from None
        self._torch = torch
        self._dtypes = {name: getattr(torch, name, None) for name in WIDTHS}
        self._from = torch.from_numpy
        self._arrays: NumpyMaker | None = None
        try:
            self._arrays = NumpyMaker()
            self._from(self._arrays.values("uint8", 0, (1,))(bytearray(1)))
        except (ImportError, RuntimeError):  # none, or not one for this torch: slower without
            self._arrays = None

    def _dtype(self, name: str) -> Any:
        found = self._dtypes[name]
        if found is None:
            raise FormError(f"This torch has no {name}. Cast the column, or use output='numpy'.")
        return found

    def values(self, dtype: str, at: int, shape: tuple[int, ...]) -> Values:
        kind, count = self._dtype(dtype), math.prod(shape)
        if self._arrays is not None:
            array = self._arrays.values(dtype, at, shape)
            return lambda memory: self._from(array(memory))
        if count == 0:
            return lambda _: self._torch.empty(shape, dtype=kind)
        make = self._torch.frombuffer
        return lambda memory: make(memory, dtype=kind, count=count, offset=at).view(shape)

    def columns(self, run: list[_Number], rows: int) -> Callable[[Any], Iterable[Any]]:
        """As those of NumpyMaker."""
        # Each a tensor with storage and version of its own: as views of one tensor they would write
        # all of it to files, and break each other's autograd when one is written to.
        kinds = [(self._dtype(dtype), at) for _, dtype, at in run]
        if self._arrays is not None:
            arrays = self._arrays.columns(run, rows)
            return lambda memory: map(self._from, arrays(memory))
        make = self._torch.frombuffer
        return lambda memory: (make(memory, dtype=k, count=rows, offset=at) for k, at in kinds)


class NumpyMaker:
    """Makes numpy arrays over memory."""

    def __init__(self) -> None:
        import numpy

        self._numpy = numpy
        self._record = functools.lru_cache(64)(self._make_record)

    def values(self, dtype: str, at: int, shape: tuple[int, ...]) -> Values:
        """Returns what makes an array of a shape, from byte `at` on."""
        ndarray, kind = self._numpy.ndarray, self._numpy.dtype(dtype)
        if 0 in shape:
            return lambda _: ndarray(shape, kind)
        return lambda memory: ndarray(shape, kind, memory, at)

    def columns(self, run: list[_Number], rows: int) -> Callable[[Any], Iterable[Any]]:
        """Returns what makes all columns of a run at once: each by itself costs more."""
        ndarray, (_, first, start) = self._numpy.ndarray, run[0]
        places = [at for _, _, at in run]
        strides = {after - at for at, after in zip(places, places[1:])}
        if len(strides) == 1 and all(dtype == first for _, dtype, _ in run):
            kind, steps = self._numpy.dtype(first), (strides.pop(), WIDTHS[first])
            return lambda memory: ndarray((len(run), rows), kind, memory, start, steps)
        record = self._record(rows, start, *((dtype, at) for _, dtype, at in run))
        return lambda memory: map(ndarray((), record, memory, start).__getitem__, record.names)

    def _make_record(self, rows: int, start: int, *columns: tuple[str, int]) -> Any:
        return self._numpy.dtype(
            {
                "names": [str(i) for i in range(len(columns))],
                "formats": [(dtype, (rows,)) for dtype, _ in columns],
                "offsets": [at - start for _, at in columns],
            }
        )


# A step reads some columns of a batch into it.
Step = Callable[[Any, dict[str, Any]], None]


class TensorColumns:
    """The columns of an epoch's batches, as tensors or arrays."""

    def __init__(
        self,
        columns: Sequence[Column],
        maker: TorchMaker | NumpyMaker,
        lists: Mapping[str, str | Padded],
    ) -> None:
        _require_lists(lists, columns)
        self._columns = columns
        self._maker = maker
        self._lists = lists
        self._plans: dict[tuple[int, int, bytes], list[Step]] = {}
        self._planned = (-1, -1, b"")
        self._plan: list[Step] = []

    def read(self, memory: Any, rows: int, places: bytes) -> dict[str, Any]:
        """Returns the columns of a batch, which are where pairs of 64-bit numbers say.

        Raises MalformedError if they are not places of these columns in that memory.
        """
        # Full batches have their columns at the same places: what to do is found once.
        key = (rows, len(memory), places)
        if key != self._planned:
            steps = self._plans.get(key)
            if steps is None:
                steps = self._steps(rows, Places(places, self._columns, len(memory)))
                if len(self._plans) < 64:
                    self._plans[key] = steps
            self._planned, self._plan = key, steps
        batch: dict[str, Any] = {}
        for step in self._plan:
            step(memory, batch)
        return batch

    def _steps(self, rows: int, places: Places) -> list[Step]:
        kinds = {"tensor": self._tensor, "ragged": self._ragged, "slice": self._slice}
        steps: list[Step] = []
        run: list[_Number] = []  # columns of one number a row, one behind the other
        for column in self._columns:
            number: _Number | None = None
            if column.kind == "tensor" and not column.shape and rows > 0:
                at, _ = places.next(rows * WIDTHS[column.dtype])
                number = (column.name, column.dtype, at)
            if run and (number is None or not _goes_on(run, number, rows)):
                steps.append(self._run(run, rows))
                run = []
            if number is not None:
                run.append(number)
            else:
                steps.append(kinds[column.kind](column, rows, places))
        if run:
            steps.append(self._run(run, rows))
        return steps

    def _run(self, run: list[_Number], rows: int) -> Step:
        if len(run) == 1:
            name, dtype, at = run[0]
            return self._value(name, self._maker.values(dtype, at, (rows,)))
        names, columns = [name for name, _, _ in run], self._maker.columns(run, rows)

        def several(memory: Any, batch: dict[str, Any]) -> None:
            batch.update(zip(names, columns(memory)))

        return several

    def _tensor(self, column: Column, rows: int, places: Places) -> Step:
        shape = (rows, *column.shape)
        at, _ = places.next(math.prod(shape) * WIDTHS[column.dtype])
        return self._value(column.name, self._maker.values(column.dtype, at, shape))

    def _value(self, name: str, values: Values) -> Step:
        def step(memory: Any, batch: dict[str, Any]) -> None:
            batch[name] = values(memory)

        return step

    def _ragged(self, column: Column, rows: int, places: Places) -> Step:
        maker, name, dtype = self._maker, column.name, column.dtype
        values_at, value_bytes = places.next()
        offsets_at, _ = places.next(8 * (rows + 1))
        length, _ = places.numbers()
        values = maker.values(dtype, values_at, (value_bytes // WIDTHS[dtype],))
        offsets = maker.values("int64", offsets_at, (rows + 1,))
        wanted = self._lists.get(name, self._lists[""])

        def step(memory: Any, batch: dict[str, Any]) -> None:
            lists = Ragged(values(memory), offsets(memory), length)
            batch[name] = _list_form(name, lists, wanted)

        return step

    def _slice(self, column: Column, _: int, places: Places) -> Step:
        part = _slices.part(column, places)

        def step(memory: Any, batch: dict[str, Any]) -> None:
            batch[column.name] = _slices.to_list(part, memoryview(memory).cast("B"), column.fill)

        return step


class ArrowColumns:
    """The columns of an epoch's batches, as arrow record batches."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = columns

    def read(self, memory: Any, rows: int, places: bytes) -> Any:
        left = Places(places, self._columns, len(memory))
        view = memoryview(memory).cast("B")
        arrays = [_slices.to_arrow(_slices.part(each, left), view) for each in self._columns]
        import pyarrow

        return pyarrow.RecordBatch.from_arrays(arrays, [each.name for each in self._columns])


Reader: TypeAlias = TensorColumns | ArrowColumns


def reader_of(output: str, lists: Mapping[str, str | Padded]) -> Callable[[list[Column]], Reader]:
    """Returns what makes the reader of batches with certain columns."""
    if output == "arrow":
        return ArrowColumns
    maker = TorchMaker() if output == "torch" else NumpyMaker()
    return lambda columns: TensorColumns(columns, maker, lists)


def _require_lists(lists: Mapping[str, str | Padded], columns: Sequence[Column]) -> None:
    """Refuses names in `lists=` that are not columns with lists."""
    by_name = {column.name: column for column in columns}
    for name, form in lists.items():
        found = by_name.get(name)
        is_fixed = found is not None and found.shape and form in ("block", Padded())
        if name == "" or is_fixed or (found is not None and found.kind == "ragged"):
            continue
        with_lists = [column.name for column in columns if column.kind == "ragged"]
        what = "there is no such column" if found is None else "it has no lists of numbers"
        meant = nearest(name, with_lists) if found is None else ""
        others = ", ".join(with_lists) or "not in this dataset"
        raise FormError(
            f"Cannot use lists= for column {name!r}: {what}.{meant} Columns with lists of numbers"
            f" are: {others}."
        )


def _goes_on(run: list[_Number], column: _Number, rows: int) -> bool:
    """Returns whether a column lies behind the last, in reach of the first."""
    (_, _, first), (_, _, before), (_, dtype, at) = run[0], run[-1], column
    return before < at and at + rows * WIDTHS[dtype] - first < _RECORD_MAX


def _list_form(name: str, lists: Ragged, wanted: str | Padded) -> Any:
    try:
        if isinstance(wanted, Padded):
            return lists.padded(wanted.value, wanted.length)
        return lists.block() if wanted == "block" else lists
    except ValueError as e:
        raise FormError(f"Column {name!r}: {e}") from None
