"""What dev/gpu-check asks of torch on a GPU, with a stand-in that copies as late as it may."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

ROOT = Path(__file__).parent.parent.parent / "benchmarks" / "gpu-check"
_spec = importlib.util.spec_from_file_location("check_torch", ROOT / "check_torch.py")
assert _spec is not None and _spec.loader is not None
check_torch: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_torch)


pytestmark = pytest.mark.skipif(
    not hasattr(torch, "uint64"), reason="this torch has no unsigned types"
)


class LateGpu:
    """Stands in for torch.cuda: copies what lies at an address when somebody waits for it."""

    def __init__(self, *, honest: bool = True) -> None:
        self._honest = honest
        self._copies: list[Callable[[], object]] = []
        self._done = 0
        self._registered: set[int] = set()

    def is_available(self) -> bool:
        return True

    def cudart(self) -> LateGpu:
        return self

    def cudaHostRegister(self, address: int, size: int, flags: int) -> int:
        if address in self._registered:
            return 712  # cudaErrorHostMemoryAlreadyRegistered
        self._registered.add(address)
        return 0

    def cudaHostUnregister(self, address: int) -> int:
        self._registered.remove(address)
        return 0

    def Event(self) -> Any:
        gpu = self

        class Event:
            def record(self) -> None:
                self.at = len(gpu._copies)

            def query(self) -> bool:
                return not gpu._honest or gpu._done >= self.at

            def synchronize(self) -> None:
                gpu.synchronize()

        return Event()

    def copy(self, tensor: Any) -> Any:
        made = torch.zeros_like(tensor)
        address, size = tensor.data_ptr(), tensor.numel() * tensor.element_size()
        self._copies.append(lambda: ctypes.memmove(made.data_ptr(), address, size))
        return made

    def synchronize(self) -> None:
        for copy in self._copies[self._done :]:
            copy()
        self._done = len(self._copies)


def stand_in(monkeypatch: pytest.MonkeyPatch, gpu: LateGpu, *, pins: bool = True) -> None:
    class NoBus:
        def occupy(self, times: int) -> None:
            pass

    to = torch.Tensor.to

    def copied(tensor: Any, device: str, **options: Any) -> Any:
        return gpu.copy(tensor) if device == "cuda" else to(tensor, device, **options)

    monkeypatch.setattr(torch, "cuda", gpu)
    monkeypatch.setattr(check_torch, "Bus", NoBus)
    monkeypatch.setattr(torch.Tensor, "to", copied)
    monkeypatch.setattr(torch.Tensor, "is_pinned", lambda _: pins)


def test_pinned_batches_arrive_on_a_gpu_that_copies_late(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, LateGpu())
    check_torch.pinned(ROOT / "types.parquet")


def test_memory_that_is_used_again_before_its_copies_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_in(monkeypatch, LateGpu(honest=False))
    with pytest.raises(AssertionError, match=r"'[\w.]+' of rows \d+ to \d+ is wrong from byte"):
        check_torch.pinned(ROOT / "types.parquet")


def test_memory_that_is_not_pinned_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, LateGpu(), pins=False)
    with pytest.raises(AssertionError, match="'bool' is not pinned"):
        check_torch.pinned(ROOT / "types.parquet")
