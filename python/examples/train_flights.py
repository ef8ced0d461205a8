"""Trains a classifier: will a flight be late? Stops in the middle and goes on exactly there.

python train_flights.py FOLDER
"""

import sys

import torch

from penstock_torch import Dataset, Loader


def main(folder: str) -> None:
    flights = Dataset(folder, columns=["distance", "delay", "origin"])
    options = dict(shuffle="window:65536", seed=1, strings={"origin": "codes"})
    torch.manual_seed(1)
    with Loader(flights, 1024, **options) as loader:
        airports = len(loader.vocabulary("origin"))
        embed = torch.nn.Embedding(airports, 8)
        layer = torch.nn.Linear(9, 1)
        adam = torch.optim.Adam([*embed.parameters(), *layer.parameters()], lr=0.01)

        def step(batch: dict) -> float:
            x = torch.cat([embed(batch["origin"]), batch["distance"][:, None] / 1000], dim=1)
            late = (batch["delay"] >= 15).float()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(layer(x)[:, 0], late)
            adam.zero_grad()
            loss.backward()
            adam.step()
            return loss.item()

        for number, batch in enumerate(loader):
            loss = step(batch)
            if number == 99:
                break
        state = loader.state_dict()
        print(f"after 100 batches: loss {loss:.3f}")

    with Loader(flights, 1024, **options) as loader:  # as another process would
        loader.load_state_dict(state)
        losses = [step(batch) for batch in loader]
    print(f"after {100 + len(losses)} batches: loss {sum(losses[-50:]) / 50:.3f}")


if __name__ == "__main__":
    main(sys.argv[1])
