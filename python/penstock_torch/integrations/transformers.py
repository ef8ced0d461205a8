"""The Trainer of Hugging Face's transformers, with the place of a Loader in its checkpoints."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
from transformers import Trainer, TrainerState
from transformers.trainer_utils import get_last_checkpoint

from penstock_torch import Dataset, Loader, Mixture, Window
from penstock_torch._place import Place

_FILE = "penstock_state_{}.json"  # of a rank, in a checkpoint
_OURS = (Loader, Dataset, Mixture)
_Base: Any = Trainer if TYPE_CHECKING else object


class PenstockTrainerMixin(_Base):
    """Has a Trainer read its rows with a Loader, and go on behind the last batch of a checkpoint.

        class MyTrainer(PenstockTrainerMixin, Trainer):
            pass

        MyTrainer(model, args, train_dataset=loader).train(resume_from_checkpoint=True)

    `train_dataset` and `eval_dataset` are a Loader; or a Dataset or a Mixture, for which a Loader
    is made by the TrainingArguments. A run may go on with another number of processes: the rest of
    the epoch is dealt to them, and epochs end when their rows have come.
    """

    _resumed_from: str | None = None
    _rest: _Rest | None = None

    def __init__(
        self, *args: Any, train_dataset: Any = None, eval_dataset: Any = None, **options: Any
    ) -> None:
        is_ours = isinstance(train_dataset, _OURS)
        if is_ours and (len(args) > 2 or options.get("data_collator") is not None):
            raise ValueError(
                "Cannot use data_collator= with rows of Penstock, which come in batches. Give"
                " collate_fn= to the Loader."
            )
        # A Dataset has no length, which Trainer wants of what it makes a DataLoader of.
        given = None if is_ours else train_dataset
        super().__init__(*args, train_dataset=given, eval_dataset=eval_dataset, **options)
        self.train_dataset = train_dataset
        evaluated = eval_dataset.values() if isinstance(eval_dataset, Mapping) else [eval_dataset]
        if is_ours or any(isinstance(each, _OURS) for each in evaluated):
            _require_meaning(self.args, train_dataset)

    def get_train_dataloader(self) -> Any:
        loader = self.train_dataset
        if isinstance(loader, (Dataset, Mixture)):
            is_random = self.args.train_sampling_strategy == "random"
            loader = self._loader(
                loader,
                self._train_batch_size,
                shuffle=Window(65536) if is_random else False,
                seed=self.args.seed if self.args.data_seed is None else self.args.data_seed,
            )
        elif not isinstance(loader, Loader):
            return super().get_train_dataloader()
        self._rest = None
        if self._resumed_from is not None:
            self._go_on(loader, self._resumed_from)
        return loader

    def get_eval_dataloader(self, eval_dataset: Any = None) -> Any:
        given = self.eval_dataset if eval_dataset is None else eval_dataset
        if isinstance(given, str):
            given = self.eval_dataset[given]
        loader = self._evaluated(given)
        return super().get_eval_dataloader(eval_dataset) if loader is None else loader

    def get_test_dataloader(self, test_dataset: Any) -> Any:
        loader = self._evaluated(test_dataset)
        return super().get_test_dataloader(test_dataset) if loader is None else loader

    def _evaluated(self, given: Any) -> Loader | None:
        """Returns what delivers rows to be evaluated, the same each time; None for others' rows."""
        if isinstance(given, (Dataset, Mixture)):
            # Trainer gathers what the ranks made, which needs batches of one size.
            return self._loader(given, self.args.eval_batch_size, rank_end="pad")
        if not isinstance(given, Loader):
            return None
        if self.args.world_size > 1 and given.rank_end == "exact" and not given.drop_last:
            raise ValueError(
                "Cannot evaluate on several ranks with rank_end='exact', whose last batches may"
                " differ by a row: what the ranks made could not be gathered. Use rank_end='pad' or"
                " 'drop'."
            )
        given.set_epoch(0)
        return given

    def _loader(self, dataset: Dataset | Mixture, batch_size: int, **options: Any) -> Loader:
        return Loader(
            dataset,
            batch_size,
            workers=self.args.dataloader_num_workers or None,
            drop_last=self.args.dataloader_drop_last,
            prefetch_factor=self.args.dataloader_prefetch_factor,
            pin_memory=self.args.dataloader_pin_memory and torch.cuda.is_available(),
            **options,
        )

    def num_examples(self, dataloader: Any) -> int:
        if not isinstance(dataloader, Loader):
            return int(super().num_examples(dataloader))
        try:
            return len(dataloader.dataset)
        except TypeError:
            return len(dataloader) * dataloader.batch_size * int(self.args.world_size)

    # Resumption: train, then get_train_dataloader and what follows, in order.

    def train(self, resume_from_checkpoint: Any = None, *args: Any, **options: Any) -> Any:
        if resume_from_checkpoint is True:
            last: Any = get_last_checkpoint
            resume_from_checkpoint = last(self.args.output_dir) or True
        is_folder = isinstance(resume_from_checkpoint, (str, os.PathLike))
        self._resumed_from = os.fspath(resume_from_checkpoint) if is_folder else None
        return super().train(resume_from_checkpoint, *args, **options)

    def _go_on(self, loader: Loader, folder: str) -> None:
        """Has a loader go on where a checkpoint was saved."""
        if self.args.ignore_data_skip:
            warnings.warn(
                "ignore_data_skip=True begins the epoch again: rows that came come again. Leave it"
                " out: a Loader goes to its place at once.",
                stacklevel=2,
            )
            return
        state = _saved(folder, self.args.process_index)
        loader.load_state_dict(state)
        done = Place.load(state).batches
        if done % self.args.gradient_accumulation_steps:
            raise ValueError(
                f"Cannot go on behind {done} batches of an epoch with gradient_accumulation_steps="
                f"{self.args.gradient_accumulation_steps}, which does not divide them. Use that of"
                " the stopped run."
            )
        self._rest = _Rest(loader.epoch, done, loader.batches_left())

    def set_initial_training_values(self, args: Any, dataloader: Any) -> Any:
        values = super().set_initial_training_values(args, dataloader)
        rest = self._rest
        if rest is None:
            return values
        epochs, updates, examples, samples, total_batch, steps, max_steps = values
        state = TrainerState.load_from_json(f"{self._resumed_from}/trainer_state.json")
        rest.begin(steps, args.gradient_accumulation_steps)
        behind = state.global_step + rest.updates - rest.updates_done  # this epoch
        if args.max_steps <= 0:
            max_steps = behind + math.ceil((args.num_train_epochs - rest.epoch - 1) * updates)
        elif epochs < 1 << 62:  # else the length is not known
            epochs = rest.epoch + 1 + max(math.ceil((max_steps - behind) / updates), 0)
        return epochs, updates, examples, samples, total_batch, steps, max_steps

    def _init_training_state(self, *args: Any, **options: Any) -> tuple[int, int]:
        counted: tuple[int, int] = super()._init_training_state(*args, **options)
        return counted if self._rest is None else (self._rest.epoch, self._rest.done)

    def _run_epoch(self, **options: Any) -> Any:
        rest = self._rest
        if rest is not None and options["epoch"] == rest.epoch:
            options |= {"steps_in_epoch": rest.steps, "num_update_steps_per_epoch": rest.updates}
        return super()._run_epoch(**options)

    def _save_rng_state(self, output_dir: str) -> None:
        """Saves the place, too: before the file by which Trainer sees that there is a state."""
        super()._save_rng_state(output_dir)
        loader = self.callback_handler.train_dataloader
        if isinstance(loader, Loader):
            with open(f"{output_dir}/{_FILE.format(self.args.process_index)}", "w") as file:
                json.dump(loader.state_dict(), file)


