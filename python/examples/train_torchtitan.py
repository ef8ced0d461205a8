"""Trains torchtitan's debug model on a table of tokens; a later run may have other GPUs.

torchrun --nproc-per-node 8 train_torchtitan.py TABLE FOLDER
"""

import sys

from torchtitan.components.checkpoint import CheckpointManager
from torchtitan.components.metrics import MetricsProcessor
from torchtitan.models.llama3.config_registry import llama3_debugmodel
from torchtitan.tools.logging import init_logger
from torchtitan.trainer import Trainer

from penstock_torch.integrations.torchtitan import NoTokenizer, PackedTokens


def config(table: str, folder: str) -> Trainer.Config:
    made = llama3_debugmodel()
    made.dump_folder = folder
    made.tokenizer = NoTokenizer.Config()
    made.dataloader = PackedTokens.Config(dataset_path=table, shuffle="window:1000", repeat=False)
    made.training.seq_len = 64
    made.training.steps = 1000
    made.training.local_batch_size = 2
    made.checkpoint = CheckpointManager.Config(enable=True, interval=2, last_save_model_only=False)
    made.metrics = MetricsProcessor.Config(log_freq=1)
    return made


if __name__ == "__main__":
    init_logger()
    trainer = config(*sys.argv[1:]).build()
    trainer.train()
    trainer.close()
