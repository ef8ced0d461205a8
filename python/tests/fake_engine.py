"""An engine that says what a test tells it to."""

from __future__ import annotations

import socket
import threading

import pytest

from penstock_torch import EngineError, _engine
from penstock_torch._frames import FrameKind, Frames


class FakeEngine:
    """Answers hello and open, and an epoch with what it is told to.

    Between answers, and behind the last one, it waits for `go_on()`; a single answer it gives at
    once, and then sends nothing more.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: bytes) -> None:
        self._answers = answers
        self._may_go_on = threading.Semaphore(0)
        self.epochs = 0
        monkeypatch.setattr(_engine, "connect", self._connect)

    def go_on(self) -> None:
        self._may_go_on.release()

    def _connect(self, seconds: float) -> Frames:
        left, right = socket.socketpair()
        threading.Thread(target=self._serve, args=(right,), daemon=True).start()
        return _engine.greet(left, "")

    def _serve(self, connected: socket.socket) -> None:
        frames = Frames(connected)
        try:
            frames.read()
            frames.send(FrameKind.WELCOME, b"{}")
            while True:
                kind = frames.read().kind
                if kind == FrameKind.OPEN:
                    frames.send(FrameKind.OPENED, b"{}")
                if kind == FrameKind.BEGIN:
                    self.epochs += 1
                    self._answer(connected)
        except (EngineError, OSError):
            pass  # the loader is closed
        finally:
            frames.close()

    def _answer(self, connected: socket.socket) -> None:
        for answer in self._answers:
            connected.sendall(answer)
            if len(self._answers) > 1:
                self._may_go_on.acquire()
        if len(self._answers) == 1:
            connected.shutdown(socket.SHUT_WR)
            while connected.recv(4096):
                pass
