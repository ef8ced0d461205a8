"""What other code reads from a loader of torch, answered by a Loader."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._by_number import BatchNumbers, ByNumber

if TYPE_CHECKING:
    from ._dataset import Dataset
    from ._loader import Loader
    from ._mixture import Mixture

# What cannot be changed once a loader is made; torch refuses that for some of them.
FIXED = (
    "batch_size",
    "batch_sampler",
    "collate_fn",
    "dataset",
    "drop_last",
    "generator",
    "in_order",
    "multiprocessing_context",
    "num_workers",
    "persistent_workers",
    "pin_memory",
    "pin_memory_device",
    "prefetch_factor",
    "rank",
    "rank_end",
    "sampler",
    "timeout",
    "worker_init_fn",
)


def as_it_is(batch: Any) -> Any:
    """Returns a batch: the `collate_fn` of torch's DataLoader over batches that a Loader made."""
    return batch


def sampler_of(loader: Loader) -> Any:
    """Returns what says how a loader's rows are dealt: torch's DistributedSampler, but without
    numbers of rows; without torch an object of the same attributes.
    """
    distributed = sys.modules.get("torch.utils.data.distributed")
    base = object if distributed is None else distributed.DistributedSampler
    return _rows_of(base)(loader)


@functools.cache
def _rows_of(base: type) -> type:
    class Rows(base):  # type: ignore[misc]
        """The rows of a rank's epoch, which the engine deals.

        Trainers leave a DistributedSampler alone, as each rank has rows of its own already.
        """

        def __init__(self, loader: Loader) -> None:
            self._loader = loader
            rank, world = loader.rank.split("/")
            self.rank, self.num_replicas = int(rank), int(world)
            self.shuffle, self.seed = loader._shuffle, loader._seed
            self.drop_last = loader.drop_last

        @property
        def dataset(self) -> Any:
            return self._loader.dataset

        @property
        def epoch(self) -> int:
            return self._loader.epoch

        @property
        def num_samples(self) -> int:
            return len(self)

        @property
        def total_size(self) -> int:
            return len(self) * self.num_replicas

        def set_epoch(self, epoch: int) -> None:
            """As that of the Loader, but as in torch without effect on an epoch that runs."""
            if not self._loader._epochs.is_in(epoch):
                self._loader.set_epoch(epoch)

        def __iter__(self) -> Iterator[int]:
            raise TypeError(
                "Cannot list the rows of a Loader by number: the engine deals them. Iterate the"
                " Loader; plan() says which splits this rank reads."
            )

        def __len__(self) -> int:
            rows = self._loader.rows_per_epoch()
            if rows is None:
                raise TypeError(
                    "Cannot tell the number of rows: with a filter or a composition only reading"
                    " shows it."
                )
            return rows

    return Rows


def is_asked_by_accelerate() -> bool:
    """Returns whether Accelerate asks for a `__class__`: two frames up."""
    name = sys._getframe(2).f_globals.get("__name__", "")
    return isinstance(name, str) and name.startswith("accelerate.")


class TorchNames:
    """What a Loader has because other code asks loaders of torch for it.

    Each says what is true of the Loader, or refuses.
    """

    _by_number: ByNumber
    _dataset: Any
    _batch_size: int
    _drop_last: bool
    _is_pinned: bool
    _rank: str
    _rank_end: str

    # Workers of torch are processes, of which there are none; ours are threads of the engine.
    num_workers = 0
    prefetch_factor = None
    timeout = 0
    persistent_workers = False
    worker_init_fn = None
    multiprocessing_context = None
    generator = None
    in_order = True
    pin_memory_device = ""
    collate_fn = staticmethod(as_it_is)  # batches of `dataset` are collated

    # Accelerate leaves the loader as it is, and saves its state.
    _is_accelerate_prepared = True
    use_stateful_dataloader = True

    @property
    def batch_size(self) -> int:
        """The rows of a batch."""
        return self._batch_size

    @property
    def drop_last(self) -> bool:
        """Whether a last batch with too few rows is left out."""
        return self._drop_last

    @property
    def pin_memory(self) -> bool:
        """Whether memory is to be registered with CUDA."""
        return self._is_pinned

    @property
    def rank(self) -> str:
        """This rank and the number of ranks, as in "0/8"."""
        return self._rank

    @property
    def rank_end(self) -> str:
        """How ranks come to the same number of batches."""
        return self._rank_end

    @property
    def dataset(self: Any) -> Dataset | Mixture:
        """What is read. Its `len` is the rows of an epoch of all ranks."""
        return self._dataset.viewed(self)  # type: ignore[no-any-return]

    @property
    def sampler(self: Any) -> Any:
        """How rows are dealt: a DistributedSampler of torch, which lists no rows."""
        return sampler_of(self)

    @property
    def batch_sampler(self: Any) -> BatchNumbers:
        """The numbers of the batches of an epoch, by which `dataset` has them."""
        return BatchNumbers(self)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """To Accelerate, which prepares and saves nothing else, torch's DataLoader."""
        data = sys.modules.get("torch.utils.data")
        if data is not None and is_asked_by_accelerate():
            return data.DataLoader
        return type(self)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in FIXED:
            raise ValueError(
                f"Cannot set {name} of a Loader that is made. Make another Loader, and give it"
                " this one's state_dict() to go on."
            )
        super().__setattr__(name, value)

    def __getitem__(self, number: int) -> Any:
        """Returns the next batch: torch's DataLoader(loader, batch_size=None) asks for each by its
        number, from 0.
        """
        if not isinstance(number, int):
            raise TypeError(f"Cannot take {number!r} of a Loader. Iterate it.")
        return self._by_number.take(number)

    def __getitems__(self, numbers: Sequence[int]) -> Any:
        raise TypeError(
            "Cannot make batches of a Loader's batches: it is a DataLoader, not a dataset. Iterate"
            " it, or wrap it as DataLoader(loader, batch_size=None). With transformers: class"
            " MyTrainer(PenstockTrainerMixin, Trainer), of"
            " penstock_torch.integrations.transformers, takes it as train_dataset and eval_dataset."
        )
