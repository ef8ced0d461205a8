"""Trains with Lightning; the loader's place is in the checkpoint.

python train_lightning.py FOLDER STEPS
"""

import sys
import tempfile

import lightning
import torch

from penstock_torch import Dataset, Loader


class Flights(lightning.LightningDataModule):
    """The training data, with its place in checkpoints."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder
        self.loader: Loader | None = None
        self.state: dict | None = None

    def train_dataloader(self) -> Loader:
        self.loader = Loader(
            Dataset(self.folder, columns=["distance", "delay"]), 512, shuffle="window:65536"
        )
        if self.state is not None:
            self.loader.load_state_dict(self.state)
        return self.loader

    def state_dict(self) -> dict:
        return {} if self.loader is None else self.loader.state_dict()

    def load_state_dict(self, state_dict: dict) -> None:
        self.state = state_dict


class Model(lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
        self.seen: list[int] = []

    def training_step(self, batch: dict, _: int) -> torch.Tensor:
        self.seen.append(int(batch["distance"].sum()))
        late = (batch["delay"] >= 15).float()
        guess = self.layer(batch["distance"][:, None] / 1000)[:, 0]
        return torch.nn.functional.binary_cross_entropy_with_logits(guess, late)

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.parameters())


def run(folder: str, steps: int, checkpoint: str | None, root: str) -> tuple[Model, str]:
    trainer = lightning.Trainer(
        max_steps=steps,
        max_epochs=-1,
        accelerator="cpu",
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        enable_checkpointing=False,
        default_root_dir=root,
    )
    model = Model()
    trainer.fit(model, datamodule=Flights(folder), ckpt_path=checkpoint, weights_only=False)
    saved = f"{root}/{steps}.ckpt"
    trainer.save_checkpoint(saved)
    return model, saved


def main(folder: str, steps: int) -> None:
    with tempfile.TemporaryDirectory() as root:
        whole, _ = run(folder, 2 * steps, None, root)
        first, checkpoint = run(folder, steps, None, root)
        second, _ = run(folder, 2 * steps, checkpoint, root)
    same = first.seen + second.seen == whole.seen
    print(f"{len(whole.seen)} steps, and the same batches after resuming: {same}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
