"""The engine: one JVM for the processes of this user that use the same installation.

The first process starts it, the others connect, and it ends with the last.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import os
import re
import select
import socket
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from . import _java
from ._errors import EngineError, from_engine
from ._frames import ERROR, HELLO, PROTOCOL, WELCOME, Frames

_START_SECONDS = 60

#: how long to wait for a connection where no timeout is set
CONNECT_SECONDS = 30
_SOCKET_PATH_MAX = 100  # the system's limit is 104 to 108 bytes

_FLAGS = (
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",  # codecs of ORC
    "-Xlog:disable",
    "-Xlog:all=warning:stderr",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    # Their warnings say what the errors that we raise say.
    "-Dorg.slf4j.simpleLogger.log.com.azure=off",
    "-Dorg.slf4j.simpleLogger.log.io.delta.kernel=error",
    "-Dorg.slf4j.simpleLogger.log.org.apache.iceberg=error",
    "-Dorg.slf4j.simpleLogger.log.org.apache.hadoop=error",
    "-Dorg.slf4j.simpleLogger.log.org.apache.hive=error",
)


# The engine makes little garbage, and its memory counts beside the training's.
# What the libraries of stores and catalogs read from the environment.
_OF_STORES = (
    "AWS_",
    "AZURE_",
    "CLOUDSDK_",
    "GCLOUD_",
    "GOOGLE_",
    "HADOOP_",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "IDENTITY_",
    "MSI_",
    "NO_PROXY",
)

_CHOOSES_COLLECTOR = re.compile(r"-XX:\+Use\w*GC")
_COLLECTOR = ("-XX:+UseSerialGC", "-Xms32m")


def connect(seconds: float = 0) -> Frames:
    """Returns a new connection to the engine, which is started if it does not run.

    Args:
        seconds: how long to wait for an engine that runs; 0 for the default
    """
    with _lock:
        if _kept.pid != os.getpid():
            _kept.forget()
        if _kept.frames is None:
            # Held as long as this process lives, so that the engine outlives single loaders.
            _kept.frames = _connect_or_start(seconds)
            _kept.pid = os.getpid()
        try:
            return _connect(_place().socket, seconds)
        except TimeoutError:
            raise
        except (OSError, EngineError):
            _kept.forget()  # it died
            _kept.frames = _connect_or_start(seconds)
            return _connect(_place().socket, seconds)


class _Kept:
    """The connection that keeps the engine running."""

    def __init__(self) -> None:
        self.frames: Frames | None = None
        self.pid = os.getpid()

    def forget(self) -> None:
        if self.frames is not None:
            self.frames.close()
            self.frames = None


class _Place:
    """Where the engine of this installation is found."""

    def __init__(self) -> None:
        self.java = _java.find_java()
        self.jars = _java.find_jars()
        self.options = os.environ.get("PENSTOCK_JAVA_OPTIONS", "").split()
        key = hashlib.sha256()
        for part in map(str, (self.java, *self.jars, *self.options)):
            key.update(part.encode())
            with contextlib.suppress(OSError):
                key.update(str(os.stat(part).st_mtime_ns).encode())
        self.key = key.hexdigest()[:16]
        # An engine has the environment of the process that started it, credentials included.
        for name, value in sorted(os.environ.items()):
            if name.upper().startswith(_OF_STORES):
                key.update(f"{name}={value}\0".encode(errors="surrogateescape"))
        name = key.hexdigest()[:16]
        folder = _private_folder()
        self.socket = folder / f"{name}.sock"
        self.lock = folder / f"{name}.lock"


_lock = threading.Lock()
_kept = _Kept()
_found: _Place | None = None


def _place() -> _Place:
    global _found
    if _found is None:
        _found = _Place()
    return _found


def _private_folder() -> Path:
    """Returns a folder that only this user can enter."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(runtime) / "penstock" if runtime and os.path.isdir(runtime) else None
    if folder is None or len(str(folder)) > _SOCKET_PATH_MAX - 24:
        folder = Path(tempfile.gettempdir()) / f"penstock-{os.getuid()}"
    if len(str(folder)) > _SOCKET_PATH_MAX - 24:
        folder = Path(f"/tmp/penstock-{os.getuid()}")
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = os.lstat(folder)
    private = (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == os.getuid()
        and stat.S_IMODE(found.st_mode) & 0o077 == 0
    )
    if not private:
        raise EngineError(
            f"Cannot use the folder {folder} for the engine's socket: it must be a folder of this"
            " user's that nobody else can enter (mode 0700). Remove it."
        )
    return folder


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keeps all other processes, and an engine that is about to end, from going on."""
    with open(path, "a+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def _connect(path: Path, seconds: float) -> Frames:
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    deadline = deadline_of(seconds)
    try:
        connected.settimeout(seconds or CONNECT_SECONDS)
        connected.connect(str(path))
        return greet(connected, "", deadline)
    except TimeoutError:
        connected.close()
        raise TimeoutError(
            f"The engine at {path} did not answer within {seconds or CONNECT_SECONDS:g} seconds:"
            " its process is stopped or stuck. Let it go on, or end it: Loaders then start another."
        ) from None
    except OSError:
        connected.close()
        raise


def deadline_of(seconds: float) -> float:
    """Returns when a connection has to be there, on time.monotonic()'s clock."""
    return time.monotonic() + (seconds or CONNECT_SECONDS)


