"""A small GPT is trained on a novel, and a run that is killed goes on as if it had not been."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT
from trainers import Training

pytest.importorskip("torch")
zstandard = pytest.importorskip("zstandard")

CORPUS = ROOT / "examples/data/moby-dick"


def chapters() -> list[bytes]:
    """Returns the texts of the corpus, as others read them."""
    texts = []
    for file in sorted(CORPUS.iterdir()):
        lines = zstandard.ZstdDecompressor().decompressobj().decompress(file.read_bytes())
        texts += [json.loads(line)["text"].encode() for line in lines.splitlines()]
    return texts


def test_a_killed_run_has_the_losses_and_tokens_of_the_undisturbed_one(
    train: Training, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECORDER_COLUMN", "input_ids")
    whole = train("pretrain_gpt.py", CORPUS, tmp_path / "whole", "12")
    losses = [float(line.split()[-1]) for line in whole.printed.splitlines()]
    assert len(losses) == 12 and losses[0] > 5 and max(losses[-3:]) < 3.5
    [taken] = whole.batches
    read = b"".join(bytes(row) for row in taken[0])  # 16 rows; a token is a byte
    assert any(read.startswith(text[: len(read)]) for text in chapters())

    killed = train("pretrain_gpt.py", CORPUS, tmp_path / "killed", "12", die_at=11)
    again = train("pretrain_gpt.py", CORPUS, tmp_path / "killed", "12")
    assert [state["batches"] for state in again.loaded] == [10]
    assert (killed.batches, again.batches) == ([taken[:11]], [taken[10:]])
    printed = whole.printed.splitlines()
    assert killed.printed.splitlines() == printed[:11]
    assert again.printed.splitlines() == printed[10:]
