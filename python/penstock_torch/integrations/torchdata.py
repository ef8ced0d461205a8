"""torchdata's two interfaces: StatefulDataLoader, and a node for torchdata.nodes.

docs/guide/coming-from-torchdata.md has the differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torchdata.nodes import BaseNode

from penstock_torch import Dataset, Loader, Mixture, Window
from penstock_torch._dataset import Path

# What says nothing as None or "", and is refused by the Loader, with what to do, otherwise.
_WITHOUT = (
    "batch_sampler",
    "multiprocessing_context",
    "pin_memory_device",
    "sampler",
    "worker_init_fn",
)


class StatefulDataLoader(Loader):
    """A Loader with the arguments of torchdata's StatefulDataLoader, for tables.

    Args:
        dataset: a Dataset, a Mixture, or a location.
        batch_size: the rows of a batch. Default: 1.
        shuffle: True shuffles rows, in windows of 65536. Default: False.
        num_workers: threads that decode. With 0 as many as needed. Default: 0.
        generator: a torch.Generator: its seed is that of the shuffle.
        persistent_workers, in_order, snapshot_every_n_steps: without effect: threads stay, batches
            come in order, and a state is exact behind every batch.
        options: those of a Loader.
    """

    def __init__(
        self,
        dataset: Dataset | Mixture | Path,
        batch_size: int = 1,
        shuffle: bool | str | Window | None = False,
        *,
        num_workers: int = 0,
        generator: Any = None,
        persistent_workers: bool = False,
        in_order: bool = True,
        snapshot_every_n_steps: int = 1,
        **options: Any,
    ) -> None:
        for name in _WITHOUT:
            if options.get(name) in (None, ""):
                options.pop(name, None)
        if num_workers:
            options.setdefault("workers", num_workers)
        if generator is not None:
            options.setdefault("seed", generator.initial_seed())
        rows = Window(65536) if shuffle is True else shuffle
        super().__init__(dataset, batch_size, shuffle=rows, **options)


class PenstockNode(BaseNode[Any]):  # type: ignore[misc, unused-ignore]
    """A source for torchdata.nodes: the batches of a Loader."""

    def __init__(self, loader: Loader) -> None:
        super().__init__()
        self._loader = loader
        self._batches: Iterator[Any] = iter(())

    def reset(self, initial_state: dict[str, Any] | None = None) -> None:
        """Begins the next epoch, or goes on behind a state."""
        super().reset(initial_state)
        if initial_state is not None:
            self._loader.load_state_dict(initial_state)
        self._batches = iter(self._loader)

    def next(self) -> Any:
        return next(self._batches)

    def get_state(self) -> dict[str, Any]:
        return self._loader.state_dict()
