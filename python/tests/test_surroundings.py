"""What the system refuses is said with what to change: which variable, which limit."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_lifetime import alone

from penstock_torch import EngineError, Loader, MemoryLimitError, _engine
from penstock_torch._memory import SharedMemory


@pytest.mark.parametrize("whose", ["another's", "read-only"])
def test_runtime_folder_that_this_user_cannot_use_is_named(
    runtime: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    folder = runtime / "run"
    folder.mkdir(mode=0o500)
    if os.getuid() == 0:
        if whose == "read-only":
            pytest.skip("nothing is read-only to root")
        os.chown(folder, 4711, 4711)
    elif whose == "another's":
        folder = Path("/")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with pytest.raises(
        EngineError, match=rf"XDG_RUNTIME_DIR \({folder}\) .* Unset XDG_RUNTIME_DIR"
    ):
        Loader("/a", output="numpy")


def test_runtime_folder_has_to_be_named_from_the_root(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (runtime / "run").mkdir()
    monkeypatch.chdir(runtime)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "run")
    with pytest.raises(EngineError, match=r"XDG_RUNTIME_DIR \(run\) .*: it is relative"):
        Loader("/a", output="numpy")


def test_without_a_runtime_folder_the_temporary_one_is_used(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(runtime))
    for missing in (str(runtime / "none"), ""):
        monkeypatch.setenv("XDG_RUNTIME_DIR", missing)
        assert _engine._private_folder() == runtime / f"penstock-{os.getuid()}"
    monkeypatch.setattr(tempfile, "tempdir", str(runtime / "none"))
    with pytest.raises(EngineError, match=r"temporary folder \(.*none\) .* Set TMPDIR to another"):
        _engine._private_folder()

    def none() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    with pytest.raises(EngineError, match="No usable temporary directory found. Set TMPDIR"):
        _engine._private_folder()


def test_home_is_not_needed(flights: str, runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "XDG_CACHE_HOME", "PENSTOCK_CACHE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))

    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")  # a user without an entry

    monkeypatch.setattr(Path, "home", unknown)
    with Loader(flights, output="numpy") as loader:
        assert len(loader) == 293


def test_java_that_cannot_be_run_is_named(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").write_text("")
    (tmp_path / "release").write_text('JAVA_VERSION="25.0.1"\n')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with pytest.raises(EngineError, match=r"bin/java does not run: Permission denied\. Set JAVA_"):
        Loader("/a", output="numpy")


LIMITED = """
import resource, sys
from penstock_torch import EngineError, Loader
most = int(sys.argv[2])
resource.setrlimit(getattr(resource, sys.argv[1]), (most, most))
try:
    Loader("/a", output="numpy")
except EngineError as e:
    print(e)
"""


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("RLIMIT_AS", 1 << 30, "an address space of at most 1048576 KiB (ulimit -v): raise that"),
        ("RLIMIT_NOFILE", 24, "24 open files (ulimit -n): raise that"),
    ],
)
def test_engine_that_a_limit_keeps_from_starting_names_it(
    engine: None, runtime: Path, limit: str, most: int, said: str
) -> None:
    process = alone(runtime, LIMITED, limit, str(most))
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert output.startswith(b"Cannot start the engine: ")
    assert said in output.decode()


@contextlib.contextmanager
def limited(which: int, most: int) -> Iterator[None]:
    before = resource.getrlimit(which)
    resource.setrlimit(which, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(which, before)


@pytest.mark.parametrize("is_named", [False, True])
def test_memory_file_that_a_limit_forbids_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    if is_named:
        monkeypatch.delattr(os, "memfd_create")  # as on macOS
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with (
        limited(resource.RLIMIT_FSIZE, 1 << 20),
        pytest.raises(MemoryLimitError, match=r"\(ulimit -f\): raise that\. Or set shared_memory="),
    ):
        SharedMemory(1 << 30)
    with (
        limited(resource.RLIMIT_AS, 1 << 42),
        pytest.raises(MemoryLimitError, match=r"\(ulimit -v\): raise that\. Or set shared_memory="),
    ):
        SharedMemory(1 << 42)
    assert not list(tmp_path.iterdir())
    with pytest.raises(MemoryLimitError, match="set shared_memory="):
        SharedMemory(sys.maxsize * 4)
