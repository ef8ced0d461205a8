"""What stays and what is freed when batches, loaders, processes and engines end at any moment."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock_torch import EngineError, Loader, _engine

_SECONDS_MAX = 60


def engine_process() -> int:
    """Returns the engine's process, as the system names the socket's other side."""
    assert _engine._kept.frames is not None
    connected = _engine._kept.frames._open()
    peer = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", peer)[0])


def await_true(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + _SECONDS_MAX
    while not condition():
        assert time.monotonic() < end, "it did not come so within a minute"
        time.sleep(0.01)  # how the system tells of another process's end


def is_gone(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def shared_maps(process: int) -> int:
    """Returns how many memory files of loaders a process maps."""
    return Path(f"/proc/{process}/maps").read_text().count("memfd:penstock")


def loader(flights: str, **options: Any) -> Loader:
    return Loader(flights, 500, output="numpy", shuffle="window:4000", workers=2, **options)


def test_memory_is_used_again_when_the_last_array_is_gone(flights: str) -> None:
    with loader(flights) as batches:
        for _ in range(3):
            for batch in batches:
                assert len(batch["delay"]) == 500
        del batch
        gc.collect()
        memory = batches._connection.memory
        assert memory is not None and not memory._held  # nothing is held any more
        used = Path("/proc/self/smaps").read_text().split("memfd:penstock")[1].split("Pss:")[0]
        assert int(used.split("Rss:")[1].split()[0]) < 64 << 10  # KiB; an epoch has 10 MiB


def test_kept_arrays_stay_as_they_were(flights: str) -> None:
    with loader(flights) as batches:
        kept = [batch["distance"][100:200] for batch in batches]  # views of 600 batches
        copies = [each.copy() for each in kept]
        for batch in batches:
            batch["distance"][:] = -1  # the next epoch's memory is another
    assert all(np.array_equal(a, b) for a, b in zip(kept, copies))


@pytest.mark.parametrize("end", ["close", "leave"])
def test_kept_arrays_outlive_the_loader(flights: str, end: str) -> None:
    batches = loader(flights)
    engine = engine_process()
    gc.collect()
    await_true(lambda: shared_maps(engine) == 1)
    kept = [batch["distance"] for batch in batches]
    copies = [each.copy() for each in kept]
    if end == "close":
        batches.close()
    del batches
    gc.collect()
    await_true(lambda: shared_maps(engine) == 0)
    assert all(np.array_equal(a, b) for a, b in zip(kept, copies))


def test_shared_memory_that_is_full_is_an_error(flights: str) -> None:
    with loader(flights, shared_memory=8 << 20) as batches:
        with pytest.raises(RuntimeError, match="Cannot make the next batch: the batches received"):
            list(batches)
        gc.collect()
        batches.set_epoch(0)
        assert sum(len(batch["delay"]) for batch in batches) == 300_000


@pytest.mark.parametrize("run", range(2))
def test_killed_engine_loses_no_row_and_harms_no_array(flights: str, run: int) -> None:
    seed = random.randrange(1 << 30)
    print("seed", seed)
    choice = random.Random(seed)
    with loader(flights) as batches:
        whole = [batch["distance"].copy() for batch in batches]
    with loader(flights) as batches:
        got: list[Any] = []
        kills = sorted(choice.sample(range(1, 599), 2))
        epoch = iter(batches)
        while len(got) < len(whole):
            if kills and len(got) == kills[0]:
                os.kill(engine_process(), signal.SIGKILL)
                kills.pop(0)
            try:
                got.append(next(epoch)["distance"])
            except EngineError as e:
                assert "No batch is lost" in str(e)
                epoch = iter(batches)
        assert next(epoch, None) is None
        assert all(np.array_equal(a, b) for a, b in zip(got, whole))
        assert len(kills) == 0


CLIENT = """
import sys
from penstock_torch import Loader
with Loader(sys.argv[1], 500, output="numpy", shuffle="window:4000", workers=2) as loader:
    print("open", flush=True)
    while True:
        for batch in loader:
            pass
