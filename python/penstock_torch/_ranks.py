"""Which of the training processes this is."""

from __future__ import annotations

import os
import sys


def find_rank(given: tuple[int, int] | str | None) -> str:
    """Returns `rank/world`: as given, else as torch.distributed or the launcher says, else 0/1.

    torchrun, Accelerate and DeepSpeed set RANK and WORLD_SIZE.
    """
    if isinstance(given, str):
        return given
    if given is not None:
        rank, world = given
        return f"{rank}/{world}"
    torch = sys.modules.get("torch")
    distributed = getattr(torch, "distributed", None)
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return f"{distributed.get_rank()}/{distributed.get_world_size()}"
    rank_text, world_text = os.environ.get("RANK"), os.environ.get("WORLD_SIZE")
    if rank_text is None and world_text in (None, "1"):
        return "0/1"
    if rank_text is None or world_text is None:
        raise ValueError(
            f"Cannot tell which rank this is: RANK is {rank_text} and WORLD_SIZE is {world_text}."
            " Set both, or pass rank=(rank, world)."
        )
    return f"{rank_text}/{world_text}"
