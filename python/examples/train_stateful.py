"""As with torchdata's StatefulDataLoader: python train_stateful.py TABLE FOLDER, or torchrun"""

import os
import sys

import torch

from penstock_torch.integrations.torchdata import StatefulDataLoader


def main(table: str, folder: str) -> None:
    saved, rank = f"{folder}/checkpoint.pt", int(os.environ.get("RANK", 0))
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(1)
    layer = model = torch.nn.Linear(1, 1)
    if "RANK" in os.environ:
        torch.distributed.init_process_group("gloo")
        model = torch.nn.parallel.DistributedDataParallel(layer)
    loader = StatefulDataLoader(table, batch_size=32, shuffle=True, num_workers=2, drop_last=True)
    if os.path.exists(saved):
        weights, place = torch.load(saved)
        layer.load_state_dict(weights)
        loader.load_state_dict(place)
    sgd = torch.optim.SGD(model.parameters(), 0.1)
    while loader.epoch < 2:
        for step, batch in enumerate(loader, 1):
            loss = (model(batch["x"][:, None])[:, 0] - batch["y"]).square().mean()
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            if step % 4 == 0 and rank == 0:
                torch.save([layer.state_dict(), loader.state_dict()], saved + ".new")
                os.replace(saved + ".new", saved)
    print("loss", loss.item())


if __name__ == "__main__":
    main(*sys.argv[1:])
