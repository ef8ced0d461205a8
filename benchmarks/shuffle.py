"""The other side of benchmarks/shuffle.sh: rows in random order by torch, a memory map and Lance.

shuffle.py make DATA_DIR WORKLOAD              the rows as arrays and as a Lance dataset
shuffle.py run DATA_DIR WORKLOAD WAY EPOCHS    `| WORKLOAD/WAY | median ms | least | most |`
shuffle.py report RESULTS ROWS                 Markdown of lines `ROUND | NAME | ms | ...`

A way is NAME@WORKERS[xTHREADS]; 0 workers deliver in the consumer's process, with one thread of
torch if not given. Status 3 if a library is not there. PEERS is the folder of checks.py. The first
epoch is compared with the manifest and does not count. SECONDS_MAX is how long those that count may
take; one is run whatever it takes.
"""

import json
import os
import statistics
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, os.environ.get("PEERS", str(Path(__file__).resolve().parents[2] / "shared/bench")))

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BATCH = 1024
SECONDS = float(os.environ.get("SECONDS_MAX", "20"))
IN_ORDER = "file order"
PARQUET = "Parquet"
MATRIX = {"w1": [f"f{i:02d}" for i in range(64)], "w5": ["e"]}


def arrays(folder: Path, workload: str) -> list[Path]:
    """The matrix, and the labels if the workload has them."""
    return [folder / f"{workload}-{name}.npy" for name in ("matrix", "label")[: 2 if workload == "w1" else 1]]


def make(data: Path, workload: str) -> None:
    folder = data / "shuffle"
    folder.mkdir(exist_ok=True)
    paths = arrays(folder, workload)
    if not all(path.exists() for path in paths):
        parts, labels = [], []
        for file in sorted((data / workload).glob("*.parquet")):
            table = pq.read_table(file)
            columns = [table[name].combine_chunks() for name in MATRIX[workload]]
            if workload == "w5":
                parts.append(columns[0].flatten().to_numpy().reshape(len(table), -1))
            else:
                parts.append(np.stack([column.to_numpy() for column in columns], axis=1))
                labels.append(table["label"].to_numpy())
        np.save(paths[0], np.concatenate(parts))
        if labels:
            np.save(paths[1], np.concatenate(labels))
    lance_folder = folder / f"{workload}.lance"
    if not lance_folder.exists():
        try:
            import lance
        except ImportError:
            return
        matrix, *label = (np.load(path) for path in paths)
        columns = {"matrix": pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), matrix.shape[1])}
        if label:
            columns["label"] = pa.array(label[0])
        lance.write_dataset(pa.table(columns), lance_folder)


def in_memory(folder: Path, workload: str):
    import torch

    return [torch.from_numpy(np.load(path)) for path in arrays(folder, workload)]


def batched(dataset, workers: int, **options):
    """A loader that asks its dataset for whole batches of row numbers, drawn by torch's own samplers."""
    from torch.utils.data import BatchSampler, DataLoader, RandomSampler

    numbers = BatchSampler(RandomSampler(range(len(dataset))), BATCH, drop_last=False)
    return DataLoader(
        dataset, sampler=numbers, batch_size=None, num_workers=workers, persistent_workers=workers > 0, **options
    )


def torch_rows(folder: Path, workload: str, workers: int):
    from torch.utils.data import DataLoader, TensorDataset

    dataset = TensorDataset(*in_memory(folder, workload))
    return DataLoader(dataset, BATCH, shuffle=True, num_workers=workers, persistent_workers=workers > 0)


def torch_batches(folder: Path, workload: str, workers: int):
    from torch.utils.data import TensorDataset

    return batched(TensorDataset(*in_memory(folder, workload)), workers)


class Loop:
    """Takes rows of tensors without a loader: the least that torch can do for them."""

    def __init__(self, folder: Path, workload: str, workers: int):
        if workers:
            raise ValueError("A loop has no workers.")
        self.tensors = in_memory(folder, workload)

    def __iter__(self):
        import torch

        order = torch.randperm(len(self.tensors[0]))
        for rows in order.split(BATCH):
            yield [tensor[rows] for tensor in self.tensors]


