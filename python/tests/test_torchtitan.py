"""torchtitan's debug model on gloo and CPUs, trained on a table of tokens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("torchtitan", reason="torchtitan is not installed")

import torch  # noqa: E402
from torch.distributed.checkpoint.state_dict_loader import load  # noqa: E402
from torch.distributed.checkpoint.state_dict_saver import save  # noqa: E402
from torchtitan.components.loss import IGNORE_INDEX  # noqa: E402

from penstock_torch import Dataset, Loader, Packs  # noqa: E402
from penstock_torch.integrations.torchtitan import NoTokenizer, PackedTokens  # noqa: E402

SEQ_LEN = 64
_SHUFFLE = "window:1000"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """100 documents of 0 to 99 tokens."""
    import pyarrow.parquet

    folder = tmp_path_factory.mktemp("tokens")
    tokens = [[1 + (31 * i + j) % 2000 for j in range(37 * i % 100)] for i in range(100)]
    column = pa.array(tokens, pa.list_(pa.int32()))
    pyarrow.parquet.write_table(
        pa.table({"tokens": column, "id": range(100)}), folder / "a.parquet", row_group_size=30
    )
    return folder


def packs(table: Path) -> list[list[int]]:
    """Returns the uninterrupted stream."""
    packs = Packs("tokens", SEQ_LEN + 1)
    with Loader(table, compose=packs, shuffle=_SHUFFLE, output="numpy") as loader:
        return [pack for batch in loader for pack in batch["tokens"].tolist()]


def built(table: Path, rank: int, world: int, **options: Any) -> PackedTokens:
    usual: dict[str, Any] = {"shuffle": _SHUFFLE, "repeat": False, "dataset_path": str(table)}
    loader = PackedTokens.Config(**usual | options).build(
        dp_rank=rank,
        dp_world_size=world,
        seq_len=SEQ_LEN,
        local_batch_size=2,
        tokenizer=NoTokenizer(),
        snapshot_every_n_steps=None,
    )
    assert isinstance(loader, PackedTokens)
    return loader


@pytest.mark.parametrize("mode", ["cut", "stream"])
def test_documents_are_told_apart(table: Path, mode: Any) -> None:
    loader = built(table, 0, 1, shuffle=None, mode=mode)
    raw = Loader(table, 2, compose=Packs("tokens", SEQ_LEN + 1, mode))
    for (inputs, labels), batch in zip(loader, raw):
        tokens, segment = batch["tokens"].long(), batch["tokens.segment"]
        rows = len(tokens)
        assert inputs["input"].shape == inputs["positions"].shape == labels.shape == (2, SEQ_LEN)
        assert torch.equal(inputs["input"][:rows], tokens[:, :-1])
        is_label = labels[:rows] != IGNORE_INDEX
        assert torch.equal(labels[:rows][is_label], tokens[:, 1:][is_label])
        same = segment[:, 1:] == segment[:, :-1]
        assert torch.equal(is_label, same & (segment[:, 1:] > 0))
        assert (labels[rows:] == IGNORE_INDEX).all()
        starts = inputs["positions"][:rows] == 0
        assert torch.equal(starts[:, 1:], ~same[:, :-1]) and starts[:, 0].all()
        assert (inputs["positions"].diff()[:rows][~starts[:, 1:]] == 1).all()


def inputs(batches: Any) -> list[list[int]]:
    """Returns the rows that are none of filling: tokens are 1 or more."""
    return [row for taken, _ in batches for row in taken["input"].tolist() if row[0]]


@pytest.mark.parametrize("saver", [0, 3])
def test_the_state_of_any_rank_fits_any_degree(table: Path, tmp_path: Path, saver: int) -> None:
    before = []
    for rank in range(4):
        loader = built(table, rank, 4)
        before += inputs(islice(loader, 3))
        if rank == saver:
            save({"dataloader": loader}, checkpoint_id=tmp_path / "place", no_dist=True)
    whole = [pack[:-1] for pack in packs(table)]
    for world in (1, 2, 3, 5):
        after, steps = [], set()
        for rank in range(world):
            loader = built(table, rank, world)
            load({"dataloader": loader}, checkpoint_id=tmp_path / "place", no_dist=True)
            batches = list(loader)
            steps.add(len(batches))
            after += inputs(batches)
        assert len(steps) == 1  # on all ranks at the same step
        assert after == [pack for pack in whole if pack not in before]
        assert len(before) + len(after) == len(whole)


def test_a_place_before_the_first_batch_has_the_same_key(table: Path) -> None:
    loader = built(table, 0, 1)
    fresh = loader.state_dict()
    next(iter(loader))
    assert loader.state_dict().keys() == fresh.keys() and loader.state_dict() != fresh
    loader.load_state_dict(fresh)
    assert inputs(loader) == [pack[:-1] for pack in packs(table)]


def test_repeat_goes_on_with_the_next_epoch(table: Path) -> None:
    loader = built(table, 0, 1, repeat=True)
    steps = len(list(built(table, 0, 1)))
    two = inputs(islice(loader, 2 * steps))
    assert two[: len(two) // 2] != two[len(two) // 2 :]
    assert sorted(two[: len(two) // 2]) != sorted(two[len(two) // 2 :])  # windows cut elsewhere


def test_a_source_stands_for_a_path(table: Path) -> None:
    source = Dataset(table, where="id < 50")
    options = {"memory": "1GiB"}
    loader = built(table, 0, 1, dataset_path=None, source=source, options=options)
    assert 0 < len(inputs(loader)) < len(packs(table))
    wrongs: list[dict[str, Any]] = [{"source": source}, {"dataset_path": None}, {"dataset": "c4"}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="give it either dataset_path or source"):
            built(table, 0, 1, **wrong)


def test_no_tokenizer_says_so() -> None:
    with pytest.raises(NotImplementedError, match="this run has no tokenizer"):
        NoTokenizer.Config().build(tokenizer_path="x").encode("text")


class Run:
    """What the ranks of a run recorded, and what rank 0 logged."""

    def __init__(self, folder: Path, ranks: int) -> None:
        files = [Path(f"{folder}-{rank}.jsonl") for rank in range(ranks)]
        lines = [[json.loads(line) for line in file.read_text().splitlines()] for file in files]
        self.batches = [[line["packs"] for line in rank if "packs" in line] for rank in lines]
        self.loaded = [
            line["state"]["batches"] for rank in lines for line in rank if "state" in line
        ]
        log = Path(f"{folder}-0.log").read_text()
        self.losses = {
            int(step): float(loss)
            for step, loss in re.findall(r"step: +(\d+) .*?loss: +([0-9.]+)", log)
        }
        self.is_out_of_data = "Ran out of data" in log

    def packs(self, first: int | None = None) -> list[list[int]]:
        """Returns the packs of the first batches of each rank, or of all."""
        return [pack for rank in self.batches for batch in rank[:first] for pack in batch]


def test_a_killed_run_of_four_ranks_goes_on_with_two_and_three(table: Path, tmp_path: Path) -> None:
    def run(name: str, ranks: int, die_at: int = -1, before: str = "") -> str:
        return f"{tmp_path / name},{ranks},{die_at},{before and tmp_path / before}"

    runs = [run("whole", 2), run("killed", 4, 5)]
    runs += [run("killed-2", 2, before="killed"), run("killed-3", 3, before="killed")]
    script = Path(__file__).with_name("titan_on_cpu.py")
    subprocess.run([sys.executable, script, table, *runs], check=True, cwd=tmp_path)

    expected = packs(table)
    whole = Run(tmp_path / "whole", 2)
    assert whole.packs() == expected and whole.is_out_of_data
    killed = Run(tmp_path / "killed", 4)
    assert len(killed.batches[0]) == 5  # the last checkpoint is that of step 4
    before = killed.packs(4)
    for ranks in (2, 3):
        again = Run(tmp_path / f"killed-{ranks}", ranks)
        assert again.loaded == [4] * ranks
        assert again.packs() == [pack for pack in expected if pack not in before]
        assert len(before) + len(again.packs()) == len(expected)
        assert len({len(rank) for rank in again.batches}) == 1 and again.is_out_of_data
        assert min(again.losses) == 5
        assert abs(again.losses[5] - killed.losses[5]) < 0.3  # of other packs
        assert abs(again.losses[max(again.losses)] - whole.losses[max(whole.losses)]) < 1
        assert max(again.losses[max(again.losses)], killed.losses[5]) < killed.losses[1]
