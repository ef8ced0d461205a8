"""The engine: one JVM for the processes of this user that use the same installation.

The first process starts it, the others connect, and it ends with the last.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import logging
import os
import re
import select
import socket
import stat
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from . import _java, _limits, _paths, _startup
from ._errors import EngineError
from ._frames import PROTOCOL, FrameKind, Frames
from ._messages import Failed, parse, reading

_log = logging.getLogger(__name__)

_START_SECONDS = 60
_END_SECONDS = 5
_CONNECT_SECONDS = 30

#: A timeout for batches may be shorter than what a busy machine takes for an answer.
PATIENCE_SECONDS = 5.0
_SOCKET_PATH_MAX = 100  # the system's limit is 104 to 108 bytes

_FLAGS = (
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",  # codecs of ORC
    "-XX:InlineSmallCode=1200",  # a third less for the compiler to do while the first epochs run
    "-Xlog:disable",
    "-Xlog:all=warning:stderr",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    # Their warnings say what the errors that we raise say.
    "-Dorg.slf4j.simpleLogger.log.com.azure=off",
    "-Dorg.slf4j.simpleLogger.log.io.delta.kernel=error",
    "-Dorg.slf4j.simpleLogger.log.org.apache.iceberg=error",
    "-Dorg.slf4j.simpleLogger.log.org.apache.hadoop=error",
    "-Dorg.slf4j.simpleLogger.log.org.apache.hive=error",
    # A warning of Python's says it.
    "-Dorg.slf4j.simpleLogger.log.dev.penstock.DataLoader.warnings=off",
)

# What Java and the libraries of stores and catalogs read from the environment.
_OF_STORES = re.compile(
    "(AWS|AZURE|CLOUDSDK|GCLOUD|GOOGLE|HADOOP|IDENTITY|MSI)_|HOME|KRB5|(HTTPS?|NO)_PROXY"
    "|(JAVA_TOOL|JDK_JAVA)_OPTIONS"
)
_NAMES_PATH = re.compile(r".*_(BUNDLE|CERTIFICATE_PATH|CONFIG|CREDENTIALS|DIR|FILE)")

# The engine makes little garbage, and its memory counts beside the training's. What workers decode
# with, such as dictionaries, has to fit where a young collection keeps it: else the old generation
# fills with it, up to the limit of the heap, before it is collected.
_CHOOSES_COLLECTOR = re.compile(r"-XX:\+Use\w*GC")
_YOUNG_MIB = 32  # for each processor


def _collector(options: Sequence[str]) -> list[str]:
    if any(_CHOOSES_COLLECTOR.match(each) for each in options):
        return []
    if any(each.startswith("-Xm") for each in options):  # sizes of the heap
        return ["-XX:+UseSerialGC", "-Xms32m"]
    young = _YOUNG_MIB * min(max(2, os.cpu_count() or 2), 16)
    return ["-XX:+UseSerialGC", f"-Xms{young + 32}m", f"-Xmn{young}m"]


def connect(seconds: float = 0) -> Frames:
    """Returns a new connection to the engine, which is started if it does not run."""
    with _lock:
        place = _Place()
        if _kept.pid == os.getpid() and _kept.socket == place.socket:
            found = _try_connect(place.socket, seconds)
            if isinstance(found, Frames):
                return found
            _log.info("The engine at %s is gone: %s", place.socket, found)
        # Held as long as this process uses this engine, so that it outlives single loaders.
        kept = _connect_or_start(place, seconds)
        _kept.forget()
        _kept.frames, _kept.socket, _kept.pid = kept, place.socket, os.getpid()
        return _connect(place.socket, seconds)


class _Kept:
    """The connection that keeps the engine running."""

    def __init__(self) -> None:
        self.frames: Frames | None = None
        self.socket: Path | None = None
        self.pid = os.getpid()

    def forget(self) -> None:
        if self.frames is not None:
            self.frames.close()
        self.frames = self.socket = None


class _Place:
    """Where the engine of this installation is found, for the environment as it is now."""

    def __init__(self) -> None:
        self.environment = _rooted(os.environ)
        self.java = _java.find_java().absolute()
        self.jars = [jar.absolute() for jar in _java.find_jars()]
        self.options = self.environment.get("PENSTOCK_JAVA_OPTIONS", "").split()
        key = hashlib.sha256()
        for part in map(str, (self.java, *self.jars, *self.options)):
            key.update(part.encode())
            with contextlib.suppress(OSError):
                key.update(str(os.stat(part).st_mtime_ns).encode())
        self.key = key.hexdigest()[:16]
        # An engine has the environment of the process that started it, credentials included.
        for name, value in sorted(self.environment.items()):
            if _OF_STORES.match(name.upper()):
                key.update(f"{name}={value}\0".encode(errors="surrogateescape"))
        name = key.hexdigest()[:16]
        folder = _private_folder()
        self.socket = folder / f"{name}.sock"
        self.lock = folder / f"{name}.lock"


def _rooted(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment whose files are named from the root: the engine's folder is `/`."""
    return {
        name: _paths.file(value)
        if _OF_STORES.match(name) and _NAMES_PATH.fullmatch(name) and value[:1] != "~"
        else value
        for name, value in environment.items()
    }