class Mapped:
    """A map-style dataset over memory-mapped arrays, of rows or of batches of rows."""

    def __init__(self, paths: list[Path]):
        self.arrays = [np.load(path, mmap_mode="r") for path in paths]

    def __len__(self):
        return len(self.arrays[0])

    def __getitem__(self, rows):
        import torch

        return [torch.as_tensor(np.array(array[rows])) for array in self.arrays]


def mapped_rows(folder: Path, workload: str, workers: int):
    from torch.utils.data import DataLoader

    dataset = Mapped(arrays(folder, workload))
    return DataLoader(dataset, BATCH, shuffle=True, num_workers=workers, persistent_workers=workers > 0)


def mapped_batches(folder: Path, workload: str, workers: int):
    return batched(Mapped(arrays(folder, workload)), workers)


class Taken:
    """A map-style dataset of batches of rows that Lance takes by number, opened where it is used."""

    def __init__(self, path: Path):
        import lance

        self.path = path
        self.rows = lance.dataset(path).count_rows()
        self.dataset = None

    def __len__(self):
        return self.rows

    def __getitem__(self, rows):
        import lance
        import torch

        if self.dataset is None:
            self.dataset = lance.dataset(self.path)
        table = self.dataset.take(rows).combine_chunks()
        columns = [table[name].combine_chunks() for name in table.column_names]
        matrix = columns[0].flatten().to_numpy().reshape(len(table), -1)
        return [torch.from_numpy(array) for array in (matrix, *(each.to_numpy() for each in columns[1:]))]


def lance_take(folder: Path, workload: str, workers: int):
    # Lance's threads do not survive a fork.
    options = {"multiprocessing_context": "spawn"} if workers else {}
    return batched(Taken(folder / f"{workload}.lance"), workers, **options)


def matrices(rows: list[dict]):
    import torch

    return [torch.tensor([row[name] for row in rows]) for name in rows[0]]


def lance_safe(folder: Path, workload: str, workers: int):
    from lance.torch.data import SafeLanceDataset, get_safe_loader

    if not workers:
        raise ValueError("Lance's safe loader needs workers.")

    dataset = SafeLanceDataset(str(folder / f"{workload}.lance"))
    return get_safe_loader(dataset, BATCH, num_workers=workers, shuffle=True, collate_fn=matrices)


def lance_iterable(folder: Path, workload: str, workers: int, sampler=None):
    from lance.torch.data import LanceDataset

    if workers:
        raise ValueError("Lance reads ahead in threads of its own.")
    return LanceDataset(str(folder / f"{workload}.lance"), BATCH, sampler=sampler)


def lance_batches(folder: Path, workload: str, workers: int):
    from lance.sampler import ShardedBatchSampler

    return lance_iterable(folder, workload, workers, ShardedBatchSampler(0, 1, randomize=True))


WAYS = {
    "torch": (torch_rows, "torch `DataLoader`, a row at a time", "all rows", "tensors in memory"),
    "torch-batched": (torch_batches, "torch `DataLoader`, `BatchSampler`", "all rows", "tensors in memory"),
    "torch-loop": (Loop, "torch, `randperm` and a loop", "all rows", "tensors in memory"),
    "memmap": (mapped_rows, "torch `DataLoader`, a row at a time", "all rows", "numpy memory map"),
    "memmap-batched": (mapped_batches, "torch `DataLoader`, `BatchSampler`", "all rows", "numpy memory map"),
    "lance-take": (lance_take, "torch `DataLoader`, `BatchSampler`, `take`", "all rows", "Lance"),
    "lance-safe": (lance_safe, "Lance's `get_safe_loader`", "all rows", "Lance"),
    "lance-batches": (lance_batches, "Lance's `LanceDataset`, `ShardedBatchSampler`", "batches, not rows", "Lance"),
    "lance-scan": (lance_iterable, "Lance's `LanceDataset`", IN_ORDER, "Lance"),
}


