"""Writes datasets.json beside this script. It was written with torch 2.13.0, on the CPU.

What semantics.json leaves out: which rows each split of random_split gets, how fractions are
rounded, and the type that tensors of two types have when they are stacked.
"""

import json
import pathlib
import warnings

import torch
from torch.utils.data import default_collate, random_split

TYPES = {
    "BOOL": torch.bool,
    "INT8": torch.int8,
    "INT16": torch.int16,
    "INT32": torch.int32,
    "INT64": torch.int64,
    "UINT8": torch.uint8,
    "UINT16": torch.uint16,
    "UINT32": torch.uint32,
    "UINT64": torch.uint64,
    "FLOAT16": torch.float16,
    "FLOAT32": torch.float32,
    "FLOAT64": torch.float64,
}
NAMES = {dtype: name for name, dtype in TYPES.items()}


def splits(size, parts, seed):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = random_split(range(size), parts, torch.Generator().manual_seed(seed))
        except ValueError as error:
            return {"size": size, "parts": parts, "seed": seed, "error": str(error)}
    return {
        "size": size,
        "parts": parts,
        "seed": seed,
        "splits": [list(split.indices) for split in found],
        "warnings": [str(warning.message) for warning in caught],
    }


def stacked(first, second):
    rows = [torch.zeros(1, dtype=first), torch.zeros(1, dtype=second)]
    try:
        return NAMES[default_collate(rows).dtype]
    except RuntimeError:
        return "refused"


recorded = {
    "lengths": [
        splits(10, [3, 7], 42),
        splits(10, [0, 4, 6], 1),
        splits(1, [1, 0], 0),
        splits(7, [7], 5),
        splits(10, [3, 8], 0),
        splits(10, [3, 6], 0),
    ],
    "fractions": [
        splits(10, [0.3, 0.7], 42),
        splits(10, [0.3, 0.3, 0.4], 7),
        splits(11, [0.25, 0.25, 0.25, 0.25], 0),
        splits(5, [1 / 3, 1 / 3, 1 / 3], 3),
        splits(100, [0.29, 0.57, 0.14], 0),
        splits(10, [0.1] * 10, 0),
        splits(17, [0.1, 0.2, 0.7], 11),
        splits(3, [0.1, 0.1, 0.8], 2),
        splits(2, [0.2] * 5, 2),
        splits(10, [1.0], 9),
        splits(10, [0.0, 1.0], 9),
        splits(10, [0.5, 0.4999999999], 4),
        splits(10, [0.5, 0.49999], 4),
        splits(10, [0.5, 0.5000000001], 4),
        splits(10, [-0.5, 1.5], 4),
        splits(0, [0.5, 0.5], 4),
    ],
    "stacked": {a: {b: stacked(TYPES[a], TYPES[b]) for b in TYPES} for a in TYPES},
}
lines = [f'"_torch": {json.dumps(torch.__version__)}']
for key in ("lengths", "fractions"):
    lines.append(f'"{key}": [\n' + ",\n".join(map(json.dumps, recorded[key])) + "\n]")
rows = [f"{json.dumps(a)}: {json.dumps(types)}" for a, types in recorded["stacked"].items()]
lines.append('"stacked": {\n' + ",\n".join(rows) + "\n}")
path = pathlib.Path(__file__).with_name("datasets.json")
path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
