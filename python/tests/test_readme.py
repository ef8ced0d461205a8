"""The README of the project."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT


def test_program_prints_what_is_shown(
    engine: None, flights: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    tab = (ROOT / "README.md").read_text().split("\n**Python**\n")[1]
    program, printed = re.findall(r"```(?:python)?\n(.*?)```", tab, re.DOTALL)[:2]
    exec(program.replace("data/flights", flights), {})
    assert capsys.readouterr().out == printed
