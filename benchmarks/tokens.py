"""Lists of 16 to 2,048 tokens: makes them, and delivers them by other means.

tokens.py make DATA_DIR    four Parquet files, 80,000 lists, 33.5 million tokens, 63 MB
tokens.py torch DATA_DIR   torch's DataLoader without workers: sorted in windows of 8,192 and padded
                           by a collate function, and packed to 2,048 by a loop
tokens.py grain DATA_DIR   Grain: packed to 2,048, cut and by first fit

Prints ms an epoch, the median of three after the first, and how many elements were delivered.
"""
import glob
import os
import sys
import time

import numpy
import pyarrow
import pyarrow.parquet

WINDOW, BATCH, LENGTH, PACKS = 8192, 32, 2048, 16


def make(folder):
    os.makedirs(folder, exist_ok=True)
    random = numpy.random.default_rng(5)
    for file in range(4):
        rows = 20_000
        lengths = numpy.exp(random.uniform(numpy.log(16), numpy.log(2049), rows)).astype(numpy.int32)
        offsets = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int32)
        # As often as words in texts, of a vocabulary of 32,000.
        tokens = numpy.exp(random.uniform(0, numpy.log(32_000), offsets[-1])).astype(numpy.int32)
        lists = pyarrow.ListArray.from_arrays(pyarrow.array(offsets), pyarrow.array(tokens))
        ids = numpy.arange(file * rows, (file + 1) * rows, dtype=numpy.int64)
        pyarrow.parquet.write_table(
            pyarrow.table({"id": ids, "tokens": lists}),
            f"{folder}/part-{file:04d}.parquet",
            row_group_size=5_000,
            compression="zstd",
            use_dictionary=False,
        )


def lists(folder):
    """Yields each list as a numpy array over Arrow's memory."""
    for path in sorted(glob.glob(f"{folder}/*.parquet")):
        file = pyarrow.parquet.ParquetFile(path)
        for batch in file.iter_batches(batch_size=WINDOW, columns=["tokens"]):
            column = batch.column(0)
            offsets = column.offsets.to_numpy()
            values = column.values.to_numpy()
            for row in range(len(column)):
                yield values[offsets[row] : offsets[row + 1]]


def report(name, epoch):
    seconds = []
    for _ in range(4):
        start = time.perf_counter()
        elements = epoch()
        seconds.append(time.perf_counter() - start)
    print(f"{name}: {1000 * sorted(seconds[1:])[1]:.0f} ms, {elements} elements")


def by_torch(folder):
    import torch

    class Buckets(torch.utils.data.IterableDataset):
        def __iter__(self):
            window = []
            for each in lists(folder):
                window.append(each)
                if len(window) == WINDOW:
                    yield from self.batches(window)
                    window = []
            yield from self.batches(window)

        def batches(self, window):
            window.sort(key=len)
            cut = [window[i : i + BATCH] for i in range(0, len(window), BATCH)]
            for i in torch.randperm(len(cut)).tolist():
                yield cut[i]

    def pad(batch):
        tensors = [torch.from_numpy(each) for each in batch]
        return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True)

    class Packs(torch.utils.data.IterableDataset):
        def __iter__(self):
            tokens = numpy.zeros(LENGTH, numpy.int32)
            segments = numpy.zeros(LENGTH, numpy.int32)
            positions = numpy.zeros(LENGTH, numpy.int32)
            at = segment = 0
            for each in lists(folder):
                done = 0
                while done < len(each):
                    count = min(LENGTH - at, len(each) - done)
                    segment += 1
                    tokens[at : at + count] = each[done : done + count]
                    segments[at : at + count] = segment
                    positions[at : at + count] = numpy.arange(done, done + count)
                    at += count
                    done += count
                    if at == LENGTH:
                        yield {"tokens": tokens, "segment": segments, "position": positions}
                        tokens, segments, positions = (numpy.zeros(LENGTH, numpy.int32) for _ in range(3))
                        at = segment = 0
            if at:
                yield {"tokens": tokens, "segment": segments, "position": positions}

    buckets = torch.utils.data.DataLoader(Buckets(), batch_size=None, collate_fn=pad)
    report("torch, buckets of 32", lambda: sum(batch.numel() for batch in buckets))
    packs = torch.utils.data.DataLoader(Packs(), batch_size=PACKS)
    report("torch, packs, cut", lambda: sum(batch["tokens"].numel() for batch in packs))


def by_grain(folder):
    import grain
    from grain import experimental

    class Lists(grain.IterDataset):
        def __iter__(self):
            return Iterator()

    class Iterator(grain.DatasetIterator):
        def __init__(self):
            super().__init__()
            self.lists = lists(folder)

        def __next__(self):
            return {"tokens": next(self.lists)}

        def get_state(self):
            return {}

        def set_state(self, state):
            raise NotImplementedError

    def epoch(dataset):
        return sum(batch["tokens"].size for batch in dataset.batch(PACKS))

    lengths = {"tokens": LENGTH}
    cut = experimental.ConcatThenSplitIterDataset(Lists(), length_struct=lengths)
    report("Grain, packs, cut", lambda: epoch(cut))
    fit = experimental.FirstFitPackIterDataset(Lists(), length_struct=lengths, num_packing_bins=64)
    report("Grain, packs, first fit", lambda: epoch(fit))


{"make": make, "torch": by_torch, "grain": by_grain}[sys.argv[1]](os.path.join(sys.argv[2], "tokens"))
