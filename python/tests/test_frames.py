"""What a client does when the other side sends what is no protocol."""

from __future__ import annotations

import json
import random
import socket
import struct
import threading

import pytest
from fake_engine import FakeEngine

from penstock_torch import EngineError, Loader
from penstock_torch._frames import FrameKind, Frames


def frame(kind: int, contents: bytes) -> bytes:
    return struct.pack("<IB", 1 + len(contents), kind) + contents


def test_frames_come_whole_however_they_are_cut() -> None:
    seed = random.randrange(1 << 30)
    print("seed", seed)
    choice = random.Random(seed)
    kinds = [kind for kind in FrameKind if kind != FrameKind.BATCH]
    sent = [(choice.choice(kinds), choice.randbytes(choice.randrange(3000))) for _ in range(300)]
    data = b"".join(frame(*each) for each in sent)
    left, right = socket.socketpair()

    def send() -> None:
        at = 0
        while at < len(data):
            count = choice.choice([1, 2, 3, 5, 100, 10_000])
            right.sendall(data[at : at + count])
            at += count
        right.close()

    sender = threading.Thread(target=send)
    sender.start()
    frames = Frames(left)
    for kind, contents in sent:
        got = frames.read()
        assert (got.kind, bytes(got.contents)) == (kind, contents)
    with pytest.raises(EngineError, match="closed the connection"):
        frames.read()
    assert frames.is_closed
    sender.join()


@pytest.mark.parametrize("data", [b"\0\0\0\0x", b"\xff\xff\xff\xffx", b"\5\0\0\0ab"])
def test_wrong_frames_close_the_connection(data: bytes) -> None:
    left, right = socket.socketpair()
    right.sendall(data)
    right.close()
    frames = Frames(left)
    with pytest.raises(EngineError):
        frames.read()
    with pytest.raises(EngineError, match="it is closed"):
        frames.read()


def batch(rows: int, pairs: list[int], state: bytes, start: int, span: int) -> bytes:
    head = struct.pack("<QiiiiqQ", 1, 1, rows, len(state), len(pairs) // 2, start, span)
    return frame(FrameKind.BATCH, head + struct.pack(f"<{len(pairs)}q", *pairs) + state)


COLUMN = json.dumps(
    {"number": 1, "columns": [{"name": "a", "kind": "tensor", "dtype": "int64", "shape": []}]}
).encode()


def test_batch_behind_its_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = struct.pack("<3q", 5, 6, 7)
    answer = (
        frame(FrameKind.COLUMNS, COLUMN)
        + batch(3, [0, 24], b"s1", -1, 24)
        + rows
        + frame(FrameKind.END, b'{"number": 1, "state": "s2"}')
    )
    FakeEngine(monkeypatch, answer)
    loader = Loader("x", output="numpy")
    epoch = iter(loader)
    assert next(epoch)["a"].tolist() == [5, 6, 7]
    assert loader.state_dict() == {"penstock_state": "s1"}
    assert list(epoch) == []
    assert loader.state_dict() == {"penstock_state": "s2"}


@pytest.mark.parametrize("run", range(200))
def test_damaged_answers_are_errors(monkeypatch: pytest.MonkeyPatch, run: int) -> None:
    choice = random.Random(run)
    answer = bytearray(
        frame(FrameKind.COLUMNS, COLUMN)
        + batch(3, [0, 24], b"s1", 4096, 24)
        + batch(3, [0, 24], b"s1", -1, 24)
        + bytes(24)
        + frame(FrameKind.END, b'{"number": 1, "state": "s2"}')
    )
    for _ in range(choice.randrange(1, 4)):
        answer[choice.randrange(len(answer))] = choice.randrange(256)
    FakeEngine(monkeypatch, bytes(answer[: choice.randrange(len(answer) + 1)]))
    loader = Loader("x", output="numpy", shared_memory=1 << 20)
    try:
        for _ in loader:
            pass
    except (EngineError, ValueError):
        pass
    loader.close()
