"""The loader: one connection to an engine, and the batches that come over it."""

from __future__ import annotations

import collections
import os
import struct
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import _engine
from ._columns import ArrowColumns, Columns, Maker, NumpyMaker, TorchMaker
from ._compose import Composition
from ._dataset import Dataset
from ._errors import EngineError, FormError, from_engine
from ._filters import to_text
from ._frames import (
    ANSWER,
    ASK,
    BATCH,
    BEGIN,
    COLUMNS,
    END,
    ERROR,
    MORE,
    OPEN,
    OPENED,
    Frame,
    Frames,
)
from ._memory import SharedMemory, default_size
from ._mixture import Mixture
from ._pins import Pins, pin
from ._ranks import find_rank

_HEAD = struct.Struct("<QiiiiqQ")
_STATE = "penstock_state"

# Batches on their way to this process: at most so many bytes of them, and so many batches.
_AHEAD_BYTES = 16 << 20
_AHEAD_MAX = 64
_AHEAD_FIRST = 2


class Loader:
    """Delivers the rows of a dataset in batches, epoch after epoch.

    Every `iter()` starts the next epoch; the first is 0. A batch is a dict from column to
    `torch.Tensor` of shape `[rows]`; a feature matrix has shape `[rows, n]`, lists of numbers are a
    `Ragged`, strings and other values a Python list. Tensors lie in memory that the engine wrote
    and may be changed; they stay valid as long as you keep them, also when the engine died. Memory
    that you keep cannot be used for further batches.

    Not for several threads at once, nor after a fork, nor in a worker of torch's DataLoader: it has
    workers of its own.

    Args:
        dataset: what to read: a Dataset, a Mixture, or a location.
        batch_size: the rows of a batch.
        workers: threads that decode. Default: as many as needed, up to the machine's processors.
        shuffle: False, True (splits are permuted) or "window:65536" (rows, too).
        compose: what is made of the rows of each window: Buckets, Packs, Groups, Windows or Draws.
        seed: of the shuffle.
        drop_last: leave out a last batch with too few rows.
        steps_per_epoch: end each epoch after so many batches.
        rank: (rank, world). Default: as torch.distributed or the launcher says, else (0, 1).
        rank_end: "exact", "pad" or "drop": how ranks come to the same number of batches.
        count_matches: whether to count the rows that the filter keeps, if there are several ranks.
        memory: the most memory that the engine may take for this loader. Default: 512 MiB and 64
            MiB more for each worker.
        shared_memory: the most bytes that batches may take, those that you keep included; `memory`
            is at most this. Default: the machine's memory; with `pin_memory` 1 GiB.
        prefetch_factor: how many batches are made ahead for each worker. Default: 2.
        timeout: how many seconds to wait for a batch. Default: 0, which waits for ever.
        features: feature matrices: name to columns, as in {"x": ["a", "b"]}.
        nulls: "nan", "mask", "error", a number or a text that replaces nulls; or one of them by
            column. Default: "nan".
        strings: how columns of strings are delivered: column to "list", "codes",
            {"vocabulary": [...], "unknown": 0} or {"buckets": 1000}. Default: "list".
        timestamps: "stored", "days", "seconds", "millis", "micros" or "nanos"; or by column.
        decimals: "object", "float64" or "unscaled"; or by column.
        lists: "ragged", "block", "padded" or {"value": 0, "length": 128}; or by column. Default:
            "ragged"; "block" where `compose` makes lists of one length.
        split_bytes, split_rows: pack row groups into splits of up to this size.
        output: "torch", "numpy" or "arrow".
        pin_memory: register the shared memory with CUDA, so that copies to a GPU need no wait.
        collate_fn: what to make of each batch.
        server: (host, port) of a `penstock serve --listen`, instead of an engine of this machine.
        token, ca_file: the server's token, and the certificates to trust.
    """

    def __init__(
        self,
        dataset: Dataset | Mixture | str | os.PathLike[str] | Sequence[str],
        batch_size: int = 1024,
        *,
        workers: int | None = None,
        shuffle: bool | str = False,
        compose: Composition | None = None,
        seed: int = 0,
        drop_last: bool = False,
        steps_per_epoch: int | None = None,
        rank: tuple[int, int] | str | None = None,
        rank_end: str = "exact",
        count_matches: bool = True,
        memory: str | None = None,
        shared_memory: int | None = None,
        prefetch_factor: int | None = None,
        timeout: float = 0,
        features: Mapping[str, Sequence[str]] | None = None,
        nulls: Any = None,
        strings: Mapping[str, Any] | None = None,
        timestamps: str | Mapping[str, str] | None = None,
        decimals: str | Mapping[str, str] | None = None,
        lists: Any = None,
        split_bytes: str | None = None,
        split_rows: int | None = None,
        output: str = "torch",
        pin_memory: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        server: tuple[str, int] | None = None,
        token: str = "",
        ca_file: str | None = None,
    ) -> None:
        _require_no_worker()
        if not isinstance(dataset, (Dataset, Mixture)):
            dataset = Dataset(dataset)
        if output not in ("torch", "numpy", "arrow"):
            raise ValueError(
                f"Cannot deliver batches as {output!r}: expected torch, numpy or arrow."
            )
        self.dataset = dataset
        self.batch_size = batch_size
        self.rank = find_rank(rank)
        options = {
            "batchSize": batch_size,
            "workers": workers,
            "shuffle": _shuffle(shuffle),
            "compose": None if compose is None else compose._request(),
            "seed": seed,
            "dropLast": drop_last,
            "stepsPerEpoch": steps_per_epoch,
            "rank": self.rank,
            "rankEnd": rank_end,
            "countMatches": count_matches,
            "memory": memory,
            "prefetchFactor": prefetch_factor,
            "timeout": timeout,
            "features": _features(features),
            "nulls": _by_column(nulls, _null_policy),
            "strings": _strings(strings),
            "timestamps": _by_column(timestamps, str),
            "decimals": _by_column(decimals, str),
            "splitBytes": split_bytes,
            "splitRows": split_rows,
            "output": "arrow" if output == "arrow" else "tensor",
        }
        self._server = (server, token, ca_file)
        self._request = {
            "dataset": self._request_of(dataset),
            "loader": {key: value for key, value in options.items() if value is not None},
        }
        self._output = output
        by_column = isinstance(lists, Mapping) and not _is_padding(lists)
        is_uniform = compose is not None and compose.is_uniform
        usual = "block" if is_uniform else "ragged"
        self._lists: Mapping[str, Any] = lists if by_column else {"": lists or usual}
        self._maker: Maker | None = None  # for arrow
        if output != "arrow":
            self._maker = TorchMaker() if output == "torch" else NumpyMaker()
        self._pin = pin_memory
        self._pins: Pins | None = None
        self._collate = collate_fn
        if shared_memory is None:
            shared_memory = (1 << 30) if pin_memory else default_size()
        self._shared_size = shared_memory

        self._pid = os.getpid()
        self._frames: Frames | None = None
        self._memory: SharedMemory | None = None
        self._released: collections.deque[tuple[int, Any]] = collections.deque()
        self._held: dict[int, weakref.ref[Any]] = {}
        self._epoch = 0  # number of the running epoch in this connection
        self._next_epoch: int | None = None
        self._state: str | bytes | None = None  # behind the batch last yielded
        self._resume: str | None = None
        self._length: int | None = None
        self._opens()

    # What users call.

    def __iter__(self) -> Iterator[Any]:
        """Starts the next epoch, ending the one before if it still runs."""
        frames = self._connected()
        begin: dict[str, Any] = {"number": self._epoch + 1, "credits": _AHEAD_FIRST}
        if self._next_epoch is not None:
            begin["epoch"] = self._next_epoch
        elif self._resume is not None:
            begin["state"] = self._resume
        frames.send(MORE, struct.pack("<i", 0) + self._free())
        frames.send_json(BEGIN, begin)
        self._epoch += 1
        self._next_epoch = None
        self._resume = None
        return _Epoch(self, frames, self._epoch)

    def __len__(self) -> int:
        """Returns the number of batches in an epoch, the same for all ranks.

        Raises TypeError if a filter leaves it open until the rows are read.
        """
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
        """Sets the number of the next epoch. Epochs advance by themselves."""
        if epoch < 0:
            raise ValueError(f"epoch must be 0 or more, got {epoch}.")
        self._next_epoch = epoch
        self._resume = None
        self._state = None

    def state_dict(self) -> dict[str, Any]:
        """Returns where the batch behind the one last yielded starts: less than 1 KB."""
        if self._next_epoch is None and self._resume is not None:
            return {_STATE: self._resume}
        if self._state is None:
            if self._next_epoch is not None:
                return {_STATE: None, "epoch": self._next_epoch}
            self._state = str(self._ask("state")["state"])
        if isinstance(self._state, bytes):
            self._state = self._state.decode()
        return {_STATE: self._state}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on behind the batch that was yielded last when the state was taken."""
        if _STATE not in state:
            raise ValueError(
                f"Cannot resume: this is not the state of a loader; it has no '{_STATE}'."
            )
        if state[_STATE] is None:
            self.set_epoch(int(state["epoch"]))
            return
        self._resume = str(state[_STATE])
        self._state = self._resume
        self._next_epoch = None

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
        self._epoch = 0

    def _connect(self) -> Frames:
        address, token, ca_file = self._server
        if address is None:
            return _engine.connect()
        from ._network import connect

        return connect(address, token, ca_file)

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
            if self._next_epoch is None and self._resume is None:
                state = self._state
                self._resume = state.decode() if isinstance(state, bytes) else state
        assert self._frames is not None
        return self._frames

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
        frames = self._connected()
        frames.send_json(ASK, {"what": what})
        return self._expect(frames, ANSWER)

    def _expect(self, frames: Frames, wanted: int) -> dict[str, Any]:
        """Waits for a frame; batches that come before it stay for the epoch."""
        while True:
            frame = frames.read_new()
            if frame.kind == wanted:
                return frame.json()
            if frame.kind == ERROR:
                error = frame.json()
                if error["number"] == 0:
                    raise from_engine(error)
            frames.keep(frame)


def _require_no_worker() -> None:
    data = sys.modules.get("torch.utils.data")
    if data is not None and data.get_worker_info() is not None:
        raise RuntimeError(
            "Cannot use a Loader in a worker of torch's DataLoader: the engine decodes in threads"
            " of its own. Iterate the Loader itself, or use num_workers=0."
        )


def _shuffle(choice: bool | str) -> str:
    return choice if isinstance(choice, str) else "splits" if choice else "none"


def _features(given: Mapping[str, Sequence[str]] | None) -> list[dict[str, Any]] | None:
    if given is None:
        return None
    return [{"name": name, "columns": list(columns)} for name, columns in given.items()]


def _null_policy(policy: Any) -> str:
    if isinstance(policy, (int, float)):
        return f"fill:{float(policy) if isinstance(policy, bool) else policy}"
    text = str(policy)
    return text if text in ("nan", "mask", "error") else f"text:{text}"


def _by_column(given: Any, text: Callable[[Any], str]) -> dict[str, str] | None:
    if given is None:
        return None
    if isinstance(given, Mapping):
        return {str(column): text(choice) for column, choice in given.items()}
    return {"": text(given)}


def _strings(given: Mapping[str, Any] | None) -> list[dict[str, Any]] | None:
    if given is None:
        return None
    made = []
    for column, form in given.items():
        if isinstance(form, str):
            made.append({"column": column, "form": form})
        elif "buckets" in form:
            made.append({"column": column, "form": "hash", **form})
        else:
            made.append({"column": column, "form": "codes", **form})
    return made


def _is_padding(lists: Mapping[str, Any]) -> bool:
    return set(lists) <= {"value", "length"}


class _Epoch:
    """The batches of one epoch."""

    def __init__(self, loader: Loader, frames: Frames, number: int) -> None:
        self._loader = loader
        self._frames = frames
        self._number = number
        self._columns: Any = None
        self._ahead = _AHEAD_FIRST  # batches that the engine may have sent and we not taken
        self._credit = _AHEAD_FIRST  # how many of them it may still send
        self._ended = False

    def __iter__(self) -> _Epoch:
        return self

    def __next__(self) -> Any:
        loader = self._loader
        if self._ended:
            raise StopIteration
        if loader._pid != os.getpid():
            loader._connected()
        if loader._epoch != self._number or loader._frames is not self._frames:
            raise RuntimeError(
                "Cannot go on with this epoch: a later one was started, or the Loader is closed."
            )
        self._give_credits()
        while True:
            frame = self._read()
            try:
                batch = self._take(frame)
            except FormError:
                raise
            except (AttributeError, LookupError, TypeError, ValueError, struct.error) as e:
                self._frames.close()
                self._ended = True
                raise EngineError(f"Cannot read what the engine sent: {e!r}.") from e
            if frame.kind == END and self._ended:
                raise StopIteration
            if isinstance(batch, Exception):
                self._ended = True
                raise batch
            if batch is not None:
                made, state = batch
                if loader._collate is not None:
                    made = loader._collate(made)
                loader._state = state
                return made

    def _take(self, frame: Frame) -> tuple[Any, bytes] | Exception | None:
        """Takes a frame in; returns a batch and the state behind it, or an error."""
        if frame.kind == BATCH:
            return self._batch(frame)
        message = frame.json()
        number = message["number"]
        if frame.kind == ERROR:
            return from_engine(message) if number in (0, self._number) else None
        if number == self._number and frame.kind == COLUMNS:
            self._take_columns(message["columns"])
        elif number == self._number and frame.kind == END:
            self._loader._state = str(message["state"])
            self._ended = True
        elif frame.kind not in (COLUMNS, END):
            raise ValueError(f"a frame of kind {frame.kind} within an epoch")
        return None

    def _read(self) -> Frame:
        try:
            return self._frames.read()
        except EngineError as e:
            self._ended = True
            raise EngineError(
                f"{e} No batch is lost: the next iter() goes on behind the one last received, as"
                " state_dict() says."
            ) from e

    def _take_columns(self, forms: list[dict[str, Any]]) -> None:
        loader = self._loader
        if loader._maker is None:
            self._columns = ArrowColumns(forms)
        else:
            self._columns = Columns(forms, loader._maker, loader._lists)

    def _batch(self, frame: Frame) -> tuple[Any, bytes] | None:
        loader = self._loader
        contents = frame.contents
        number, epoch, rows, state_bytes, pairs, start, span = _HEAD.unpack_from(contents)
        memory: Any
        if frame.sent is not None:
            memory = frame.sent
        else:
            assert loader._memory is not None
            memory = loader._memory.part(start, span)
            loader._hold(number, memory)
        if epoch != self._number:
            return None  # of an epoch that was left
        self._credit -= 1
        if self._ahead == _AHEAD_FIRST:
            self._ahead = max(_AHEAD_FIRST, min(_AHEAD_MAX, _AHEAD_BYTES // max(1, span)))
        places_end = _HEAD.size + 16 * pairs
        batch = self._columns.read(memory, rows, contents[_HEAD.size : places_end])
        state = bytes(contents[places_end : places_end + state_bytes])
        return batch, state

    def _give_credits(self) -> None:
        """Lets the engine send more, and use the memory again of batches that are gone."""
        if self._credit > self._ahead // 2:
            return
        credits = self._ahead - self._credit
        self._frames.try_send(MORE, struct.pack("<i", credits) + self._loader._free())
        self._credit = self._ahead
