"""Trains with Lightning; its checkpoints have the loader's place.

python train_lightning.py TABLE FOLDER
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
    table, folder = sys.argv[1:3]
    save = ModelCheckpoint(folder, every_n_train_steps=4, save_last=True, enable_version_counter=False)
    ranks = int(os.environ.get("WORLD_SIZE", 1))
    trainer = lightning.Trainer(
        max_epochs=2, accelerator="cpu", devices=ranks, callbacks=[save], logger=False
    )
    lightning.seed_everything(1)
    last = f"{folder}/last.ckpt"
    trainer.fit(Line(table), ckpt_path=last if os.path.exists(last) else None)
    if trainer.is_global_zero:
        print("loss", trainer.callback_metrics["loss"].item())
