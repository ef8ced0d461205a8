"""PackedInputs, beside plain loops over the documents, and beside transformers."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
torch = pytest.importorskip("torch")

from penstock_torch import Loader, PackedInputs, Packs  # noqa: E402

MODES = ("cut", "whole", "stream")
Piece = list[int]  # tokens; of zeros where it is padding


def token(document: int, place: int) -> int:
    """No other token is the same, and none is 0."""
    return document * 1000 + place + 1


def write(folder: Path, lengths: list[int], group: int = 1 << 20) -> str:
    import pyarrow.parquet

    documents = [[token(i, k) for k in range(length)] for i, length in enumerate(lengths)]
    column = pa.array(documents, pa.list_(pa.int32()))
    pyarrow.parquet.write_table(pa.table({"text": column}), folder / "0.parquet", group)
    return str(folder)


def pieces(row: list[int], mode: str) -> list[Piece]:
    """Returns a row's parts of documents, each with all that follow on each other; then padding."""
    found: list[Piece] = []
    for each, before in zip(row, [None, *row]):
        goes_on = before == 0 if each == 0 else bool(before) and mode == "stream"
        goes_on |= each != 0 and each - 1 == before and each % 1000 != 1
        if goes_on:
            found[-1].append(each)
        else:
            found.append([each])
    return found


def labels(piece: Piece, kind: str) -> list[int]:
    if piece[0] == 0:
        return [-100] * len(piece)
    return [-100, *piece[1:]] if kind == "same" else [*piece[1:], -100]


def flat(lists: Any) -> list[Any]:
    return [each for one in lists for each in one]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(4))
def test_inputs_are_those_of_plain_loops(tmp_path: Path, mode: Any, seed: int) -> None:
    draw = random.Random(seed)
    longest = draw.choice([5, 40, 200])
    lengths = [draw.choice([0, draw.randrange(longest + 1)]) for _ in range(draw.randrange(1, 400))]
    lengths.append(longest)
    folder = write(tmp_path, lengths, group=draw.randrange(1, 100))
    length, rows = draw.randrange(1, 80), draw.randrange(1, 20)
    kind: Any = draw.choice(["same", "shifted"])
    options: dict[str, Any] = {"shuffle": draw.choice([False, True, "window:60"])}
    if mode == "whole":
        compose = Packs("text", length, mode=mode, too_long="cut")
    else:
        compose = Packs("text", length, mode=mode)
    tokens: list[int] = []
    collate = PackedInputs("text", labels=kind)
    with Loader(folder, rows, compose=compose, collate_fn=collate, **options) as loader:
        for batch in loader:
            assert batch["input_ids"].shape[1] == length and len(batch["input_ids"]) <= rows
            own = flat(pieces(row, mode) for row in batch["input_ids"].tolist())
            ends = [sum(map(len, own[:i])) for i in range(len(own) + 1)]
            assert batch["cu_seqlens"].tolist() == ends
            assert batch["max_seqlen"] == max(map(len, own))
            assert flat(batch["position_ids"].tolist()) == flat(range(len(each)) for each in own)
            assert flat(batch["labels"].tolist()) == flat(labels(each, kind) for each in own)
            tokens += [each for each in flat(own) if each]
            assert {name: (value.dtype, value.shape) for name, value in batch.items()
                    if name != "max_seqlen"} == {
                "input_ids": (torch.int64, batch["input_ids"].shape),
                "position_ids": (torch.int64, batch["input_ids"].shape),
                "cu_seqlens": (torch.int32, (len(own) + 1,)),
                "labels": (torch.int64, batch["input_ids"].shape),
            }  # fmt: skip
    assert sorted(tokens) == [token(i, k) for i, n in enumerate(lengths) for k in range(n)]


def packed(folder: str, length: int, mode: Any, kind: Any) -> list[Any]:
    compose = Packs("text", length, mode=mode)
    collate = PackedInputs("text", labels=kind)
    with Loader(folder, 3, compose=compose, collate_fn=collate) as loader:
        return list(loader)


@pytest.mark.parametrize("mode", MODES)
def test_a_row_is_what_its_documents_are(tmp_path: Path, mode: str) -> None:
    """Documents of 3, 0, 4 and 2 tokens in rows of 5, whose last has room."""
    batch = packed(write(tmp_path, [3, 0, 4, 2]), 5, mode, "shifted")[0]
    a, b, c = [1, 2, 3], [2001, 2002, 2003, 2004], [3001, 3002]
    x = -100
    expected = {
        "cut": (
            [[*a, *b[:2]], [*b[2:], *c, 0]],
            [[0, 1, 2, 0, 1], [0, 1, 0, 1, 0]],
            [[2, 3, x, 2002, x], [2004, x, 3002, x, x]],
            [0, 3, 5, 7, 9, 10],
        ),
        "whole": (
            [[*a, *c], [*b, 0]],
            [[0, 1, 2, 0, 1], [0, 1, 2, 3, 0]],
            [[2, 3, x, 3002, x], [2002, 2003, 2004, x, x]],
            [0, 3, 5, 9, 10],
        ),
        "stream": (
            [[*a, *b[:2]], [*b[2:], *c, 0]],
            [[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]],
            [[2, 3, 2001, 2002, x], [2004, 3001, 3002, x, x]],
            [0, 5, 9, 10],
        ),
    }[mode]
    names = ("input_ids", "position_ids", "labels", "cu_seqlens")
    assert tuple(batch[name].tolist() for name in names) == expected
    assert batch["max_seqlen"] == {"cut": 3, "whole": 4, "stream": 5}[mode]


