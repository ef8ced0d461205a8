"""Plan files that Java wrote, read by plan_file.py; RecordedPlansTest.java says what is in them."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import plan_file
import pytest

PLANS = sorted((Path(__file__).parent / "data/plans").glob("*.penstock-plan"))


def value(fields: dict[str, Any]) -> Any:
    """Returns what JSON has no form for."""
    forms: Any = {"float": float, "decimal": Decimal, "hex": bytes.fromhex}
    (name, *others) = fields
    return forms[name](fields[name]) if name in forms and not others else fields


def without_tuples(read: Any) -> Any:
    if isinstance(read, dict):
        return {name: without_tuples(each) for name, each in read.items()}
    return [without_tuples(each) for each in read] if isinstance(read, list | tuple) else read


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.stem)
def test_plans_are_read_as_java_reads_them(plan: Path) -> None:
    recorded = plan.with_suffix(".json").read_text()
    stated = json.loads(recorded, object_hook=lambda fields: value(fields) if fields else {})
    assert without_tuples(plan_file.read(plan.read_bytes())) == stated


def test_damaged_plans_are_refused() -> None:
    data = bytearray(PLANS[-1].read_bytes())
    data[10] ^= 1
    with pytest.raises(ValueError, match="checksum"):
        plan_file.read(bytes(data))
    with pytest.raises(ValueError, match="not a plan"):
        plan_file.read(bytes(100))
