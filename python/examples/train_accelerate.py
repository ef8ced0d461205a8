"""Trains with Accelerate, which hands the loader through as it is and saves its place.

python train_accelerate.py FOLDER
"""

import sys
import tempfile

import torch
from accelerate import Accelerator

from penstock_torch import Dataset, Loader


def main(folder: str) -> None:
    accelerator = Accelerator(cpu=True)
    # The rank is found by itself: every process makes its Loader after the Accelerator.
    loader = Loader(Dataset(folder, columns=["distance", "delay"]), 512, shuffle=True)
    model = torch.nn.Linear(1, 1)
    adam = torch.optim.Adam(model.parameters())
    model, adam, prepared = accelerator.prepare(model, adam, loader)
    assert prepared is loader
    accelerator.register_for_checkpointing(loader)

    def step(batch: dict) -> None:
        late = (batch["delay"] >= 15).float()
        guess = model(batch["distance"][:, None] / 1000)[:, 0]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(guess, late)
        accelerator.backward(loss)
        adam.step()
        adam.zero_grad()

    with tempfile.TemporaryDirectory() as folder_of_checkpoints:
        epoch = iter(loader)
        for _ in range(10):
            step(next(epoch))
        accelerator.save_state(folder_of_checkpoints)
        expected = next(epoch)["distance"].clone()
        accelerator.load_state(folder_of_checkpoints)
        got = next(iter(loader))["distance"]
    print(
        f"{len(loader)} batches an epoch; resumed at the same batch: {torch.equal(got, expected)}"
    )
    loader.close()


if __name__ == "__main__":
    main(sys.argv[1])