_lock = threading.Lock()
_kept = _Kept()


def _private_folder() -> Path:
    """Returns a folder that only this user can enter."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(runtime) / "penstock" if runtime and os.path.isdir(runtime) else None
    chosen = f"XDG_RUNTIME_DIR ({runtime})"
    advice = "Unset XDG_RUNTIME_DIR, or set it to a folder of this user's."
    if folder is not None:
        _require_own(runtime, advice)
    if folder is None or len(str(folder)) > _SOCKET_PATH_MAX - 24:
        folder = _temporary_folder() / f"penstock-{os.getuid()}"
        chosen, advice = f"the temporary folder ({folder.parent})", "Set TMPDIR to another folder."
    try:
        return _made_private(folder)
    except OSError as e:
        raise EngineError(
            f"Cannot make a folder in {chosen} for the engine's socket: {e.strerror}. {advice}"
        ) from e


def _made_private(folder: Path) -> Path:
    """Returns the folder. If it is another's, or others can enter it, one of a similar name."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    others = sorted(folder.parent.glob(f"{folder.name}.*"))  # by other processes of this user
    for made in (folder, *others):
        if _is_private(made):
            return made
    return Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))


def _is_private(folder: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        found = os.lstat(folder)
        return (
            stat.S_ISDIR(found.st_mode)
            and found.st_uid == os.getuid()
            and stat.S_IMODE(found.st_mode) & 0o077 == 0
        )
    return False


def _require_own(runtime: str, advice: str) -> None:
    wrong = "it is relative but expected a path from the root"
    if os.path.isabs(runtime):
        owner = os.stat(runtime).st_uid
        if os.getuid() != 0 or owner == 0:
            return
        # Root can write into it, and would keep its owner from doing so.
        wrong = f"it belongs to user {owner}, but this process to user 0"
    raise EngineError(
        f"Cannot use XDG_RUNTIME_DIR ({runtime}) for the engine's socket: {wrong}. {advice}"
    )


def _temporary_folder() -> Path:
    try:
        folder = Path(tempfile.gettempdir())
    except OSError as e:  # none can be written
        raise EngineError(
            f"Cannot make a folder for the engine's socket: {e.strerror}. Set TMPDIR to a folder"
            " that this user can write."
        ) from e
    return Path("/tmp") if len(str(folder)) > _SOCKET_PATH_MAX - 48 else folder


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keeps all other processes, and an engine that is about to end, from going on."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as e:
        raise EngineError(
            f"Cannot start the engine: its lock {path} cannot be opened: {e.strerror}. Remove the"
            " file, or make room for it."
        ) from e
    try:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _try_connect(path: Path, seconds: float) -> Frames | Exception:
    """Returns a connection, or why there is none; raises TimeoutError if the engine is stuck."""
    try:
        return _connect(path, seconds)
    except TimeoutError:
        raise
    except (OSError, EngineError) as e:
        return e


def _connect(path: Path, seconds: float) -> Frames:
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    deadline = deadline_of(seconds)
    try:
        connected.settimeout(deadline - time.monotonic())
        connected.connect(str(path))
        _require_same_user(connected, path)
        return greet(connected, "", deadline)
    except TimeoutError:
        connected.close()
        raise TimeoutError(
            f"The engine at {path} did not answer within {patience(seconds):g} seconds:"
            " its process is stopped or stuck. Let it go on, or end it: Loaders then start another."
        ) from None
    except OSError:
        connected.close()
        raise


def _require_same_user(connected: socket.socket, path: Path) -> None:
    """Refuses another user's engine, which would get the credentials of stores.

    Whoever may write to the folder above the socket's can put another in its place.
    """
    if hasattr(socket, "SO_PEERCRED"):
        told = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        _, user, _ = struct.unpack("3i", told)
        if user != os.getuid():
            connected.close()
            raise EngineError(
                f"Cannot use the engine at {path}: it is a process of user {user}, but this one of"
                f" user {os.getuid()}. Set XDG_RUNTIME_DIR to a folder that only this user can"
                " write."
            )


def patience(seconds: float) -> float:
    """Returns how many seconds to wait for a connection, with a loader's `timeout`."""
    return max(seconds, PATIENCE_SECONDS) if seconds else _CONNECT_SECONDS


def deadline_of(seconds: float) -> float:
    """Returns when a connection has to be there, on time.monotonic()'s clock."""
    return time.monotonic() + patience(seconds)


def greet(connected: socket.socket, token: str, deadline: float | None = None) -> Frames:
    """Says hello, and returns the connection when it was accepted."""
    frames = Frames(connected)
    frames.send_json(FrameKind.HELLO, {"protocol": PROTOCOL, "token": token}, deadline)
    frame = frames.read(deadline)
    if frame.kind != FrameKind.WELCOME:
        with reading(frames):
            said = parse(frame)
        frames.close()
        if isinstance(said, Failed):
            raise said.error
        raise EngineError(f"The engine answered a hello with a frame of kind {frame.kind.name}.")
    return frames


def _connect_or_start(place: _Place, seconds: float) -> Frames:
    with _locked(place.lock):
        found = _try_connect(place.socket, seconds)
        if not isinstance(found, Frames):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(place.socket)  # of an engine that was killed
            _start(place)
            found = _try_connect(place.socket, seconds)
        if not isinstance(found, Frames):
            raise EngineError(
                f"Cannot start the engine: its Java ended behind its start: {found}"
                f"{_limits.explained()}"
            ) from found
        return found


def _start(place: _Place) -> None:
    environment = dict(place.environment)
    if "UTF-8" not in (environment.get("LC_ALL") or environment.get("LANG") or "").upper():
        environment["LC_ALL"] = "C.UTF-8"  # names of files are not all ASCII
    cache_flags, inherited = _startup.flags(place.key)
    command = [
        str(place.java),
        *_FLAGS,
        *_collector(place.options),
        *cache_flags,
        *place.options,
        "-cp",
        os.pathsep.join(map(str, place.jars)),
        "dev.penstock.serve.Engine",
        str(place.socket),
        str(place.lock),
    ]
    try:
        # In a session of its own: Ctrl-C is for this process, which then lets go of the engine. At
        # the root: what is relative must not depend on who came first.
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=environment,
            cwd="/",
            start_new_session=True,
            pass_fds=inherited,
            umask=0o077,
        )
    except OSError as e:
        raise EngineError(
            f"Cannot start the engine: {place.java} does not run: {e.strerror}."
            f"{_limits.explained()} Set JAVA_HOME to a Java {_java.JAVA} that this user can run."
        ) from e
    finally:
        for file in inherited:
            os.close(file)
    assert process.stdout is not None
    with process.stdout as output:
        said = _said_before_ready(output.fileno())
    if not said.endswith(b"ready\n"):
        raise EngineError(
            f"Cannot start the engine: its Java {_ended(process)}. It said:"
            f" '{said.decode(errors='replace')}'. Its errors are on stderr.{_limits.explained()}"
        )
    _log.info("Started the engine: process %d of %s, at %s.", process.pid, place.java, place.socket)
    _reap(process)


def _ended(process: subprocess.Popen[bytes]) -> str:
    """Returns how a process ended that said no more."""
    try:
        code = process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return f"did not answer for {_START_SECONDS} seconds"
    return f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"


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

    def wait() -> None:
        _log.info("The engine, process %d, ended with code %d.", process.pid, process.wait())

    threading.Thread(target=wait, name="penstock-reaper", daemon=True).start()


@atexit.register
def _close() -> None:
    if _kept.pid == os.getpid():
        _kept.forget()
