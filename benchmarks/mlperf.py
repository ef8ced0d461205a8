"""The shapes of MLPerf Storage's Parquet data: makes files, and reads them with Penstock and peers.

mlperf.py make DATA_DIR KIND...                generates what is not there
mlperf.py run DATA_DIR KIND...                 all readers in turns; prints a line of JSON for each
mlperf.py read SYSTEM KIND DATA_DIR CORES      one reader, in this process

Kinds: dlrm and flux, by the configuration files of github.com/mlcommons/storage, folder
configs/dlio/workload (dlrm_datagen.yaml 3d193498, dlrm_b200.yaml 0b42eb50, flux_datagen.yaml
7e73663b, flux_b200.yaml c25079c2); and criteo, which has the same numbers of rows and columns with
the types and skewed categories of click logs, in Snappy, with dictionaries. dlrm and flux are
plain, without statistics, because the configuration says that a footer of dlrm takes 3.1 MiB: 65
bytes for a column chunk. dlrm-dictionary has the same types with what pyarrow adds by default,
dictionaries and statistics. flux has 8 rows in a row group; its configuration states none.

SCALE      part of the public sizes, 1.2 TB of dlrm and 2.4 TB of flux: whole files, the last one
           cut; default 1/64
SYSTEMS, CORES, WARM_UP, SECONDS, OUT, JAVA    see mlperf.sh
"""

import bisect
import collections
import concurrent.futures
import fractions
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SEED = 67
SCALE = "1/64"
SPARE = 1 << 30  # bytes of the disk that are left free
PLAIN = {"compression": "none", "use_dictionary": False, "write_statistics": False}

# A letter for each of the 200 columns: h, f and d are floats of 2, 4 and 8 bytes, b is int8.
# Capitals are read.
DLRM = (
    "hhddfhfbhbfFdfbhfFFhDdddhFfhhfdFdfhhdbbbhFhFdbdddF"
    "fbbFffbfHFdhdbfhbFHfhFhfFDhbfdbbffhbhbFbFFHFDdFHbh"
    "hdhfdhhfdfddbhhbBDfbhhbbbhbbfbhfdhhdhFddhFbbdfdFdd"
    "bbbdDFfbFhFhFhdhdhfBdhbdbbbbhhBdddhdBbhFdbdfdFfddh"
)
TYPES = {"h": "float16", "f": "float32", "d": "float64", "b": "int8"}
FLUX = {
    "t5_encodings": 524_328,
    "clip_encodings": 409,
    "mean": 8_232,
    "logvar": 8_232,
    "timestamp": 7,
}


class Kind:
    """What the files of a kind hold, and what a step takes from them."""

    def __init__(self, files, rows, group, batch, row_bytes, threads, written=PLAIN):
        self.files = files  # of the public size
        self.rows = rows  # of a file
        self.group = group  # rows of a row group
        self.batch = batch
        self.row_bytes = row_bytes  # in files, about
        self.threads = threads  # DLIO's read_threads
        self.written = written  # arguments of the writer


KINDS = {
    "dlrm": Kind(1_024, 1_536_000, 6_144, 16_384, 900, 4),
    "criteo": Kind(1_024, 1_536_000, 6_144, 16_384, 530, 4, {}),
    "flux": Kind(4_296, 256, 8, 48, 2_164_832, 8),
    "dlrm-dictionary": Kind(1_024, 1_536_000, 6_144, 16_384, 980, 4, {"compression": "none"}),
}


def schema(kind):
    """All columns of a file."""
    if kind.startswith("dlrm"):
        fields = [(f"feature_{i:03}", TYPES[letter.lower()]) for i, letter in enumerate(DLRM)]
        return pa.schema([(name, pa.type_for_alias(dtype)) for name, dtype in fields])
    if kind == "criteo":
        dense = ["label", *(f"d{i:02}" for i in range(13))]
        categories = [f"c{i:03}" for i in range(186)]
        fields = [(name, pa.float32()) for name in dense]
        return pa.schema(fields + [(name, pa.int32()) for name in categories])
    return pa.schema([(name, pa.list_(pa.float32(), size)) for name, size in FLUX.items()])


