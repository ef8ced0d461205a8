"""Scores: each row of a table once through a module, written as Parquet by the engine."""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from . import _engine, _model, _paths
from ._arguments import checks
from ._columns import Reader, reader_of
from ._connection import Peer, require_no_worker
from ._dataset import Dataset, Path, Plain
from ._errors import EngineError
from ._frames import Frame, FrameKind, Frames
from ._memory import SharedMemory, default_size
from ._messages import Answer, Columns, Failed, MalformedError, parse, places_and_state, reading
from ._mixture import Mixture
from ._options import OPTIONS, Option
from ._ranks import find_rank
from ._tokenize import Tokenize
from ._values import DecimalForm, EpochUnit, ListForm, NullPolicy, StringForm

# How a single input is called in what the engine writes.
_INPUT = "input"

_OF_LOADER = ("workers", "memory", "nulls", "strings", "timestamps", "decimals")
_REPLY_MAX = (64 << 20) - 1  # what fits into a frame beside its kind


def _option(name: str, kind: str, expected: str, example: str, *choices: str) -> Option:
    return Option(name, "", kind, expected, example, "", 1, 2**63 - 1, choices)


_of_loader = {each.name: each._replace(java="") for each in OPTIONS["Loader"]}
_OPTIONS = (
    *(_of_loader[name] for name in ("dataset", "batch_size", "rank", "tokenize", "lists")),
    *(_of_loader[name] for name in _OF_LOADER),
    _option("module", "function", "a torch module, or a function that takes a batch", "model"),
    _option("out", "path", "a path", '"scores"'),
    _option("keys", "names", "a list of names of columns", '["id"]'),
    _option("columns", "names", "a list of names of columns", '["name"]'),
    _option("on_error", "choice", 'one of "stop", "skip"', '"skip"', "stop", "skip"),
    _option("part_rows", "whole", "a whole number of at least 1", "1_000_000"),
    _option("version", "text", "a text", '"2026-11-30"'),
    _option("storage", "secrets", "a dict from an option of the store to its value", "{...}"),
    _option("output", "choice", 'one of "torch", "numpy"', '"numpy"', "torch", "numpy"),
)
_OPTIONS_OF_CHECK = tuple(each for each in _OPTIONS if each.name in ("dataset", "out", "storage"))


@dataclass(frozen=True)
class ScoreResult:
    """What a call of score() did.

    Attributes:
        rows: the rows that it wrote.
        skipped: the rows that the module failed for, and that were left out.
        parts: the parts that it made.
        found: the parts of this rank that were there before.
        parts_total: the parts of all ranks.
        bytes: the bytes of the files that it wrote.
        seconds: how long it took.
        reading: the seconds for which the engine's threads waited for rows, all added up.
        scoring: the seconds for which they waited for the module.
        encoding: the seconds for which they made Parquet.
        storing: the seconds for which they waited for the store.
        is_complete: whether all parts of all ranks are there, and the manifest.
    """

    rows: int
    skipped: int
    parts: int
    found: int
    parts_total: int
    bytes: int
    seconds: float
    reading: float
    scoring: float
    encoding: float
    storing: float
    is_complete: bool


@dataclass(frozen=True)
class ScoreProgress:
    """How far a call of score() is.

    Attributes:
        rows: the rows that are behind it, in parts that it makes or finds made.
        rows_total: how many these parts have.
        parts: how many of them are there.
        parts_total: how many there will be.
    """

    rows: int
    rows_total: int
    parts: int
    parts_total: int


@dataclass(frozen=True)
class ScoreCheck:
    """What check_scores() compared.

    Attributes:
        parts: the files, each as it was written.
        rows: the rows in them, whose keys are those of the table.
        skipped: the rows of the table that are in the lists of skipped rows instead.
    """

    parts: int
    rows: int
    skipped: int