class _Rest:
    """The epoch in which a run goes on."""

    def __init__(self, epoch: int, done: int, left: int | None) -> None:
        self.epoch = epoch
        self.done = done  # batches of each rank before, by the ranks that there were
        self._left = left

    def begin(self, length: int, accumulated: int) -> None:
        """Says how many batches a whole epoch has, and how many are a step of the optimizer."""
        #: batches, also those before
        self.steps = self.done + (length if self._left is None else self._left)
        self.updates = math.ceil(self.steps / accumulated)
        self.updates_done = self.done // accumulated


def _saved(folder: str, rank: int) -> Mapping[str, Any]:
    for each in (rank, 0):  # there may be more ranks than there were
        path = f"{folder}/{_FILE.format(each)}"
        if os.path.exists(path):
            with open(path) as file:
                return dict(json.load(file))
    raise ValueError(
        f"Cannot go on with the next batch: {folder} has no {_FILE.format(0)}, which"
        " PenstockTrainerMixin saves. ignore_data_skip=True begins the epoch again."
    )


def _require_meaning(args: Any, train_dataset: Any) -> None:
    """Refuses arguments that a Loader does not follow."""
    if not hasattr(Trainer, "_run_epoch"):
        raise RuntimeError(
            "Cannot use PenstockTrainerMixin with this version of transformers: its Trainer has no"
            " _run_epoch. It was tested with 5.24."
        )
    for name in ("split_batches", "dispatch_batches"):
        if getattr(args.accelerator_config, name):
            raise ValueError(
                f"Cannot use {name} of accelerator_config with a Loader: every process reads"
                " batches of its own. Leave it out."
            )
    if args.train_sampling_strategy in ("group_by_length", "batch_rebalance"):
        raise ValueError(
            f"Cannot use train_sampling_strategy='{args.train_sampling_strategy}' with a Loader."
            " Leave it out and use Loader(..., compose=Buckets(COLUMN))."
        )
    if args.auto_find_batch_size and isinstance(train_dataset, Loader):
        raise ValueError(
            "Cannot use auto_find_batch_size with a Loader, which has a batch size. Give its"
            " Dataset as train_dataset."
        )
