"""Megatron's data iterator, with stand-ins for Megatron: it needs GPUs."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
torch = pytest.importorskip("torch")

from penstock_torch.integrations.megatron import PackedTokens  # noqa: E402


@pytest.fixture
def table(tmp_path: Path) -> str:
    """60 documents of 0 to 49 tokens."""
    import pyarrow.parquet

    tokens = [[1 + (31 * i + j) % 2000 for j in range(37 * i % 50)] for i in range(60)]
    column = pa.array(tokens, pa.list_(pa.int32()))
    (tmp_path / "table").mkdir()
    pyarrow.parquet.write_table(pa.table({"tokens": column}), tmp_path / "table/a.parquet")
    return str(tmp_path / "table")


def rows(batches: Any) -> list[list[int]]:
    return [row for batch in batches for row in batch["tokens"].tolist() if row[0]]


@pytest.mark.parametrize("mode", ["cut", "stream"])
def test_a_micro_batch_has_what_megatron_asks_for(table: str, mode: Any) -> None:
    batch: dict[str, Any] = next(PackedTokens(table, 32, 4, rank=(0, 1), mode=mode))
    assert batch.pop("attention_mask") is None
    assert {name: (value.dtype, value.shape) for name, value in batch.items()} == {
        "tokens": (torch.int64, (4, 32)),
        "labels": (torch.int64, (4, 32)),
        "position_ids": (torch.int64, (4, 32)),
        "loss_mask": (torch.float32, (4, 32)),
    }
    tokens, labels, mask, position = (
        batch[name] for name in ("tokens", "labels", "loss_mask", "position_ids")
    )
    assert (labels[:, :-1] == tokens[:, 1:])[mask[:, :-1] == 1].all()
    assert (labels[mask == 0] == 0).all() and mask.sum() > 0
    assert ((position[:, 1:] == 0) == (mask[:, :-1] == 0)).all()
    assert (mask.sum() == mask.numel()) == (mode == "stream")


def test_the_place_of_one_rank_fits_other_worlds(table: str, tmp_path: Path) -> None:
    whole = rows(PackedTokens(table, 32, 2, rank=(0, 1), repeat=False))
    loaders = [PackedTokens(table, 32, 2, rank=(rank, 4), repeat=False) for rank in range(4)]
    before = [row for loader in loaders for row in rows(islice(loader, 2))]
    file = tmp_path / "train_dataloader_dprank002.pt"  # as Megatron writes it
    torch.save({"dataloader_state_dict": loaders[2].save_state()}, file)
    for world in (1, 3):
        after = []
        for rank in range(world):
            loader = PackedTokens(table, 32, 2, rank=(rank, world), repeat=False)
            loader.restore_state(torch.load(file)["dataloader_state_dict"])
            after += rows(loader)
        assert after == [row for row in whole if row not in before]
        assert len(before) + len(after) == len(whole)


def test_the_next_epoch_follows(table: str) -> None:
    whole = rows(PackedTokens(table, 32, 2, rank=(0, 1), repeat=False))
    steps = -(-len(whole) // 2)
    assert rows(islice(PackedTokens(table, 32, 2, rank=(0, 1)), 2 * steps)) == 2 * whole


def test_the_rank_is_that_of_data_parallel(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    core: Any = ModuleType("megatron.core")
    core.parallel_state = ModuleType("parallel_state")
    core.parallel_state.get_data_parallel_rank = lambda: 1
    core.parallel_state.get_data_parallel_world_size = lambda: 2
    monkeypatch.setitem(sys.modules, "megatron", ModuleType("megatron"))
    monkeypatch.setitem(sys.modules, "megatron.core", core)
    found = rows(PackedTokens(table, 32, 2, repeat=False))
    assert found == rows(PackedTokens(table, 32, 2, rank=(1, 2), repeat=False))
