"""Trains with Ray Train; a later run goes on, with other workers too: TABLE FOLDER WORKERS."""

import sys
import tempfile

import ray.train
import torch
from ray.train.torch import TorchTrainer, prepare_model

from penstock_torch import Loader


def train(config: dict) -> None:
    loader = Loader(config["table"], 50, shuffle=True)  # the rank is that of Ray's worker
    model = torch.nn.Linear(1, 1)
    if before := ray.train.get_checkpoint():
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
                is_first = ray.train.get_context().get_world_rank() == 0
                checkpoint = ray.train.Checkpoint(folder) if is_first else None
                ray.train.report({"loss": loss.item()}, checkpoint)


if __name__ == "__main__":
    scaling = ray.train.ScalingConfig(num_workers=int(sys.argv[3]))
    failures = ray.train.FailureConfig(max_failures=1)
    run = ray.train.RunConfig("run", sys.argv[2], failure_config=failures)
    options = {"scaling_config": scaling, "run_config": run}
    result = TorchTrainer(train, train_loop_config={"table": sys.argv[1]}, **options).fit()
    print("loss", result.metrics["loss"])
