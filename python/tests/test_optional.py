"""What works without torch, and what the errors say of what does not."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest


def without_torch(code: str, *arguments: str) -> str:
    """Runs a program in which torch cannot be imported."""
    blocked = "import sys\nsys.modules['torch'] = None\n" + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-c", blocked, *arguments], stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("output", ["numpy", "arrow"])
def test_batches_of_others_need_no_torch(engine: None, flights: str, output: str) -> None:
    if output == "arrow":
        pytest.importorskip("pyarrow")
    code = """
        from penstock_torch import Loader, Padded
        with Loader(sys.argv[1], 1000, shuffle=True, output=sys.argv[2]) as loader:
            first = next(iter(loader))
            print(type(first).__name__, type(first["delay"]).__module__, len(first["delay"]))
    """
    kind = {"numpy": "dict numpy", "arrow": "RecordBatch pyarrow.lib"}[output]
    assert without_torch(code, flights, output) == f"{kind} 1000\n"


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ("", "Run: pip install torch. Or use output='numpy' or output='arrow'"),
        ("output='numpy', pin_memory=True", "Run: pip install torch. Or leave out pin_memory="),
    ],
)
def test_error_says_what_to_install(engine: None, flights: str, options: str, advice: str) -> None:
    code = f"""
        from penstock_torch import Loader
        try:
            Loader(sys.argv[1], {options})
        except ImportError as e:
            print(e)
    """
    assert advice in without_torch(code, flights)