@checks("score", _OPTIONS)
def score(
    dataset: Dataset | Path | Sequence[Path],
    module: Callable[..., Any],
    *,
    out: Path,
    keys: Sequence[str],
    columns: Sequence[str] = (),
    inputs: Sequence[str] | Mapping[str, str | Sequence[str]] | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    batch_size: int = 4096,
    workers: int | None = None,
    part_rows: int | None = None,
    rank: tuple[int, int] | str | None = None,
    device: Any = None,
    progress: bool | Callable[[ScoreProgress], object] = False,
    storage: Mapping[str, Plain] | None = None,
    version: str | None = None,
    memory: str | int | None = None,
    nulls: NullPolicy | Mapping[str, NullPolicy] | None = None,
    strings: Mapping[str, StringForm] | None = None,
    tokenize: Tokenize | Sequence[Tokenize] | None = None,
    timestamps: EpochUnit | Mapping[str, EpochUnit] | None = None,
    decimals: DecimalForm | Mapping[str, DecimalForm] | None = None,
    lists: ListForm | Mapping[str, ListForm] | None = None,
    output: Literal["torch", "numpy"] = "torch",
) -> ScoreResult:
    """Applies a module to each row of a table once, and writes the results as Parquet.

    The module gets batches one after another in this thread, in eval mode and without gradients;
    engine's threads read and write. A batch is valid during the call: copy what you keep of it. The
    module returns a tensor or an array of shape `[rows]` or `[rows, n]`, a list of texts, or a dict
    of these; a single one is written as the column `score`.

    Rows are cut into parts; each becomes visible as a whole. A call that was interrupted or killed
    is made again, also by another number of ranks: what is there stays. Another table, module or
    choice of columns is refused, and so is a second call at the same time. When all parts are
    there, `_manifest.json` lists them.

    Args:
        dataset: the table: a Dataset, with the filter that its rows shall have, or a location.
        module: a torch module, or any function that takes a batch.
        out: the folder to write to, local or of a store.
        keys: the columns that tell rows apart, which are written first.
        columns: other columns to write. Default: none.
        inputs: what the module is called with: a list of columns for one float32 tensor
            `[rows, n]`; or a dict from the name of an argument to such a list, or to one column as
            it is. Default: the batch, a dict from column to values as a Loader has it.
        on_error: what becomes of rows that the module raises an exception for: "stop" raises it,
            with file and row; "skip" lists them in the folder `_skipped`. Default: "stop".
        batch_size: the rows of a batch. Default: 4096.
        workers: threads that read and write. Default: the machine's processors.
        part_rows: the most rows of a part. Default: 64 parts, of 16,384 to 1,048,576 rows.
        rank: which of the processes that share the work this is: (rank, world). Default: as for a
            Loader.
        device: where batches are moved to. Default: where the module's first parameter is.
        progress: True for a bar of tqdm, or a function that takes a ScoreProgress. Default: False.
        storage: options of the store that is written to, as for a Dataset.
        version: what tells the module from another. Default: the SHA-256 of a torch module's
            state_dict; for others nothing.
        memory: the most memory off the heap that the engine may take for reading. Default: 512 MiB
            and 64 MiB more for each worker.
        nulls: as for a Loader, as the next ones.
        strings: how columns of strings come.
        tokenize: columns of strings that come as lists of token ids.
        timestamps: what dates and timestamps count.
        decimals: the form of decimals.
        lists: the form of lists of numbers.
        output: "torch" for tensors, "numpy" for arrays. Default: "torch".
    """
    require_no_worker()
    if not keys:
        raise ValueError(
            "Cannot write scores without keys: nothing would say which row a score is of. Name the"
            ' columns that tell rows apart, such as keys=["id"].'
        )
    options: dict[str, Any] = {"batchSize": batch_size, "rank": find_rank(rank)}
    given = locals()
    names = {each.name: each.java for each in OPTIONS["Loader"]}
    options |= {names[name]: given[name] for name in _OF_LOADER if given[name] is not None}
    if tokenize is not None:
        listed: Any = tokenize  # the check makes it a list
        options["tokenize"] = [each.request() for each in listed]
    feeding = _model.Feeding(_given(inputs), [*keys, *columns], options.get("nulls", {}))
    model = _model.ScoredModel(module, feeding, device, version, output)
    scores: dict[str, Any] = {
        "out": _folder(out),
        "storage": _paths.storage(dict(storage or {})),  # type: ignore[arg-type]
        "keys": list(keys),
        "columns": list(columns),
        "inputs": feeding.request,
        "version": model.version,
        "onError": on_error,
    }
    if part_rows is not None:
        scores["partRows"] = part_rows
    checked_lists: Any = lists or {}
    make_reader = reader_of(output, {"": "ragged", **checked_lists})
    with _told(progress) as tell, model.applied():
        said = _run(dataset, options, scores, model, make_reader, tell)
    return ScoreResult(
        rows=said["rows"],
        skipped=said["skipped"],
        parts=said["parts"],
        found=said["found"],
        parts_total=said["partsTotal"],
        bytes=said["bytes"],
        seconds=said["seconds"],
        reading=said["reading"],
        scoring=said["scoring"],
        encoding=said["encoding"],
        storing=said["storing"],
        is_complete=said["isComplete"],
    )


