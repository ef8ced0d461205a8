"""What other code reads from a loader of torch: a Loader has it, and it is true, or refused."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from penstock_torch import Dataset, Draws, Loader, Mixture, Window  # noqa: E402

DataLoader: Any = torch.utils.data.DataLoader
DistributedSampler: Any = torch.utils.data.distributed.DistributedSampler


def dataset(flights: str, **options: Any) -> Dataset:
    return Dataset(flights, columns=["distance"], **options)


def sums(batches: Any) -> list[int]:
    return [int(batch["distance"].sum()) for batch in batches]


def test_attributes_are_those_of_a_loader_without_worker_processes(flights: str) -> None:
    options: dict[str, Any] = dict(drop_last=True, workers=2, timeout=9, prefetch_factor=3)
    with Loader(dataset(flights), 700, rank=(1, 3), **options) as loader:
        plain = DataLoader([1], batch_size=700, drop_last=True)
        of_torch = {name for name in vars(plain) if not name.startswith("_")}
        of_torch |= {"multiprocessing_context", "batch_sampler"}
        for name in of_torch - {"dataset", "sampler", "batch_sampler", "collate_fn"}:
            assert getattr(loader, name) == getattr(plain, name), name
        assert loader.collate_fn("as it is") == "as it is"
        assert len(loader) == 142 and len(loader.dataset) == 300_000
        assert (loader.rank, loader.rank_end) == ("1/3", "exact")


def test_attributes_cannot_be_set_later(flights: str) -> None:
    with Loader(dataset(flights)) as loader:
        for name in vars(DataLoader([1])):
            if not name.startswith("_"):
                with pytest.raises(ValueError, match=f"Cannot set {name} of a Loader that is made"):
                    setattr(loader, name, 1)
        anything: Any = loader
        anything.my_own = 7
        assert anything.my_own == 7


def test_sampler_is_a_distributed_one_that_lists_no_rows(flights: str) -> None:
    with Loader(dataset(flights), shuffle=True, seed=5, rank=(1, 4)) as loader:
        sampler = loader.sampler
        assert isinstance(sampler, DistributedSampler) and len(sampler) == 75_000
        assert (sampler.rank, sampler.num_replicas, sampler.seed) == (1, 4, 5)
        assert sampler.shuffle and not sampler.drop_last and sampler.total_size == 300_000
        sampler.set_epoch(3)
        assert sampler.epoch == loader.epoch == 3
        loader.batch_sampler.set_epoch(4)
        assert loader.epoch == 4 and loader.batch_sampler.batch_size == 1024
        with pytest.raises(TypeError, match="Cannot list the rows of a Loader by number"):
            iter(sampler)
    with Loader(dataset(flights, where="delay > 9")) as loader:
        with pytest.raises(TypeError, match="only reading shows it"):
            len(loader.sampler)
        with pytest.raises(TypeError, match="Cannot tell the rows of a Dataset"):
            len(loader.dataset)


def test_the_dataset_is_what_was_given(flights: str) -> None:
    given = dataset(flights)
    with Loader(given, 1000) as loader:
        assert type(loader.dataset) is Dataset and repr(loader.dataset) == repr(given)
        assert loader.dataset.schema == given.schema and given
        with Loader(loader.dataset, 1000) as other:
            assert sums(loader) == sums(other)
        with pytest.raises(TypeError, match="Cannot take row 0 of a Dataset by number"):
            next(iter(DataLoader(loader.dataset)))
    with Loader(Mixture([(given, 1)])) as loader:
        assert isinstance(loader.dataset, Mixture)
    anything: Any = given
    for wrong in (
        lambda: next(iter(DataLoader(given))),
        lambda: len(given),
        lambda: list(anything),
    ):
        with pytest.raises(TypeError, match=r"Loader\(dataset|Give it to a Loader"):
            wrong()


def test_a_dataset_keeps_its_loader_and_not_the_other_way(flights: str) -> None:
    loader = Loader(dataset(flights), 1000)
    rest: dict[str, Any] = dict(batch_sampler=loader.batch_sampler, collate_fn=loader.collate_fn)
    batches = DataLoader(loader.dataset, **rest)
    rest.clear()
    whole, gone = sums(loader), weakref.ref(loader)
    del loader
    assert sums(batches) == whole
    del batches
    gc.disable()  # no cycle holds it
    try:
        assert gone() is None
    finally:
        gc.enable()


def test_a_loader_in_a_dataloader_of_torch_delivers_its_batches(flights: str) -> None:
    with Loader(dataset(flights), 1000, shuffle=Window(5000)) as loader:
        wrapped = DataLoader(loader, batch_size=None)
        first, second = sums(loader), sums(loader)
        loader.set_epoch(0)
        assert len(wrapped) == 300 and sums(wrapped) == first and sums(wrapped) == second
        loader.set_epoch(1)
        batches = iter(wrapped)
        sums(next(batches) for _ in range(5))
        loader.load_state_dict(loader.state_dict())
        assert sums(wrapped) == second[5:]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({}, TypeError, r"wrap it as DataLoader\(loader, batch_size=None\)"),
        ({"batch_size": 4}, TypeError, "Cannot make batches of a Loader's batches"),
        ({"batch_size": None, "sampler": [3, 1]}, ValueError, "Cannot deliver batch 3 of a Loader"),
        ({"batch_size": None, "sampler": ["a"]}, TypeError, "Cannot take 'a' of a Loader"),
        (
            {"batch_size": None, "num_workers": 1},
            RuntimeError,
            "Cannot use this Loader after a fork",
        ),
    ],
)
def test_other_dataloaders_over_a_loader_are_refused(
    flights: str, options: dict[str, Any], error: type[Exception], says: str
) -> None:
    if "num_workers" in options:
        options = options | {"multiprocessing_context": "fork"}
    with Loader(dataset(flights)) as loader, pytest.raises(error, match=says):
        list(DataLoader(loader, **options))


@pytest.mark.parametrize(("before", "now"), [(1, 1), (1, 3), (2, 1), (2, 3), (3, 2)])
@pytest.mark.parametrize(
    "options",
    [{}, {"drop_last": True}, {"rank_end": "drop"}, {"rank_end": "pad"}, {"steps_per_epoch": 20}],
)
def test_batches_left_are_those_that_come(
    flights: str, before: int, now: int, options: dict[str, Any]
) -> None:
    with Loader(dataset(flights), 1001, rank=(0, before), **options) as loader:
        epoch = iter(loader)
        for taken in range(9):
            assert loader.batches_left() == len(loader) - taken
            next(epoch)
        state = loader.state_dict()
    for size in (1001, 777):
        with Loader(dataset(flights), size, rank=(now - 1, now), **options) as loader:
            loader.load_state_dict(state)
            left = loader.batches_left()
            epoch = iter(loader)
            next(epoch)
            again = loader.batches_left()
            assert 1 + len(sums(epoch)) == left == (again or 0) + 1


def test_what_only_reading_tells_is_not_said(flights: str) -> None:
    with Loader(dataset(flights, where="delay > 9")) as loader:
        assert loader.batches_left() is None
    with Loader(dataset(flights), compose=Draws("distance", num_samples=5000)) as loader:
        next(iter(loader))
        assert loader.batches_left() == 4


def test_copies_are_refused_as_before(flights: str) -> None:
    with Loader(dataset(flights)) as loader:
        for way in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="Cannot pickle a Loader"):
                way(loader)


def test_without_torch_there_are_the_same_names(flights: str) -> None:
    script = f"""
import sys
from penstock_torch import Loader
with Loader({flights!r}, output="numpy", rank=(1, 2)) as loader:
    assert loader.sampler.rank == 1 and len(loader.sampler) == 150_000
    assert loader.__class__ is Loader and isinstance(loader, Loader)
    assert "torch" not in sys.modules and "accelerate" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
