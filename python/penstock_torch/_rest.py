"""How much of an epoch is left at a place, by how the engine deals rows to ranks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Dealing:
    """What decides how many batches a rank has."""

    world: int
    rank_end: str
    batch_size: int
    drop_last: bool

    def batches_left(
        self,
        state: str,
        length: int,
        steps_per_epoch: int | None,
        all_rows: Callable[[], int | None],
    ) -> int | None:
        """Returns the batches behind a state, the same for all ranks; None if it does not say.

        `length` counts those of an epoch, `all_rows` the rows of one of all ranks.
        """
        saved = json.loads(state)
        left = self._steps_left(saved, length, steps_per_epoch, all_rows)
        if left is None:
            return None
        behind = int(saved["batches"])
        skipped: int = sum(
            max(0, min(to, behind + left) - max(first, behind))
            for first, to in saved.get("skips", ())
        )
        return left - skipped

    def _steps_left(
        self,
        saved: Mapping[str, Any],
        length: int,
        steps_per_epoch: int | None,
        all_rows: Callable[[], int | None],
    ) -> int | None:
        """Returns how many there are with those that are skipped."""
        batches = int(saved["batches"])
        is_as_begun = not saved["past"] and saved["world"] == self.world
        has_same_batches = saved["at"] == [[batches * self.batch_size, 0]]
        if steps_per_epoch is not None or (is_as_begun and has_same_batches):
            return max(length - batches, 0)
        rows = all_rows()
        if rows is None or saved.get("excluded") or any("skips" in each for each in saved["past"]):
            return None
        here = {key: saved[key] for key in ("world", "rankEnd", "at")}
        done = 0  # by each rank, as the rows are dealt now
        for dealt in [*saved["past"], here]:
            if len(dealt["at"]) != 1 or dealt["at"][0][1] != 0:
                return None
            at, world = dealt["at"][0][0], dealt["world"]
            if dealt is here and world == self.world:
                done = at
                break
            parts = [rows // world + (each < rows % world) for each in range(world)]
            rows -= sum(min(at, part) for part in parts)
        least, most = rows // self.world - done, -(-rows // self.world) - done
        if self.rank_end == "drop":
            most = least
        elif self.rank_end == "pad":
            least = most
        return max(least // self.batch_size if self.drop_last else -(-most // self.batch_size), 0)
