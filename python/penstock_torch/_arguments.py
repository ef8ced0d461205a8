"""The arguments of Loader, Dataset, Mixture and the compositions, and the options that they are."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ._checks import CHECKS, nearest
from ._errors import FormError
from ._options import OPTIONS, Option

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])

# What other loaders call it: one of our options, or what to do without one.
_OTHERS = {
    "num_workers": "workers",
    "num_threads": "workers",
    "collate": "collate_fn",
    "transform": "collate_fn",
    "map_fn": "collate_fn",
    "generator": "seed",
    "shuffle_seed": "seed",
    "shuffle_buffer_size": "shuffle",
    "sampler": "shuffle",
    "num_ranks": "rank",
    "world_size": "rank",
    "output_format": "output",
    "pin_memory_device": "pin_memory",
    "drop_remainder": "drop_last",
    "filter": "where",
    "filters": "where",
    "path": "locations",
    "snapshot_id": "version",
    "storage_options": "storage",
    "batch_sampler": "Use batch_size= and drop_last=, or compose=Buckets(COLUMN).",
    "persistent_workers": "Leave it out: the threads stay until the Loader is closed.",
    "multiprocessing_context": "Leave it out: workers are threads of the engine.",
    "worker_init_fn": "Leave it out: workers are threads of the engine and run no Python.",
    "in_order": "Leave it out: batches come in order.",
    "accelerator": "Leave it out: move each batch to the device in the loop.",
    "device": "Leave it out: move each batch to the device in the loop.",
    "epoch": "Use set_epoch().",
}


def checked(cls: _Class) -> _Class:
    """Checks what instances of a class are made with, by the class's options."""
    made: Any = cls
    made.__init__ = checks(cls.__name__)(made.__init__)
    return cls


def checks(owner: str) -> Callable[[_Function], _Function]:
    """Checks a function's arguments by the options of a class, before it is called."""

    def wrap(function: _Function) -> _Function:
        signature = inspect.signature(function)
        known = [each for each in signature.parameters if each not in ("self", "cls")]
        options = {each.name: each for each in OPTIONS[owner]}

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for name in kwargs:
                if name not in known:
                    raise TypeError(_unknown(owner, name, known))
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                bound = None
            if bound is None:
                return function(*args, **kwargs)  # Python says what is missing
            bound.apply_defaults()
            for name, value in bound.arguments.items():
                usual = signature.parameters[name].default
                if name in options and (value is not None or usual is not None):
                    bound.arguments[name] = CHECKS[options[name].kind](options[name], value)
            return function(*bound.args, **bound.kwargs)

        return call  # type: ignore[return-value]

    return wrap


def requested(owner: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the checked values of a class's options, by their names in a request."""
    return {
        each.java: values[each.name]
        for each in OPTIONS[owner]
        if each.java and values[each.name] is not None
    }


def require_lists(lists: Mapping[str, Any], forms: Sequence[Mapping[str, Any]]) -> None:
    """Refuses names in `lists=` that are not columns with lists, as the engine describes them."""
    kinds = {form["name"]: form for form in forms}
    for name, form in lists.items():
        found = kinds.get(name)
        if name == "" or (found is not None and _is_list(found, form)):
            continue
        with_lists = [each["name"] for each in forms if each["kind"] == "ragged"]
        what = "there is no such column" if found is None else "it has no lists of numbers"
        meant = nearest(name, with_lists) if found is None else ""
        others = ", ".join(with_lists) or "not in this dataset"
        raise FormError(
            f"Cannot use lists={{{name!r}: {form!r}}}: {what}.{meant} Columns with lists of numbers"
            f" are: {others}."
        )


def _is_list(column: Mapping[str, Any], form: Any) -> bool:
    if column["kind"] == "tensor":  # lists of a fixed length
        return bool(column["shape"]) and form in ("block", "padded")
    return bool(column["kind"] == "ragged")


def whole(name: str, value: Any, least: int) -> int:
    """Checks a whole number that is no option."""
    expected = f"a whole number of at least {least}"
    option = Option(name, "", "whole", expected, str(least), "", least, 2**63 - 1, ())
    return int(CHECKS["whole"](option, value))


def name_of_column(name: str, value: Any) -> str:
    """Checks the name of a column that is no option."""
    option = Option(name, "", "text", "the name of a column", '"label"', "", 0, 0, ())
    return str(CHECKS["text"](option, value))


def _unknown(owner: str, name: str, known: Sequence[str]) -> str:
    """Returns the error for an option that a class does not have."""
    snake = re.sub("([A-Z])", r"_\1", name).lower()  # as Java spells them
    ours = _OTHERS.get(name, snake)
    examples = {
        each.name: (of, f"{each.name}={each.example}")
        for of in ("Mixture", "Dataset", "Loader", owner)  # the last one counts
        for each in OPTIONS[of]
    }
    if ours in known and ours in examples:
        advice = f" Use {examples[ours][1]}."
    elif ours in examples:
        of, example = examples[ours]
        advice = f" It is one of {of}: {of}(..., {example})."
    else:
        advice = f" {ours}" if name in _OTHERS else nearest(name, known)
    return f"{owner} has no option '{name}'.{advice} Options are: {', '.join(known)}."