def columns(kind):
    """The columns that are read: 40 of 200, and all of flux."""
    if kind.startswith("dlrm"):
        return [f"feature_{i:03}" for i, letter in enumerate(DLRM) if letter.isupper()]
    return schema(kind).names[:40]


def values(kind, field, number, rows, random):
    """Random values of a column, as a flat array."""
    if kind == "criteo" and field.name == "label":
        return random.integers(0, 2, rows).astype(np.float32)
    if kind == "criteo" and field.type == pa.int32():
        # Few or many categories, up to a million, of which few are frequent.
        most = 6 * (number - 14) / 185 * math.log(10) + math.log(4)
        return np.exp(random.uniform(0, most, rows)).astype(np.int32)
    if field.type == pa.int8():
        return random.integers(-128, 128, rows, np.int8)
    if pa.types.is_fixed_size_list(field.type):
        return random.random(rows * field.type.list_size, np.float32)
    if field.type == pa.float64():
        return random.random(rows)
    return random.random(rows, np.float32).astype(field.type.to_pandas_dtype())


class Checksum:
    """A sum over values and their places, modulo 2^64, as in MlperfRun."""

    def __init__(self, names):
        self.names = names
        self.places = [0] * len(names)
        self.sum = 0

    def add(self, batch):
        for number, name in enumerate(self.names):
            array = np.ascontiguousarray(batch[name]).reshape(-1)
            bits = array.view(f"u{array.dtype.itemsize}")
            first = self.places[number] + 1
            places = np.arange(first, first + len(bits), dtype=np.uint64)
            weighted = int(np.sum(bits * places, dtype=np.uint64))
            self.sum = (self.sum + (number + 1) * weighted) % 2**64
            self.places[number] += len(bits)

    def hex(self):
        return f"{self.sum:016x}"


def sizes(kind, scale):
    """The rows of each file: whole files, and what is left in a last one."""
    shape = KINDS[kind]
    total = max(1, round(shape.files * shape.rows * scale))
    whole, rest = divmod(total, shape.rows)
    return [shape.rows] * whole + [rest] * bool(rest)


def folder_of(data, kind):
    return Path(data) / "mlperf" / kind


def made(data, kind):
    """What make() wrote about the files, None if they are not there or not complete."""
    try:
        return json.loads((folder_of(data, kind) / "_made.json").read_text())
    except FileNotFoundError:
        return None


def make(data, kind, scale):
    """Generates the files of a kind, a row group at a time, unless they are there."""
    what = {"kind": kind, "scale": str(scale), "seed": SEED}
    found = made(data, kind)
    folder = folder_of(data, kind)
    if found:
        if {**found, **what} != found:
            sys.exit(
                f"Cannot use {folder}: it was made at scale {found['scale']}, not {scale}. Remove"
                " it, or set SCALE or another folder."
            )
        return found
    folder.parent.mkdir(parents=True, exist_ok=True)
    needed = sum(sizes(kind, scale)) * KINDS[kind].row_bytes
    free = shutil.disk_usage(folder.parent).free
    if needed + SPARE > free:
        sys.exit(
            f"Cannot make {kind} at scale {scale}: it takes about {needed / 1e9:.1f} GB and 1 more"
            f" is left free, but only {free / 1e9:.1f} are. Set a smaller SCALE or another folder."
            f" [{folder.parent}]"
        )
    print(f"{kind}: about {needed / 1e9:.1f} GB to {folder}", file=sys.stderr)
    new = folder.with_name(f".{kind}.new")  # complete once it has its name
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    sums = Checksum(columns(kind))
    for number, rows in enumerate(sizes(kind, scale)):
        write(kind, new / f"part-{number:05}.parquet", number, rows, sums)
    found = what | {"rows": sum(sizes(kind, scale)), "checksum": sums.hex()}
    (new / "_made.json").write_text(json.dumps(found))
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)
    return found


