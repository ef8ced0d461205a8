"""The runner that the tests of trainers use sees what it should."""

from __future__ import annotations

from pathlib import Path

import pytest
from trainers import Training

pa = pytest.importorskip("pyarrow")

SCRIPT = """
import json, os, sys
from penstock_torch import Loader

with Loader(sys.argv[1], 50, output="numpy") as loader:
    place = sys.argv[2]
    if os.path.exists(place):
        loader.load_state_dict(json.load(open(place)))
    for number, _ in enumerate(loader):
        if loader.rank == "0/2" and number == 4:
            json.dump(loader.state_dict(), open(place, "w"))
print("loss", 0.5)
"""


def test_a_killed_run_and_its_continuation_are_told_apart(train: Training, tmp_path: Path) -> None:
    import pyarrow.parquet

    table, script = tmp_path / "table", tmp_path / "script.py"
    table.mkdir()
    pyarrow.parquet.write_table(pa.table({"id": range(1000)}), table / "a.parquet")
    script.write_text(SCRIPT)
    killed = train(script, table, tmp_path / "place", ranks=2, die_at=8)
    assert len(killed.batches[0]) == 8
    again = train(script, table, tmp_path / "place")
    assert [state["batches"] for state in again.loaded] == [5]
    assert again.loss == 0.5
    # Nothing keeps rank 1 in step with rank 0 here, but the place of one is that of all.
    assert killed.batches[0][4][-1] == 249
    assert again.ids() == [*range(250, 500), *range(750, 1000)]
