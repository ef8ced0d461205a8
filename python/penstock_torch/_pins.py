"""Memory that a GPU copies from while Python goes on."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

from ._memory import SharedMemory

_log = logging.getLogger(__name__)


def pin(memory: SharedMemory) -> Callable[[], Any] | None:
    """Registers all of the memory with CUDA, until it is unmapped; returns what makes an event
    behind all copies that were queued so far, or None after a warning if there is no GPU.

    torch does not know that it is pinned memory of ours: a copy with `non_blocking=True` may still
    run when the last tensor over it is gone. So the memory is used again only when what was queued
    on the current stream by then is done.
    """
    torch = _torch()
    cuda = torch.cuda
    if not cuda.is_available():
        warnings.warn(
            "pin_memory is set but there is no GPU with CUDA: memory is not pinned.", stacklevel=8
        )
        return None
    address = torch.frombuffer(memory.map, dtype=torch.uint8).data_ptr()
    code = int(cuda.cudart().cudaHostRegister(address, len(memory.map), 0))
    if code != 0:
        raise RuntimeError(f"Cannot pin {len(memory.map)} bytes: CUDA error {code}.")
    _log.info("Pinned %d bytes.", len(memory.map))

    def mark() -> Any:
        event = cuda.Event()
        event.record()
        return event

    def unpin() -> None:
        # Else the next memory at this address could not be registered.
        mark().synchronize()
        cuda.cudart().cudaHostUnregister(address)
        _log.info("Unpinned the memory at %#x.", address)

    memory.map.before_unmapping = unpin
    return mark


def pinned(collate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Returns a function that also pins what the function makes, unless there is no GPU."""
    if not _torch().cuda.is_available():
        return collate
    return lambda batch: pin_deep(collate(batch))


def pin_deep(data: Any) -> Any:
    """Pins by torch's own rules: tensors in mappings, sequences and named tuples, and what has a
    method `pin_memory`. What is pinned already, as tensors of a batch of ours, is not copied.
    """
    from torch.utils.data import _utils  # where torch's DataLoader has it

    torchs: Any = _utils.pin_memory
    return torchs.pin_memory(data)


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise ImportError(
            "Cannot pin memory without torch. Run: pip install torch. Or leave out pin_memory=."
        ) from None
    return torch
