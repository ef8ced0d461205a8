"""Learns how likely a flight is to arrive more than 15 minutes late.

python train.py FOLDER, which has Parquet files of flights; the last two are held out. This is the
script that docs/how-to/port-a-pytorch-script.md ports: it uses torch and pyarrow, not Penstock.
"""

import glob
import os
import random
import sys

import numpy
import pyarrow.parquet as pq
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Flights(IterableDataset):
    """Batches of flights, file by file, shared by the ranks and the workers."""

    def __init__(self, files: list[str], batch_size: int, shuffle: bool = False, seed: int = 0):
        self.files, self.batch_size = files, batch_size
        self.shuffle, self.seed, self.epoch = shuffle, seed, 0

    def __iter__(self):
        files = list(self.files)
        if self.shuffle:
            random.Random(self.seed + self.epoch).shuffle(files)
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        for file in files[rank * workers + worker :: world * workers]:
            rows = pq.read_table(file, columns=["date", "distance", "delay"])
            if self.shuffle:
                rows = rows.take(numpy.random.default_rng(self.epoch).permutation(len(rows)))
            for start in range(0, len(rows), self.batch_size):
                yield to_tensors(rows.slice(start, self.batch_size))


def to_tensors(rows) -> dict[str, torch.Tensor]:
    hour = rows["date"].to_numpy().astype("datetime64[h]").astype("int64") % 24
    miles = rows["distance"].to_numpy()
    x = numpy.stack([(hour - 12) / 6, (miles - 700) / 600], axis=1).astype("float32")
    late = (rows["delay"].to_numpy() > 15).astype("float32")
    return {"x": torch.from_numpy(x), "late": torch.from_numpy(late)}


def auc(scores: torch.Tensor, labels: torch.Tensor) -> float:
    _, score = scores.unique(return_inverse=True)  # scores by rank, equal ones together
    late = torch.bincount(score, labels.double())
    on_time = torch.bincount(score, 1 - labels.double())
    below = on_time.cumsum(0) - on_time / 2
    return float((late * below).sum() / (late.sum() * on_time.sum()))


def main(folder: str) -> None:
    torch.manual_seed(42)
    files = sorted(glob.glob(f"{folder}/*.parquet"))
    training = Flights(files[:-2], 1024, shuffle=True, seed=42)
    held_out = Flights(files[-2:], 1024)

    model = torch.nn.Linear(2, 1)
    adam = torch.optim.Adam(model.parameters(), lr=0.01)
    loss_of = torch.nn.BCEWithLogitsLoss()
    for epoch in range(3):
        training.epoch = epoch
        total, count = 0.0, 0
        for batch in DataLoader(training, batch_size=None, num_workers=2):
            loss = loss_of(model(batch["x"])[:, 0], batch["late"])
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item() * len(batch["late"])
            count += len(batch["late"])
        print(f"epoch {epoch}: {count:,} flights, loss {total / count:.4f}")

    scores, labels = [], []
    with torch.no_grad():
        for batch in DataLoader(held_out, batch_size=None, num_workers=2):
            scores.append(model(batch["x"])[:, 0])
            labels.append(batch["late"])
    scores, labels = torch.cat(scores), torch.cat(labels)
    loss = loss_of(scores, labels).item()
    print(f"held out: {len(labels):,} flights, loss {loss:.4f}, AUC {auc(scores, labels):.4f}")


if __name__ == "__main__":
    main(sys.argv[1])
