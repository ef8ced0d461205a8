"""Where the next `for` begins, however the last one ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_engine import FakeEngine
from test_frames import COLUMN, batch, frame
from test_lifetime import engine_process

from penstock_torch import EngineError, Loader, ReadError, _engine
from penstock_torch._frames import FrameKind, Frames

LAST = 59  # of the epoch's 60 batches


def loader(flights: str, **options: Any) -> Loader:
    usual: dict[str, Any] = {"shuffle": "window:20000", "seed": 1, "workers": 2}
    return Loader(flights, 5000, output="numpy", **(usual | options))


def key(of: Any) -> int:
    """Tells batches apart."""
    return int(of["distance"].astype("int64").cumsum().sum())


@pytest.fixture(scope="module")
def places(flights: str) -> dict[int, tuple[int, int]]:
    """Epoch and number of each batch of seven epochs."""
    with loader(flights) as batches:
        found = {key(each): (epoch, i) for epoch in range(7) for i, each in enumerate(batches)}
    assert len(found) == 7 * 60
    return found


Where = Callable[[Any], tuple[int, int]]


@pytest.fixture
def where(places: dict[int, tuple[int, int]]) -> Where:
    """Returns the epoch of a batch, and its number in it."""
    return lambda of: places[key(of)]


def first(batches: Loader) -> Any:
    return next(iter(batches))


def kill_engine() -> None:
    os.kill(engine_process(), signal.SIGKILL)


@pytest.fixture
def frozen() -> Iterator[Callable[[], None]]:
    """Stops the engine; it goes on behind the test."""
    stopped: list[int] = []

    def freeze() -> None:
        stopped.append(engine_process())
        os.kill(stopped[0], signal.SIGSTOP)

    yield freeze
    for process in stopped:
        os.kill(process, signal.SIGCONT)


def interrupt(epoch: Iterator[Any]) -> None:
    """Takes batches until Ctrl-C; no batch comes for ever because the engine is frozen."""

    def ctrl_c(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ctrl_c)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                next(epoch)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("how", ["break", "body", "wait"])
def test_epoch_that_was_left_is_over(
    flights: str, where: Where, frozen: Callable[[], None], how: str
) -> None:
    with loader(flights) as batches:
        epoch = iter(batches)
        if how == "wait":
            next(epoch)
            frozen()
            interrupt(epoch)
            os.kill(engine_process(), signal.SIGCONT)
        else:
            try:
                for _ in epoch:
                    if how == "body":
                        raise KeyboardInterrupt
                    break
            except KeyboardInterrupt:
                pass
        with pytest.warns(UserWarning, match="Epoch 0 was left before its end") as warned:
            assert where(first(batches)) == (1, 0)
        assert warned[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # once is enough
            assert where(first(batches)) == (2, 0)


def test_interrupted_iterator_goes_on(
    flights: str, where: Where, frozen: Callable[[], None]
) -> None:
    with loader(flights) as batches:
        epoch = iter(batches)
        next(epoch)
        frozen()
        interrupt(epoch)
        os.kill(engine_process(), signal.SIGCONT)
        state = json.loads(batches.state_dict()["penstock_state"])
        assert where(next(epoch)) == (0, state["batches"])


def test_whole_epoch_without_its_end_warns_of_nothing(flights: str, where: Where) -> None:
    with loader(flights) as batches, warnings.catch_warnings():
        warnings.simplefilter("error")
        for _, each in zip(range(LAST + 1), batches):
            last = each
        assert where(last) == (0, LAST)
        assert where(first(batches)) == (1, 0)
        batches.set_epoch(1)
        assert where(first(batches)) == (1, 0)


@pytest.mark.parametrize("again", ["next", "iter"])
def test_engine_that_dies_within_an_epoch(flights: str, where: Where, again: str) -> None:
    with loader(flights) as batches:
        batches.set_epoch(4)
        epoch = iter(batches)
        got = [where(next(epoch)) for _ in range(2)]
        kill_engine()
        with pytest.raises(EngineError, match="No batch is lost"):
            got += map(where, epoch)
        got += map(where, epoch if again == "next" else iter(batches))
        assert got == [(4, i) for i in range(LAST + 1)]
        assert where(first(batches)) == (5, 0)


@pytest.mark.parametrize("again", ["next", "iter"])
def test_engine_that_dies_before_the_first_batch(flights: str, where: Where, again: str) -> None:
    with loader(flights) as batches:
        batches.set_epoch(5)
        epoch = iter(batches)
        kill_engine()
        with pytest.raises(EngineError):
            raise AssertionError(where(next(epoch)))
        assert batches.state_dict() == {"penstock_state": None, "epoch": 5}
        assert where(next(epoch if again == "next" else iter(batches))) == (5, 0)


def test_engine_that_dies_behind_the_last_batch(flights: str, where: Where) -> None:
    with loader(flights) as batches:
        for each in batches:
            if where(each) == (0, LAST):
                kill_engine()  # no error: the state says that it was the last
        with contextlib.suppress(EngineError):  # where the end had come, too
            assert where(first(batches)) == (1, 0)
            batches.set_epoch(1)
        assert where(first(batches)) == (1, 0)


def test_engine_that_dies_between_epochs(flights: str, where: Where) -> None:
    with loader(flights) as batches:
        list(batches)
        epoch = iter(batches)
        kill_engine()
        with pytest.raises(EngineError):
            raise AssertionError(where(next(epoch)))
        assert where(first(batches)) == (1, 0)


def test_epoch_is_the_one_that_runs_or_the_next(flights: str) -> None:
    with loader(flights) as batches:
        assert batches.epoch == 0
        epochs = {batches.epoch for _ in batches}
        assert epochs == {0} and batches.epoch == 1
        next(iter(batches))
        state = batches.state_dict()
    with loader(flights) as batches:
        batches.load_state_dict(state)
        assert batches.epoch == 1


def test_set_epoch_keeps_a_loaded_place(flights: str, where: Where) -> None:
    with loader(flights) as batches:
        batches.set_epoch(3)
        epoch = iter(batches)
        for _ in range(7):
            next(epoch)
        state = batches.state_dict()
    with loader(flights) as batches:
        batches.load_state_dict(state)
        batches.set_epoch(3)  # as trainers do at the start of each epoch
        assert batches.state_dict() == state
        epoch = iter(batches)
        kill_engine()
        with pytest.raises(EngineError):
            raise AssertionError(where(next(epoch)))
        batches.set_epoch(3)
        assert where(first(batches)) == (3, 7)
        batches.set_epoch(3)
        assert where(first(batches)) == (3, 0)
        batches.load_state_dict(state)
        batches.set_epoch(4)
        assert where(first(batches)) == (4, 0)


@pytest.mark.parametrize("place", ["new", "number", "state"])
def test_epoch_that_is_begun_twice_before_its_first_batch_is_one(
    flights: str, where: Where, place: str
) -> None:
    with loader(flights) as batches:
        if place == "number":
            batches.set_epoch(3)
        if place == "state":
            assert where(next(iter(batches))) == (0, 0)
            batches.load_state_dict(batches.state_dict())
        old = iter(batches)
        new = iter(batches)
        batches.set_epoch(batches.epoch)
        expected = {"new": (0, 0), "number": (3, 0), "state": (0, 1)}[place]
        assert where(next(new)) == expected
        with pytest.raises(RuntimeError, match="a later one was started"):
            next(old)


def test_set_epoch_within_an_epoch_is_for_the_next(flights: str, where: Where) -> None:
    with loader(flights) as batches:
        got = []
        for each in batches:
            got.append(where(each))
            if len(got) == 5:
                batches.set_epoch(6)
                assert batches.state_dict() == {"penstock_state": None, "epoch": 6}
            if len(got) == 6:
                assert json.loads(batches.state_dict()["penstock_state"])["epoch"] == 0
        assert got == [(0, i) for i in range(LAST + 1)]
        assert batches.state_dict() == {"penstock_state": None, "epoch": 6}
        assert where(first(batches)) == (6, 0)


def test_state_that_is_refused_is_left_by_set_epoch(flights: str, where: Where) -> None:
    with loader(flights) as batches:
        batches.load_state_dict({"penstock_state": '{"epoch": 2}'})
        for _ in range(2):
            with pytest.raises(ValueError, match="state"):
                first(batches)
        batches.set_epoch(2)
        assert where(first(batches)) == (2, 0)


@pytest.mark.parametrize(
    "error", [KeyError, RuntimeError, StopIteration, ValueError, TimeoutError, EngineError]
)
def test_what_collate_raises_comes_as_it_is_and_its_batch_is_not_lost(
    flights: str, where: Where, error: type[Exception]
) -> None:
    calls = 0
    raised: list[Exception] = []

    def collate(each: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls in (3, 4):
            raised.append(error("no such sample"))
            raise raised[-1]
        return each

    with loader(flights, collate_fn=collate) as batches:
        epoch = iter(batches)
        got: list[tuple[int, int]] = []
        met: list[BaseException | None] = []
        while len(got) < LAST + 1:
            try:
                got.append(where(next(epoch)))
            except StopIteration:
                break  # a batch was lost
            except Exception as e:
                met.append(e.__cause__ if error is StopIteration else e)
        assert met == raised and len(met) == 2
        assert got == [(0, i) for i in range(LAST + 1)]
        assert next(epoch, None) is None


def test_error_of_a_file_comes_again(flights: str, tmp_path: Any) -> None:
    names = sorted(os.listdir(flights))
    for name in names:
        (tmp_path / name).symlink_to(os.path.join(flights, name))
    (tmp_path / names[1]).unlink()
    with open(os.path.join(flights, names[1]), "rb") as file:
        whole = bytearray(file.read())
    whole[1000:20_000] = b"\xff" * 19_000
    (tmp_path / names[1]).write_bytes(whole)
    with Loader(str(tmp_path), 500, output="numpy") as batches:
        got = []
        for epoch in (iter(batches), None, None):
            with pytest.raises(ReadError, match=names[1]):
                got += list(epoch if epoch is not None else batches)


def test_frozen_engine_does_not_keep_a_timeout(
    flights: str, where: Where, frozen: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with loader(flights, timeout=60) as batches:
        epoch = iter(batches)
        got = [where(next(epoch))]
        frozen()
        batches._connection.peer.timeout = 0.1
        with pytest.raises(TimeoutError, match="the engine gave no reason"):
            while True:
                got.append(where(next(epoch)))
        with pytest.raises(TimeoutError, match="Ask again"):
            next(epoch)
        monkeypatch.setattr(_engine, "PATIENCE_SECONDS", 0.1)
        with pytest.raises(TimeoutError, match="did not answer within 0.1 seconds"):
            loader(flights, timeout=0.1)
        monkeypatch.undo()
        os.kill(engine_process(), signal.SIGCONT)
        batches._connection.peer.timeout = 60
        got += map(where, batches)  # the next `for` goes on
        assert got == [(0, i) for i in range(LAST + 1)]


def test_frozen_engine_answers_no_question(
    flights: str, frozen: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_engine, "PATIENCE_SECONDS", 0.1)
    with loader(flights, timeout=60) as batches:
        frozen()
        batches._connection.peer.timeout = 0.1
        with pytest.raises(TimeoutError, match="the engine: it is stuck"):
            len(batches)
        os.kill(engine_process(), signal.SIGCONT)
        batches._connection.peer.timeout = 60
        assert len(batches) == LAST + 1


def test_server_that_accepts_and_says_nothing(
    flights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_engine, "PATIENCE_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = silent.getsockname()
        message = f"The server {address[0]}:{address[1]} did not answer within 0.1 seconds"
        with pytest.raises(TimeoutError, match=message):
            Loader(flights, output="numpy", server=address, token="x" * 16, timeout=0.1)


SLOW = frame(FrameKind.ERROR, b'{"number": 1, "kind": "timeout", "message": "file x is slow"}')


def test_engine_says_why_a_batch_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    late = batch(3, [0, 24], b"s1", -1, 24) + bytes(24)
    end = frame(FrameKind.END, b'{"number": 1, "state": "s2"}')
    engine = FakeEngine(monkeypatch, frame(FrameKind.COLUMNS, COLUMN) + SLOW, SLOW + late + end)
    loader = Loader("x", output="numpy", timeout=60)
    loader._connection.peer.timeout = 0.05
    for _ in range(2):
        with pytest.raises(TimeoutError, match="file x is slow|gave no reason"):
            next(iter(loader))
    engine.go_on()
    # By our clock it is in time, whatever the engine said meanwhile.
    loader._connection.peer.timeout = 60
    (got,) = loader
    assert got["a"].tolist() == [0, 0, 0]
    assert engine.epochs == 1
    engine.go_on()
    loader.close()


@pytest.mark.parametrize("cut", [3, 30, 60, 70, 86])
def test_frame_that_stops_midway_goes_on(monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    answer = (
        batch(3, [0, 24], b"s1", -1, 24)
        + b"\7" * 24
        + frame(FrameKind.END, b'{"number":1,"state":"e"}')
    )
    assert cut < len(answer)
    engine = FakeEngine(monkeypatch, frame(FrameKind.COLUMNS, COLUMN) + answer[:cut], answer[cut:])
    loader = Loader("x", output="numpy", timeout=60)
    epoch = iter(loader)
    loader._connection.peer.timeout = 0.01
    with pytest.raises(TimeoutError):
        next(epoch)
    engine.go_on()
    loader._connection.peer.timeout = 60
    assert next(epoch)["a"].tobytes() == b"\7" * 24
    assert next(epoch, None) is None
    engine.go_on()
    loader.close()


def test_answer_that_takes_long_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_engine, "PATIENCE_SECONDS", 0.02)
    asked = threading.Semaphore(0)

    def connect(_: float) -> Frames:
        left, right = socket.socketpair()
        threading.Thread(target=serve, args=(Frames(right),), daemon=True).start()
        return _engine.greet(left, "")

    def serve(frames: Frames) -> None:
        frames.read()
        frames.send(FrameKind.WELCOME, b"{}")
        frames.read()
        for _ in range(3):  # opening takes long
            assert json.loads(frames.read().contents) == {"what": "alive"}
            frames.send(FrameKind.ANSWER, b'{"alive": true}')
            asked.release()
        frames.send(FrameKind.OPENED, b"{}")

    monkeypatch.setattr(_engine, "connect", connect)
    Loader("x", output="numpy", timeout=0.01).close()
    assert all(asked.acquire(blocking=False) for _ in range(3))


def test_second_thread_is_refused(flights: str) -> None:
    inside, may_leave = threading.Event(), threading.Event()

    def collate(each: Any) -> Any:
        inside.set()
        may_leave.wait()
        return each

    with loader(flights, collate_fn=collate) as batches:
        epoch = iter(batches)
        taker = threading.Thread(target=lambda: next(epoch))
        taker.start()
        inside.wait()
        for use in (lambda: next(epoch), lambda: iter(batches), lambda: batches.schema()):
            with pytest.raises(RuntimeError, match="another thread is in it"):
                use()
        may_leave.set()
        taker.join()
        assert sum(1 for _ in epoch) == LAST


def test_closing_wakes_a_thread_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = FakeEngine(monkeypatch, frame(FrameKind.COLUMNS, COLUMN), b"")
    loader = Loader("x", output="numpy")
    epoch = iter(loader)
    waits = threading.Event()
    receive = Frames._receive

    def noted(frames: Frames, deadline: float | None) -> None:
        if threading.current_thread() is taker:
            waits.set()
        receive(frames, deadline)

    monkeypatch.setattr(Frames, "_receive", noted)
    met: list[BaseException] = []

    def take() -> None:
        try:
            next(epoch)
        except BaseException as e:
            met.append(e)

    taker = threading.Thread(target=take, daemon=True)
    taker.start()
    assert waits.wait(60)
    loader.close()
    taker.join(60)
    assert isinstance(met[0], EngineError)
    engine.go_on()
