"""The loader: its options, and what users call."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from . import _paths
from ._arguments import checked, requested
from ._by_number import ByNumber, first
from ._columns import reader_of
from ._compose import Composition, Packs, Windows
from ._connection import Connection, Peer, require_no_worker
from ._dataset import Dataset, Path
from ._epochs import Batches, Epochs
from ._errors import EngineError
from ._filters import Filter, require_filter, to_text
from ._memory import default_size
from ._mixture import Mixture
from ._pins import pinned
from ._place import Place
from ._ranks import check_rank, find_rank
from ._report import write_whole
from ._rest import Dealing
from ._scalars import whole_number
from ._schema import Schema
from ._stats import Stats
from ._step_log import StepDigest, StepLog
from ._steps import StepRow, is_passed, row_text, rows_of, steps_text
from ._tokenize import Tokenize
from ._torch_names import TorchNames
from ._values import DecimalForm, EpochUnit, ListForm, NullPolicy, Padded, StringForm, Window

_T = TypeVar("_T")


@checked
class Loader(TorchNames):
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
        workers: threads that decode. In Python 0 is 1. Default: as many as needed, up to the
            machine's processors.
        shuffle: False, True (splits are permuted) or Window(65536) (rows, too). Default: False.
        compose: what is made of the rows of each window: Balanced, Buckets, Packs, Groups, Windows
            or Draws.
        seed: the seed of the shuffle. Default: 0.
        drop_last: leave out a last batch with too few rows. Default: False.
        steps_per_epoch: end each epoch after this number of batches.
        rank: which of the training processes this is: (rank, world). Default: as torch.distributed
            or the launcher says, else (0, 1).
        rank_end: how ranks come to the same number of batches: one of "exact", "pad", "drop".
            Default: "exact".
        count_matches: whether to count the rows that the filter keeps, if there are several ranks,
            or what `compose` makes, so that the number of batches is known. Default: True with
            several ranks, else False.
        memory: the most memory off the heap that the loader may take. Default: 512 MiB and 64 MiB
            more for each worker.
        shared_memory: the most bytes that batches may take, those that you keep included; `memory`
            is at most this. Default: the machine's memory; with `pin_memory` 1 GiB.
        prefetch_factor: how many batches are made ahead for each worker. Default: 2.
        timeout: the most seconds to wait for a batch: after them it is an error. 0 waits for ever.
            Default: 0.
        features: feature matrices: name to columns, as in {"x": ["a", "b"]}.
        nulls: what stands for nulls: "nan", "mask", "error", a number or a text that replaces
            nulls; or a dict from column to one of these. Default: "nan".
        strings: how columns of strings are delivered: a dict from column to "list", "codes",
            Codes(vocabulary=[...], unknown=0) or Hashed(buckets=1000). Default: "list".
        tokenize: columns of strings to deliver as lists of token ids, each by a tokenizer.json: a
            Tokenize, or a list of these.
        timestamps: what dates and timestamps count: one of "stored", "days", "seconds", "millis",
            "micros", "nanos"; or a dict from column to one of these. Default: "stored".
        decimals: the form of decimals: one of "object", "float64", "unscaled"; or a dict from
            column to one of these. Default: "object".
        lists: the form of lists of numbers: "ragged", "block", "padded" or Padded(value=0,
            length=128); or a dict from column to one of these. Default: "ragged"; "block" where
            `compose` makes lists of one length.
        split_bytes: pack row groups into splits of up to this size. Default: "128MiB".
        split_rows: pack row groups into splits of up to this many rows; a size given beside it does
            not count.
        output: the form of batches: one of "torch", "numpy", "arrow". Default: "torch".
        pin_memory: register the shared memory with CUDA, so that copies to a GPU need no wait.
            Default: False.
        collate_fn: what to make of each batch.
        record: keep what happened when, for the timeline of report(): 2 MiB of the engine's heap
            for each of the last ten epochs. Default: False.
        step_log: append a line of JSON to this file for each batch that is received, with its
            epoch, step and rank, and a digest of where its rows are stored. Ranks may share the
            file. Default: no log.
        server: where a `penstock serve --listen` is, instead of an engine of this machine:
            "host:port" or (host, port).
        token: the server's token.
        ca_file: the certificates to trust. Default: those of the system.
    """

    def __init__(
        self,
        dataset: Dataset | Mixture | Path | Sequence[Path],
        batch_size: int = 1024,
        *,
        workers: int | None = None,
        shuffle: bool | str | Window | None = False,
        compose: Composition | None = None,
        seed: int = 0,
        drop_last: bool = False,
        steps_per_epoch: int | None = None,
        rank: tuple[int, int] | str | None = None,
        rank_end: Literal["exact", "pad", "drop"] = "exact",
        count_matches: bool | None = None,
        memory: str | int | None = None,
        shared_memory: str | int | None = None,
        prefetch_factor: int | None = None,
        timeout: float | None = 0,
        features: Mapping[str, Sequence[str]] | None = None,
        nulls: NullPolicy | Mapping[str, NullPolicy] | None = None,
        strings: Mapping[str, StringForm] | None = None,
        tokenize: Tokenize | Sequence[Tokenize] | None = None,
        timestamps: EpochUnit | Mapping[str, EpochUnit] | None = None,
        decimals: DecimalForm | Mapping[str, DecimalForm] | None = None,
        lists: ListForm | Mapping[str, ListForm] | None = None,
        split_bytes: str | int | None = None,
        split_rows: int | None = None,
        output: Literal["torch", "numpy", "arrow"] = "torch",
        pin_memory: bool = False,
        collate_fn: Callable[[Any], Any] | None = None,
        record: bool = False,
        step_log: Path | None = None,
        server: tuple[str, int] | str | None = None,
        token: str | None = "",
        ca_file: Path | None = None,
    ) -> None:
        require_no_worker()
        if lists and output == "arrow":
            raise ValueError(
                "Cannot use lists= with output='arrow', whose lists are Arrow's. Leave it out."
            )
        self._dataset = dataset if isinstance(dataset, (Dataset, Mixture)) else Dataset(dataset)
        self._batch_size, self._drop_last, self._rank_end = batch_size, drop_last, rank_end
        self._shuffle, self._seed, self._steps_per_epoch = bool(shuffle), seed, steps_per_epoch
        self._is_pinned, self._is_composed = pin_memory, compose is not None
        self._rank = find_rank(rank)
        self._rank_given = rank is not None
        options = requested("Loader", locals())
        options["rank"] = self._rank
        if tokenize is not None:
            listed: Any = tokenize  # the check makes it a list
            options["tokenize"] = [each.request() for each in listed]
        if step_log is not None:
            options["stepDigests"] = True  # the log is written here
        options["output"] = "arrow" if output == "arrow" else "tensor"
        if compose is not None:
            kind = type(compose).__name__
            options["compose"] = {"kind": kind.lower(), **requested(kind, vars(compose))}
        usual: str | Padded = "ragged"
        if isinstance(compose, (Packs, Windows)):
            usual = Padded(length=compose.length)  # as "block", but also where there are no rows
        checked_lists: Any = lists or {}
        reader = reader_of(output, {"": usual, **checked_lists})

        address: Any = server
        certificates = None if ca_file is None else _paths.file(ca_file)
        peer = Peer(address, token or "", certificates, timeout or 0)
        request = {"dataset": self._dataset.request(peer.columns), "loader": options}
        if pin_memory and server is not None:
            warnings.warn(
                "pin_memory is set but batches come over the network: memory is not pinned.",
                stacklevel=2,
            )
        if shared_memory is None:
            shared_memory = (1 << 30) if pin_memory else default_size()
        cut = self._cut(peer, request["dataset"])
        self._connection = Connection(peer, request, int(shared_memory), pin_memory, cut)
        if pin_memory and collate_fn is not None:
            collate_fn = pinned(collate_fn)
        self._log = StepLog(step_log)
        self._epochs = Epochs(self._connection, reader, collate_fn, self._log.append)
        self._by_number = ByNumber(first(self._epochs))
        # Of all epochs, or of one where rows are excluded, which may be so only in what is left.
        self._length: tuple[int | None, int] | None = None
        self._rows_of_all: int | None = None

    def __iter__(self) -> Iterator[Any]:
        """Starts the next epoch, ending the one before if it still runs."""
        self._check_rank()
        return self._epochs.start(self)

    def __len__(self) -> int:
        """Returns the number of batches in an epoch, the same for all ranks.

        Raises TypeError if a filter, buckets or packs leave it open until the rows are read: give
        `steps_per_epoch`, or with the last two `count_matches=True`.
        """
        self._check_rank()
        self._connection.frames()
        epoch = self.epoch if self._epochs.place.leaves_out_rows else None
        if self._length is None or self._length[0] != epoch:
            try:
                self._length = epoch, self._asked("length", "length", int)
            except RuntimeError as e:
                if isinstance(e, EngineError):
                    raise
                raise TypeError(str(e)) from None
        return self._length[1]

    @property
    def epoch(self) -> int:
        """The number of the epoch that runs, or else of the next one; from 0."""
        return self._epochs.epoch

    def set_epoch(self, epoch: int) -> None:
        """Sets the number of the next epoch. Epochs advance by themselves.

        With the epoch of the state that was loaded last, before a batch came, the state stays.
        """
        self._epochs.go_to_epoch(whole_number("epoch", epoch, 0))

    def state_dict(self) -> dict[str, Any]:
        """Returns where the batch behind the one last yielded starts, without the rows that are
        excluded less than 1 KB.
        """
        return self._epochs.state()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on behind the batch that was yielded last when the state was taken."""
        self._epochs.go_to(Place.load(state))
        self._length = None

    def vocabulary(self, column: str) -> list[str]:
        """Returns the strings of a column that is delivered as codes, by code."""
        return self._connection.ask(f"vocabulary:{column}", "vocabulary", list)

    def schema(self) -> Schema:
        """Returns the columns that are read, with their types."""
        return Schema(self._connection.ask("schema", "columns", list))

    def rows_per_epoch(self) -> int | None:
        """Returns the rows of this rank's next epoch: the `total` of a progress bar.

        None with a filter or a composition: only reading tells.
        """
        self._check_rank()
        rows: object = self._asked("rowsPerEpoch", "rows", object)
        return rows if isinstance(rows, int) else None

    def plan(self, epoch: int | None = None) -> dict[str, Any]:
        """Returns what this rank reads in an epoch, without reading it: `penstock plan --json`.

        It has `files`, the splits of each of the `readers`, the `sequence` in which they are
        delivered, and what was `pruned`, by what.

        Args:
            epoch: its number. Default: the epoch that runs, or else the next one.
        """
        self._check_rank()
        number = self._epochs.epoch if epoch is None else whole_number("epoch", epoch, 0)
        return self._connection.plan(number)

    def stats(self) -> Stats:
        """Returns what the loader did and waited for in the epoch that runs, or the last one."""
        with self._connection.alone:
            self._connection.frames()  # what came over one that broke is not counted
            received = self._epochs.received()
            return Stats.of(self._connection.ask("stats", "stats", dict, received=received))

    def rows(
        self,
        steps: int | range | str,
        rank: int | None = None,
        *,
        state: Mapping[str, Any] | None = None,
        epoch: int | None = None,
        passes: bool = False,
    ) -> Iterator[StepRow]:
        """Returns which rows steps had or will have, by step, then rank, then place.

        Steps that are skipped have none. Reads no rows, unless `passes`. Take all rows before the
        next such question.

        Args:
            steps: a step (the batch of every rank, from 0 in the epoch), a range, or "A..B".
            rank: of which rank only. Default: of all.
            state: what `state_dict()` of this run was. Default: what it is now.
            epoch: an epoch that this world runs from its start to its end, instead of a state's.
            passes: whether to read what decides which rows a step has, where that is not known:
                behind a filter whose matches were not counted, or in a composition. Default: it is
                a RuntimeError that says so. Row ids that files store are also read only then, else
                they are None.
        """
        question = {"what": "rows", "steps": steps_text(steps), "pass": is_passed(passes)}
        if rank is not None:
            question["rank"] = whole_number("rank", rank, 0, 2**31 - 1)
        return rows_of(self._connection.ask_steps, {**question, **self._where(state, epoch)})

    def where(
        self,
        rows: Filter,
        *,
        state: Mapping[str, Any] | None = None,
        epoch: int | None = None,
        passes: bool = False,
    ) -> Iterator[StepRow]:
        """Returns where rows came or will come in an epoch. Reads the columns of the filter.

        Args:
            rows: which: a filter, as `Dataset(where=...)` takes it.
            state: as for `rows()`.
            epoch: as for `rows()`.
            passes: as for `rows()`.
        """
        require_filter(rows)
        text = rows if isinstance(rows, str) else to_text(rows, self._connection.columns())
        question = {"what": "find", "where": text, "pass": is_passed(passes)}
        return rows_of(self._connection.ask_steps, {**question, **self._where(state, epoch)})

    def skip(self, steps: int | range | str) -> None:
        """Leaves out steps of the epoch that runs, or else of the next one.

        From now on their rows are not delivered in it; all others come as they would. The state has
        it. Steps keep their numbers. All ranks have to skip the same steps.

        Args:
            steps: as for `rows()`. Those that were delivered already stay so.
        """
        self._epochs.change({"what": "skip", "steps": [steps_text(steps)]})

    def exclude(self, rows: Iterable[Mapping[str, Any] | StepRow] | Path) -> None:
        """Leaves out rows: from the next batch on they never come, in later epochs either.

        The state has it, and from where. All ranks have to do so at the same step.

        Args:
            rows: which: what `rows()` or `where()` returns; dicts from column to value, such as
                `{"id": 17}`, or with `"file"` and `"row"`, the row's number there; or a file with
                such a dict in JSON a line. At most 10,000 in all.
        """
        self._epochs.change({"what": "exclude", "rows": row_text(rows)})
        self._length = None

    @property
    def last_step(self) -> StepDigest | None:
        """The digest of the rows of the batch last yielded; None without `step_log`."""
        return self._log.last

    def report(self, path: Path) -> None:
        """Writes a page that shows where the time of the epochs went: one HTML file.

        It shows the epochs as the engine sent them, which is ahead of your loop. The file is
        complete or not there; one that exists is replaced.
        """
        place = os.fspath(path)  # before it is made
        write_whole(place, self._connection.ask("report", "report", str))

    def batches_left(self) -> int | None:
        """Returns the batches of the epoch behind the one last yielded, the same for all ranks.

        Behind a place that another number of ranks saved, too. None where only reading tells, and
        in what is left of an epoch in which rows were excluded.
        """
        self._check_rank()
        try:
            length = len(self)
        except TypeError:
            return None
        state = self.state_dict()["penstock_state"]
        if state is None:
            return length
        world = int(self._rank.split("/")[1])
        dealing = Dealing(world, self._rank_end, self._batch_size, self._drop_last)
        return dealing.batches_left(state, length, self._steps_per_epoch, self._all_rows)

    def close(self) -> None:
        """Ends the epoch and the engine's threads. Batches that you keep stay valid."""
        self._connection.close()
        self._log.close()

    def __enter__(self) -> Loader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):
            self.close()

    def __reduce__(self) -> str:
        raise TypeError(
            "Cannot pickle a Loader: it holds a connection. Make it where it is used; its Dataset"
            " and state_dict() can be sent."
        )

    def __repr__(self) -> str:
        return f"Loader({self._dataset!r}, batch_size={self._batch_size}, rank={self._rank})"

    def _cut(self, peer: Peer, dataset: Mapping[str, Any]) -> Callable[[int], list[Any]] | None:
        """Returns what makes the splits of an epoch; None leaves that to the engine."""
        return None

    def _where(self, state: Mapping[str, Any] | None, epoch: int | None) -> dict[str, Any]:
        """Returns which epoch is asked about."""
        if state is not None and epoch is not None:
            raise ValueError("Cannot ask about a state and another epoch: leave out one of them.")
        if epoch is not None:
            return {"epoch": whole_number("epoch", epoch, 0)}
        if state is not None:
            return Place.load(state).asked()
        return {**self._epochs.place.asked(), "goesOn": True}

    def _asked(self, what: str, field: str, kind: type[_T]) -> _T:
        """Asks for a number of the epoch, without the rows that are excluded."""
        place = self._epochs.place
        if not place.leaves_out_rows:
            return self._connection.ask(field, field, kind)
        question = {"what": what, **place.asked()}
        return self._connection.ask_steps(question, lambda said: said.field(field, kind))

    def _check_rank(self) -> None:
        if not self._rank_given:
            check_rank(self._rank)

    def _start_at(self, number: int) -> Batches:
        """Starts an epoch at a batch."""
        self._check_rank()
        if self._connection.cut is not None or self._is_composed:
            return self._epochs.start_at(self, number, lambda _: None)
        are_known = self.rows_per_epoch() is not None
        return self._epochs.start_at(
            self, number, lambda place: place.ahead(number, self._batch_size, are_known)
        )

    def _all_rows(self) -> int | None:
        """Returns the rows of a whole epoch of all ranks, or None where only reading tells."""
        if self._rows_of_all is None and self.rows_per_epoch() is not None:
            whole = {"rank": "0/1", "rankEnd": "exact", "dropLast": False, "stepsPerEpoch": None}
            self._rows_of_all = self._connection.ask_with(whole, "rows", "rows", int)
        return self._rows_of_all