@pytest.mark.parametrize("mode", MODES)
def test_inputs_are_those_of_the_collator_of_transformers(tmp_path: Path, mode: str) -> None:
    transformers = pytest.importorskip("transformers", minversion="5.24")
    flash = pytest.importorskip("transformers.modeling_flash_attention_utils")
    draw = random.Random(7)
    folder = write(tmp_path, [draw.randrange(12) for _ in range(40)])
    theirs = transformers.DataCollatorWithFlattening(return_flash_attn_kwargs=True)
    for batch in packed(folder, 16, mode, "same"):
        own = flat(pieces(row, mode) for row in batch["input_ids"].tolist())
        made = theirs([{"input_ids": piece} for piece in own])
        for name in ("input_ids", "position_ids"):
            assert torch.equal(batch[name].view(1, -1), made[name]), name
        is_padding = batch["input_ids"].view(1, -1) == 0  # they have none
        labels = made["labels"].masked_fill(is_padding, -100)
        assert torch.equal(batch["labels"].view(1, -1), labels)
        assert torch.equal(batch["cu_seqlens"], made["cu_seq_lens_q"])
        assert batch["max_seqlen"] == made["max_length_q"]
        places, longest = flash.prepare_fa_kwargs_from_position_ids(batch["position_ids"])
        assert torch.equal(batch["cu_seqlens"], places[0]) and batch["max_seqlen"] == longest[0]


@pytest.mark.parametrize("mode", ["cut", "whole"])
def test_a_model_of_transformers_tells_documents_apart(tmp_path: Path, mode: str) -> None:
    """Its logits are those of each piece alone, and its loss is the mean over their labels."""
    transformers = pytest.importorskip("transformers", minversion="5.24")
    torch.manual_seed(1)
    sizes = dict(vocab_size=20_000, hidden_size=16, intermediate_size=16, num_hidden_layers=2)
    sizes |= dict(num_attention_heads=2, num_key_value_heads=2)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes)).eval()
    batch = packed(write(tmp_path, [7, 2, 1, 9, 5, 3, 8, 1, 1, 6]), 16, mode, "same")[0]
    with torch.no_grad():
        taken = model(**batch, use_cache=False)
        rows = batch["input_ids"].tolist()
        alone, losses = [], []
        for piece in flat(pieces(row, mode) for row in rows):
            logits = model(torch.tensor([piece]), use_cache=False).logits[0]
            alone.append(logits)
            if piece[0] and len(piece) > 1:
                next_ones = torch.tensor(piece[1:])
                sums = torch.nn.functional.cross_entropy(logits[:-1], next_ones, reduction="none")
                losses += sums.tolist()
    assert torch.allclose(taken.logits.view(-1, 20_000), torch.cat(alone), atol=1e-5)
    assert taken.loss.item() == pytest.approx(sum(losses) / len(losses), rel=1e-5)


@pytest.mark.parametrize("output", ["torch", "numpy"])
@pytest.mark.parametrize("mode", MODES)
def test_a_rank_without_packs_has_batches_of_no_rows(
    tmp_path: Path, mode: Any, output: Any
) -> None:
    compose = Packs("text", 8, mode=mode)
    with Loader(write(tmp_path, [5]), 4, compose=compose, rank=(1, 2), output=output) as loader:
        (batch,) = loader
    assert {name: tuple(value.shape) for name, value in batch.items()} == {
        "text": (0, 8),
        "text.segment": (0, 8),
        "text.position": (0, 8),
    }
    if output == "torch":
        made = PackedInputs("text", labels="shifted")(batch)
        assert made["input_ids"].shape == made["position_ids"].shape == made["labels"].shape
        assert made["input_ids"].shape == (0, 8)
        assert made["cu_seqlens"].tolist() == [0] and made["max_seqlen"] == 0


def test_labels_are_left_out_by_default(tmp_path: Path) -> None:
    made = packed(write(tmp_path, [5]), 8, "cut", None)[0]
    assert list(made) == ["input_ids", "position_ids", "cu_seqlens", "max_seqlen"]
    assert pickle.loads(pickle.dumps(PackedInputs("text"))) == PackedInputs("text")


def test_what_are_no_packs_is_named(tmp_path: Path) -> None:
    wrong: Any = "next"
    with pytest.raises(ValueError, match="Cannot use labels='next': expected one of"):
        PackedInputs("text", labels=wrong)
    wrong = 7
    with pytest.raises(TypeError, match="Cannot use column=7: expected the name of a column"):
        PackedInputs(wrong)
    folder = write(tmp_path, [5])
    ways: list[dict[str, Any]] = [
        {},
        {"compose": Packs("text", 8), "output": "numpy"},
        {"compose": Packs("text", 8), "output": "arrow"},
    ]
    for options in ways:
        refused(folder, PackedInputs("text"), "'text' and 'text.segment'", **options)
    refused(folder, PackedInputs("texts"), "'texts' and", compose=Packs("text", 8))


def refused(folder: str, collate: PackedInputs, names: str, **options: Any) -> None:
    with Loader(folder, collate_fn=collate, **options) as loader:
        batches = iter(loader)
        with pytest.raises(ValueError, match=f"Cannot find packs of .*: expected {names}"):
            next(batches)
