"""Writes samplers.json beside this script. It was written with torch 2.13.0, on the CPU.

What golden.json leaves out: several epochs from one generator, where each order depends on every
number drawn before it, weights without replacement, and the orders drawn from the default
generator. The tests make the same calls in the same order.
"""

import json
import pathlib

import torch
from torch.utils.data import (
    BatchSampler,
    DistributedSampler,
    RandomSampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

WEIGHTS = [0.1, 0.9, 0.4, 0.7, 3.0, 0.6]
values = {}


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def epochs(sampler, count):
    return [list(sampler) for _ in range(count)]


def number(generator):
    return torch.empty((), dtype=torch.int64).random_(generator=generator).item()


def randint(low, high, count, seed):
    return torch.randint(low, high, (count,), generator=seeded(seed)).tolist()


def multinomial(weights, samples, replacement, calls, seed):
    weights = torch.tensor(weights, dtype=torch.float64)
    generator = seeded(seed)
    return [
        torch.multinomial(weights, samples, replacement, generator=generator).tolist()
        for _ in range(calls)
    ]


values["randint(-5, 5) 20 seed=7"] = randint(-5, 5, 20, 7)
values["randint(-2^63, 2^63-1) 10 seed=7"] = randint(-(2**63), 2**63 - 1, 10, 7)
values["randint(-2^62, 2^62+1) 10 seed=7"] = randint(-(2**62), 2**62 + 1, 10, 7)

g = seeded(9)
values["randperm(700), random_, rand, randint(2^28), randperm(3), random_ seed=9"] = [
    torch.randperm(700, generator=g)[:5].tolist(),
    number(g),
    torch.rand(1, dtype=torch.float64, generator=g).item(),
    torch.randint(2**28, (1,), generator=g).item(),
    torch.randperm(3, generator=g).tolist(),
    number(g),
]
million = torch.randperm(1_000_000, generator=seeded(3))
values["randperm(1000000) seed=3: first 5, last 5, sum of place * number mod 2^63"] = [
    million[:5].tolist(),
    million[-5:].tolist(),
    sum(i * n for i, n in enumerate(million.tolist())) % 2**63,
]

for samples in (1, 3, 6):
    key = f"multinomial(w, {samples}) 3 calls seed=3"
    values[key] = multinomial(WEIGHTS, samples, False, 3, 3)
values["multinomial(w, 1, replacement) 3 calls seed=3"] = multinomial(WEIGHTS, 1, True, 3, 3)
values["multinomial([0,2,0,1,0,0,5,0], 3) 3 calls seed=4"] = multinomial(
    [0.0, 2, 0, 1, 0, 0, 5, 0], 3, False, 3, 4
)
values["multinomial([0,2,0,1,0,0,5,0], 20, replacement) seed=4"] = multinomial(
    [0.0, 2, 0, 1, 0, 0, 5, 0], 20, True, 1, 4
)[0]
values["multinomial(1..1000, 100) 2 calls seed=5"] = multinomial(
    [float(i) for i in range(1, 1001)], 100, False, 2, 5
)
values["multinomial(1..1000, 100, replacement) 2 calls seed=5"] = multinomial(
    [float(i) for i in range(1, 1001)], 100, True, 2, 5
)

for n, samples in ((10, 10), (10, 7), (10, 20), (10, 25), (1, 3)):
    g = seeded(1)
    sampler = RandomSampler(range(n), num_samples=samples, generator=g)
    values[f"RandomSampler({n}, num_samples={samples}) 3 epochs, random_ seed=1"] = [
        epochs(sampler, 3),
        number(g),
    ]
for n, samples in ((10, 10), (10, 32), (10, 64), (1 << 29, 40)):
    g = seeded(1)
    sampler = RandomSampler(range(n), replacement=True, num_samples=samples, generator=g)
    values[f"RandomSampler({n}, replacement, num_samples={samples}) 2 epochs, random_ seed=1"] = [
        epochs(sampler, 2),
        number(g),
    ]

g = seeded(2)
subset = SubsetRandomSampler([50, 60, 70, 80, 90, 50], generator=g)
weighted = WeightedRandomSampler(WEIGHTS, 8, True, generator=g)
scarce = WeightedRandomSampler(WEIGHTS, 4, False, generator=g)
values["SubsetRandomSampler([50,60,70,80,90,50]), w 8 replacement, w 4: 2 epochs each, random_ seed=2"] = [
    epochs(subset, 2),
    epochs(weighted, 2),
    epochs(scarce, 2),
    number(g),
]

torch.manual_seed(42)
values["manual_seed(42): RandomSampler(10), replacement 40, subset [5..9], w 8 replacement, 2 epochs each, random_"] = [
    epochs(RandomSampler(range(10)), 2),
    epochs(RandomSampler(range(10), replacement=True, num_samples=40), 2),
    epochs(SubsetRandomSampler([5, 6, 7, 8, 9]), 2),
    epochs(WeightedRandomSampler(WEIGHTS, 8), 2),
    number(None),
]

for drop in (False, True):
    for size in (3, 4, 5, 12):
        g = seeded(1)
        batches = BatchSampler(RandomSampler(range(12), generator=g), size, drop)
        values[f"BatchSampler(RandomSampler(12), {size}, drop_last={drop}) 2 epochs, random_ seed=1"] = [
            epochs(batches, 2),
            number(g),
        ]
    values[f"BatchSampler(SequentialSampler(7), 3, drop_last={drop})"] = list(
        BatchSampler(SequentialSampler(range(7)), 3, drop)
    )

for n, world in ((7, 3), (3, 7), (1, 4), (8, 4), (0, 2)):
    for drop in (False, True):
        for shuffle in (False, True):
            ranks = []
            for rank in range(world):
                sampler = DistributedSampler(
                    range(n), world, rank, shuffle=shuffle, seed=5, drop_last=drop
                )
                sampler.set_epoch(2)
                ranks.append(list(sampler))
            key = f"DistributedSampler n={n} world={world} drop_last={drop} shuffle={shuffle} seed=5 epoch=2"
            values[key] = ranks

values["_torch"] = torch.__version__
lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
path = pathlib.Path(__file__).with_name("samplers.json")
path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
