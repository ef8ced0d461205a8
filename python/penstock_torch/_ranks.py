"""Which of the training processes this is: by the rules of `dev.penstock.split.Ranks`.

core/src/test/resources/dev/penstock/split/ranks.txt holds both to the same answers.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace

_COUNT_MAX = 1 << 20
_STEP_LAST = 0xFFFFFFF0  # SLURM's steps behind it are batch scripts, shells of salloc and such
_COUNTS_FOR_OTHERS = ("PENSTOCK_WORLD_SIZE", "WORLD_SIZE")

# Launcher, variable of the index, and variables of the count, the first that is set. Launchers
# that set no count come last, so that another's count is known.
_SOURCES = (
    ("Penstock's own", "PENSTOCK_RANK", ("PENSTOCK_WORLD_SIZE",)),
    ("torchrun, Accelerate, DeepSpeed", "RANK", ("WORLD_SIZE",)),
    ("Horovod", "HOROVOD_RANK", ("HOROVOD_SIZE",)),
    ("Open MPI", "OMPI_COMM_WORLD_RANK", ("OMPI_COMM_WORLD_SIZE",)),
    ("PMI", "PMI_RANK", ("PMI_SIZE",)),
    ("SLURM", "SLURM_PROCID", ("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS")),
    ("PMIx", "PMIX_RANK", ()),
    ("Kubernetes indexed job", "JOB_COMPLETION_INDEX", ()),
)
# Their counts may stand alone: scripts, and SLURM outside of steps, set them.
_LONE_COUNTS = ("PENSTOCK_RANK", "RANK", "SLURM_PROCID")


@dataclass(frozen=True)
class _Finding:
    launcher: str
    key: str
    index: int
    count: int | None
    text: str

    def agrees_with(self, other: _Finding) -> bool:
        counts = {self.count, other.count} - {None}
        return self.index == other.index and len(counts) <= 1

    def started_the_launcher_of(self, inner: _Finding, environment: Mapping[str, str]) -> bool:
        """Returns whether its numbers count launchers, one per node, and not processes."""
        if inner.key == "RANK":
            keys: tuple[str, ...] = ("GROUP_WORLD_SIZE", "CROSS_SIZE")
        elif (
            inner.key in ("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
            and self.key == "SLURM_PROCID"
            and (self.count or 0) < (inner.count or 0)
        ):
            keys = ("SLURM_STEP_NUM_NODES",)
        else:
            return False
        for key in keys:
            if key in environment:
                launchers = _number(environment, key, 1)
                if self.index < launchers and self.count in (None, launchers):
                    return True
        return False


def find_rank(given: tuple[int, int] | str | None) -> str:
    """Returns `rank/world`: as given, else as torch.distributed, a worker of Ray Train or the
    launcher says, else 0/1.
    """
    if given is None:
        return _of_torch() or _of_ray() or rank_in(os.environ)
    return given if isinstance(given, str) else "{}/{}".format(*given)


def check_rank(found: str) -> None:
    """Raises RuntimeError if torch.distributed, initialised since, has another rank."""
    now = _of_torch()
    if now is not None and now != found:
        raise RuntimeError(
            f"Cannot read the rows of rank {found}, which this Loader found when it was made:"
            f" torch.distributed says {now} now. Make the Loader after init_process_group, or pass"
            " rank=(rank, world)."
        )


def _of_torch() -> str | None:
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return f"{distributed.get_rank()}/{distributed.get_world_size()}"


def _of_ray() -> str | None:
    """Returns the rank of a worker of Ray Train, whose environment may be that of Ray's start."""
    train = sys.modules.get("ray.train")
    if train is None:
        return None
    try:
        context = train.get_context()
    except (DeprecationWarning, RuntimeError):  # this is the driver, or a trial of Ray Tune
        return None
    return f"{context.get_world_rank()}/{context.get_world_size()}"


def rank_in(environment: Mapping[str, str]) -> str:
    """Returns `rank/world` as the launchers' variables say.

    Raises ValueError if they are incomplete or wrong, or disagree.
    """
    findings = [each for each in (_read(source, environment) for source in _SOURCES) if each]
    counted = bool(findings) and findings[0].count is not None
    if (
        (counted or not findings)
        and "PENSTOCK_WORLD_SIZE" in environment
        and "PENSTOCK_RANK" not in environment
    ):
        raise _missing("Penstock's own", "PENSTOCK_WORLD_SIZE", "PENSTOCK_RANK", environment)
    if not findings:
        return "0/1"
    first = findings[0]
    if first.count is None:
        key = next((key for key in _COUNTS_FOR_OTHERS if key in environment), None)
        if key is None:
            raise _missing(first.launcher, first.key, " or ".join(_COUNTS_FOR_OTHERS), environment)
        first = _with_count(first, key, environment)
    assert first.count is not None
    if first.count > _COUNT_MAX:
        raise ValueError(f"The number of ranks must be {_COUNT_MAX} or less, got {first.count}.")
    accepted = [first]
    for finding in findings[1:]:
        if not any(
            finding.agrees_with(each) or finding.started_the_launcher_of(each, environment)
            for each in accepted
        ):
            raise ValueError(
                f"Cannot find the rank: the environment says {first.text}, but also {finding.text}."
                " Unset the variables that are not meant, or give the rank to the loader."
            )
        accepted.append(finding)
    return f"{first.index}/{first.count}"


def _read(
    source: tuple[str, str, tuple[str, ...]], environment: Mapping[str, str]
) -> _Finding | None:
    launcher, key, count_keys = source
    if key == "SLURM_PROCID":
        step = environment.get("SLURM_STEP_ID", "")
        if not _is_number(step) or int(step) > _STEP_LAST:
            return None  # a batch script has its variables too, but is not one of the tasks
    count_key = next((each for each in count_keys if each in environment), None)
    if key not in environment:
        if count_key is not None and key not in _LONE_COUNTS:
            raise _missing(launcher, count_key, key, environment)
        return None
    if count_keys and count_key is None:
        raise _missing(launcher, key, count_keys[-1], environment)
    text = f"{key}={environment[key]} ({launcher})"
    found = _Finding(launcher, key, _number(environment, key, 0), None, text)
    return found if count_key is None else _with_count(found, count_key, environment)


def _with_count(finding: _Finding, count_key: str, environment: Mapping[str, str]) -> _Finding:
    count = _number(environment, count_key, 1)
    text = f"{finding.key}={finding.index} and {count_key}={count} ({finding.launcher})"
    if finding.index >= count:
        raise ValueError(
            f"Cannot find the rank: by {text} it is not in [0, {count}). Ranks are counted from 0;"
            " correct the variables, or give the rank to the loader."
        )
    return replace(finding, count=count, text=text)


def _missing(
    launcher: str, present: str, absent: str, environment: Mapping[str, str]
) -> ValueError:
    return ValueError(
        f"Cannot find the rank: {present}={environment[present]} ({launcher}) is set but {absent}"
        f" is not. Set it, or unset {present}, or give the rank to the loader."
    )


def _number(environment: Mapping[str, str], key: str, least: int) -> int:
    text = environment[key]
    if _is_number(text) and least <= int(text) <= 999_999_999:
        return int(text)
    raise ValueError(
        f"Cannot find the rank: {key}='{text}' but must be a whole number of {least} or more."
        " Correct or unset it, or give the rank to the loader."
    )


def _is_number(text: str) -> bool:
    return re.fullmatch("[0-9]{1,18}", text) is not None
