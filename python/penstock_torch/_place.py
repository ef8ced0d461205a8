"""A place in the epochs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_STATE = "penstock_state"
_EXCLUDED = "excluded"  # of the engine's state


@dataclass(eq=False, slots=True)
class Place:
    """The batch that comes next."""

    epoch: int
    #: the engine's state behind the batch before; None at the beginning of an epoch that only the
    #: number says
    state: str | bytes | None = None
    is_beginning: bool = True  # whether it is the first of its epoch
    is_loaded: bool = False  # whether a user brought the state

    @classmethod
    def load(cls, saved: Mapping[str, Any]) -> Place:
        if not isinstance(saved, Mapping) or _STATE not in saved:
            raise ValueError(
                f"Cannot resume: this is not the state of a loader; it has no '{_STATE}'."
            )
        if saved[_STATE] is None:
            return cls(int(saved["epoch"]))
        state = str(saved[_STATE])
        return cls(_epoch_of(state), state, is_beginning=False, is_loaded=True)

    def saved(self) -> dict[str, Any]:
        """Returns what `load` takes: always the same keys, for torch.distributed.checkpoint reads
        into the state of a loader that has not begun.
        """
        state = None if self.state is None else self._text()
        return {_STATE: state, "epoch": self.settled().epoch}

    def where(self, is_new: bool) -> dict[str, Any]:
        """Returns where to begin, as the engine is told: one that is new to this loader gets a
        state, and finds whether the files are the same.
        """
        if self.is_beginning and not is_new and not self.leaves_out_rows:
            return {"epoch": self.epoch}
        return self.asked()

    def asked(self) -> dict[str, Any]:
        """Returns it as the engine is told where it is asked about steps."""
        return {"epoch": self.epoch} if self.state is None else {"state": self._text()}

    @property
    def leaves_out_rows(self) -> bool:
        """Whether rows are excluded, which is so in later epochs, too."""
        return self.state is not None and bool(json.loads(self._text()).get(_EXCLUDED))

    def copy(self) -> Place:
        return Place(self.epoch, self.state, self.is_beginning, self.is_loaded)

    def advance(self, state: bytes) -> None:
        """Goes behind a batch."""
        self.state = state
        self.is_beginning = self.is_loaded = False

    def after(self, state: str) -> Place:
        """Returns the next epoch's beginning, which a state describes."""
        return Place(self.epoch + 1, state)

    @property
    def batches(self) -> int:
        """The batches of the epoch before it."""
        return 0 if self.state is None else int(json.loads(self._text())["batches"])

    def ahead(self, batches: int, rows: int, are_known: bool) -> Place | None:
        """Returns the place behind a number of batches of so many rows each, from behind the first.

        None if the numbers of this place do not follow from these, or may do by chance: unless the
        rows of an epoch are known.
        """
        saved = json.loads(self._text())
        if saved["batches"] != 1 or saved["past"] or saved["at"] != [[rows, 0]]:
            return None
        if saved.get("skips") or saved.get(_EXCLUDED):
            return None
        if not are_known and saved.get("dealt") != "matches":
            return None
        saved |= {"batches": batches, "at": [[batches * rows, 0]]}
        state = json.dumps(saved, separators=(",", ":"))
        return Place(self.epoch, state, is_beginning=False)

    def settled(self) -> Place:
        """Returns the next epoch's beginning where that is what the state says, else this.

        Behind an epoch's last batch only the word may be missing that it was the last.
        """
        if self.state is not None and _epoch_of(self._text()) == self.epoch + 1:
            return self.after(self._text())
        return self

    def _text(self) -> str:
        if isinstance(self.state, bytes):
            self.state = self.state.decode()
        return str(self.state)


def _epoch_of(state: str) -> int:
    """Returns the epoch of a state, or -1: the engine says what is wrong with it."""
    try:
        return int(json.loads(state)["epoch"])
    except (ValueError, TypeError, LookupError):
        return -1