"""


def client(flights: str, code: str = CLIENT) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), flights],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def first_line(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_killed_client_frees_its_loader(flights: str) -> None:
    with loader(flights) as batches:
        next(iter(batches))
        engine = engine_process()
        gc.collect()
        await_true(lambda: shared_maps(engine) == 1)  # loaders of earlier tests are gone
        for _ in range(3):
            process = client(flights)
            assert first_line(process) == b"open"
            await_true(lambda: shared_maps(engine) == 2)
            process.kill()
            process.communicate()
            await_true(lambda: shared_maps(engine) == 1)
        assert len(list(batches)) == 600


RECORDING = """
import json, sys
from penstock_torch import Loader
with Loader(sys.argv[1], 500, output="numpy", shuffle="window:4000", workers=2) as loader:
    if len(sys.argv) > 2:
        loader.load_state_dict(json.loads(sys.argv[2]))
    for batch in loader:
        seen = [int(batch["distance"].sum()), int(batch["delay"].sum())]
        print(json.dumps([seen, loader.state_dict()]), flush=True)
print("end", flush=True)
"""


def test_rows_before_and_behind_kills_are_the_epoch_once(flights: str) -> None:
    with loader(flights) as batches:
        whole = [[int(b["distance"].sum()), int(b["delay"].sum())] for b in batches]
    seed = random.randrange(1 << 30)
    print("seed", seed)
    choice = random.Random(seed)
    got: list[list[int]] = []
    state: list[str] = []
    ended = False
    while not ended:
        process = subprocess.Popen(
            [sys.executable, "-c", RECORDING, flights, *state], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        for _ in range(choice.randrange(100, 300)):
            line = process.stdout.readline().strip()
            ended = line == b"end"
            if ended:
                break
            seen, after = json.loads(line)
            got.append(seen)
            state = [json.dumps(after)]
        process.kill()  # what it received and did not record comes again
        process.communicate()
    assert got == whole


def alone(runtime: Path, code: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Runs a program whose engine nobody else uses."""
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(runtime))
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )


ENGINE = """
import socket, struct
from penstock_torch import _engine
def engine():
    peer = _engine._kept.frames._open().getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return struct.unpack("3i", peer)[0]
"""


@pytest.mark.parametrize("how", ["killed", "interrupted", "ended"])
def test_engine_ends_with_its_last_client(flights: str, runtime: Path, how: str) -> None:
    program = ENGINE + textwrap.dedent(
        """
        import signal, sys
        from penstock_torch import Loader
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
        loader = Loader(sys.argv[1], 500, output="numpy")
        epoch = iter(loader)
        print(engine(), flush=True)
        while sys.argv[2] != "ended":
            for batch in loader:
                pass
        """
    )
    process = alone(runtime, program, flights, how)
    engine = int(first_line(process))
    if how == "killed":
        process.kill()
    if how == "interrupted":
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=_SECONDS_MAX)
    if how == "interrupted":
        assert b"KeyboardInterrupt" in errors
    if how == "ended":
        assert (process.returncode, errors) == (0, b"")
    await_true(lambda: is_gone(engine))
    assert not list(runtime.glob("**/*.sock"))


def test_processes_of_one_user_share_an_engine(flights: str, runtime: Path) -> None:
    program = ENGINE + textwrap.dedent(
        """
        import sys
        from penstock_torch import Loader
        with Loader(sys.argv[1], 500, output="numpy", rank=sys.argv[2]) as loader:
            print(engine(), flush=True)
            rows = sum(len(batch["delay"]) for batch in loader)
            print(rows, flush=True)
            sys.stdin.read()
        """
    )
    both = [alone(runtime, program, flights, f"{rank}/2") for rank in range(2)]
    engines = {first_line(process) for process in both}
    rows = sum(int(first_line(process)) for process in both)
    for process in both:
        process.communicate()
    assert len(engines) == 1 and rows == 300_000
    engine = int(engines.pop())
    await_true(lambda: is_gone(engine))


