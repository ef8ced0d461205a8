"""Trains with Ray Train; a later run goes on, with other workers too: TABLE FOLDER WORKERS."""

import sys
import tempfile

import torch
from ray.train import Checkpoint, FailureConfig, RunConfig, ScalingConfig, get_checkpoint, report
from ray.train.torch import TorchTrainer, prepare_model

from penstock_torch import Loader


def train(config: dict) -> None:
    loader = Loader(config["table"], 50, shuffle=True)  # the rank is that of Ray's worker
    model = torch.nn.Linear(1, 1)
    if before := get_checkpoint():
        with before.as_directory() as folder:
            saved = torch.load(f"{folder}/state.pt")
        model.load_state_dict(saved["model"])
        loader.load_state_dict(saved["loader"])
    parallel, sgd = prepare_model(model), torch.optim.SGD(model.parameters(), lr=0.1)
    for step, batch in enumerate(loader, 1):
        loss = (parallel(batch["x"][:, None])[:, 0] - batch["y"]).square().mean()
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        if step % 5 == 0:
            with tempfile.TemporaryDirectory() as folder:
                state = {"model": model.state_dict(), "loader": loader.state_dict()}
                torch.save(state, f"{folder}/state.pt")
                is_first = loader.rank.startswith("0/")
                report({"loss": loss.item()}, Checkpoint(folder) if is_first else None)


if __name__ == "__main__":
    table, folder, workers = sys.argv[1:]
    scaling = ScalingConfig(num_workers=int(workers))
    run = RunConfig("run", folder, failure_config=FailureConfig(max_failures=1))
    options = {"train_loop_config": {"table": table}, "scaling_config": scaling}
    print("loss", TorchTrainer(train, run_config=run, **options).fit().metrics["loss"])
