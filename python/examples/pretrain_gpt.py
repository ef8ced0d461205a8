"""Pretrains a small GPT on the bytes of texts; goes on from its last checkpoint if there is one.

python pretrain_gpt.py CORPUS FOLDER [STEPS]
"""

import json
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

from penstock_torch import Dataset, Loader, PackedInputs, Packs, Tokenize

LENGTH, WIDTH, HEAD, VOCABULARY = 256, 128, 32, 257


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)])
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        qkv = self.qkv(self.norms[0](x)).unflatten(2, (3, -1, HEAD)).permute(2, 0, 3, 1, 4)
        heads = F.scaled_dot_product_attention(*qkv, mask)
        x = x + self.out(heads.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norms[1](x))))


class Gpt(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.token, self.place = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(4)])
        self.head = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY))
        for embedding in (self.token, self.place):
            nn.init.normal_(embedding.weight, std=0.02)

    def forward(self, ids: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        piece = (position == 0).cumsum(1)  # which document of the row a token is of
        mask = (piece[:, :, None] == piece[:, None]).tril()
        x = self.token(ids) + self.place.weight
        for block in self.blocks:
            x = block(x, mask[:, None])
        return self.head(x)


def write_tokenizer(path: str) -> None:
    """Writes a tokenizer whose ids are the bytes of UTF-8, and 256 for the end of a text."""
    shown = {*range(33, 127), *range(161, 173), *range(174, 256)}  # the others follow from 256 on
    hidden = [byte for byte in range(256) if byte not in shown]
    vocab = {chr(byte if byte in shown else 256 + hidden.index(byte)): byte for byte in range(256)}
    split = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    end = {"id": 256, "content": "<|endoftext|>", "special": True, "normalized": False}
    end |= dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
    model = {"type": "BPE", "vocab": vocab, "merges": []}
    with open(path, "w") as file:
        json.dump({"added_tokens": [end], "pre_tokenizer": split, "model": model}, file)


def main(corpus: str, folder: str, steps: str = "300") -> None:
    os.makedirs(folder, exist_ok=True)
    saved, tokenizer = f"{folder}/checkpoint.pt", f"{folder}/tokenizer.json"
    write_tokenizer(tokenizer)
    torch.manual_seed(1)
    model, step = Gpt(), 0
    adam = torch.optim.AdamW(model.parameters(), lr=2e-3)
    loader = Loader(
        Dataset(corpus, columns=["text"]),
        batch_size=16,
        shuffle="window:65536",
        tokenize=Tokenize("text", tokenizer, end="<|endoftext|>"),
        compose=Packs("text", LENGTH),
        collate_fn=PackedInputs("text", labels="shifted"),
    )
    if os.path.exists(saved):
        step, *states = torch.load(saved)
        for part, state in zip((model, adam, loader), states, strict=True):
            part.load_state_dict(state)
    while step < int(steps):
        for batch in loader:
            logits = model(batch["input_ids"], batch["position_ids"])
            loss = F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())
            adam.zero_grad()
            loss.backward()
            adam.step()
            step += 1
            print(f"step {step}: loss {loss.item()}", flush=True)
            if step % 10 == 0:
                parts = [part.state_dict() for part in (model, adam, loader)]
                torch.save([step, *parts], saved + ".new")
                os.replace(saved + ".new", saved)
            if step == int(steps):
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
