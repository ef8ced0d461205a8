"""Trains with Accelerate, and goes on from its last checkpoint if there is one.

python train_accelerate.py TABLE FOLDER
"""

import os
import sys

import torch
from accelerate import Accelerator

from penstock_torch import Loader

table, folder = sys.argv[1:]
torch.manual_seed(1)
accelerator = Accelerator(cpu=True)
model = torch.nn.Linear(1, 1)
sgd = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.8)
loader = Loader(table, batch_size=50, shuffle=True, seed=1)  # finds its rank by itself
model, sgd, loader = accelerator.prepare(model, sgd, loader)
step = 0
if os.path.isdir(folder):
    step = max(int(name) for name in os.listdir(folder))
    accelerator.load_state(f"{folder}/{step}")
while loader.epoch < 2:
    for batch in loader:
        guess = model(batch["x"][:, None].float())[:, 0]
        loss = (guess - batch["y"]).square().mean()
        accelerator.backward(loss)
        sgd.step()
        sgd.zero_grad()
        step += 1
        if step % 5 == 0:
            accelerator.save_state(f"{folder}/{step}")
accelerator.print("loss", loss.item())
