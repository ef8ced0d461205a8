"""Makes the tokenizers and the documents of the tests, and what Python's tokenizers makes of them.

    python make.py     with tokenizers 0.23.3, beside this file

The documents are paragraphs of this project's own pages, and random texts. Of each tokenizer NAME.txt
has digests: one for all documents in each of three other ways, then one for each document.
"""

import gzip
import hashlib
import json
import random
import struct
import zlib
from pathlib import Path

import tokenizers
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[6]
COUNT = 2000
CUT = 24

# What tokenizers treat in ways of their own.
WORDS = [
    *"the of and naïve Straße ǅungla ﬁne ½ ² Ⅷ e\u0301 \u1e9b\u0323 İstanbul".split(),
    *"日本語 漢字かな交じり文 한국어 ไทย हिन्दी العربية עברית ελληνικά Русский 𝒳𝒴 👩‍👩‍👧 🇩🇪 🏴‍☠️ ❤️".split(),
    *"don't we'll I'M 1234567 3.14 -7 a_b x+y=z (a) [b] {c} … — “q” «r» ▁ ▁▁ Ġ Ċ <0x0A>".split(),
    "\u00a0", "\u2003", "\u3000", "\t", "\n", "\r\n", "   ", "\u200b", "\u00ad", "\ufeff",
    "\u0000", "\u0007", "\u007f", "\ufffd", "\ufffe", "\U0010ffff", "\ue000",
    "<|endoftext|>", "<|user|>", "[CLS]", "[SEP]", "[MASK]", "[UNK]", "<s>", "</s>", "<unk>",
    "penstock", "Penstock", "sluice gate", "sluicegate", "<tool>", "x<tool>y", " <tool> ",
]


def documents() -> list[str]:
    chance = random.Random(69)
    paragraphs = []
    for page in sorted(ROOT.glob("docs/guide/*.md")):
        paragraphs += [each for each in page.read_text().split("\n\n") if len(each) < 1500]
    chance.shuffle(paragraphs)
    texts = ["", " ", "\n", "a", *WORDS, *paragraphs[:700]]
    while len(texts) < COUNT:
        words = chance.choices(WORDS, k=chance.randrange(1, 40))
        if chance.random() < 0.3:
            words += ["".join(chr(code(chance)) for _ in range(chance.randrange(1, 20)))]
            chance.shuffle(words)
        texts.append("".join(each + chance.choice(["", " ", " "]) for each in words))
    return texts


def code(chance: random.Random) -> int:
    while True:
        point = chance.randrange(0, chance.choice([0x80, 0x800, 0x3000, 0x10000, 0x110000]))
        if not 0xD800 <= point < 0xE000:
            return point


def byte_bpe() -> tuple[Tokenizer, trainers.Trainer]:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return made, trainers.BpeTrainer(
        vocab_size=1500, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"]
    )


def byte_bpe_split() -> tuple[Tokenizer, trainers.Trainer]:
    made = Tokenizer(models.BPE(ignore_merges=True))
    made.normalizer = normalizers.NFC()
    words = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(words), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return made, trainers.BpeTrainer(
        vocab_size=1200,
        initial_alphabet=alphabet,
        special_tokens=["<|begin|>", "<|endoftext|>", "<|user|>"],
    )


def wordpiece() -> tuple[Tokenizer, trainers.Trainer]:
    made = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made, trainers.WordPieceTrainer(
        vocab_size=1500, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    )


def unigram() -> tuple[Tokenizer, trainers.Trainer]:
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence(
        [
            normalizers.Nmt(),
            normalizers.NFKC(),
            normalizers.StripAccents(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    return made, trainers.UnigramTrainer(
        vocab_size=1500, unk_token="<unk>", special_tokens=["<pad>", "</s>", "<unk>"]
    )


def fallback_bpe() -> tuple[Tokenizer, trainers.Trainer]:
    made = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    made.pre_tokenizer = pre_tokenizers.Split(Regex("(?<=[^▁])(?=▁)"), "isolated")
    special = ["<unk>", "<s>", "</s>", *(f"<0x{each:02X}>" for each in range(256))]
    return made, trainers.BpeTrainer(vocab_size=1500, special_tokens=special, limit_alphabet=80)


def template(made: Tokenizer, single: str, pair: str, *tokens: str) -> None:
    made.post_processor = processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[(each, made.token_to_id(each)) for each in tokens]
    )


def finish(name: str, made: Tokenizer) -> None:
    """What is added after training: tokens, and what surrounds a text."""
    added = [AddedToken("penstock", normalized=True), AddedToken("sluice gate", single_word=True)]
    made.add_tokens([*added, AddedToken("<tool>", lstrip=True, rstrip=True, normalized=False)])
    if name == "byte-bpe-split":
        template(made, "<|begin|> $A", "<|begin|> $A <|user|> $B", "<|begin|>", "<|user|>")
    elif name == "wordpiece":
        template(made, "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", "[CLS]", "[SEP]")
    elif name == "unigram":
        template(made, "$A </s>", "$A </s> $B </s>", "</s>")
    elif name == "fallback-bpe":
        template(made, "<s> $A", "<s> $A <s> $B", "<s>")


def crc(ids: list[int]) -> str:
    return f"{zlib.crc32(struct.pack(f'<{len(ids)}i', *ids)):08x}"


def digest(all_ids: list[list[int]]) -> str:
    """Of the ids of each document, with how many there are before them."""
    digest = hashlib.sha256()
    for ids in all_ids:
        digest.update(struct.pack(f"<{len(ids) + 1}i", len(ids), *ids))
    return digest.hexdigest()


def main() -> None:
    texts = documents()
    with gzip.GzipFile(HERE / "documents.jsonl.gz", "wb", mtime=0) as file:
        for text, second in zip(texts, texts[1:] + texts[:1]):
            row = {"text": text, "second": second}
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    made = (byte_bpe, byte_bpe_split, wordpiece, unigram, fallback_bpe)
    for make in made:
        name = make.__name__.replace("_", "-")
        tokenizer, trainer = make()
        trainer.show_progress = False
        tokenizer.train_from_iterator(texts[:800], trainer)
        finish(name, tokenizer)
        path = HERE / f"{name}.json"
        if name in ("wordpiece", "fallback-bpe"):  # what the file says on these does not count
            tokenizer.enable_truncation(7)
            tokenizer.enable_padding(length=16)
        tokenizer.save(str(path), pretty=False)
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        tokenizer.no_truncation()

        def ids(batch: list, special: bool = True) -> list[list[int]]:
            return [each.ids for each in tokenizer.encode_batch(batch, add_special_tokens=special)]

        pairs = list(zip(texts, texts[1:] + texts[:1]))
        lines = [f"# tokenizers {tokenizers.__version__}"]
        lines += [f"pairs {digest(ids(pairs))}", f"without {digest(ids(texts, special=False))}"]
        each = [crc(found) for found in ids(texts)]
        tokenizer.enable_truncation(CUT)
        lines += [f"cut {digest(ids(texts))}", f"cut-pairs {digest(ids(pairs))}", *each]
        (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")
        print(name, path.stat().st_size, tokenizer.get_vocab_size())


if __name__ == "__main__":
    main()
