"""Trains with Lightning; its checkpoints have the loader's place.

python train_lightning.py TABLE FOLDER, or with torchrun
"""

import os
import sys

import lightning
import torch
from lightning.pytorch.callbacks import ModelCheckpoint

from penstock_torch import Loader


class Line(lightning.LightningModule):
    def __init__(self, table: str) -> None:
        super().__init__()
        self.table, self.layer = table, torch.nn.Linear(1, 1)

    def train_dataloader(self) -> Loader:
        return Loader(self.table, 32, shuffle=True, rank_end="drop")

    def training_step(self, batch: dict, _: int) -> torch.Tensor:
        loss = (self.layer(batch["x"][:, None])[:, 0] - batch["y"]).square().mean()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), 0.1)


if __name__ == "__main__":
    table, last = sys.argv[1], f"{sys.argv[2]}/last.ckpt"
    save = ModelCheckpoint(sys.argv[2], every_n_train_steps=4, save_last=True)
    ranks = int(os.environ.get("WORLD_SIZE", 1))
    trainer = lightning.Trainer(accelerator="cpu", devices=ranks, max_epochs=2, callbacks=[save])
    lightning.seed_everything(1)
    trainer.fit(Line(table), ckpt_path=last if os.path.exists(last) else None)
    print("loss", trainer.callback_metrics["loss"].item())
