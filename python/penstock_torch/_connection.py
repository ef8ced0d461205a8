"""A loader's connection to the engine of this machine, or to a server."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from . import _engine
from ._frames import FrameKind, Frames
from ._lending import LentMemory
from ._messages import Answer, Failed, Field, parse, reading

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass
class Peer:
    """Who answers a loader: the engine of this machine, or a server."""

    address: tuple[str, int] | None  # None for the engine
    token: str
    ca_file: str | None  # the certificates to trust; None for those of the system
    timeout: float  # the seconds that a batch is waited for; 0 waits for ever

    def connect(self) -> Frames:
        if self.address is None:
            return _engine.connect(self.timeout)
        from ._network import connect

        return connect(self.address, self.token, self.ca_file, self.timeout)

    def open(self, frames: Frames, request: Mapping[str, Any]) -> None:
        """Opens a loader."""
        frames.send_json(FrameKind.OPEN, request)
        self._answer(frames, FrameKind.OPENED)

    def ask(self, frames: Frames, what: str, field: str, kind: type[_T], **more: Any) -> _T:
        """Returns a field of the answer."""
        frames.send_json(FrameKind.ASK, {"what": what, **more})
        with reading(frames):
            return self._answer(frames, FrameKind.ANSWER).field(field, kind)

    def ask_steps(
        self, frames: Frames, question: Mapping[str, Any], take: Callable[[Answer], _T]
    ) -> _T:
        """Asks about the steps of a loader; returns what is taken of the answer."""
        frames.send_json(FrameKind.STEPS, question)
        answer = self._answer(frames, FrameKind.ANSWER)
        with reading(frames):
            return answer.read(take)

    def ask_once(
        self, request: Mapping[str, Any], what: str, field: str, kind: type[_T], **more: Any
    ) -> _T:
        """Returns a field of the answer, over a connection of its own."""
        frames = self.connect()
        try:
            self.open(frames, request)
            return self.ask(frames, what, field, kind, **more)
        finally:
            frames.close()

    def columns(self, dataset: Mapping[str, Any]) -> list[Field]:
        """Asks for the columns of a dataset."""
        return self.ask_once({"dataset": dataset}, "schema", "columns", list)

    def _answer(self, frames: Frames, wanted: FrameKind) -> Answer:
        """Waits for an answer; batches that come before it stay for the epoch.

        An answer takes as long as it takes; an engine that does not even say that it is there is
        stuck.
        """
        is_asked = False
        while True:
            try:
                frame = frames.read_new(_engine.deadline_of(self.timeout))
            except TimeoutError:
                if is_asked:
                    frames.close()  # a late answer would be taken for another one's
                    raise TimeoutError(
                        f"Cannot wait longer for {self}: it is stuck, or the connection is lost: it"
                        f" said nothing for {2 * _engine.patience(self.timeout):g} seconds."
                    ) from None
                frames.send_json(FrameKind.ASK, {"what": "alive"})
                is_asked = True
                continue
            is_asked = False
            if frame.kind in (wanted, FrameKind.ANSWER, FrameKind.ERROR):
                with reading(frames):
                    said = parse(frame)
                if isinstance(said, Answer) and "alive" in said.fields:
                    continue
                if isinstance(said, Answer) and frame.kind == wanted:
                    return said
                if isinstance(said, Failed) and said.epoch == 0:
                    raise said.error
            frames.keep(frame)

    def __str__(self) -> str:
        if self.address is None:
            return "the engine"
        return f"the server {self.address[0]}:{self.address[1]}"


class _Alone:
    """Keeps other threads out."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # never waited for

    def __enter__(self) -> None:
        if not self._lock.acquire(False):
            raise RuntimeError(
                "Cannot use this Loader now: another thread is in it. Take batches in one thread,"
                " or make a Loader for each."
            )

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@dataclass(eq=False)
class Connection:
    """One that is made anew where it broke, with memory of its own. For one thread at a time."""

    peer: Peer
    _request: Mapping[str, Any]
    _shared_size: int  # bytes for batches, if the peer is the engine
    _is_pinned: bool
    cut: Callable[[int], list[Any]] | None = None  # returns an epoch's splits; None for the usual
    _epoch: int = 0  # whose splits are asked for
    _pid: int = field(default_factory=os.getpid)
    alone: _Alone = field(default_factory=_Alone)
    current: Frames | None = None
    memory: LentMemory | None = None
    begun: int = 0  # epochs in this connection

    def __post_init__(self) -> None:
        self._request = self._of(self._epoch)
        self._opens()

    def _of(self, epoch: int) -> Mapping[str, Any]:
        """Returns the request for an epoch."""
        if self.cut is None or (epoch == self._epoch and self.current is not None):
            return self._request
        loader = {**self._request["loader"], "fileSplits": self.cut(epoch)}
        return {**self._request, "loader": loader}

    def _opens(self) -> Frames:
        frames = self.peer.connect()
        memory = None
        try:
            if self.peer.address is not None:
                self.peer.open(frames, self._request)
            else:
                memory = LentMemory(self._shared_size)
                try:
                    self.peer.open(frames, {**self._request, "memory": memory.file.path})
                finally:
                    memory.file.shared()
                if self._is_pinned:
                    memory.pin()
        except BaseException:
            frames.close()
            raise
        self.current, self.memory, self.begun = frames, memory, 0
        return frames

    def frames(self, epoch: int | None = None) -> Frames:
        """Returns the connection; makes a new one where the last one broke, or has other splits
        than an epoch.
        """
        self.require_own()
        require_no_worker()
        current = self.current
        if current is None:
            raise RuntimeError("Cannot use this Loader: it is closed.")
        if epoch is not None:
            was, self._request = self._request, self._of(epoch)
            self._epoch = epoch
            if self._request != was:
                current.close()
        if current.is_closed:
            _log.info("Connecting to %s again.", self.peer)
            return self._opens()
        return current

    def ask(self, what: str, field: str, kind: type[_T], **more: Any) -> _T:
        """Returns a field of the answer."""
        with self.alone:
            return self.peer.ask(self.frames(), what, field, kind, **more)

    def ask_steps(self, question: Mapping[str, Any], take: Callable[[Answer], _T]) -> _T:
        """Asks about the steps of the loader; returns what is taken of the answer."""
        with self.alone:
            return self.peer.ask_steps(self.frames(), question, take)

    def columns(self) -> list[Field]:
        """Returns all columns of what is read."""
        dataset = self._request["dataset"]
        return self.peer.columns({key: dataset[key] for key in dataset if key != "columns"})

    def ask_with(self, options: Mapping[str, Any], what: str, field: str, kind: type[_T]) -> _T:
        """Returns a field of what a loader with other options would answer."""
        with self.alone:
            self.frames()
            loader = {**self._request["loader"], **options}
            loader = {key: value for key, value in loader.items() if value is not None}
            return self.peer.ask_once({**self._request, "loader": loader}, what, field, kind)

    def plan(self, epoch: int) -> dict[str, Any]:
        """Returns the plan of an epoch, also of one with other splits than the connection's."""
        with self.alone:
            frames, request = self.frames(), self._of(epoch)
            if request is self._request:
                return self.peer.ask(frames, "plan", "plan", dict, epoch=epoch)
            return self.peer.ask_once(request, "plan", "plan", dict, epoch=epoch)

    def require_own(self) -> None:
        """Refuses to go on behind a fork."""
        if self._pid != os.getpid():
            raise RuntimeError(
                "Cannot use this Loader after a fork: its memory and connection belong to process"
                f" {self._pid}. Make one in this process, or use the start method 'spawn'."
            )

    @property
    def is_closed(self) -> bool:
        return self.current is None

    def close(self) -> None:
        """Ends it for good. Memory that batches still have stays."""
        current, self.current, self.memory = self.current, None, None
        if self._pid == os.getpid() and current is not None:
            current.close()


def require_no_worker() -> None:
    data = sys.modules.get("torch.utils.data")
    if data is not None and data.get_worker_info() is not None:
        raise RuntimeError(
            "Cannot use a Loader in a worker of torch's DataLoader: the engine decodes in threads"
            " of its own. Iterate the Loader itself, or use num_workers=0."
        )
