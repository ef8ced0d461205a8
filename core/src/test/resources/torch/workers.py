"""Writes workers.json beside this script. It was written with torch 2.15.0, on the CPU.

What worker processes give that worker threads have to give as well: the documented ways to share an
iterable dataset, the default generator of a worker, and what pin_memory looks into.
"""

import collections
import dataclasses
import json
import math
import types
from pathlib import Path

import torch
from torch.utils.data import DataLoader, IterableDataset, RandomSampler, get_worker_info


class Shares(IterableDataset):
    """torch's documentation, example 1: the iterator asks which worker calls it."""

    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        info = get_worker_info()
        if info is None:
            return iter(range(self.start, self.end))
        each = math.ceil((self.end - self.start) / info.num_workers)
        start = self.start + info.id * each
        return iter(range(start, min(start + each, self.end)))


class Range(IterableDataset):
    """torch's documentation, example 2: worker_init_fn changes the worker's copy."""

    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        return iter(range(self.start, self.end))


def share(worker):
    info = get_worker_info()
    dataset = info.dataset
    start, end = dataset.start, dataset.end
    each = math.ceil((end - start) / info.num_workers)
    dataset.start = start + worker * each
    dataset.end = min(dataset.start + each, end)


class Drawn(torch.utils.data.Dataset):
    """What a worker's default generator gives, and where it is seeded anew halfway."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        if index == 3:
            torch.manual_seed(7)
        return [
            get_worker_info().id,
            torch.initial_seed(),
            torch.randint(0, 1000, (1,)).item(),
            torch.rand(1, dtype=torch.float64).item(),
            torch.randperm(5).tolist(),
            list(RandomSampler(range(5))),
        ]


def loaded(dataset, **options):
    return [batch for batch in DataLoader(dataset, **options)]


def epochs(persistent):
    torch.manual_seed(42)
    loader = DataLoader(
        Drawn(), batch_size=None, num_workers=2, persistent_workers=persistent
    )
    return [[row for row in loader] for _ in range(2)]


class Own:
    def pin_memory(self):
        return "pinned"


class OwnList(list):
    def pin_memory(self):
        return ["pinned", "by its own method"]


class Named(collections.namedtuple("Named", "a b")):
    pass


@dataclasses.dataclass
class Data:
    a: object


class Holder:
    def __init__(self, a):
        self.a = a


def looks(made):
    """Whether pin_memory gives what holds an Own with it pinned, what type, and whether the same."""
    pin = torch.utils.data._utils.pin_memory.pin_memory
    given = pin(made)
    if isinstance(given, Data | Holder):
        inner = [given.a]
    elif isinstance(given, collections.abc.Mapping):
        inner = list(given.values())
    elif isinstance(given, (set, frozenset, types.GeneratorType)):
        inner = list(given)
    elif isinstance(given, str):
        inner = [given]
    else:
        inner = list(given)
    return [type(given).__name__, "pinned" in inner, given is made]


def main():
    torch_values = {"torch": torch.__version__.partition("+")[0]}
    for workers in 0, 1, 2, 3:
        for kind, dataset, init in (("iter", Shares(3, 10), None), ("init", Range(3, 10), share)):
            torch_values[f"documented {kind} workers={workers}"] = loaded(
                dataset, batch_size=None, num_workers=workers, worker_init_fn=init
            )
        torch_values[f"undivided workers={workers}"] = loaded(
            Range(3, 10), batch_size=None, num_workers=workers
        )
    persistent = DataLoader(
        Range(3, 10), batch_size=None, num_workers=2, worker_init_fn=share, persistent_workers=True
    )
    torch_values["documented init persistent 2 epochs"] = [list(persistent) for _ in range(2)]
    for kind in "persistent", "non-persistent":
        torch_values[f"default generator {kind} 2 epochs"] = epochs(kind == "persistent")
    pinned = {
        "list": [Own()],
        "list with a pin_memory of its own": OwnList([1]),
        "tuple": (Own(),),
        "namedtuple": Named(Own(), 1),
        "dict": {"a": Own()},
        "OrderedDict": collections.OrderedDict(a=Own()),
        "UserDict": collections.UserDict(a=Own()),
        "MappingProxy": types.MappingProxyType({"a": Own()}),
        "UserList": collections.UserList([Own()]),
        "deque": collections.deque([Own()]),
        "set": {Own()},
        "dataclass": Data(Own()),
        "object": Holder(Own()),
        "str": "text",
    }
    torch_values["pin_memory"] = {name: looks(made) for name, made in pinned.items()}
    nested = {"a": [(Own(), {"b": Own()})], "c": 1, "d": "text"}
    torch_values["pin_memory nested"] = torch.utils.data._utils.pin_memory.pin_memory(nested)
    kept = [Own()]
    torch.utils.data._utils.pin_memory.pin_memory(kept)
    torch_values["pin_memory changes what it is given"] = kept == ["pinned"]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in torch_values.items())
    Path(__file__).with_suffix(".json").write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
