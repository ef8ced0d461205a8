"""The golden requests of blackbox/src/test/requests, as Python says them.

Requests.java describes the files. PENSTOCK_REQUESTS=write renews python.jsonl.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from conftest import ROOT

import penstock_torch
from penstock_torch import Dataset, Loader, Mixture

FOLDER = ROOT / "blackbox/src/test/requests"
RECORDED = FOLDER / "python.jsonl"


def by_name(file: Path) -> dict[str, dict[str, Any]]:
    lines = file.read_text().splitlines() if file.exists() else []
    return {each.pop("name"): each for each in map(json.loads, lines)}


def dataset(asked: dict[str, Any]) -> Dataset | Mixture:
    """Makes what a case reads: a Dataset, unless it names what is mixed."""
    options = dict(asked)
    if "balanced" in options:
        given, column = options.pop("balanced")
        of: Any = dataset(given)
        return Mixture.balanced(of, column, **options)
    if "sources" not in options:
        return Dataset(**options)
    sources = [(dataset(each[0]), *each[1:]) for each in options.pop("sources")]
    if "weights_from" in options:
        options["weights_from"] = dict(options["weights_from"])
    return Mixture(sources, **options)


def loader(given: dict[str, Any]) -> dict[str, Any]:
    options = {"output": "numpy", **given}
    if isinstance(options.get("compose"), dict):
        ((name, arguments),) = options["compose"].items()
        options["compose"] = getattr(penstock_torch, name)(**arguments)
    if isinstance(options.get("tokenize"), list):
        options["tokenize"] = [penstock_torch.Tokenize(**each) for each in options["tokenize"]]
    return options


def shown(value: Any) -> Any:
    """Returns a batch, or a part of one, as JSON has it."""
    if isinstance(value, dict):
        return {name: shown(each) for name, each in value.items()}
    if isinstance(value, penstock_torch.Ragged):
        return [shown(value[row]) for row in range(len(value))]
    if isinstance(value, (list, tuple, bytes)):
        return [shown(each) for each in value]
    if isinstance(value, np.ndarray):
        return shown(value.tolist())
    if isinstance(value, pa.RecordBatch):
        return shown(value.to_pydict())
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def outcome(asked: dict[str, Any], java: dict[str, Any]) -> dict[str, Any]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # of what other tests left behind
        try:
            with Loader(dataset(asked["dataset"]), **loader(asked["loader"])) as batches:
                delivered = [shown(batch) for batch in batches]
        except Exception as e:
            return {"raised": type(e).__name__, "said": str(e)}
    made: dict[str, Any] = (
        {"as": "java"} if delivered == java.get("batches") else {"batches": delivered}
    )
    if said:
        made["warnings"] = [str(each.message) for each in said]
    return made


def test_requests_mean_what_they_meant(engine: None, tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "data", tmp_path, dirs_exist_ok=True)
    shutil.copytree(Path(__file__).parent / "data/iceberg", tmp_path / "iceberg")
    java = by_name(FOLDER / "java.jsonl")
    actual = {}
    for line in (FOLDER / "requests.jsonl").read_text().splitlines():
        case = json.loads(line.replace("{data}", str(tmp_path)))
        if "python" in case:
            text = json.dumps(outcome(case["python"], java.get(case["name"], {})))
            actual[case["name"]] = json.loads(text.replace(str(tmp_path), "{data}"))
    if os.environ.get("PENSTOCK_REQUESTS") == "write":
        RECORDED.write_text(
            "".join(
                json.dumps({"name": name, **each}, separators=(",", ":"), ensure_ascii=False) + "\n"
                for name, each in actual.items()
            )
        )
    recorded = by_name(RECORDED)
    assert list(recorded) == list(actual)
    wrong = {
        name: (each, recorded[name]) for name, each in actual.items() if each != recorded[name]
    }
    assert not wrong, "PENSTOCK_REQUESTS=write renews them: " + "\n".join(map(str, wrong.items()))
