"""The digests of `penstock load`, computed from batches of numpy arrays and lists of strings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

_SPREAD = 0x9E37_79B9_7F4A_7C15
_NULL = 0x6E75_6C6C_0BAD_F00D
_MASK = (1 << 64) - 1


def digests(batches: Iterable[dict[str, Any]]) -> tuple[str, str, int]:
    """Returns the digest that depends on the order of rows, the other, and the rows."""
    order = content = rows = 0
    for batch in batches:
        count = len(next(iter(batch.values())))
        hashes = np.full(count, _SPREAD, np.uint64)
        for column in batch.values():
            hashes = _add(hashes, column)
        for row in _finish(hashes).tolist():
            order = (order * _SPREAD + row) & _MASK
            content = (content + row) & _MASK
        rows += count
    return _text(order), _text(content), rows


def _add(hashes: Any, column: Any) -> Any:
    if isinstance(column, list):
        return _step(hashes, np.array([_hash(each) for each in column], np.uint64))
    values = np.asarray(column)
    if values.ndim == 2:
        for i in range(values.shape[1]):
            hashes = _add(hashes, values[:, i])
        return hashes
    if values.dtype.kind == "f":
        values = values.view(f"u{values.dtype.itemsize}")
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    return _step(hashes, values.astype(np.int64, copy=False).view(np.uint64))


def _hash(text: str | None) -> int:
    if text is None:
        return _NULL
    units = np.frombuffer(text.encode("utf-16-le"), np.uint16).tolist()
    hashed = len(units)
    for unit in units:
        mixed = ((hashed ^ unit) * _SPREAD) & _MASK
        hashed = mixed ^ (mixed >> 32)
    return hashed


def _step(hashes: Any, values: Any) -> Any:
    mixed = (hashes ^ values) * np.uint64(_SPREAD)
    return mixed ^ (mixed >> np.uint64(32))


def _finish(hashes: Any) -> Any:
    mixed = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51_AFD7_ED55_8CCD)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xC4CE_B9FE_1A85_EC53)
    return mixed ^ (mixed >> np.uint64(33))


def _text(digest: int) -> str:
    return f"{int(_finish(np.array([digest], np.uint64))[0]):016x}"