def test_processes_with_other_credentials_have_another_engine(
    flights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = []
    for profile in ("one", "two", "two"):
        monkeypatch.setenv("AWS_PROFILE", profile)
        places.append(_engine._Place())
    names = {place.socket for place in places}
    assert len(names) == 2 and "two" not in str(names)
    assert len({place.key for place in places}) == 1  # the start-up cache is the same


def test_environment_counts_when_a_loader_is_made(
    flights: str, runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.chdir(tmp_path)
    engines = []
    first = loader(flights)
    epoch = iter(first)
    next(epoch)
    engines.append(engine_process())
    monkeypatch.setenv("AWS_PROFILE", "later")
    monkeypatch.setenv("AWS_CONFIG_FILE", "aws/config")  # in this folder
    with loader(flights) as later:
        engines.append(engine_process())
        assert len(later) == 600
        told = Path(f"/proc/{engines[1]}/environ").read_bytes().split(b"\0")
        assert b"AWS_PROFILE=later" in told
        assert f"AWS_CONFIG_FILE={tmp_path}/aws/config".encode() in told
        with loader(flights):
            assert engine_process() == engines[1] != engines[0]
        assert sum(1 for _ in epoch) == 599  # the first has its own engine still
        first.close()
        await_true(lambda: is_gone(engines[0]))  # nobody uses it any more
        assert len(list(later)) == 600
    monkeypatch.delenv("AWS_PROFILE")
    with loader(flights):
        await_true(lambda: is_gone(engines[1]))


def test_engine_that_was_stopped_while_nobody_looked_is_replaced(
    flights: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "penstock_torch")
    with loader(flights) as batches:
        len(batches)
    killed = engine_process()
    os.kill(killed, signal.SIGKILL)
    with loader(flights) as batches:
        assert len(batches) == 600
    assert f"Started the engine: process {engine_process()} of" in caplog.text
    await_true(lambda: f"process {killed}, ended with code -9." in caplog.text)


def test_use_after_a_fork_is_refused(flights: str) -> None:
    with loader(flights) as batches:
        epoch = iter(batches)
        next(epoch)
        child = os.fork()
        if child == 0:
            refused = 0
            for use in (lambda: next(epoch), lambda: iter(batches), lambda: len(batches)):
                try:
                    use()
                except RuntimeError as e:
                    refused += "after a fork" in str(e)
            os._exit(refused)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
        assert sum(1 for _ in epoch) == 599


def test_fork_makes_an_own_loader(flights: str) -> None:
    with loader(flights) as batches:
        next(iter(batches))
        child = os.fork()
        if child == 0:
            rows = 0
            with loader(flights) as own:
                rows = sum(len(batch["delay"]) for batch in own)
            os._exit(0 if rows == 300_000 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert len(list(batches)) == 600


def test_java_that_is_too_old_or_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from penstock_torch import _java

    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").write_text("")
    (tmp_path / "release").write_text('JAVA_VERSION="17.0.2"\n')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setattr(_java, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match="JAVA_HOME .* has Java 17"):
        _java.find_java()
    monkeypatch.delenv("PENSTOCK_CLASS_PATH", raising=False)
    with pytest.raises(EngineError, match="its jars are not installed"):
        _java.find_jars()


def test_java_that_does_not_start_is_an_error(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_JAVA_OPTIONS", "-XX:NoSuchOption")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with pytest.raises(EngineError, match="Cannot start the engine: its Java ended with code 1"):
        _engine._start(_engine._Place())


def test_file_instead_of_a_memory_file(flights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create")  # as on macOS
    with loader(flights) as batches:
        memory = batches._connection.memory
        assert memory is not None and not os.path.exists(memory.file.path)
        assert sum(len(batch["delay"]) for batch in batches) == 300_000
