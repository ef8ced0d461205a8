"""How random the orders of shuffles are: MosaicML's, torch's and Penstock's, see shuffle-quality.sh.

shuffle-quality.py make FOLDER ROWS ROW_BYTES             Parquet files of a column `row`, as large as
                                                          shards of rows of so many bytes
shuffle-quality.py report ORDERS ROWS ROW_BYTES SEEDS     a table; ORDERS has Penstock's, SHUFFLE/SEED.i64

All statistics are standard normal for orders that are equally likely.
"""

import functools
import importlib.metadata
import importlib.util
import sys
import types
from pathlib import Path

import numpy as np

SHARD_BYTES = 1 << 26  # MDSWriter's size_limit
SAMPLE_BYTES = 4  # what a shard has for each sample besides
GROUP_ROWS = 65_536
BATCH = 1024
CELLS = 64
STATISTICS = ["rank", "serial", "ascents", "runs", "cells"]


def shards(rows: int, row_bytes: int) -> np.ndarray:
    """The rows of each shard that MosaicML's writer makes by default."""
    most = SHARD_BYTES // (row_bytes + SAMPLE_BYTES)
    return np.diff(np.append(np.arange(0, rows, most), rows))


def make(folder: Path, rows: int, row_bytes: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    start = 0
    for i, count in enumerate(shards(rows, row_bytes)):
        table = pa.table({"row": np.arange(start, start + count, dtype=np.int64)})
        pq.write_table(table, folder / f"part-{i:05d}.parquet", row_group_size=GROUP_ROWS)
        start += count


def statistics(order: np.ndarray) -> list[float]:
    n = len(order)
    centred = order - (n - 1) / 2
    squares = n * (n * n - 1) / 12
    rank = float(np.dot(np.arange(n) - (n - 1) / 2, centred)) / squares * (n - 1) ** 0.5
    serial = float(np.dot(centred, np.roll(centred, -1))) / squares * n**0.5
    ascents = (int(np.sum(order[1:] > order[:-1])) - (n - 1) / 2) / ((n + 1) / 12) ** 0.5
    above = order >= n // 2
    mean = 2.0 * (n // 2) * (n - n // 2) / n + 1
    count = 1 + int(np.sum(above[1:] != above[:-1]))
    runs = (count - mean) / ((mean - 1) * (mean - 2) / (n - 1)) ** 0.5
    cells = np.bincount(np.arange(n) * CELLS // n * CELLS + order * CELLS // n, minlength=CELLS**2)
    expected = n / CELLS**2
    freedom = (CELLS - 1) ** 2
    chi_squared = float(np.sum((cells - expected) ** 2)) / expected
    return [rank, serial, ascents, runs, (chi_squared - freedom) / (2 * freedom) ** 0.5]


def shown(number: float) -> str:
    return f"{number:.2f}" if abs(number) < 100 else f"{number:,.0f}"


def print_line(who: str, order: str, rows: int, orders) -> None:
    all_statistics = []
    for each in orders:
        if len(each) != rows or not np.array_equal(np.bincount(each, minlength=rows), np.ones(rows)):
            sys.exit(f"{who}, {order}: not every row comes once")
        all_statistics.append(statistics(each))
    means = np.mean(all_statistics, axis=0)
    deviations = np.std(all_statistics, axis=0, ddof=1)
    cells = (f"{shown(mean)} ({shown(deviation)})" for mean, deviation in zip(means, deviations))
    print(f"| {who} | {order} | {' | '.join(cells)} |", flush=True)


@functools.cache
def mosaic():
    """The functions of MosaicML's streaming that make an order, without all else that it imports."""
    root = Path(importlib.util.find_spec("streaming").submodule_search_locations[0])
    for name, folder in (("streaming", root), ("streaming.base", root / "base")):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]
    from streaming.base.partition import get_partitions
    from streaming.base.shuffle import algos, get_shuffle

    return get_partitions, get_shuffle, algos


def mosaic_order(algorithm: str, sizes: np.ndarray, seed: int) -> np.ndarray:
    """The order of a StreamingDataset's first epoch with its default options, on one node and rank."""
    get_partitions, get_shuffle, _ = mosaic()
    rows = int(sizes.sum())
    nodes = 64 if algorithm in ("py1s", "py2s") else 1
    block = max(4_000_000 // nodes, 1 << 18)
    places = get_partitions("relaxed", rows, nodes, 1, 1, 1, BATCH, 0, 1).reshape(-1)
    return get_shuffle(algorithm, sizes, nodes, seed, 0, block)[places[places >= 0]]


def report(folder: Path, rows: int, row_bytes: int, seeds: int) -> None:
    sizes = shards(rows, row_bytes)
    print(f"{rows:,} rows of {row_bytes:,} bytes in {len(sizes):,} shards, {seeds} seeds:\n")
    print(f"| who | order | {' | '.join(STATISTICS)} |")
    print(f"|---|---|{'---|' * len(STATISTICS)}")
    for orders in sorted(path for path in folder.iterdir() if (path / "0.i64").exists()):
        files = (np.fromfile(orders / f"{seed}.i64", np.int64) for seed in range(seeds))
        print_line("Penstock", orders.name, rows, files)
    try:
        import torch
    except ImportError:
        print("torch is not installed", file=sys.stderr)
    else:
        drawn = [torch.randperm(rows, generator=torch.Generator().manual_seed(i)).numpy() for i in range(seeds)]
        print_line("torch", "randperm", rows, drawn)
        for seed in range(seeds if (folder / "torch").exists() else 0):
            if not np.array_equal(drawn[seed], np.fromfile(folder / "torch" / f"{seed}.i64", np.int64)):
                sys.exit(f"Penstock's order 'torch' is not torch's with seed {seed}")
    try:
        version = importlib.metadata.version("mosaicml-streaming")
    except importlib.metadata.PackageNotFoundError:
        print("mosaicml-streaming is not installed", file=sys.stderr)
        return
    for algorithm in mosaic()[2]:
        orders = (mosaic_order(algorithm, sizes, seed) for seed in range(seeds))
        print_line(f"MosaicML {version}", algorithm, rows, orders)


if __name__ == "__main__":
    command, path, *numbers = sys.argv[1:]
    if int(numbers[0]) % 64:
        sys.exit(f"The rows must be a multiple of 64, because MosaicML repeats some otherwise; got {numbers[0]}.")
    {"make": make, "report": report}[command](Path(path), *map(int, numbers))
