"""Accelerate takes a Loader as it is, saves its place, and skips to a batch at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from trainers import Training

pa = pytest.importorskip("pyarrow")
torch = pytest.importorskip("torch")
accelerate = pytest.importorskip("accelerate")

from penstock_torch import Dataset, Loader, Window  # noqa: E402

DataLoader: Any = torch.utils.data.DataLoader


@pytest.fixture
def accelerator() -> Iterator[Any]:
    from accelerate.state import AcceleratorState

    AcceleratorState._reset_state(reset_partial_state=True)
    yield accelerate.Accelerator(cpu=True)
    AcceleratorState._reset_state(reset_partial_state=True)


def sums(batches: Any) -> list[int]:
    return [int(batch["distance"].sum()) for batch in batches]


def test_a_killed_run_goes_on_with_more_ranks(train: Training, tmp_path: Path) -> None:
    import pyarrow.parquet

    rows = 1000
    x = [i % 97 / 97 for i in range(rows)]
    columns = {"id": range(rows), "x": x, "y": [3 * each + 1 for each in x]}
    (tmp_path / "table").mkdir()
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "table/a.parquet")
    example = "train_accelerate.py"
    whole = train(example, tmp_path / "table", tmp_path / "whole")
    killed = train(example, tmp_path / "table", tmp_path / "killed", die_at=18)
    assert killed.batches[0] == whole.batches[0][:18]
    again = train(example, tmp_path / "table", tmp_path / "killed", ranks=2)
    assert [state["batches"] for state in again.loaded] == [15, 15]
    assert sorted(killed.ids(15) + again.ids()) == sorted([*range(rows)] * 2)
    assert again.loss == pytest.approx(whole.loss, abs=0.05)


def test_what_was_saved_is_loaded_without_registering(
    flights: str, accelerator: Any, tmp_path: Path
) -> None:
    dataset = Dataset(flights, columns=["distance"])
    with Loader(dataset, 5000, shuffle=True) as loader, Loader(dataset, 9000) as other:
        model = torch.nn.Linear(1, 1)
        prepared = accelerator.prepare(model, loader, other)
        assert prepared[1] is loader and prepared[2] is other
        epoch = iter(loader)
        sums(next(epoch) for _ in range(7))
        other_epoch = iter(other)
        next(other_epoch)
        accelerator.save_state(str(tmp_path))
        rest, of_other = sums(epoch), sums(other_epoch)
        accelerator.load_state(str(tmp_path))
        assert sums(loader) == rest and sums(other) == of_other
    with Loader(dataset, 5000, shuffle=True) as loader, Loader(dataset, 9000) as other:
        accelerator.free_memory()
        accelerator.prepare(model, loader, other)
        accelerator.load_state(str(tmp_path), load_kwargs={"weights_only": True})
        assert sums(loader) == rest and sums(other) == of_other


@pytest.mark.parametrize(
    ("where", "options"),
    [
        (None, {}),
        (None, {"shuffle": Window(5000), "rank": (1, 2)}),
        (None, {"steps_per_epoch": 20}),
        ("delay > 20", {}),
        ("delay > 20", {"shuffle": True, "rank": (1, 2)}),
    ],
)
def test_skipped_batches_are_those_of_the_epoch(
    flights: str, where: str | None, options: dict[str, Any]
) -> None:
    dataset = Dataset(flights, columns=["distance"], where=where)
    taken: list[Any] = []
    with Loader(dataset, 1000, collate_fn=taken.append, **options) as counted:
        rest = accelerate.skip_first_batches(counted, 9)
        first = next(iter(rest))
        assert first is None and len(taken) == 1  # of ten, or one that the rest is found by
    with Loader(dataset, 1000, **options) as loader:
        first, second = sums(loader), sums(loader)
        rest = accelerate.skip_first_batches(loader, 9)
        assert type(rest) is DataLoader
        for epoch, whole in enumerate((first, second)):
            loader.set_epoch(epoch)
            assert sums(rest) == whole[9:]
        if not (where and not options):
            assert len(rest) == len(first) - 9
        loader.set_epoch(0)
        assert sums(accelerate.skip_first_batches(loader, 0)) == first
        state = loader.state_dict()
        loader.set_epoch(1)
        batches = iter(accelerate.skip_first_batches(loader, 4))
        sums(next(batches) for _ in range(5))
        assert loader.state_dict() != state
        state = loader.state_dict()
        loader.load_state_dict(state)
        assert sums(loader) == second[9:]
        loader.load_state_dict(state)  # and skips, as Accelerate's pages show it
        assert sums(accelerate.skip_first_batches(loader, 9)) == second[9:]


def test_batches_that_are_not_there_cannot_be_skipped_to(flights: str) -> None:
    with Loader(Dataset(flights, columns=["distance"], where="delay > 20"), 1000) as loader:
        with pytest.raises(ValueError, match=r"Cannot go to batch 60 of epoch 0: it has 49\."):
            sums(accelerate.skip_first_batches(loader, 60))
        loader.set_epoch(2)
        next(iter(loader))
        loader.load_state_dict(loader.state_dict())
        with pytest.raises(ValueError, match="behind batch 1. Load a state or skip batches"):
            sums(accelerate.skip_first_batches(loader, 3))


def test_accumulation_and_metrics_of_a_loop(flights: str) -> None:
    from accelerate.state import AcceleratorState

    AcceleratorState._reset_state(reset_partial_state=True)
    accelerator = accelerate.Accelerator(cpu=True, gradient_accumulation_steps=4)
    dataset = Dataset(flights, columns=["distance"])
    with Loader(dataset, 30_000) as loader:
        model = torch.nn.Linear(1, 1)
        sgd = torch.optim.SGD(model.parameters(), lr=0.0)
        model, sgd, loader = accelerator.prepare(model, sgd, loader)
        rows, synced = 0, []
        for batch in loader:
            with accelerator.join_uneven_inputs([model]), accelerator.accumulate(model):
                accelerator.backward(model(batch["distance"][:, None].float()).mean())
                synced.append(accelerator.sync_gradients)
                sgd.step()
                sgd.zero_grad()
            rows += len(accelerator.gather_for_metrics(batch["distance"]))
    assert rows == 300_000 and synced == [False, False, False, True] * 2 + [False] * 2
    AcceleratorState._reset_state(reset_partial_state=True)


@pytest.mark.parametrize("name", ["split_batches", "dispatch_batches", "even_batches"])
def test_how_accelerate_deals_batches_does_not_count(flights: str, name: str) -> None:
    from accelerate.state import AcceleratorState

    AcceleratorState._reset_state(reset_partial_state=True)
    config = accelerate.DataLoaderConfiguration(**{name: name != "even_batches"})
    accelerator = accelerate.Accelerator(cpu=True, dataloader_config=config)
    with Loader(Dataset(flights, columns=["distance"]), 30_000) as loader:
        assert accelerator.prepare(loader) is loader
        assert len(sums(loader)) == len(loader) == 10
        assert loader.batch_sampler.even_batches
    AcceleratorState._reset_state(reset_partial_state=True)


def test_to_all_others_a_loader_is_no_dataloader(flights: str) -> None:
    with Loader(flights) as loader:
        assert not isinstance(loader, DataLoader)
        assert loader.__class__ is type(loader) is Loader