@checks("check_scores", _OPTIONS_OF_CHECK)
def check_scores(
    dataset: Dataset | Path | Sequence[Path],
    out: Path,
    *,
    storage: Mapping[str, Plain] | None = None,
) -> ScoreCheck:
    """Compares a folder that score() has completed with the table, without the module.

    Raises RuntimeError if a part is not as it was written, or its keys are not those of the
    table's rows.

    Args:
        dataset: the table, with the filter that was scored.
        out: the folder.
        storage: options of the store that has it, as for a Dataset.
    """
    require_no_worker()
    scores = {
        "out": _folder(out),
        "storage": _paths.storage(dict(storage or {})),  # type: ignore[arg-type]
        "check": True,
    }
    return ScoreCheck(**_run(dataset, {}, scores, None, None, lambda _: None))


def _folder(out: Path) -> str:
    folder = _paths.prefix(out)
    return folder.rstrip("/") or folder


def _given(inputs: Any) -> list[str] | dict[str, str | list[str]] | None:
    """Checks what a module is called with."""
    if inputs is None:
        return None
    several = inputs if isinstance(inputs, Mapping) else {_INPUT: inputs}
    made: dict[str, str | list[str]] = {}
    for name, of in several.items():
        if isinstance(of, str) and isinstance(inputs, Mapping):
            made[name] = of
            continue
        listed = [] if isinstance(of, (str, bytes)) else list(of)
        if not listed or not all(isinstance(each, str) for each in [name, *listed]):
            raise TypeError(
                f"Cannot use inputs={inputs!r}: expected a list of columns, such as"
                ' inputs=["a", "b"], or a dict from argument to such a list or to a column, such'
                ' as inputs={"x": ["a", "b"], "tokens": "tokens"}.'
            )
        made[name] = listed
    if isinstance(inputs, Mapping):
        return made
    return list(made[_INPUT])


