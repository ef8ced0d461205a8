"""Errors advise in the words of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock_torch import Loader
from penstock_torch._words import in_python


def test_null_without_a_place(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,m\n1,1\n,2\n3,3\n")
    with pytest.raises(OSError, match="row 1 is null") as e:
        list(Loader(str(tmp_path), output="numpy"))
    assert "Use nulls=VALUE or nulls='mask'." in str(e.value) and "Policy" not in str(e.value)


@pytest.mark.parametrize(
    ("option", "value", "python"),
    [
        ("nulls", "nan", "nulls='nan'"),
        ("nulls", "fill:VALUE", "nulls=VALUE"),
        ("batchSize", "", "batch_size"),
        ("dropLast", "true", "drop_last=True"),
        ("stepsPerEpoch", "N", "steps_per_epoch=N"),
        ("columns", "a,b", "columns=[...]"),
        ("cast", "COLUMN=TYPE", "cast={COLUMN: TYPE}"),
        ("strings", "COLUMN=codes", "strings={COLUMN: 'codes'}"),
        ("strings", "COLUMN=hash:BUCKETS", "strings={COLUMN: Hashed(buckets=BUCKETS)}"),
        (
            "strings",
            "COLUMN=unknown:-1",
            "strings={COLUMN: Codes(vocabulary=[...], unknown=-1)}",
        ),
        ("storage", "region=VALUE", "storage['region']"),
        ("shuffle", "window:ROWS", "shuffle='window:ROWS'"),
        ("output", "tensor", "output='torch'"),
        ("where", "is null", "'is null'"),
        ("rowIndex", "", "JAVA"),  # Python has no such option
    ],
)
def test_option(option: str, value: str, python: str) -> None:
    part = {"option": option, "value": value, "java": "JAVA", "before": "", "after": ""}
    assert in_python({"message": "...", "parts": ["Use ", part, "."]}) == f"Use {python}."


def test_option_that_is_not_there_is_left_out_with_the_text_around_it() -> None:
    part = {"option": "castLossy", "value": "", "java": "castLossy()", "after": ""}
    part["before"] = ", or take the nearest value with "
    assert in_python({"message": "...", "parts": ["Choose another type", part, "."]}) == (
        "Choose another type."
    )


def test_text_of_the_user_stays() -> None:
    text = "Column 'batchSize' of data/batchSize.csv. Columns are: [batchSize, memory()]."
    assert in_python({"message": text}) == text
    assert in_python({"message": "...", "parts": [text]}) == text