def write(kind, path, number, rows, sums):
    fields, shape = schema(kind), KINDS[kind]
    with pq.ParquetWriter(path, fields, **shape.written) as writer:
        for first in range(0, rows, shape.group):
            count = min(shape.group, rows - first)
            random = np.random.default_rng([SEED, list(KINDS).index(kind), number, first])
            group = {
                field.name: values(kind, field, i, count, random) for i, field in enumerate(fields)
            }
            sums.add(group)
            arrays = [
                pa.FixedSizeListArray.from_arrays(group[field.name], field.type.list_size)
                if pa.types.is_fixed_size_list(field.type)
                else pa.array(group[field.name], field.type)
                for field in fields
            ]
            writer.write_table(pa.table(arrays, schema=fields), row_group_size=shape.group)


# Readers. Each has a function that makes epochs: called again and again, it yields the rows of each
# step, and gives batches to `look`.


def opened(path):
    return pq.ParquetFile(path, memory_map=True)


def tables(data, kind, share=0, shares=1):
    """Yields row groups as tables of Arrow; with shares, every so manyth."""
    number = 0
    for path in sorted(folder_of(data, kind).glob("*.parquet")):
        with opened(path) as file:
            for group in range(file.num_row_groups):
                if number % shares == share:
                    yield file.read_row_group(group, columns(kind), use_threads=False)
                number += 1


def array(column):
    """A column of a table as one array of numpy, `[rows]` or `[rows, n]`."""
    chunk = column.combine_chunks()
    if pa.types.is_fixed_size_list(column.type):
        return chunk.flatten().to_numpy().reshape(-1, column.type.list_size)
    return chunk.to_numpy()


def pyarrow_epochs(data, kind, cores):
    """Decoded and dropped, as by DLIO's reader; nothing is made of the tables. One core's share."""

    def epoch(look, share=0, shares=1):
        for table in tables(data, kind, share, shares):
            if look:
                look({name: array(table[name]) for name in table.column_names})
            yield table.num_rows

    return epoch


def read_ahead(data, kind, threads):
    """Yields row groups as tables, in order, decoded by threads."""

    def table(path, metadata, group):
        with pq.ParquetFile(path, memory_map=True, metadata=metadata) as file:
            return file.read_row_group(group, columns(kind), use_threads=False)

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        coming = collections.deque()
        for path in sorted(folder_of(data, kind).glob("*.parquet")):
            metadata = pq.read_metadata(path)
            for group in range(metadata.num_row_groups):
                coming.append(pool.submit(table, path, metadata, group))
                if len(coming) > 4 * threads:
                    yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()


def batches_epochs(data, kind, cores):
    """Batches of one size as tensors of torch, of row groups that threads read ahead."""
    import torch

    size = KINDS[kind].batch

    def tensors(table):
        return {name: torch.tensor(array(table[name])) for name in table.column_names}

    def batches():
        waiting, rows = [], 0
        for table in tables(data, kind) if cores == 1 else read_ahead(data, kind, cores):
            waiting.append(table)
            rows += table.num_rows
            if rows >= size:
                joined = pa.concat_tables(waiting)
                for first in range(0, rows - size + 1, size):
                    yield tensors(joined.slice(first, size))
                waiting = [joined.slice(rows - rows % size)]
                rows %= size
        if rows:
            yield tensors(pa.concat_tables(waiting))

    def epoch(look):
        for batch in batches():
            if look:
                look({name: column.numpy() for name, column in batch.items()})
            yield touched(batch)

    return epoch


