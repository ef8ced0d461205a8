"""What newcomers get wrong, and what the sentence that they meet advises, in Python's words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from penstock_torch import Codes, Dataset, Groups, Loader


def files(folder: Path) -> str:
    day = folder / "days" / "day=7"
    day.mkdir(parents=True)
    (day / "1.csv").write_text("a,s,d\n1,x,2001-02-03\n2,y,2001-02-04\n")
    return str(folder / "days")


@pytest.mark.parametrize(
    ("dataset", "loader", "advice"),
    [
        ({"where": "a == 1 && s == 'x'"}, {}, "but expected 'and'. ["),
        ({"where": "(a == 1) | (a == 2)"}, {}, "but expected 'or'. ["),
        ({"where": "df['a'] > 1"}, {}, "but expected a column's name alone, as in a > 1"),
        ({"where": "s is None"}, {}, "but expected 'null'. ["),
        ({"where": 's == "x"'}, {}, "Text to compare with is in single quotes."),
        ({"where": "d > '2001-02-30'"}, {}, "there is no such day or time. Expected a date"),
        ({"columns": ["day"]}, {}, "Read a folder above it with partitioning='hive'."),
        ({"where": "day = 7"}, {}, "Read a folder above it with partitioning='hive'."),
        ({}, {"features": {"x": ["day"]}}, "Read a folder above it with partitioning='hive'."),
        ({"columns": ["a"]}, {"features": {"x": ["s"]}}, "columns leaves it out. Name it there"),
        ({"columns": ["a"]}, {"compose": Groups("s")}, "columns leaves it out. Name it there"),
        (
            {},
            {"features": {"x": ["s"]}, "strings": {"s": Codes()}},
            "comes as a column of its own, of numbers with strings={COLUMN: 'codes'}.",
        ),
        (
            {},
            {"features": {"x": ["a", "d"]}},
            "comes as a column of its own, which counts the time since 1970.",
        ),
    ],
)
def test_message(
    dataset: dict[str, Any], loader: dict[str, Any], advice: str, tmp_path: Path
) -> None:
    with pytest.raises((OSError, ValueError)) as met:
        list(Loader(Dataset(files(tmp_path), **dataset), output="numpy", **loader))
    assert advice in str(met.value)


@pytest.mark.parametrize("place", ["s3:/bucket/x", "gs:/bucket/x", "http:/host/x"])
def test_one_slash_behind_a_scheme(place: str) -> None:
    with pytest.raises(OSError, match="Did you mean '[a-z0-9]+://[a-z]+/x'"):
        list(Loader(place, output="numpy"))


def test_state_of_files_that_were_copied_without_their_times(tmp_path: Path) -> None:
    at = files(tmp_path)
    with Loader(at, batch_size=1, output="numpy") as loader:
        next(iter(loader))
        state = loader.state_dict()
    os.utime(tmp_path / "days" / "day=7" / "1.csv", (0, 0))
    with Loader(at, batch_size=1, output="numpy") as loader:
        loader.load_state_dict(state)
        with pytest.raises(ValueError, match="Copy files with their times, as 'cp -p'"):
            next(iter(loader))
