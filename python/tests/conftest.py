"""Fixtures: data, and the command to compare with.

The engine's jars are found as in use (PENSTOCK_CLASS_PATH or installed wheels); PENSTOCK_COMMAND
names the command, by default the one of this clone.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from trainers import Training

from penstock_torch import EngineError, _java

ROOT = Path(__file__).resolve().parents[2]
FLIGHTS = ROOT / "cli/src/main/resources/dev/penstock/cli/demo/flights"


@pytest.fixture(scope="session", autouse=True)
def own_engine() -> Iterator[None]:
    """Gives each process that tests an engine of its own: tests kill it, and count its loaders."""
    with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        yield


@pytest.fixture
def runtime() -> Iterator[Path]:
    """A folder for another engine; the name of tmp_path may be too long for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="penstock-") as folder:
        yield Path(folder)


@pytest.fixture
def train() -> Iterator[Training]:
    """Trains with the scripts of the examples, in processes of their own; see trainers.py."""
    training = Training()
    yield training
    training.close()


@pytest.fixture(scope="session")
def flights() -> str:
    """300,000 rows in 8 Parquet files: a timestamp, two integers, two strings."""
    return str(FLIGHTS)


class Command:
    """The `penstock` command."""

    def __init__(self) -> None:
        self._command = os.environ.get("PENSTOCK_COMMAND", str(ROOT / "penstock"))

    def load(self, *arguments: str) -> dict[str, Any]:
        """Runs `penstock load --json` for one epoch and returns its report."""
        return self.json("load", "--progress", "none", *arguments)

    def json(self, *arguments: str) -> dict[str, Any]:
        """Runs a command with `--json` and returns the last line that it prints."""
        run = subprocess.run(
            [self._command, *arguments, "--json"], stdout=subprocess.PIPE, check=True
        )
        return dict(json.loads(run.stdout.splitlines()[-1]))


@pytest.fixture(scope="session")
def command() -> Command:
    return Command()


@pytest.fixture(scope="session")
def engine() -> None:
    """Skips tests that need the engine where it cannot be started."""
    try:
        _java.find_java()
        _java.find_jars()
    except EngineError as e:
        pytest.skip(f"there is no engine: {e}")