class Samples:
    """DLIO's samples: each looks up its row group, reads it unless it is one of the last four, and
    is a constant tensor."""

    def __init__(self, data, kind):
        self.paths = sorted(folder_of(data, kind).glob("*.parquet"))
        self.columns = columns(kind)
        self.ends = np.cumsum([pq.read_metadata(path).num_rows for path in self.paths]).tolist()
        side = math.isqrt(761 if kind != "flux" else KINDS[kind].row_bytes)
        self.sample = np.zeros((side, side), np.uint8)
        self.file, self.number = None, -1  # of the last sample
        self.groups = collections.OrderedDict()  # (file, row group) -> bytes

    def __len__(self):
        return self.ends[-1]

    def __getitem__(self, row):
        number = bisect.bisect_right(self.ends, row)
        if number != self.number:
            self.file, self.number = opened(self.paths[number]), number
            metadata = self.file.metadata
            counts = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
            self.starts = np.cumsum([0, *counts]).tolist()
        group = bisect.bisect_right(self.starts, row - (self.ends[number - 1] if number else 0)) - 1
        if (number, group) not in self.groups:
            self.file.read_row_group(group, columns=self.columns)
            metadata = self.file.metadata.row_group(group)
            chunks = map(metadata.column, range(metadata.num_columns))
            if len(self.groups) == 4:
                self.groups.popitem(last=False)
            self.groups[number, group] = sum(chunk.total_compressed_size for chunk in chunks)
        self.groups.move_to_end((number, group))
        return self.sample


def dlio_epochs(data, kind, cores):
    """DLIO's way: torch's DataLoader over single samples, with its number of workers."""
    from torch.utils.data import DataLoader

    shape = KINDS[kind]
    loader = DataLoader(
        Samples(data, kind),
        batch_size=shape.batch,
        num_workers=shape.threads,
        prefetch_factor=1,  # ceil(prefetch_size / read_threads)
        persistent_workers=True,
        drop_last=True,
    )

    def epoch(look):
        if look:  # what its samples decode, they drop: as pyarrow
            yield from pyarrow_epochs(data, kind, cores)(look)
        else:
            yield from map(len, loader)

    return epoch


def touched(batch):
    """The rows of a batch, one value of which is read."""
    first = next(iter(batch.values()))
    float(first.reshape(-1)[-1])
    return len(first)


def penstock_epochs(data, kind, cores):
    from penstock_torch import Dataset, Loader

    dataset = Dataset(str(folder_of(data, kind)), columns=columns(kind))
    loader = Loader(dataset, KINDS[kind].batch, workers=cores, lists="block")

    def epoch(look):
        for batch in loader:
            if look:
                look({name: column.numpy() for name, column in batch.items()})
            yield touched(batch)

    return epoch


READERS = {
    "dlio": dlio_epochs,
    "pyarrow": pyarrow_epochs,
    "pyarrow-batches": batches_epochs,
    "penstock-python": penstock_epochs,
}
SYSTEMS = [*READERS, "penstock-java"]


def speed(steps, warm_up, seconds):
    """Rows a second of endless steps, after a warm-up."""
    start, rows = time.perf_counter(), 0
    for count in steps:
        rows += count
        now = time.perf_counter()
        if warm_up and now - start >= warm_up:
            start, rows, warm_up = now, 0, 0
        elif not warm_up and now - start >= seconds:
            break
    return rows / (now - start)


def endless(epoch, *share):
    while True:
        yield from epoch(None, *share)


def read(system, kind, data, cores, warm_up, seconds):
    """Measures a reader in this process, and checks what it delivers in an epoch before."""
    epoch = READERS[system](data, kind, cores)
    sums = Checksum(columns(kind))
    rows = sum(epoch(sums.add))
    if system.startswith("penstock"):
        total = speed(endless(epoch), warm_up, seconds)
    elif system == "pyarrow":  # a process for each core
        reports = [
            fork(lambda i=i: speed(endless(epoch, i, cores), 1, seconds)) for i in range(cores)
        ]
        total = sum(float(os.fdopen(report).read()) for report in reports)
    else:
        total = speed(endless(epoch), 1, seconds)
    return {"rows": rows, "checksum": sums.hex(), "rows_per_s": round(total)}


def fork(work):
    """Does work in another process; returns what reads its result."""
    answer, result = os.pipe()
    if os.fork() == 0:
        os.write(result, str(work()).encode())
        os._exit(0)
    os.close(result)
    return answer


