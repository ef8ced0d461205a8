"""What people of torchdata know: its loader's arguments and states, and its nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from trainers import Training, line

from penstock_torch import Loader

torch = pytest.importorskip("torch")
nodes = pytest.importorskip("torchdata.nodes")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return line(tmp_path_factory.mktemp("torchdata") / "table", 90)


def stateful(table: Path, **options: Any) -> Any:
    from penstock_torch.integrations.torchdata import StatefulDataLoader

    return StatefulDataLoader(table, **options)


def node(loader: Loader) -> Any:
    from penstock_torch.integrations.torchdata import PenstockNode

    return PenstockNode(loader)


def ids(batches: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in batches]


def test_arguments_of_torchdata_are_those_of_a_loader(table: Path) -> None:
    options = dict(sampler=None, batch_sampler=None, worker_init_fn=None, pin_memory_device="")
    with (
        stateful(
            table,
            batch_size=20,
            shuffle=True,
            num_workers=2,
            generator=torch.Generator().manual_seed(7),
            drop_last=True,
            collate_fn=lambda batch: {"id": batch["id"] + 1},
            snapshot_every_n_steps=5,
            persistent_workers=True,
            in_order=False,
            multiprocessing_context=None,
            timeout=30,
            **options,
        ) as theirs,
        Loader(table, 20, shuffle="window:65536", seed=7, drop_last=True) as ours,
    ):
        assert len(theirs) == 4
        assert [[i - 1 for i in batch] for batch in ids(theirs)] == ids(ours)
    with stateful(table) as single:
        assert len(single) == 90


@pytest.mark.parametrize(
    "option, what",
    [
        ({"sampler": [1, 2]}, "shuffle"),
        ({"batch_sampler": [[1, 2]]}, "batch_size= and drop_last="),
        ({"worker_init_fn": print}, "threads"),
        ({"multiprocessing_context": "spawn"}, "threads"),
        ({"batch_size": None}, "batch_size"),
        ({"dataset": [1, 2]}, "dataset"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_arguments_that_mean_rows_or_processes_are_refused(
    table: Path, option: dict[str, Any], what: str
) -> None:
    from penstock_torch.integrations.torchdata import StatefulDataLoader

    with pytest.raises((TypeError, ValueError), match=what):
        StatefulDataLoader(**{"dataset": table, **option})


@pytest.mark.parametrize("taken", [0, 1, 8, 9, 12])
def test_stateful_loader_goes_on_behind_its_state(table: Path, taken: int) -> None:
    with stateful(table, batch_size=10) as first, stateful(table, batch_size=10) as second:
        batches = (batch for _ in range(2) for batch in first)
        for _ in range(taken):
            next(batches)
        state = first.state_dict()
        second.load_state_dict(state)
        assert ids(second) == ids(first if taken in (0, 9) else batches)[: 9 - taken % 9]


def test_state_of_torchdatas_own_loader_is_refused(table: Path) -> None:
    from torchdata.stateful_dataloader import StatefulDataLoader

    with stateful(table) as loader, pytest.raises(ValueError, match="not the state of a loader"):
        loader.load_state_dict(StatefulDataLoader([1, 2]).state_dict())


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("taken", [0, 1, 5, 9, 11])
def test_node_goes_on_behind_its_state(table: Path, taken: int, ahead: bool) -> None:
    def pipeline(loader: Loader) -> Any:
        source = nodes.Mapper(node(loader), lambda batch: batch["id"].tolist())
        return nodes.Loader(nodes.Prefetcher(source, 2) if ahead else source)

    with Loader(table, 10, shuffle=True) as first:
        whole = pipeline(first)
        seen: list[list[int]] = []
        rest: list[list[int]] = []
        state = None
        for _ in range(2):
            for batch in whole:
                (seen if state is None else rest).append(batch)
                if len(seen) == taken and state is None:
                    state = whole.state_dict()
        if taken == 0:
            seen, rest = [], seen + rest
            with Loader(table, 10, shuffle=True) as unread:
                state = pipeline(unread).state_dict()
        with Loader(table, 10, shuffle=True) as second:
            resumed = pipeline(second)
            resumed.load_state_dict(state)
            again = [batch for _ in range(2) for batch in resumed][: len(rest)]
    assert len(seen) == taken
    assert again == rest


def test_example_is_killed_and_goes_on_at_another_number_of_ranks(
    train: Training, tmp_path: Path
) -> None:
    table = line(tmp_path / "table", 640)
    killed = train("train_stateful.py", table, tmp_path / "folder", die_at=6)
    rest = train("train_stateful.py", table, tmp_path / "folder", ranks=2)
    assert [state["batches"] for state in rest.loaded] == [4, 4]
    epoch = killed.ids(4) + sorted(i for rank in rest.batches for b in rank[:8] for i in b)
    assert sorted(epoch) == list(range(640))
    whole = train("train_stateful.py", table, tmp_path / "whole", ranks=2)
    assert rest.loss == pytest.approx(whole.loss, abs=0.2)
