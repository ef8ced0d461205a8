"""Trains on several ranks; torch's distributed checkpoints have the loader's place, once for all.

torchrun --nproc-per-node 4 train_dcp.py TABLE FOLDER
"""

import glob
import os
import sys

import torch
import torch.distributed.checkpoint as dcp

from penstock_torch import Loader


def main(table: str, folder: str) -> None:
    torch.distributed.init_process_group("gloo")
    torch.manual_seed(1)
    layer = torch.nn.Linear(1, 1)
    model = torch.nn.parallel.DistributedDataParallel(layer)
    sgd = torch.optim.SGD(model.parameters(), 0.1)
    loader = Loader(table, 24, shuffle=True, rank_end="drop")
    state = {"layer": layer, "loader": loader, "step": 0}
    if saved := sorted(glob.glob(f"{folder}/*/.metadata")):  # which is written last
        dcp.load(state, checkpoint_id=os.path.dirname(saved[-1]))
    while loader.epoch < 2:
        for batch in loader:
            loss = (model(batch["x"][:, None])[:, 0] - batch["y"]).square().mean()
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            state["step"] += 1
            if state["step"] % 4 == 0:
                dcp.save(state, checkpoint_id=f"{folder}/{state['step']:06}")
    print("loss", loss.item())
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
