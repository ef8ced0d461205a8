"""The arguments of Loader, Dataset, Mixture and the compositions, and the options that they are."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ._checks import CHECKS
from ._options import OPTIONS, Option
from ._scalars import nearest

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])

# What torch, transformers, Lightning, Accelerate and others call our options.
_OTHERS = {
    other: ours
    for ours, others in {
        "batch_size": "train_batch_size eval_batch_size per_device_train_batch_size"
        " per_device_eval_batch_size",
        "cast": "dtype dtypes",
        "collate_fn": "collate data_collator map_fn processing_class target_transform tokenizer"
        " transform transforms",
        "columns": "usecols",
        "compose": "group_by_length length_column_name",
        "dataset": "eval_dataset train_dataset",
        "drop_last": "drop_remainder",
        "format": "file_format",
        "locations": "data_dir data_files path",
        "output": "output_format return_tensors",
        "pin_memory": "pin_memory_device",
        "prefetch_factor": "prefetch",
        "rank": "num_ranks num_replicas world_size",
        "rank_end": "even_batches",
        "seed": "data_seed generator random_seed random_state shuffle_seed",
        "shuffle": "buffer_size sampler shuffle_buffer_size",
        "steps_per_epoch": "limit_train_batches limit_val_batches",
        "storage": "filesystem storage_options",
        "version": "snapshot_id",
        "where": "filter filters predicate",
        "workers": "num_parallel_calls num_proc num_threads num_workers",
    }.items()
    for other in others.split()
}

# What to do without one.
_LEFT_OUT = {
    "batch_sampler": "Use batch_size= and drop_last=, or compose=Buckets(COLUMN).",
    "persistent_workers": "Leave it out: the threads stay until the Loader is closed.",
    "multiprocessing_context": "Leave it out: workers are threads of the engine.",
    "worker_init_fn": "Leave it out: workers are threads of the engine and run no Python.",
    "in_order": "Leave it out: batches come in order.",
    "use_distributed_sampler": "Leave it out: each rank reads rows of its own, see rank=.",
    "split_batches": "Leave it out: batch_size= is that of each rank.",
    "dispatch_batches": "Leave it out: each rank makes a Loader of its own.",
    "max_steps": "Leave it out: end the loop there, or set steps_per_epoch=.",
    "epoch": "Use set_epoch().",
    "streaming": "Leave it out: rows are read as they are needed.",
    "split": "Name the files of the split, or use Dataset(..., where=...).",
    **dict.fromkeys(
        ("accelerator", "device", "devices", "precision", "strategy"),
        "Leave it out: move each batch to the device in the loop.",
    ),
    **dict.fromkeys(
        ("epochs", "max_epochs", "num_epochs", "num_train_epochs"),
        "Leave it out: every `for` over the Loader is an epoch.",
    ),
}


_DOORS = ("Mixture", "Dataset", "Loader")


def checked(cls: _Class) -> _Class:
    """Checks what instances of a class are made with, by the class's options."""
    made: Any = cls
    made.__init__ = checks(cls.__name__)(made.__init__)
    return cls


def checks(owner: str, own: Sequence[Option] = ()) -> Callable[[_Function], _Function]:
    """Checks a function's arguments by the options of a class, or its own, before it is called."""

    def wrap(function: _Function) -> _Function:
        signature = inspect.signature(function)
        known = [each for each in signature.parameters if each not in ("self", "cls")]
        options = {each.name: each for each in own or OPTIONS[owner]}

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for name in kwargs:
                if name not in known:
                    raise TypeError(_unknown(owner, name, known, options.values()))
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


def _unknown(owner: str, name: str, known: Sequence[str], own: Iterable[Option]) -> str:
    """Returns the error for an option that a class or a function does not have."""
    snake = re.sub("([A-Z])", r"_\1", name).lower()  # as Java spells them
    snake = snake.removeprefix("dataloader_")  # and TrainingArguments
    ours = _OTHERS.get(snake, snake)
    examples = {
        each.name: (of, f"{each.name}={each.example}")
        for of, options in [*((of, OPTIONS[of]) for of in _DOORS), (owner, own)]  # the last counts
        for each in options
    }
    if ours in known and ours in examples:
        advice = f" Use {examples[ours][1]}."
    elif ours in examples:
        of, example = examples[ours]
        advice = f" It is one of {of}: {of}(..., {example})."
    else:
        advice = f" {_LEFT_OUT[snake]}" if snake in _LEFT_OUT else nearest(name, known)
    return f"{owner} has no option '{name}'.{advice} Options are: {', '.join(known)}."
