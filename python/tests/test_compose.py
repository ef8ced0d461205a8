"""Buckets, packs, groups, sliding windows and weighted draws, beside a few lines of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from penstock_torch import Balanced, Buckets, Draws, Groups, Loader, Packs, ReadError, Windows

ROWS = 2000


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Row `i` has `i % 50` tokens, the key `i // 7` and the weight `i % 3`."""
    ids = np.arange(ROWS)
    table = pa.table(
        {
            "id": ids,
            "tokens": pa.array([np.full(i % 50, i, np.int32) for i in ids]),
            "key": [f"k{i // 7:05}" for i in ids],
            "weight": (ids % 3).astype(np.float32),
        }
    )
    pq.write_table(table, tmp_path / "part-0.parquet", row_group_size=300)
    return str(tmp_path)


def batches(location: Any, compose: Any, **options: Any) -> list[dict[str, Any]]:
    with Loader(location, compose=compose, output="numpy", **options) as loader:
        return list(loader)


def test_buckets(folder: str) -> None:
    found = batches(folder, Buckets("tokens", tokens=400), lists="padded", batch_size=64)
    assert sorted(i for batch in found for i in batch["id"]) == list(range(ROWS))
    for batch in found:
        rows, longest = batch["tokens"].shape
        assert rows * longest <= 400 and rows <= 64
        assert longest == max(i % 50 for i in batch["id"])
    assert len(found) < 200


def test_packs_are_the_tokens_one_after_another(folder: str) -> None:
    found = batches(folder, Packs("tokens", 128), batch_size=16)
    tokens = np.concatenate([batch["tokens"].reshape(-1) for batch in found])
    segments = np.concatenate([batch["tokens.segment"].reshape(-1) for batch in found])
    expected = np.concatenate([np.full(i % 50, i) for i in range(ROWS)])
    assert (tokens[segments > 0] == expected).all()
    assert found[0]["tokens"].shape == (16, 128)


def test_whole_packs(folder: str) -> None:
    found = batches(folder, Packs("tokens", 64, mode="whole"), batch_size=16)
    for batch in found:
        for tokens, segments in zip(batch["tokens"], batch["tokens.segment"]):
            for segment in range(1, segments.max() + 1):
                own = tokens[segments == segment]
                assert (own == own[0]).all() and len(own) == own[0] % 50


def test_groups(folder: str) -> None:
    found = batches(folder, Groups("key"), batch_size=64, shuffle=True)
    assert sorted(i for batch in found for i in batch["id"]) == list(range(ROWS))
    assert all(batch["id"][0] % 7 == 0 for batch in found)


def test_windows(folder: str) -> None:
    found = batches(folder, Windows("key", 4, 2), batch_size=64)
    windows = np.concatenate([batch["id"] for batch in found])
    counts = np.concatenate([batch["key.rows"] for batch in found])
    # Of 7 rows: [0, 4), [2, 6), [4, 8)
    assert windows[:3].tolist() == [[0, 1, 2, 3], [2, 3, 4, 5], [4, 5, 6, 0]]
    assert counts[:3].tolist() == [4, 4, 3]


def test_draws(folder: str) -> None:
    found = batches(folder, Draws("weight", num_samples=30_000), batch_size=1000)
    drawn = np.bincount(np.concatenate([batch["id"] for batch in found]), minlength=ROWS)
    assert drawn.sum() == 30_000
    assert drawn[::3].sum() == 0
    assert abs(drawn[2::3].sum() - 20_000) < 600


def test_balanced(folder: str) -> None:
    found = batches(folder, Balanced("tokens"), batch_size=50)
    assert sorted(i for batch in found for i in batch["id"]) == list(range(ROWS))
    for batch in found:
        assert len(batch["id"]) == 50
        assert abs(sum(i % 50 for i in batch["id"]) - 1225) < 25


def test_packs_are_balanced(folder: str) -> None:
    packs = Packs("tokens", 128, mode="whole", balanced=True, quadratic=0.01, accumulate=2)
    found = batches(folder, packs, batch_size=4)
    tokens = np.concatenate([batch["tokens"].reshape(-1) for batch in found])
    segments = np.concatenate([batch["tokens.segment"].reshape(-1) for batch in found])
    assert sorted(tokens[segments > 0]) == sorted(i for i in range(ROWS) for _ in range(i % 50))


@pytest.mark.parametrize(
    "compose",
    [
        Balanced("tokens", accumulate=2),
        Buckets("tokens"),
        Buckets("tokens", balanced=True),
        Packs("tokens", 32),
        Packs("tokens", 32, balanced=True),
        Groups("key"),
    ],
)
def test_state_goes_on(folder: str, compose: Any) -> None:
    options: dict[str, Any] = {"batch_size": 32, "shuffle": "window:300", "output": "numpy"}
    with Loader(folder, compose=compose, **options) as loader:
        whole = [batch["tokens"] for batch in loader]
    with Loader(folder, compose=compose, **options) as loader:
        epoch = iter(loader)
        for _ in range(5):
            next(epoch)
        state = loader.state_dict()
    with Loader(folder, compose=compose, **options) as loader:
        loader.load_state_dict(state)
        rest = [batch["tokens"] for batch in loader]
    assert len(rest) == len(whole) - 5
    for one, other in zip(rest, whole[5:]):
        assert (
            np.array_equal(np.asarray(one.values), np.asarray(other.values))
            if hasattr(one, "values")
            else np.array_equal(one, other)
        )


def test_ranks_have_equal_numbers_of_batches(folder: str) -> None:
    lengths = []
    for rank in range(3):
        with Loader(folder, 32, compose=Packs("tokens", 32), rank=(rank, 3)) as loader:
            assert len(loader) == sum(1 for _ in loader)
            lengths.append(len(loader))
    assert len(set(lengths)) == 1


def test_one_rank_counts_on_request(folder: str) -> None:
    packs = Packs("tokens", 128)
    with Loader(folder, 16, compose=packs, output="numpy") as loader:
        with pytest.raises(TypeError, match="count_matches=True reads them once to count"):
            len(loader)
        expected = [batch["tokens"].tolist() for batch in loader]
    with Loader(folder, 16, compose=packs, count_matches=True, output="numpy") as loader:
        assert len(loader) == len(expected)
        assert [batch["tokens"].tolist() for batch in loader] == expected


def test_wrong_compositions_are_named(folder: str) -> None:
    with pytest.raises(ReadError, match="its list 'tokens' has 41 elements"):
        batches(folder, Packs("tokens", 40, mode="whole"))
    with pytest.raises(ValueError, match="Choose a column of lists"):
        batches(folder, Buckets("id"))
    wrong: Any = "best"
    with pytest.raises(ValueError, match="Cannot use mode='best'"):
        batches(folder, Packs("tokens", 40, mode=wrong))
