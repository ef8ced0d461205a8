"""Trains in the processes that torchrun starts, and goes on from the last checkpoint.

train.py FOLDER CHECKPOINT. With DRILL=RANK:STEP that rank ends there, as if it had been killed,
unless it goes on from a checkpoint.
"""

import os
import sys
from pathlib import Path

import torch
from torch import distributed

from penstock_torch import Dataset, Loader

STEPS_PER_SAVE = 8


def main(folder: str, checkpoint: Path) -> None:
    distributed.init_process_group("gloo")  # with GPUs "nccl"
    rank = distributed.get_rank()
    flights = Dataset(folder, columns=["distance", "delay"])
    torch.manual_seed(1)
    model = torch.nn.Linear(1, 1)
    parallel = torch.nn.parallel.DistributedDataParallel(model)
    adam = torch.optim.Adam(model.parameters())
    seen = torch.zeros(2, dtype=torch.int64)  # rows and minutes of all ranks

    with Loader(flights, 1024, shuffle=True, seed=1, features={"x": ["distance"]}) as loader:
        resumed = checkpoint.exists()
        if resumed:
            saved = torch.load(checkpoint)
            model.load_state_dict(saved["model"])
            adam.load_state_dict(saved["adam"])
            loader.load_state_dict(saved["loader"])  # rank 0's serves all ranks
            seen = saved["seen"]
        distributed.barrier()  # nobody saves before all have read

        def save() -> None:
            if rank == 0:
                draft = checkpoint.with_suffix(".draft")
                torch.save(
                    {
                        "model": model.state_dict(),
                        "adam": adam.state_dict(),
                        "loader": loader.state_dict(),
                        "seen": seen,
                    },
                    draft,
                )
                draft.replace(checkpoint)

        for step, batch in enumerate(loader, 1):
            errors = parallel(batch["x"] / 1000)[:, 0] - batch["delay"]
            adam.zero_grad()
            errors.square().sum().div(1024).backward()  # not mean(): a batch may have no rows
            adam.step()
            here = torch.tensor([len(errors), int(batch["delay"].sum())])
            distributed.all_reduce(here)
            seen += here
            if os.environ.get("DRILL") == f"{rank}:{step}" and not resumed:
                os._exit(137)
            if step % STEPS_PER_SAVE == 0:
                save()
        save()
        if rank == 0:
            rows, minutes = seen.tolist()
            print(f"{rows:,} rows, {minutes:,} minutes, as one of {distributed.get_world_size()}")
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