def greet(connected: socket.socket, token: str, deadline: float | None = None) -> Frames:
    """Says hello, and returns the connection when it was accepted."""
    frames = Frames(connected)
    frames.send_json(HELLO, {"protocol": PROTOCOL, "token": token}, deadline)
    answer = frames.read(deadline)
    if answer.kind != WELCOME:
        frames.close()
        if answer.kind == ERROR:
            raise from_engine(answer.json())
        raise EngineError(f"The engine answered a hello with a frame of kind {answer.kind}.")
    return frames


def _connect_or_start(seconds: float) -> Frames:
    place = _place()
    with _locked(place.lock):
        try:
            return _connect(place.socket, seconds)
        except TimeoutError:
            raise
        except (OSError, EngineError):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(place.socket)  # of an engine that was killed
        _start(place)
        return _connect(place.socket, seconds)


def _start(place: _Place) -> None:
    environment = dict(os.environ)
    if "UTF-8" not in (environment.get("LC_ALL") or environment.get("LANG") or "").upper():
        environment["LC_ALL"] = "C.UTF-8"  # names of files are not all ASCII
    command = [
        str(place.java),
        *_FLAGS,
        *([] if any(_CHOOSES_COLLECTOR.match(each) for each in place.options) else _COLLECTOR),
        *_cache_flags(place),
        *place.options,
        "-cp",
        os.pathsep.join(map(str, place.jars)),
        "dev.penstock.serve.Engine",
        str(place.socket),
        str(place.lock),
    ]
    # In a session of its own: Ctrl-C is for this process, which then lets go of the engine.
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    assert process.stdout is not None
    with process.stdout as output:
        said = _said_before_ready(output.fileno())
    if not said.endswith(b"ready\n"):
        process.kill()
        process.wait()
        raise EngineError(
            "Cannot start the engine: its Java ended with code"
            f" {process.returncode}, or did not answer for {_START_SECONDS} seconds. It said:"
            f" '{said.decode(errors='replace')}'. Its errors are on stderr."
        )
    _reap(process)


def _said_before_ready(file: int) -> bytes:
    end = time.monotonic() + _START_SECONDS
    said = b""
    while not said.endswith(b"ready\n"):
        ready, _, _ = select.select([file], [], [], max(0.0, end - time.monotonic()))
        more = os.read(file, 4096) if ready else b""
        if not more:
            break
        said += more
    return said


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Waits for the engine's end in the background, so that it does not stay as a zombie."""
    threading.Thread(target=process.wait, name="penstock-reaper", daemon=True).start()


def _cache_flags(place: _Place) -> list[str]:
    """Returns how the JVM starts fast: with the classes that an earlier run loaded."""
    where = os.environ.get("PENSTOCK_CACHE")
    if where == "off":
        return []
    home = Path(where or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "penstock-torch"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        cache = folder / f"{place.key}.aot"
        quiet = "-Xlog:aot*=off:stderr"
        for made in folder.glob(f"{place.key}.*.new*"):
            writer = made.name.split(".")[1].removeprefix("pid")
            if os.path.exists(f"/proc/{writer}"):
                continue  # it is still being written
            if cache.exists() or not made.name.endswith(".new"):
                made.unlink()
            else:
                os.replace(made, cache)
        if cache.exists():
            return [quiet, f"-XX:AOTCache={cache}"]
        return [quiet, f"-XX:AOTCacheOutput={folder}/{place.key}.%p.new"]
    except OSError:
        return []


@atexit.register
def _close() -> None:
    if _kept.pid == os.getpid():
        _kept.forget()
