"""Errors advise in the words of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock_torch import Loader
from penstock_torch._advice import in_python


def test_null_without_a_place(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,m\n1,1\n,2\n3,3\n")
    with pytest.raises(OSError, match="row 1 is null") as e:
        list(Loader(str(tmp_path), output="numpy"))
    assert "Use nulls=VALUE or nulls='mask'." in str(e.value) and "Policy" not in str(e.value)


@pytest.mark.parametrize(
    ("java", "python"),
    [
        ("Use NullPolicy.nan() or NullPolicy.fill(0).", "Use nulls='nan' or nulls=VALUE."),
        ("batchSize must be at least 1, got 0.", "batch_size must be at least 1, got 0."),
        ("Use LoaderOptions.strings(column, StringEncoding.codes()).", "{COLUMN: 'codes'}."),
        ("Allow missing columns with missingColumns(), or", "with missing_columns='nulls', or"),
        ("Name the columns that all have with columns().", "with columns=[...]."),
        (
            'Use cache(folder, "8MiB") or Shuffle.window(rows).',
            "A Dataset of Python has no cache: use shuffle='window:ROWS'.",
        ),
        (
            "Column 'batchSize' of data/batchSize.csv. Columns are: [batchSize, memory()].",
            "Column 'batchSize' of data/batchSize.csv. Columns are: [batchSize, memory()].",
        ),
        ("Leave out dropLast(true).", "Leave out drop_last=True."),
        ("stepsPerEpoch(n) promises a number.", "steps_per_epoch=n promises a number."),
        ("there are fewer than stepsPerEpoch promises", "than steps_per_epoch promises"),
        ("Give more with memory(), or", "Give more with memory, or"),
        ("Make batches larger with batchSize().", "larger with batch_size."),
        (
            "Read with caseSensitive(true), or rename one.",
            "with case_sensitive=True, or rename one.",
        ),
        ("Arrow's own. Use a smaller batchSize", "Arrow's own. Use a smaller batch_size"),
        ("Use Shuffle.window(rows).", "Use shuffle='window:ROWS'."),
        ("Cast it to one type with cast().", "with cast={COLUMN: TYPE}."),
        (
            "Choose another type, or take the nearest value with castLossy(). [a.csv, row 1]",
            "Choose another type, or leave such rows out with where. [a.csv, row 1]",
        ),
        (
            "Add the dependency 'dev.penstock:penstock-orc'.",
            "'dev.penstock:penstock-orc'. In Python: pip install 'penstock-torch[orc]'.",
        ),
    ],
)
def test_words(java: str, python: str) -> None:
    assert in_python(java).endswith(python)
