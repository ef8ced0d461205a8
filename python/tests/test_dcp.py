"""A loader is one entry of torch's distributed checkpoints, whatever the number of ranks."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from trainers import Training, line

from penstock_torch import Dataset, Loader

torch = pytest.importorskip("torch")


@pytest.fixture
def group() -> Iterator[None]:
    """Makes this process the only one of a process group."""
    torch.distributed.init_process_group(
        "gloo", store=torch.distributed.HashStore(), rank=0, world_size=1
    )
    yield
    torch.distributed.destroy_process_group()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return line(tmp_path_factory.mktemp("dcp") / "table", 90)


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("taken", [0, 1, 8, 9, 10])
def test_loader_is_saved_and_loaded(
    table: Path, tmp_path: Path, group: None, is_async: bool, taken: int
) -> None:
    dcp: Any = importlib.import_module("torch.distributed.checkpoint")
    with Loader(table, 10, shuffle=True) as first, Loader(table, 10, shuffle=True) as second:
        batches = ids(first)
        for _ in range(taken):
            next(batches)
        if is_async:
            saved = dcp.async_save({"loader": first}, checkpoint_id=tmp_path / "saved")
            expected = next(batches)  # the state is that of the call
            saved.result()
        else:
            dcp.save({"loader": first}, checkpoint_id=tmp_path / "saved")
            expected = next(batches)
        second.set_epoch(5)
        dcp.load({"loader": second}, checkpoint_id=tmp_path / "saved")
        assert next(ids(second)) == expected


def ids(loader: Loader) -> Iterator[list[int]]:
    while True:
        for batch in loader:
            yield batch["id"].tolist()


def test_states_have_the_same_keys_wherever_they_are_from(table: Path) -> None:
    with Loader(table, 10) as loader:
        states = [loader.state_dict()]
        for _ in loader:
            states.append(loader.state_dict())
        states.append(loader.state_dict())
        loader.set_epoch(7)
        states.append(loader.state_dict())
    assert {tuple(state) for state in states} == {("penstock_state", "epoch")}
    assert [state["epoch"] for state in states] == [0] * 9 + [1, 1, 7]


def test_states_without_an_epoch_of_their_own_are_read(table: Path) -> None:
    with Loader(table, 10) as first, Loader(table, 10) as second:
        batches = ids(first)
        next(batches)
        second.load_state_dict({"penstock_state": first.state_dict()["penstock_state"]})
        assert next(ids(second)) == next(batches)


def test_place_of_one_rank_alone_is_refused_for_the_others(table: Path) -> None:
    def loader(rank: tuple[int, int]) -> Loader:
        odd = Dataset(table, where="id >= 7 and x < 0.5")
        return Loader(odd, 5, rank=rank, count_matches=False)

    with loader((0, 2)) as first:
        next(iter(first))
        state = first.state_dict()
    for rank in ((1, 2), (0, 3)):
        with loader(rank) as other:
            other.load_state_dict(state)
            with pytest.raises(ValueError, match="every rank has a place of its own"):
                next(iter(other))


def test_example_is_killed_on_four_ranks_and_goes_on_on_two_and_on_three(
    train: Training, tmp_path: Path
) -> None:
    table = line(tmp_path / "table", 768)
    whole = train("train_dcp.py", table, tmp_path / "whole", ranks=2)
    killed = train("train_dcp.py", table, tmp_path / "two", ranks=4, die_at=7)
    shutil.copytree(tmp_path / "two", tmp_path / "three")
    for folder, ranks in (("two", 2), ("three", 3)):
        rest: Any = train("train_dcp.py", table, tmp_path / folder, ranks=ranks)
        assert [state["batches"] for state in rest.loaded] == [4] * ranks
        assert sorted(killed.ids(4) + rest.ids()) == sorted(2 * list(range(768)))
        assert rest.loss == pytest.approx(whole.loss, abs=0.1)
