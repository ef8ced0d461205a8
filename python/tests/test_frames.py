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
from penstock_torch._columns import NumpyMaker
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


def test_the_thread_that_a_close_wakes_may_close_as_well() -> None:
    class Waking(socket.socket):
        def shutdown(self, how: int) -> None:
            frames.close()

    left, right = socket.socketpair()
    frames = Frames(Waking(fileno=left.detach()))
    frames.close()
    assert frames.is_closed
    assert right.recv(1) == b""
    right.close()


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
    assert loader.state_dict() == {"penstock_state": "s1", "epoch": 0}
    assert list(epoch) == []
    assert loader.state_dict() == {"penstock_state": "s2", "epoch": 1}


LISTS = COLUMN.replace(b'"tensor"', b'"ragged"')
TEXTS = COLUMN.replace(b'"tensor", "dtype"', b'"slice", "type"')


@pytest.mark.parametrize(
    ("columns", "pairs", "span", "why"),
    [
        (b"[]", [0, 24], 24, "number is"),
        (b"{", [0, 24], 24, "a frame of kind COLUMNS"),
        (COLUMN.replace(b"int64", b"int65"), [0, 24], 24, "column 'a' is a tensor of int65"),
        (COLUMN.replace(b'"shape": []', b'"shape": "x"'), [0, 24], 24, "a frame of kind COLUMNS"),
        (COLUMN, [], 24, "0 numbers for the places"),
        (COLUMN, [0, 24, 0, 24], 24, "4 numbers for the places"),
        (COLUMN, [8, 24], 24, "24 bytes at 8 of a batch of 24"),
        (COLUMN, [-8, 8], 24, "8 bytes at -8"),
        (COLUMN, [0, 8], 16, "8 bytes at 0 of a batch of 16"),
        (LISTS, [0, 8, 8, 32, -1, 0], 24, "32 bytes at 8"),
        (TEXTS, [3, 0, -1, 0, 0, 64], 24, "64 bytes at 0"),
        (TEXTS, [3, 1, -1, 0, 0, 24], 24, "0 bytes at -1"),
    ],
)
def test_what_is_not_in_the_protocol_is_said(
    monkeypatch: pytest.MonkeyPatch, columns: bytes, pairs: list[int], span: int, why: str
) -> None:
    sent = batch(3, pairs, b"s1", -1, span) + bytes(span)
    FakeEngine(monkeypatch, frame(FrameKind.COLUMNS, columns) + sent)
    with pytest.raises(EngineError, match=f"Cannot read what the engine sent: .*{why}"):
        next(iter(Loader("x", output="numpy")))


def test_errors_of_ours_are_not_called_the_engine_s(monkeypatch: pytest.MonkeyPatch) -> None:
    def values(*_: object) -> None:
        raise TypeError("of ours")

    monkeypatch.setattr(NumpyMaker, "values", values)
    sent = batch(3, [0, 24], b"s1", -1, 24) + bytes(24)
    FakeEngine(monkeypatch, frame(FrameKind.COLUMNS, COLUMN) + sent)
    with pytest.raises(TypeError, match="of ours"):
        next(iter(Loader("x", output="numpy")))


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
