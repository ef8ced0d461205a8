"""What the pages show in Python runs, and prints what the block behind it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

BLOCK = re.compile("```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", re.DOTALL)
PAGES = [
    "guide/batches.md",
    "guide/compositions.md",
    "guide/delta.md",
    "guide/iceberg.md",
    "guide/memory.md",
    "guide/mixtures.md",
    "guide/object-stores.md",
    "guide/pretrain.md",
    "guide/ranks.md",
    "guide/resume.md",
    "guide/score.md",
    "guide/splits.md",
    "guide/tokens.md",
    "guide/why-is-my-training-waiting.md",
    "how-to/cookbook.md",
    "how-to/from-pandas-and-polars.md",
    "reference/arrow.md",
    "reference/columns.md",
    "reference/csv.md",
    "reference/filters.md",
    "reference/observability.md",
    "reference/schema.md",
]


def blocks() -> list[Any]:
    return [
        pytest.param(found.group(1), found.group(2) or "", id=f"{page}-{number}")
        for page in PAGES
        for number, found in enumerate(BLOCK.finditer((ROOT / "docs" / page).read_text()))
    ]


def table(folder: str) -> Any:
    """A small table that pages read beside the flights, by its folder."""
    pa = pytest.importorskip("pyarrow")
    int32, int64, float32 = pa.int32(), pa.int64(), pa.float32()
    numbers = range(1000)
    columns = {
        "articles": {
            "embedding": pa.array([[float(i)] * 16 for i in numbers], pa.list_(float32)),
            "tokens": pa.array([[1] * (i // 10) for i in numbers], pa.list_(int32)),
            "label": pa.array([1] * 1000, int64),
            "source": pa.array([{"site": "example.org"}] * 1000),
        },
        "sales/year=2001": {"price": pa.array([0.5], float32), "count_sold": [10]},
        "sales/year=2002": {"COUNT_SOLD": [20], "price": [2.0], "currency": ["CHF"]},
        "series": {"series": [i // 100 for i in numbers], "value": pa.array([1] * 1000, float32)},
        "weather": {"wind": pa.array([1, 2, 3], int32), "gusts": pa.array([None, 30, 40], int32)},
    }
    return pa.table(columns[folder])


def write_data(data: Path, code: str, flights: str) -> None:
    """Writes what the code of a page reads."""
    data.mkdir()
    (data / "flights").symlink_to(flights)
    (data / "prices").mkdir()
    (data / "prices/part-0.csv").write_text("zip;price\n00501;1,5\nNA;2\n")
    if "data/corpus" in code:
        tokenizer = ROOT / "tokens/src/test/resources/dev/penstock/tokens/byte-bpe.json"
        (data.parent / "tokenizer.json").symlink_to(tokenizer)
        (data / "corpus").mkdir()
        (data / "corpus/part-0.jsonl").write_text('{"text":"sluice gate"}\n' * 1000)
    for folder in ("articles", "sales/year=2001", "sales/year=2002", "series", "weather"):
        if "data/" + folder.split("/")[0] in code:
            rows = table(folder)
            (data / folder).mkdir(parents=True)
            pytest.importorskip("pyarrow.parquet").write_table(rows, data / folder / "0.parquet")


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(("code", "output"), blocks())
def test_the_page_shows_what_happens(
    code: str,
    output: str,
    flights: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for module in ("torch", *re.findall(r"^import .*?(pyarrow|xxhash|duckdb)", code, re.MULTILINE)):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    write_data(tmp_path / "data", code, flights)
    exec(code, dict.fromkeys(("train", "validate"), lambda *columns: None))
    assert capsys.readouterr().out == output
