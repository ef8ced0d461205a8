"""Trains with the Trainer of Hugging Face's transformers.

python train_hf_trainer.py FOLDER STEPS
"""

import sys
import tempfile

import torch
from transformers import Trainer, TrainingArguments

from penstock_torch import Dataset, Loader


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)

    def forward(self, distance: torch.Tensor, delay: torch.Tensor) -> dict:
        guess = self.layer(distance[:, None] / 1000)[:, 0]
        late = (delay >= 15).float()
        return {"loss": torch.nn.functional.binary_cross_entropy_with_logits(guess, late)}


class FlightsTrainer(Trainer):
    """A Trainer whose training data comes from a Loader."""

    def __init__(self, folder: str, **options) -> None:
        super().__init__(**options)
        self.folder = folder

    def get_train_dataloader(self) -> Loader:
        dataset = Dataset(self.folder, columns=["distance", "delay"])
        return Loader(dataset, self.args.per_device_train_batch_size, shuffle="window:65536")


def main(folder: str, steps: int) -> None:
    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as out:
        arguments = TrainingArguments(
            out,
            per_device_train_batch_size=512,
            max_steps=steps,
            use_cpu=True,
            report_to=[],
            save_strategy="no",
            logging_steps=steps,
            disable_tqdm=True,
        )
        done = FlightsTrainer(folder, model=Model(), args=arguments).train()
    print(f"{done.global_step} steps: loss {done.training_loss:.3f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
