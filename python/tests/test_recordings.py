"""The orders that the tests of Java were recorded with are those of the torch that is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch draws the orders")

RECORDED = Path(__file__).parents[2] / "core/src/test/resources/torch"
# What torch 2.2 draws otherwise than 2.13, from which the orders were recorded: by weights, without
# replacement or once, and numbers of 2^28 and more.
CHANGED = ("multinomial(", "w 4", "2^28", "RandomSampler(536870912")


def test_recorded_orders_are_those_of_this_torch(tmp_path: Path) -> None:
    script = shutil.copy(RECORDED / "samplers.py", tmp_path)
    subprocess.run([sys.executable, script], check=True)
    recorded, drawn = (
        json.loads((folder / "samplers.json").read_text()) for folder in (RECORDED, tmp_path)
    )
    is_older = version(drawn.pop("_torch")) < version(recorded.pop("_torch"))
    assert drawn.keys() == recorded.keys()
    for key, values in recorded.items():
        if not is_older or not any(each in key for each in CHANGED):
            assert drawn[key] == values, key


def version(text: str) -> tuple[Any, ...]:
    return tuple(int(part) for part in text.split("+")[0].split(".")[:2])
