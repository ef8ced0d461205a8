"""Between users of a machine: whose folders, sockets and start-up caches are used."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import socket
import stat
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_lifetime import await_true, engine_process

from penstock_torch import EngineError, Loader, _engine, _java, _startup

OTHER = 4711

root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")


def mode(path: Path) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


@contextlib.contextmanager
def masked(umask: int) -> Iterator[None]:
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


def in_the_way(place: Path, how: str) -> None:
    """Puts something in the place of a private folder."""
    if how == "link":
        target = place.with_name("target")
        target.mkdir(mode=0o700)
        place.symlink_to(target)
    elif how == "file":
        place.touch(mode=0o600)
    else:
        place.mkdir()
        place.chmod(0o755 if how == "open" else 0o700)
    if how == "other's":
        os.chown(place, OTHER, OTHER)


@pytest.mark.parametrize("how", ["open", "link", "file", pytest.param("other's", marks=root)])
@pytest.mark.parametrize("where", ["runtime", "temporary"])
def test_folder_in_the_way_is_left_alone(
    runtime: Path, monkeypatch: pytest.MonkeyPatch, how: str, where: str
) -> None:
    if where == "runtime":
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        place = runtime / "penstock"
    else:
        monkeypatch.delenv("XDG_RUNTIME_DIR")
        monkeypatch.setattr(tempfile, "tempdir", str(runtime))
        place = runtime / f"penstock-{os.getuid()}"
    in_the_way(place, how)
    before = os.lstat(place)
    in_the_way(place.with_name(f"{place.name}.0"), "open")
    found = _engine._private_folder()
    assert found.parent == runtime and found.name.startswith(f"{place.name}.")
    assert (found.stat().st_uid, mode(found)) == (os.getuid(), 0o700)
    assert _engine._private_folder() == found  # another process finds the same engine
    after = os.lstat(place)
    assert (after.st_mode, after.st_uid, after.st_ino) == (
        before.st_mode,
        before.st_uid,
        before.st_ino,
    )


def test_loader_works_beside_a_folder_in_the_way(
    flights: str, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way(runtime / "penstock", "open")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with Loader(flights, 1024, output="numpy") as loader:
        assert len(loader) == 293


@root
def test_client_of_another_user_gets_nothing(
    flights: str, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with Loader(flights, 1024, output="numpy") as loader:
        assert len(loader) == 293
        [path] = (runtime / "penstock").glob("*.sock")
        for each in (runtime, path.parent, path):
            each.chmod(0o777)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setuid(OTHER)
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
                    client.settimeout(60)
                    client.connect(str(path))
                    status = 0 if client.recv(1) == b"" else 1
            except ConnectionError:
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert len(loader) == 293


@root
def test_engine_of_another_user_gets_nothing(runtime: Path) -> None:
    runtime.chmod(0o777)
    path = runtime / "engine.sock"
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.setuid(OTHER)
        door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        door.bind(str(path))
        door.listen()
        os.write(told, b"r")
        client, _ = door.accept()
        os._exit(0 if client.recv(1) == b"" else 1)
    try:
        assert os.read(ready, 1) == b"r"
        with pytest.raises(EngineError, match=f"it is a process of user {OTHER}, but this one of"):
            _engine._connect(path, 5)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.close(ready)
        os.close(told)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENSTOCK_CACHE", str(tmp_path / "home"))
    return tmp_path / "home/penstock-torch"


def given(key: str = "key") -> str:
    """Returns what Java is given to read; empty if it is to write a cache, or nothing."""
    flags, inherited = _startup.flags(key)
    if not inherited:
        return ""
    (file,) = inherited
    assert flags[1].endswith(f"AOTCache={_startup._OPEN_FILES}/{file}")
    with os.fdopen(file) as opened:
        return opened.read()


def test_start_up_cache_is_of_this_user_alone(home: Path) -> None:
    with masked(0o002):
        flags, inherited = _startup.flags("key")
    assert flags[1] == f"-XX:AOTCacheOutput={home}/key.%p.new" and inherited == ()
    assert mode(home) == 0o700 and mode(home.parent) == 0o775
    made = home / f"key.pid{1 << 30}.new"
    made.write_text("classes")
    made.chmod(0o644)
    (home / f"key.pid{1 << 30}.new.config").touch()
    assert given() == "classes"
    assert os.listdir(home) == ["key.aot"]
    home.chmod(0o777)  # as an earlier version has made it under some umask
    assert given() == "classes"
    assert mode(home) == 0o755


@pytest.mark.parametrize("how", ["writable", "link", "pipe", pytest.param("other's", marks=root)])
def test_start_up_cache_that_others_may_have_written_is_not_run(home: Path, how: str) -> None:
    home.mkdir(parents=True)
    cache = home / "key.aot"
    if how == "link":
        target = home / "target"
        target.touch(mode=0o600)
        cache.symlink_to(target)
    elif how == "pipe":
        os.mkfifo(cache, 0o600)
    else:
        cache.write_text("foreign")
        cache.chmod(0o664 if how == "writable" else 0o644)
        if how == "other's":
            os.chown(cache, OTHER, OTHER)
    assert given() == ""
    assert "-XX:AOTCacheOutput=" in _startup.flags("key")[0][1]
    made = home / f"key.{1 << 30}.new"
    made.write_text("classes")
    made.chmod(0o664)
    assert given() == "" and not made.exists()  # others could write that, too
    made.write_text("classes")
    made.chmod(0o600)
    assert given() == "classes"


@root
def test_folder_of_another_user_has_no_start_up_cache(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir(parents=True)
    (home / "key.aot").write_text("foreign")
    for path in (home, home / "key.aot"):
        os.chown(path, OTHER, OTHER)
    with pytest.warns(RuntimeWarning, match=rf"PENSTOCK_CACHE .* belongs to user {OTHER}, and"):
        assert _startup.flags("key") == ([], ())
    monkeypatch.delenv("PENSTOCK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home.parent))  # as sudo leaves it
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _startup.flags("key") == ([], ())


def is_ended(process: Path) -> bool:
    return not process.exists()


def test_engine_reads_the_start_up_cache_through_an_open_file(
    flights: str, runtime: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not all(jar.is_file() for jar in _java.find_jars()):
        pytest.skip("Java caches no classes of folders")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    started = []
    for _ in range(2):
        with Loader(flights, 1024, output="numpy") as loader:
            assert sum(len(batch["delay"]) for batch in loader) == 300_000
            engine = Path(f"/proc/{engine_process()}")
            started.append((engine / "cmdline").read_bytes())
        _engine._kept.forget()
        await_true(functools.partial(is_ended, engine))
    assert b"-XX:AOTCacheOutput=" in started[0]
    assert b"-XX:AOTCache=/proc/self/fd/" in started[1]
    (cache,) = home.iterdir()
    assert cache.suffix == ".aot" and mode(cache) == 0o600