def tensors(batch) -> list:
    """The matrix, and the labels if there are any."""
    if isinstance(batch, dict):
        return list(batch.values())
    return list(batch) if isinstance(batch, (list, tuple)) else [batch]


def parsed(way: str) -> tuple[str, int, int]:
    """The name, the workers and the threads of a way."""
    name, counts = way.split("@")
    workers, _, threads = counts.partition("x")
    return name, int(workers), int(threads or 1)


def run(data: Path, workload: str, way: str, epochs: int) -> None:
    import torch
    from checks import MatrixSum

    # Lance's arrays cannot be written; nobody writes here.
    warnings.filterwarnings("ignore", message="The given NumPy array is not writable")
    warnings.filterwarnings("ignore", message="with_row_id is not supported")
    name, workers, threads = parsed(way)
    torch.set_num_threads(threads)
    loader = WAYS[name][0](data / "shuffle", workload, workers)
    expected = json.loads((data / "manifest.json").read_text())[workload]
    sums = MatrixSum()
    for batch in loader:
        matrix, *label = tensors(batch)
        sums.add(matrix.numpy(), label[0].numpy() if label else np.zeros(len(matrix), np.int64))
    if sums.result() != {key: expected[key] for key in ("rows", "checksum")}:
        sys.exit(f"{workload}/{way} delivered {sums.result()}, expected {expected}")
    millis: list[float] = []
    touched = 0.0
    while not millis or (len(millis) < epochs and sum(millis) < 1000 * SECONDS):
        rows = 0
        start = time.perf_counter()
        for batch in loader:
            matrix = tensors(batch)[0]
            rows += len(matrix)
            touched += float(matrix[-1, -1])
        millis.append(1000 * (time.perf_counter() - start))
        if rows != expected["rows"]:
            sys.exit(f"{workload}/{way} delivered {rows} rows, expected {expected['rows']}")
    print(f"| {workload}/{way} | {statistics.median(millis):.2f} | {min(millis):.2f} | {max(millis):.2f} |")


def described(name: str) -> tuple[str, str, str]:
    """Says who delivers, in which order, from where."""
    case, *place = name.split("/")
    if place and place != ["cache"]:
        way, workers, threads = parsed(place[0])
        who, order, source = WAYS[way][1:]
        more = f", {workers} workers" if workers else f", {threads} threads" if threads > 1 else ""
        return who + more, order, source
    case, workers = case.split("@")
    shuffle = case.partition(":")[2]
    order = {"": IN_ORDER, "global": "all rows", "torch": "all rows, as torch"}.get(shuffle)
    order = order or f"windows of {int(shuffle.split(':')[1]):,} rows"
    return f"Penstock, {workers} workers", order, "its cache" if place else PARQUET


def report(results: Path, rows: int) -> None:
    millis: dict[str, dict[str, float]] = {}
    for line in results.read_text().splitlines():
        turn, name, median, *_ = (part.strip() for part in line.split("|"))
        millis.setdefault(name, {})[turn] = float(median)
    base = next(times for name, times in millis.items() if described(name)[1:] == (IN_ORDER, PARQUET))
    print("| who | order | from | M rows/s | least to most | beside Penstock in file order |")
    print("|---|---|---|---:|---:|---:|")
    for name, times in millis.items():
        speeds = sorted(rows / 1000 / each for each in times.values())
        ratio = statistics.median(base[turn] / each for turn, each in times.items())
        print(
            f"| {' | '.join(described(name))} | {statistics.median(speeds):.3g}"
            f" | {speeds[0]:.3g} to {speeds[-1]:.3g} | {ratio:.2g} |"
        )


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    try:
        if command == "make":
            make(Path(rest[0]), rest[1])
        elif command == "run":
            run(Path(rest[0]), rest[1], rest[2], int(rest[3]))
        else:
            report(Path(rest[0]), int(rest[1]))
    except ImportError as e:
        print(e, file=sys.stderr)
        sys.exit(3)
