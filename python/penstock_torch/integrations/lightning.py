"""Lightning: its checkpoints have the place of the loaders, but two of its habits lose rows.

It reads a batch ahead of a loader that has no length, so the place that it saves is a batch behind
the model. And it counts the batches of an epoch, which are others on another number of ranks. This
callback sets both right. Lightning adds it to every Trainer by itself where the package is
installed.
"""

from __future__ import annotations

import json
from typing import Any

import lightning.pytorch as pl

from penstock_torch import Loader


class LoaderPlaces(pl.Callback):
    """Lets a Trainer save and resume the exact place of its Loaders, at any number of ranks."""

    def __init__(self) -> None:
        self._usual: tuple[Any, Any] | None = None  # numbers of batches, behind a resumed epoch

    def on_save_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        """Saves the place in front of a batch that was read ahead."""
        loop = trainer.fit_loop
        if not getattr(loop._data_fetcher, "batches", None):
            return
        states = checkpoint["loops"]["fit_loop"]["state_dict"]["combined_loader"]
        stateful = [each for each in _loaders(trainer) if hasattr(each, "load_state_dict")]
        for number, each in enumerate(stateful):
            if isinstance(each, Loader):
                states[number] = each._epochs.state_before()

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        loop: Any = trainer.fit_loop
        loaders = _loaders(trainer)
        if not loop.is_resuming or not loaders or not all(isinstance(e, Loader) for e in loaders):
            return
        fetcher, progress = loop._data_fetcher, loop.epoch_loop.batch_progress
        saved = loop._combined_loader_states_to_load
        if saved:  # at the end of an epoch: Lightning does not load them
            loop._combined_loader._load_state_dicts(saved)
            loop._combined_loader_states_to_load = []
        if saved or loop.restarted_on_epoch_end or progress.is_last_batch:
            _end_epoch(fetcher, loaders)
        if loop.restarted_on_epoch_end:  # with max_steps Lightning would run this epoch again
            loop.epoch_progress.increment_completed()
            loop._restarting = loop.epoch_loop.restarting = False
            loop.reset_restart_stage()
            loop.epoch_loop.reset_restart_stage()
        elif progress.is_last_batch:  # then its number is the number of batches here
            _count(progress.current, trainer.num_training_batches)
        elif fetcher.length is not None and not _is_limited(loop._combined_loader):
            # as Lightning treats a loader without a length: the loader says where the epoch ends
            self._usual = loop.max_batches, trainer.val_check_batch
            loop.max_batches = float("inf")
            if trainer.val_check_interval == 1.0:
                trainer.val_check_batch = float("inf")
            fetcher.length = None
            if hasattr(fetcher, "batches"):
                fetcher.batches.append(next(fetcher))

    def on_train_epoch_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        if self._usual is not None:
            trainer.fit_loop.max_batches, trainer.val_check_batch = self._usual
            self._usual = None


def _end_epoch(fetcher: Any, loaders: list[Loader]) -> None:
    """Begins the next epoch, also where a loader's place is within one: that epoch was limited."""
    is_ahead = bool(getattr(fetcher, "batches", None))
    for each in loaders:
        state = each._epochs.state_before() if is_ahead else each.state_dict()
        each.load_state_dict(state)
        if state["penstock_state"] and json.loads(state["penstock_state"])["batches"]:
            each.set_epoch(state["epoch"] + 1)
    iter(fetcher)


def _is_limited(combined: Any) -> bool:
    """Whether an epoch ends before the rows of its loaders, by limit_train_batches."""
    return any(
        limit < len(each) for each, limit in zip(combined.flattened, combined.limits, strict=True)
    )


def _count(counter: Any, batches: float) -> None:
    counter.ready = counter.started = counter.processed = counter.completed = batches


def callbacks() -> list[pl.Callback]:
    """Returns what Lightning adds to each Trainer."""
    return [LoaderPlaces()]


def _loaders(trainer: pl.Trainer) -> list[Any]:
    combined = trainer.fit_loop._combined_loader
    return [] if combined is None else combined.flattened
