"""The epochs of a loader: where it is in them, and the batches from there on."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._columns import Reader
from ._connection import Connection
from ._epoch import Epoch, Slow, Taken
from ._errors import EngineError
from ._messages import Column
from ._place import Place

# The engine says why a batch does not come when it has waited as long itself: a moment later.
_WORD_SECONDS = 1

_ROWS_LEFT = "rows left"


class Epochs:
    """One after the other, each of them begun again where it broke."""

    def __init__(
        self,
        connection: Connection,
        reader: Callable[[list[Column]], Reader],
        collate: Callable[[Any], Any] | None,
        log: Callable[[str], None],
    ) -> None:
        self._connection = connection
        self._make_reader = reader
        self._collate = collate
        self._log = log  # of steps
        self._run: Epoch | None = None  # where batches come from; None if it broke or is over
        self._begun: Epoch | None = None  # the last one, also behind its end
        self._turn = 0  # of the iterator that may take them
        self._at = Place(0)  # behind the batch last yielded
        self._next: Place | None = self._at  # of the next `for`; None for the next epoch
        self._last = self._at  # what state() says
        self._before = self._at  # before the batch last yielded
        self._warnings: list[str] = []  # of the engine, for the next batch
        self._warned: set[str] = set()

    def start(self, owner: object) -> Batches:
        """Starts the next epoch, ending the one before; the iterator keeps its owner alive."""
        with self._connection.alone:
            self._connection.frames()
            if self._next is None and self._is_untouched:
                self._next = self._at
            if self._next is None:
                self._warn_of_rows_left()
                self._next = self._beginning(self._at.epoch + 1)
            is_waited_for = self._run is not None and self._next is self._at
            if not is_waited_for:  # else the engine still works on what did not come in time
                self._begin(self._next)
            self._next = None
            self._turn += 1
            return Batches(self, self._turn, owner)

    def start_at(
        self, owner: object, number: int, find: Callable[[Place], Place | None]
    ) -> Batches:
        """Starts an epoch at a batch: at the place that follows from that behind the first, or else
        by reading up to it.

        That number of a place that a user brought, and 0, are where it would start anyway.
        """
        with self._connection.alone:
            place = self._next or self._at.settled()
            if number == 0 or (place.is_loaded and place.batches == number):
                return self.start(owner)
            if place.is_loaded and place.batches > 0:
                raise ValueError(
                    f"Cannot go to batch {number} of epoch {place.epoch}: the state that was loaded"
                    f" is behind batch {place.batches}. Load a state or skip batches, not both."
                )
            epoch = self.start(owner)
            for skipped in range(number):
                if self._take(epoch, is_skipped=True) is epoch:
                    raise ValueError(
                        f"Cannot go to batch {number} of epoch {self._at.epoch}: it has {skipped}."
                    )
                ahead = find(self._at) if skipped == 0 else None
                if ahead is not None:
                    self.go_to(ahead)
                    return self.start(owner)
            return epoch

    def go_to(self, place: Place) -> None:
        """Has the next `for` begin at a place."""
        self._next = self._last = place

    def go_to_epoch(self, epoch: int) -> None:
        """As `go_to`, but keeps the place in that epoch that a user brought."""
        place = self._next or self._at
        if not place.is_loaded or place.epoch != epoch:
            self.go_to(self._beginning(epoch))

    def _beginning(self, epoch: int) -> Place:
        """Returns the beginning of an epoch, in which rows stay excluded."""
        if not self._last.leaves_out_rows:
            return Place(epoch)
        return self._asked({"what": "epoch", "epoch": epoch}, self._last)

    def _asked(self, question: dict[str, Any], place: Place) -> Place:
        """Asks for a place that follows from another."""
        asked = {**place.asked(), **question}
        state = self._connection.ask_steps(asked, lambda said: said.field("state", str))
        return Place(question.get("epoch", place.epoch), state, is_beginning=False, is_loaded=True)

    @property
    def place(self) -> Place:
        """What `state` says."""
        return self._last.settled()

    def change(self, question: dict[str, Any]) -> None:
        """Goes on from here without some steps or rows. What was sent ahead is not delivered."""
        with self._connection.alone:
            if self._connection.cut is not None:
                raise ValueError(
                    "Cannot leave out steps or rows of a dataset whose splits are made by a split"
                    " strategy of your own."
                )
            place = self.place
            changed = self._asked(question, place)
            if place is not self._at:
                self.go_to(changed)
                return
            self._run = None  # begins again behind the batch last yielded
            place.state = changed.state
            if place.is_beginning:
                place.is_beginning, place.is_loaded = False, True

    def is_in(self, epoch: int) -> bool:
        """Whether that epoch was begun, and is not over."""
        return self._next is None and self._at.epoch == epoch

    @property
    def _is_untouched(self) -> bool:
        """Whether the epoch was begun but no batch taken since: to begin again is no new epoch."""
        return self._at.is_beginning or self._at.is_loaded

    @property
    def epoch(self) -> int:
        """The number of the epoch that runs, or else of the next one."""
        return (self._next or self._at).epoch

    def received(self) -> dict[str, int]:
        """Returns what came of the epoch that was begun last in this connection."""
        begun = self._begun
        if begun is None or begun.frames is not self._connection.current:
            return {"epoch": self.epoch, "rows": 0, "batches": 0, "nanos": 0, "waitNanos": 0}
        return {"epoch": self._at.epoch, **begun.received()}

    def state(self) -> dict[str, Any]:
        if self._connection.cut is not None:
            last = self._last.settled()  # the engine does not know the splits of the next epoch
            return (Place(last.epoch) if last.is_beginning else last).saved()
        if self._last.state is None and self._last.epoch == self._connection.begun == 0:
            self._last.state = self._connection.ask("state", "state", str)
        return self._last.saved()

    def state_before(self) -> dict[str, Any]:
        """Returns where the batch last yielded starts."""
        return self._before.saved()

    def _begin(self, place: Place) -> Epoch:
        """Has the engine begin at a place."""
        connection = self._connection
        was = connection.current
        frames = connection.frames(place.epoch)
        self._run = None
        self._at = self._last = place
        self._next = place  # as long as nothing else is known
        run = Epoch(frames, connection.begun + 1, self._reader, connection.memory)
        try:
            run.begin(place.where(is_new=connection.begun == 0 and connection.cut is None))
        except EngineError:
            if frames is not was:
                raise
            return self._begin(place)  # the engine died while nobody waited for it
        connection.begun += 1
        self._run = self._begun = run
        self._next = None
        return run

    def take(self, batches: Batches) -> Any:
        """Returns the next batch of an iterator, or the iterator itself at the end."""
        with self._connection.alone:
            return self._take(batches)

    def _take(self, batches: Batches, is_skipped: bool = False) -> Any:
        taken = None
        try:
            run = self._running(batches)
            try:
                taken = self._in_time(run)
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
            batch, state, digest = taken
            if self._collate is not None and not is_skipped:
                try:
                    batch = self._collate(batch)
                except StopIteration as e:  # which would end the loop
                    raise RuntimeError("collate_fn raised StopIteration.") from e
            if digest is not None and not is_skipped:
                self._log(digest)
            self._before = self._at.copy()
            self._at.advance(state)
            self._last = self._at
            return batch
        except Exception as e:
            is_users = taken is not None  # from collate_fn
            if is_users or not isinstance(e, TimeoutError):
                self._run = None  # asked again, it begins again at the batch that did not come
            if not is_users and isinstance(e, ValueError):
                self._at.is_loaded = False  # perhaps the state is refused
            if self._turn == batches.turn and self._next is None:
                self._next = self._at.settled()
            raise
        except BaseException:
            self._run = None
            raise

    def _running(self, batches: Batches) -> Epoch:
        """Returns where an iterator's batches come from, which begins again if it broke."""
        self._connection.require_own()
        if self._turn != batches.turn or self._connection.is_closed:
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

    def _in_time(self, run: Epoch) -> Taken | None:
        """Waits for a batch, for `timeout` seconds if that is set."""
        timeout = self._connection.peer.timeout
        if not timeout:
            return run.next(None)
        deadline = time.monotonic() + timeout
        why = ""
        while True:
            try:
                return run.next(deadline if why else deadline + _WORD_SECONDS)
            except Slow as e:
                why = str(e)
            except TimeoutError:
                raise TimeoutError(
                    why
                    or f"No batch came within {timeout:g} seconds, and {self._connection.peer} gave"
                    " no reason: it or the connection may be stuck. Ask again to wait again, or set"
                    " a longer timeout."
                ) from None
            if time.monotonic() >= deadline:
                raise TimeoutError(why)

    def _reader(self, columns: list[Column], said: list[str]) -> Reader:
        self._warnings = said
        return self._make_reader(columns)

    def _warn_of_rows_left(self) -> None:
        is_over = self._at.is_beginning or self._at.settled() is not self._at
        if is_over or _ROWS_LEFT in self._warned:
            return
        self._warned.add(_ROWS_LEFT)
        warnings.warn(
            f"Epoch {self._at.epoch} was left before its end: its other rows are not delivered, and"
            f" epoch {self._at.epoch + 1} begins. To go on in it instead, take state_dict() before"
            " the loop and give it to load_state_dict().",
            stacklevel=_users_line(),
        )

    def warn(self) -> None:
        """Says once what the engine warns of, at the line of the user's `for`."""
        while self._warnings:
            text = self._warnings.pop(0)
            if text not in self._warned:
                self._warned.add(text)
                warnings.warn(text, stacklevel=_users_line())


def _users_line() -> int:
    """Returns the `stacklevel` of a caller's warning for the line that asked for a batch."""
    frame, level = sys._getframe(1), 1
    ours = ("penstock_torch.", "torch.utils.data.")
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(ours):
        frame, level = frame.f_back, level + 1
    return level


@dataclass(eq=False, slots=True)
class Batches:
    """The iterator over one epoch of a loader."""

    _epochs: Epochs
    turn: int
    _owner: object
    _is_over: bool = False

    def __iter__(self) -> Batches:
        return self

    def __next__(self) -> Any:
        if self._is_over:
            raise StopIteration
        taken = self._epochs.take(self)
        if taken is self:
            self._is_over = True
            raise StopIteration
        self._epochs.warn()
        return taken
