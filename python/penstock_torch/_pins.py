"""Shared memory that a GPU copies from while Python goes on."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

from ._memory import SharedMemory

_log = logging.getLogger(__name__)


def pin(memory: SharedMemory, cuda: Any = None) -> Callable[[], Any] | None:
    """Registers all of the memory with CUDA, until it is unmapped; returns what makes an event
    behind all copies that were queued so far, or None after a warning if there is no GPU.

    torch does not know that it is pinned memory of ours: a copy with `non_blocking=True` may still
    run when the last tensor over it is gone. So the memory is used again only when what was queued
    on the current stream by then is done.
    """
    try:
        import torch
    except ImportError:
        raise ImportError(
            "Cannot pin memory without torch. Run: pip install torch. Or leave out pin_memory=."
        ) from None
    cuda = cuda or torch.cuda
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
