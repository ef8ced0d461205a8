"""The loader: one connection to an engine, and the batches that come over it."""

from __future__ import annotations

import collections
import contextlib
import os
import struct
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import _engine, _paths
from ._advice import in_python
from ._arguments import checked, requested, require_lists, whole
from ._columns import ArrowColumns, Columns, Maker, NumpyMaker, TorchMaker
from ._compose import Composition
from ._dataset import Dataset
from ._epoch import Epoch, Reader, Slow
from ._errors import EngineError, from_engine
from ._filters import to_text
from ._frames import ANSWER, ASK, ERROR, OPEN, OPENED, Frames
from ._memory import SharedMemory, default_size
from ._mixture import Mixture
from ._pins import Pins, pin
from ._place import Place
from ._ranks import check_rank, find_rank

# The engine says why a batch does not come when it has waited as long itself: a moment later.
_WORD_SECONDS = 1

_ROWS_LEFT = "rows left"


@checked
class Loader:
    """Delivers the rows of a dataset in batches, epoch after epoch.

    Every `for` starts the next epoch; the first is 0. One that you leave (`break`, an exception in
    its body, Ctrl-C) is over, with a warning when the next one begins. Where an exception comes out
    of the loader itself, the next `for` goes on with the batch that did not come, and so does
    `next()` of the same iterator.

    A batch is a dict from column to `torch.Tensor` of shape `[rows]`; a feature matrix has shape
    `[rows, n]`, lists of numbers are a `Ragged`, strings and other values a Python list. Tensors
    lie in memory that the engine wrote and may be changed; they stay valid as long as you keep
    them, also when the engine died. Memory that you keep cannot be used for further batches.

    Not for several threads at once, which is an error, nor after a fork, nor in a worker of torch's
    DataLoader: it has workers of its own. Any thread may close it.

    Args:
        dataset: what to read: a Dataset, a Mixture, or a location.
        batch_size: the rows of a batch. Default: 1024.
        workers: threads that decode. Default: as many as needed, up to the machine's processors.
        shuffle: False, True (splits are permuted) or "window:65536" (rows, too). Default: False.
        compose: what is made of the rows of each window: Buckets, Packs, Groups, Windows or Draws.
        seed: of the shuffle. Default: 0.
        drop_last: leave out a last batch with too few rows. Default: False.
        steps_per_epoch: end each epoch after so many batches.
        rank: which of the training processes this is: (rank, world). Default: as torch.distributed
            or the launcher says, else (0, 1).
        rank_end: how ranks come to the same number of batches: one of "exact", "pad", "drop".
            Default: "exact".
        count_matches: whether to count the rows that the filter keeps, if there are several ranks.
            Default: True.
        memory: the most memory that the engine may take for this loader. Default: 512 MiB and 64
            MiB more for each worker.
        shared_memory: the most bytes that batches may take, those that you keep included; `memory`
            is at most this. Default: the machine's memory; with `pin_memory` 1 GiB.
        prefetch_factor: how many batches are made ahead for each worker. Default: 2.
        timeout: how many seconds to wait for a batch; 0 waits for ever. Default: 0.
        features: feature matrices: name to columns, as in {"x": ["a", "b"]}.
        nulls: what stands for nulls: "nan", "mask", "error", a number or a text that replaces
            nulls; or a dict from column to one of these. Default: "nan".
        strings: how columns of strings are delivered: a dict from column to "list", "codes",
            {"vocabulary": [...], "unknown": 0} or {"buckets": 1000}. Default: "list".
        timestamps: what dates and timestamps count: one of "stored", "days", "seconds", "millis",
            "micros", "nanos"; or a dict from column to one of these. Default: "stored".
        decimals: the form of decimals: one of "object", "float64", "unscaled"; or a dict from
            column to one of these. Default: "object".
        lists: the form of lists of numbers: "ragged", "block", "padded" or {"value": 0, "length":
            128}; or a dict from column to one of these. Default: "ragged"; "block" where `compose`
            makes lists of one length.
        split_bytes: pack row groups into splits of up to this size. Default: "128MiB".
        split_rows: pack row groups into splits of up to so many rows, instead of `split_bytes`.
        output: the form of batches: one of "torch", "numpy", "arrow". Default: "torch".
        pin_memory: register the shared memory with CUDA, so that copies to a GPU need no wait.
            Default: False.
        collate_fn: what to make of each batch.
        server: where a `penstock serve --listen` is, instead of an engine of this machine:
            "host:port" or (host, port).
        token: the server's token.
        ca_file: the certificates to trust. Default: those of the system.
    """

    def __init__(
        self,
        dataset: Dataset | Mixture | str | os.PathLike[str] | Sequence[str],
        batch_size: int = 1024,
        *,
        workers: int | None = None,
        shuffle: bool | str | None = False,
        compose: Composition | None = None,
        seed: int = 0,
        drop_last: bool = False,
        steps_per_epoch: int | None = None,
        rank: tuple[int, int] | str | None = None,
        rank_end: str = "exact",
        count_matches: bool = True,
        memory: str | int | None = None,
        shared_memory: str | int | None = None,
        prefetch_factor: int | None = None,
        timeout: float | None = 0,
        features: Mapping[str, Sequence[str]] | None = None,
        nulls: Any = None,
        strings: Mapping[str, Any] | None = None,
        timestamps: str | Mapping[str, str] | None = None,
        decimals: str | Mapping[str, str] | None = None,
        lists: Any = None,
        split_bytes: str | int | None = None,
        split_rows: int | None = None,
        output: str = "torch",
        pin_memory: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        server: tuple[str, int] | str | None = None,
        token: str | None = "",
        ca_file: str | os.PathLike[str] | None = None,
    ) -> None:
        _require_no_worker()
        if not isinstance(dataset, (Dataset, Mixture)):
            dataset = Dataset(dataset)
        self.dataset = dataset
        self.batch_size = batch_size
        self.rank = find_rank(rank)
        self._rank_given = rank is not None
        options = requested("Loader", locals())
        options["rank"] = self.rank
        options["output"] = "arrow" if output == "arrow" else "tensor"
        if compose is not None:
            options["compose"] = compose._request()
        certificates = None if ca_file is None else _paths.file(ca_file)
        self._server: Any = (server, token, certificates)  # as connect() takes them
        self._timeout = timeout or 0
        self._request = {
            "dataset": self._request_of(dataset),
            "loader": options,
        }
        self._output = output
        if lists and output == "arrow":
            raise ValueError(
                "Cannot use lists= with output='arrow', whose lists are Arrow's. Leave it out."
            )
        usual = "block" if compose is not None and compose.is_uniform else "ragged"
        self._lists: Mapping[str, Any] = {"": usual, **(lists or {})}
        self._maker: Maker | None = None  # for arrow
        if output != "arrow":
            self._maker = TorchMaker() if output == "torch" else NumpyMaker()
        self._pin = pin_memory
        self._pins: Pins | None = None
        self._collate = collate_fn
        if shared_memory is None:
            shared_memory = (1 << 30) if pin_memory else default_size()
        self._shared_size: Any = shared_memory  # a number by now

        self._pid = os.getpid()
        self._lock = threading.RLock()  # never waited for
        self._frames: Frames | None = None
        self._memory: SharedMemory | None = None
        self._released: collections.deque[tuple[int, Any]] = collections.deque()
        self._held: dict[int, weakref.ref[Any]] = {}
        self._begun = 0  # epochs in this connection
        self._run: Epoch | None = None  # where batches come from; None if it broke or is over
        self._turn = 0  # of the iterator that may take them
        self._at = Place(0)  # behind the batch last yielded
        self._next: Place | None = self._at  # of the next `for`; None for the next epoch
        self._last = self._at  # what state_dict() says
        self._length: int | None = None
        self._warnings: list[str] = []  # of the engine, for the next batch
        self._warned: set[str] = set()
        self._opens()

    # What users call.

    def __iter__(self) -> Iterator[Any]:
        """Starts the next epoch, ending the one before if it still runs."""
        self._check_rank()
        with self._alone():
            self._connected()
            if self._next is None:
                self._warn_of_rows_left()
                self._next = Place(self._at.epoch + 1)
            is_waited_for = self._run is not None and self._next is self._at
            if not is_waited_for:  # else the engine still works on what did not come in time
                self._begin(self._next)
            self._next = None
            self._turn += 1
            return _Batches(self, self._turn, self._at.epoch)

    def __len__(self) -> int:
        """Returns the number of batches in an epoch, the same for all ranks.

        Raises TypeError if a filter leaves it open until the rows are read.
        """
        self._check_rank()
        self._connected()
        if self._length is None:
            try:
                self._length = int(self._ask("length")["length"])
            except RuntimeError as e:
                if isinstance(e, EngineError):
                    raise
                raise TypeError(str(e)) from None
        return self._length

    def set_epoch(self, epoch: int) -> None:
        """Sets the number of the next epoch. Epochs advance by themselves.

        With the epoch of the state that was loaded last, before a batch came, the state stays.
        """
        epoch = whole("epoch", epoch, 0)
        if self._next is None or not self._next.is_loaded or self._next.epoch != epoch:
            self._goes_to(Place(epoch))

    def state_dict(self) -> dict[str, Any]:
        """Returns where the batch behind the one last yielded starts: less than 1 KB."""
        if self._last.state is None and self._last.epoch == self._begun == 0:
            self._last.state = str(self._ask("state")["state"])
        return self._last.saved()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on behind the batch that was yielded last when the state was taken."""
        self._goes_to(Place.load(state))

    def vocabulary(self, column: str) -> list[str]:
        """Returns the strings of a column that is delivered as codes, by code."""
        return list(self._ask(f"vocabulary:{column}")["vocabulary"])

    def schema(self) -> list[dict[str, Any]]:
        """Returns the columns that are read: name, type and nullable of each."""
        return list(self._ask("schema")["columns"])

    def close(self) -> None:
        """Ends the epoch and the engine's threads. Batches that you keep stay valid."""
        if self._pid == os.getpid() and self._frames is not None:
            self._frames.close()
        self._frames = None
        self._memory = None

    def __enter__(self) -> Loader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_frames"):
            self.close()

    def __reduce__(self) -> Any:
        raise TypeError(
            "Cannot pickle a Loader: it holds a connection. Make it where it is used; its Dataset"
            " and state_dict() can be sent."
        )

    def __repr__(self) -> str:
        return f"Loader({self.dataset!r}, batch_size={self.batch_size}, rank={self.rank})"

    def _request_of(self, dataset: Dataset | Mixture) -> dict[str, Any]:
        """Returns what to ask for, with filters of other libraries as text."""
        if isinstance(dataset, Mixture):
            return dataset.request(self._request_of)
        request = dataset.request()
        if dataset.expression is None:
            return request
        where = to_text(dataset.expression, self._columns_of(request))
        return {**request, "where": where} if where else request

    def _columns_of(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """Asks for all columns of a dataset, over a connection of its own."""
        every = {key: value for key, value in request.items() if key != "columns"}
        frames = self._connect()
        try:
            frames.send_json(OPEN, {"dataset": every})
            self._expect(frames, OPENED)
            frames.send_json(ASK, {"what": "schema"})
            return list(self._expect(frames, ANSWER)["columns"])
        finally:
            frames.close()

    # The connection.

    def _opens(self) -> None:
        frames = self._connect()
        try:
            request: dict[str, Any] = dict(self._request)
            if self._server[0] is None:
                self._memory = SharedMemory(self._shared_size)
                request["memory"] = self._memory.path
            try:
                frames.send_json(OPEN, request)
                self._expect(frames, OPENED)
            finally:
                if self._memory is not None:
                    self._memory.shared()
            if self._pin and self._memory is not None:
                self._pins = pin(self._memory)
        except BaseException:
            frames.close()
            raise
        self._frames = frames
        self._held = {}
        self._released = collections.deque()
        self._begun = 0

    def _connect(self) -> Frames:
        address, token, ca_file = self._server
        if address is None:
            return _engine.connect(self._timeout)
        from ._network import connect

        return connect(address, token, ca_file, self._timeout)

    def _check_rank(self) -> None:
        if not self._rank_given:
            check_rank(self.rank)

    def _connected(self) -> Frames:
        """Returns the connection; makes a new one where the last one broke."""
        if self._pid != os.getpid():
            raise RuntimeError(
                "Cannot use this Loader after a fork: its memory and connection belong to process"
                f" {self._pid}. Make one in this process, or use the start method 'spawn'."
            )
        _require_no_worker()
        if self._frames is None:
            raise RuntimeError("Cannot use this Loader: it is closed.")
        if self._frames.is_closed:
            self._opens()
        assert self._frames is not None
        return self._frames

    # The epochs.

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise _in_another_thread()
        try:
            yield
        finally:
            self._lock.release()

    def _goes_to(self, place: Place) -> None:
        """Has the next `for` begin at a place."""
        self._next = self._last = place

    def _begin(self, place: Place) -> Epoch:
        """Has the engine begin at a place."""
        was = self._frames
        frames = self._connected()
        self._run = None
        self._at = self._last = place
        self._next = place  # as long as nothing else is known
        run = Epoch(frames, self._begun + 1, self._reader, self._part, self._free)
        try:
            run.begin(place.where(is_new=self._begun == 0))
        except EngineError:
            if frames is not was:
                raise
            return self._begin(place)  # the engine died while nobody waited for it
        self._begun += 1
        self._run = run
        self._next = None
        return run

    def _take(self, batches: _Batches) -> Any:
        """Returns the next batch of an iterator, or the iterator itself at the end."""
        if not self._lock.acquire(blocking=False):
            raise _in_another_thread()
        try:
            run = self._running(batches)
            try:
                taken = run.next(None) if not self._timeout else self._in_time(run)
            except EngineError:
                if self._at.settled() is self._at:
                    raise
                taken = None  # only the word is missing that the last batch was the last
            if taken is None:
                self._run = None
                if self._next is None:  # else it was set within the epoch
                    self._next = self._at.settled() if run.end is None else self._at.after(run.end)
                self._last = self._next
                return batches
            batch, state = taken
            if self._collate is not None:
                batch = self._collated(batch)
            self._at.advance(state)
            self._last = self._at
            return batch
        except Exception as e:
            if not isinstance(e, TimeoutError):
                self._run = None  # asked again, it begins again at the batch that did not come
            if isinstance(e, ValueError):
                self._at.is_loaded = False  # perhaps the state is refused
            if self._turn == batches.turn and self._next is None:
                self._next = self._at.settled()
            raise
        except BaseException:
            self._run = None
            raise
        finally:
            self._lock.release()

    def _running(self, batches: _Batches) -> Epoch:
        """Returns where an iterator's batches come from, which begins again if it broke."""
        if self._pid != os.getpid():
            self._connected()
        if self._turn != batches.turn or self._frames is None:
            raise RuntimeError(
                "Cannot go on with this epoch: a later one was started, or the Loader is closed."
            )
        run = self._run
        if run is not None and not run.frames.is_closed:
            if self._next is self._at:
                self._next = None  # it is waited for again
            return run
        if self._next is not None and self._next is not self._at:
            raise RuntimeError(
                "Cannot go on with this epoch: set_epoch() or load_state_dict() was called since it"
                " broke off, and the next epoch begins there."
            )
        return self._begin(self._at)

    def _collated(self, batch: Any) -> Any:
        assert self._collate is not None
        try:
            return self._collate(batch)
        except StopIteration as e:
            raise RuntimeError("collate_fn raised StopIteration.") from e  # else the loop would end

    def _in_time(self, run: Epoch) -> tuple[Any, bytes] | None:
        """Waits for a batch for `timeout` seconds."""
        deadline = time.monotonic() + self._timeout
        why = ""
        while True:
            try:
                return run.next(deadline if why else deadline + _WORD_SECONDS)
            except Slow as e:
                why = str(e)
            except TimeoutError:
                raise TimeoutError(why or self._no_word()) from None
            if time.monotonic() >= deadline:
                raise TimeoutError(why)

    def _no_word(self) -> str:
        return (
            f"No batch came within {self._timeout:g} seconds, and {self._engine_name()} gave no"
            " reason: it or the connection may be stuck. Ask again to wait again, or set a longer"
            " timeout."
        )

    def _engine_name(self) -> str:
        address = self._server[0]
        return "the engine" if address is None else f"the server {address[0]}:{address[1]}"

    def _warn_of_rows_left(self) -> None:
        if _ROWS_LEFT in self._warned or self._at.is_beginning:
            return
        if self._at.settled() is not self._at:
            return
        self._warned.add(_ROWS_LEFT)
        warnings.warn(
            f"Epoch {self._at.epoch} was left before its end: its other rows are not delivered, and"
            f" epoch {self._at.epoch + 1} begins. To go on in it instead, take state_dict() before"
            " the loop and give it to load_state_dict().",
            stacklevel=3,
        )

    def _warn(self) -> None:
        """Says once what the engine warns of, at the line of the user's `for`."""
        new = [text for text in self._warnings if text not in self._warned]
        self._warnings = []
        self._warned.update(new)
        for text in new:
            warnings.warn(in_python(text), stacklevel=3)

    def _reader(self, forms: list[dict[str, Any]], said: list[str]) -> Reader:
        self._warnings = said
        require_lists(self._lists, forms)
        if self._maker is None:
            return ArrowColumns(forms)
        return Columns(forms, self._maker, self._lists)

    def _part(self, number: int, start: int, span: int) -> Any:
        """Returns the memory of a batch."""
        if self._memory is None:
            raise ValueError("a batch in shared memory, of which there is none")
        memory = self._memory.part(start, span)
        self._hold(number, memory)
        return memory

    def _hold(self, number: int, memory: Any) -> None:
        """Notes that a batch's memory is free again when the last tensor over it is gone."""
        released, held, pins = self._released, self._held, self._pins

        def release(_: object) -> None:
            # On any thread, at any time: the next credits tell the engine.
            held.pop(number, None)
            released.append((number, None if pins is None else pins.mark()))

        held[number] = weakref.ref(memory, release)

    def _free(self) -> bytes:
        """Returns the numbers of batches that are gone since this was called last."""
        numbers = []
        for _ in range(len(self._released)):
            number, copies = self._released.popleft()
            if copies is None or copies.query():
                numbers.append(number)
            else:
                self._released.append((number, copies))
        return struct.pack(f"<{len(numbers)}Q", *numbers)

    def _ask(self, what: str) -> dict[str, Any]:
        with self._alone():
            frames = self._connected()
            frames.send_json(ASK, {"what": what})
            return self._expect(frames, ANSWER)

    def _expect(self, frames: Frames, wanted: int) -> dict[str, Any]:
        """Waits for a frame; batches that come before it stay for the epoch.

        An answer takes as long as it takes; an engine that does not even say that it is there is
        stuck.
        """
        is_asked = False
        while True:
            try:
                frame = frames.read_new(_engine.deadline_of(self._timeout))
            except TimeoutError:
                if is_asked:
                    frames.close()  # a late answer would be taken for another one's
                    raise TimeoutError(self._stuck()) from None
                frames.send_json(ASK, {"what": "alive"})
                is_asked = True
                continue
            is_asked = False
            if frame.kind == ANSWER and "alive" in (answer := frame.json()):
                continue
            if frame.kind == wanted:
                return answer if wanted == ANSWER else frame.json()
            if frame.kind == ERROR:
                error = frame.json()
                if error["number"] == 0:
                    raise from_engine(error)
            frames.keep(frame)

    def _stuck(self) -> str:
        return (
            f"Cannot wait longer for {self._engine_name()}: it is stuck, or the connection is lost:"
            f" it said nothing for {2 * _engine.patience(self._timeout):g} seconds."
        )


class _Batches:
    """The iterator over one epoch of a loader."""

    __slots__ = ("_loader", "turn", "epoch", "_is_over")

    def __init__(self, loader: Loader, turn: int, epoch: int) -> None:
        self._loader = loader
        self.turn = turn
        self.epoch = epoch
        self._is_over = False

    def __iter__(self) -> _Batches:
        return self

    def __next__(self) -> Any:
        if self._is_over:
            raise StopIteration
        taken = self._loader._take(self)
        if taken is self:
            self._is_over = True
            raise StopIteration
        if self._loader._warnings:
            self._loader._warn()
        return taken


def _in_another_thread() -> RuntimeError:
    return RuntimeError(
        "Cannot use this Loader now: another thread is in it. Take batches in one thread, or make a"
        " Loader for each."
    )


def _require_no_worker() -> None:
    data = sys.modules.get("torch.utils.data")
    if data is not None and data.get_worker_info() is not None:
        raise RuntimeError(
            "Cannot use a Loader in a worker of torch's DataLoader: the engine decodes in threads"
            " of its own. Iterate the Loader itself, or use num_workers=0."
        )