class Memory(threading.Thread):
    """The most memory that a process and its descendants have at a time, without pages of files.

    Files are mapped by all readers; their pages are the system's cache, not a reader's memory.
    """

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak = process, 0

    def run(self):
        while self.process.poll() is None:
            self.peak = max(self.peak, sum(map(kilobytes, descendants(self.process.pid))) / 1000)
            time.sleep(0.5)


def descendants(process):
    yield process
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = file.read_text().split()
        except OSError:  # it has ended
            continue
        for child in children:
            yield from descendants(int(child))


def kilobytes(process):
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0
    return sum(int(line.split()[1]) for line in lines if line[:9] in ("Pss_Anon:", "Pss_Shmem"))


def run_one(system, kind, data, cores, expected):
    """Runs a reader as a process on some cores; returns the line of its results."""
    warm_up, seconds = os.environ.get("WARM_UP", "20"), os.environ.get("SECONDS", "8")
    if system == "penstock-java":
        command = [*shlex.split(os.environ["JAVA"]), "dev.penstock.benchmarks.MlperfRun"]
        command += [folder_of(data, kind), ",".join(columns(kind)), KINDS[kind].batch]
        command += [cores, warm_up, seconds]
    else:
        command = [sys.executable, __file__, "read", system, kind, data, cores]
    command = ["taskset", "-c", ",".join(map(str, range(cores))), *map(str, command)]
    environment = os.environ | {"WARM_UP": warm_up, "SECONDS": seconds, "OMP_NUM_THREADS": "1"}
    environment["PYTHONWARNINGS"] = "ignore"  # that DLIO has more workers than there are cores
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    memory = Memory(process)
    memory.start()
    out = process.communicate()[0]
    memory.join()
    result = {"system": f"{system}:{cores}", "workload": kind}
    if process.returncode:
        return result | {"ok": False, "error": f"exit status {process.returncode}"}
    result |= json.loads(out)
    ok = all(result[key] == expected[key] for key in ("rows", "checksum"))
    return result | {"ok": ok, "memory_mb": round(memory.peak)}


def run(data, kinds):
    systems = os.environ.get("SYSTEMS", " ".join(SYSTEMS)).split()
    if unknown := set(systems) - set(SYSTEMS):
        sys.exit(f"No such system: {sorted(unknown)}. Systems are {SYSTEMS}.")
    wrong = []
    with open(os.environ.get("OUT", f"{data}/mlperf.jsonl"), "a") as out:
        for turn in range(int(os.environ.get("ROUNDS", "1"))):
            for kind in kinds:
                for cores in map(int, os.environ.get("CORES", "1 2").split()):
                    for system in systems if turn % 2 == 0 else reversed(systems):
                        result = run_one(system, kind, data, cores, made(data, kind))
                        line = json.dumps(result)
                        print(line, flush=True)
                        print(line, file=out, flush=True)
                        wrong += [result] * (not result["ok"])
    if wrong:
        sys.exit(f"{len(wrong)} runs failed or delivered other rows than were generated.")


def main(command, *arguments):
    if command == "read":
        system, kind, data, cores = arguments
        warm_up, seconds = (float(os.environ[name]) for name in ("WARM_UP", "SECONDS"))
        print(json.dumps(read(system, kind, data, int(cores), warm_up, seconds)))
        sys.stdout.flush()
        os._exit(0)  # worker processes and engines are ended with this one
    data, *kinds = arguments
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        sys.exit(f"No such kind: {unknown}. Kinds are {list(KINDS)}.")
    try:
        scale = fractions.Fraction(text := os.environ.get("SCALE", SCALE))
        assert 0 < scale <= 1
    except (ValueError, ZeroDivisionError, AssertionError):
        sys.exit(f"SCALE must be a number in (0, 1], such as 1/64, got '{text}'.")
    for kind in kinds or KINDS:
        make(data, kind, scale)
    if command == "run":
        run(data, kinds or KINDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
