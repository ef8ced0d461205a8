"""Trains with the Trainer of transformers, and goes on from its last checkpoint if there is one.

python train_hf_trainer.py TABLE FOLDER
"""

import os
import sys

import torch
from transformers import Trainer, TrainingArguments, set_seed
from transformers.trainer_utils import get_last_checkpoint

from penstock_torch import Dataset, Loader
from penstock_torch.integrations.transformers import PenstockTrainerMixin


class Line(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)

    def forward(self, x: torch.Tensor, y: torch.Tensor, **_: object) -> dict:
        guess = self.layer(x[:, None].float())[:, 0]
        return {"loss": (guess - y).square().mean(), "logits": guess}


class MyTrainer(PenstockTrainerMixin, Trainer):
    pass


table, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
set_seed(1)
steps = dict(num_train_epochs=2, save_steps=5, label_names=["y"], learning_rate=0.1)
args = TrainingArguments(folder, use_cpu=True, report_to=[], disable_tqdm=True, **steps)
loader = Loader(table, batch_size=50, shuffle=True, seed=1)
seen = Dataset(table, columns=["x", "y"])
trainer = MyTrainer(Line(), args, train_dataset=loader, eval_dataset=seen)
trainer.train(resume_from_checkpoint=get_last_checkpoint(folder))
print("loss", trainer.evaluate()["eval_loss"])
