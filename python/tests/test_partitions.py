"""Columns from `key=value` folders, beside what pyarrow makes of the same paths."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from penstock_torch import Dataset, Loader


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hive")
    (root / "other").mkdir()
    files = [("us", 2024), ("us", 2025), ("a%20b", 2024)]
    for number, (region, year) in enumerate(files):
        folder = root / f"region={region}" / f"year={year}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"id": [2 * number, 2 * number + 1]}), folder / "x.parquet")
    return root


def rows(location: str | list[str], where: str | None = None) -> list[dict[str, object]]:
    dataset = Dataset(location, partitioning="hive", where=where)
    with Loader(dataset, 1, output="arrow") as batches:
        return [row for batch in batches for row in batch.to_pylist()]


@pytest.mark.parametrize(
    "locations",
    [
        ["region=us/year=2024/x.parquet"],
        ["region=a%20b/year=2024/x.parquet"],
        ["region=a%20b/year=2024/x.parquet", "region=us/year=2025/x.parquet"],
        ["other/../region=us/year=2025/x.parquet"],
        ["region=us"],
        ["region=us/year=2025"],
        ["."],
    ],
)
def test_folders_that_count_are_those_of_pyarrow(
    root: Path, monkeypatch: pytest.MonkeyPatch, locations: list[str]
) -> None:
    one = len(locations) == 1
    paths = [f"{root}/{each}" for each in locations]
    dataset = pyarrow.dataset.dataset(paths[0] if one else paths, partitioning="hive")
    expected = dataset.to_table().to_pylist()
    assert rows(paths) == expected
    monkeypatch.chdir(root)
    assert rows(locations[0] if one else locations) == expected


def test_folders_of_named_files_prune(root: Path) -> None:
    files = [f"{root}/region=us/year={year}/x.parquet" for year in (2024, 2025)]
    assert [row["id"] for row in rows(files, "year > 2024")] == [2, 3]
    assert [row["id"] for row in rows(f"{root}/*/*/*.parquet", "region = 'a b'")] == [4, 5]