@contextlib.contextmanager
def _told(
    progress: bool | Callable[[ScoreProgress], object],
) -> Iterator[Callable[[ScoreProgress], object]]:
    """Gives what is told how far it is."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield lambda _: None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        raise ImportError("Cannot show progress without tqdm. Run: pip install tqdm") from None
    with tqdm(unit="rows", unit_scale=True) as bar:

        def show(now: ScoreProgress) -> None:
            bar.total = now.rows_total
            bar.update(now.rows - bar.n)

        yield show


def _run(
    dataset: Any,
    options: Mapping[str, Any],
    scores: Mapping[str, Any],
    model: _model.ScoredModel | None,
    make_reader: Callable[[Any], Reader] | None,
    tell: Callable[[ScoreProgress], object],
) -> dict[str, Any]:
    """Has the engine score, and is its model. Returns what it says at the end."""
    if isinstance(dataset, Mixture):
        raise TypeError(
            "Cannot score a Mixture: its rows may come several times, or never. Score its datasets."
        )
    peer = Peer(None, "", None, 0)
    table = dataset if isinstance(dataset, Dataset) else Dataset(dataset)
    request = {"dataset": table.request(peer.columns), "loader": options, "scores": scores}
    frames = peer.connect()
    memory = SharedMemory(default_size())
    try:
        frames.send_json(FrameKind.SCORE, {**request, "memory": memory.path})
        return _Exchange(frames, memory, model, make_reader, tell).run()
    except EngineError as e:
        raise EngineError(f"{e} Call it again: what was written stays, and it goes on.") from e
    finally:
        frames.close()  # which ends the run, also where this process is interrupted
        memory.shared()


@dataclass(eq=False)
class _Exchange:
    """What goes over one connection."""

    frames: Frames
    memory: SharedMemory
    model: _model.ScoredModel | None
    make_reader: Callable[[Any], Reader] | None
    tell: Callable[[ScoreProgress], object]
    reader: Reader | None = None

    def run(self) -> dict[str, Any]:
        while True:
            frame = self._read()
            with reading(self.frames):
                if frame.head:
                    number, rows, batch = self._batch(frame)
                    said = None
                else:
                    said = self._said(frame)
            if said is not None:
                return said
            if frame.head:
                self._reply(number, rows, batch)

    def _read(self) -> Frame:
        """Waits for a frame, as long as the engine says that it is there."""
        try:
            return self.frames.read(_engine.deadline_of(0))
        except TimeoutError:
            self.frames.send_json(FrameKind.ASK, {"what": "alive"})
        try:
            return self.frames.read(_engine.deadline_of(0))
        except TimeoutError:
            raise EngineError(
                "Cannot wait longer for the engine: it is stuck: it said nothing for"
                f" {2 * _engine.patience(0):g} seconds."
            ) from None

    def _said(self, frame: Frame) -> dict[str, Any] | None:
        """Takes a frame that is no batch. Returns the answer, if it is that."""
        if frame.kind == FrameKind.PROGRESS:
            now = json.loads(frame.contents)
            numbers = (now["rows"], now["rowsTotal"], now["parts"], now["partsTotal"])
            self.tell(ScoreProgress(*numbers))
            return None
        said = parse(frame)
        if isinstance(said, Failed):
            of = None if self.model is None else self.model.failure_in(str(said.error))
            raise said.error from of
        if isinstance(said, Columns) and self.make_reader is not None:
            self.reader = self.make_reader(said.columns)
        elif isinstance(said, Answer) and "scores" in said.fields:
            return said.field("scores", dict)
        elif not isinstance(said, Answer):
            raise MalformedError(f"a frame of kind {frame.kind.name} within scores")
        return None

    def _batch(self, frame: Frame) -> tuple[int, int, Any]:
        number, _, rows, _, _, start, span = frame.head
        places, _ = places_and_state(frame)
        if self.reader is None:
            raise MalformedError("a batch before its columns")
        memory: Any = frame.sent
        if memory is None:
            memory = self.memory.part(start, span)
        return number, rows, self.reader.read(memory, rows, places)

    def _reply(self, number: int, rows: int, batch: Any) -> None:
        """Sends what the model makes of a batch."""
        assert self.model is not None
        document: dict[str, Any]
        values: list[Any] = []
        try:
            outputs = self.model(batch, rows)
            document = {"outputs": [each.described for each in outputs]}
            values = [each.values for each in outputs]
            count = sum(len(each) for each in values)
            if count > _REPLY_MAX - (1 << 20):
                raise ValueError(
                    f"the outputs of {rows} rows have {count} bytes, but at most {_REPLY_MAX} are"
                    " sent at once: use a smaller batch_size"
                )
        except Exception as e:
            self.model.failed(e)
            document, values = {"error": _model.reason(e)}, []
        text = json.dumps(document).encode()
        head = struct.pack("<Qi", number, len(text))
        self.frames.send(FrameKind.OUTPUTS, b"".join([head, text, *values]))
