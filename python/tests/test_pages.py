"""What the pages show in Python runs, and prints what the block behind it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT

BLOCK = re.compile("```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", re.DOTALL)
PAGES = ["how-to/cookbook.md", "how-to/from-pandas-and-polars.md"]


def blocks() -> list[tuple[str, str]]:
    return [
        (found.group(1), found.group(2) or "")
        for page in PAGES
        for found in BLOCK.finditer((ROOT / "docs" / page).read_text())
    ]


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
    for module in re.findall(r"^import (torch|pyarrow)", code, re.MULTILINE):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/flights").symlink_to(flights)
    exec(code, {})
    assert capsys.readouterr().out == output
