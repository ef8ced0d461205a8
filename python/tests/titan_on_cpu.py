"""Runs examples/train_torchtitan.py on CPUs: python titan_on_cpu.py TABLE RUN ...

torchtitan 0.3.0 has no CPU: where it finds no accelerator it takes CUDA (tools/utils.py), its
attention for language models has to be compiled, and gloo lacks the reduction that it asks for.
Here are stand-ins for the device, torch's own attention, which does not tell the documents of a
pack apart, and sums; two layers of the model are enough. The ranks are forks of one process, for
torchtitan takes long to import.

A run is FOLDER,RANKS,DIE_AT,BEFORE. Rank N writes to FOLDER-N.jsonl the packs of each batch and the
places that it loads, and its log to FOLDER-N.log. Rank 0 kills itself as it asks for the batch
behind the first DIE_AT, and then so are the others. BEFORE is a folder of a run to begin with.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sys
import traceback
from types import ModuleType, SimpleNamespace
from typing import Any

from trainers import EXAMPLES


def _cpu() -> Any:
    """Returns what torchtitan asks instead of torch.cuda."""
    module: Any = ModuleType("cpu")
    for name in ("set_device", "synchronize", "empty_cache", "reset_peak_memory_stats"):
        setattr(module, name, lambda *_: None)
    module.current_device = lambda: 0
    module.get_device_name = lambda _: "CPU"
    module.get_device_properties = lambda _: SimpleNamespace(total_memory=1)
    module.memory_stats = lambda _: {}
    return module


def _import() -> Any:
    from torchtitan.tools import utils

    utils.device_type, utils.device_module = "cpu", _cpu()
    sys.path.insert(0, str(EXAMPLES))
    import train_torchtitan
    from torchtitan.models import llama3
    from torchtitan.models.common.attention import ScaledDotProductAttention

    llama3.get_attention_config = lambda _: ScaledDotProductAttention.Config()
    return train_torchtitan


def _record(loader: Any, file: str, die_at: int) -> None:
    count = 0
    shifted, load = loader._shifted, loader._loader.load_state_dict

    def write(line: dict[str, Any]) -> None:
        with open(file, "a") as out:
            out.write(json.dumps(line) + "\n")

    def delivered(batch: dict[str, Any]) -> Any:
        nonlocal count
        if count == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        count += 1
        write({"packs": batch["tokens"].tolist()})
        return shifted(batch)

    def loaded(state: dict[str, Any]) -> None:
        write({"state": json.loads(state["penstock_state"])})
        load(state)

    loader._shifted, loader._loader.load_state_dict = delivered, loaded


def _train(example: Any, table: str, folder: str, rank: int, world: int, die_at: int) -> None:
    from torch.distributed.fsdp import FSDPModule
    from torchtitan.tools.logging import init_logger

    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(world))
    log = os.open(f"{folder}-{rank}.log", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    init_logger()
    config = example.config(table, folder)
    del config.model_spec.model.layers[2:]
    trainer = config.build()
    for module in trainer.model_parts[0].modules():
        if isinstance(module, FSDPModule):
            module.set_force_sum_reduction_for_comms(True)
    _record(trainer.dataloader, f"{folder}-{rank}.jsonl", die_at)
    trainer.train()
    trainer.close()


def main(table: str, *runs: str) -> None:
    example = _import()
    for run in runs:
        folder, world, die_at, before = run.split(",")
        if before:
            shutil.copytree(before, folder)
        with socket.create_server(("localhost", 0)) as server:
            os.environ.update(MASTER_ADDR="localhost", MASTER_PORT=str(server.getsockname()[1]))
        ranks = []
        for rank in range(int(world)):
            ranks.append(os.fork())
            if not ranks[-1]:
                code = 1
                try:
                    _train(example, table, folder, rank, int(world), -1 if rank else int(die_at))
                    code = 0
                except BaseException:
                    traceback.print_exc()
                os._exit(code)
        first = os.waitpid(ranks[0], 0)[1]
        if first:
            for pid in ranks[1:]:
                os.kill(pid, signal.SIGKILL)
        others = [os.waitpid(pid, 0)[1] for pid in ranks[1:]]
        print(run, first, *others, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
