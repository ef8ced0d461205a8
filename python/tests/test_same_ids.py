"""The ids are those of Python's tokenizers, for documents that are made here.

DOCUMENTS  how many, for each of five tokenizers; default 5,000
SEED       of the documents; default 1
"""

from __future__ import annotations

import os
import random
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

from penstock_torch import Loader, Tokenize

tokenizers = pytest.importorskip("tokenizers")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

FOLDER = ROOT / "tokens/src/test/resources/dev/penstock/tokens"
NAMES = ["byte-bpe", "byte-bpe-split", "wordpiece", "unigram", "fallback-bpe"]
DOCUMENTS = int(os.environ.get("DOCUMENTS", "5000"))
SEED = int(os.environ.get("SEED", "1"))

MARKS = "\u0300\u0301\u0327\u0345\u05b0\u0651\u0e31\u0e49\u20e3\u3099\ufe0f\u200d\U0001f3fd"
BASES = "aeAİ\u05d0\u0628\u0e01\u304b\uac00\u1112\u1161\u11a8#❤👩🏳"
BIDI = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c"
RIGHT_TO_LEFT = ["السلام", "عليكم", "שלום", "עולם", "١٢٣", "(קצר)", "ﷺ", "ﻻ", "لا"]
BREAKS = ["\r\n", "\n", "\r", "\n\n\n", "\r\n\r\n", "\u0085", "\u2028", "\u2029", "\x0b", "\x0c"]
# Cut, overlong, of surrogates, beyond U+10FFFF, and bytes that UTF-8 does not have.
NOT_UTF8 = [
    *(b"\x80", b"\xbf\xbf", b"\xc3", b"\xc0\x80", b"\xc1\xbf", b"\xe2\x82", b"\xe0\x80\xaf"),
    *(b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xed\xa0\xbd\xed\xb8\x80", b"\xed"),
    *(b"\xf0\x9f\x98", b"\xf0\x80\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf4"),
    *(b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfe\xff", b"\xf0\x9f", b"\xe2\x28\xa1"),
]


class Writer:
    """Writes documents, each in one of several ways."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        make = runpy.run_path(str(FOLDER / "make.py"))
        self.words: list[str] = make["WORDS"]
        self.code: Callable[[random.Random], int] = make["code"]
        self.pages = [each.read_text("utf-8") for each in sorted(ROOT.glob("docs/guide/*.md"))]

    def document(self) -> str:
        kinds = [self.part_of_page, self.mixed, self.any_characters, self.marks, self.backwards]
        kind = self.chance.choices([*kinds, self.lines, self.long_word], [30, 30, 10, 10, 10, 9, 1])
        return kind[0]()

    def part_of_page(self) -> str:
        page = self.chance.choice(self.pages)
        start = self.chance.randrange(len(page))
        return page[start : start + self.chance.randrange(1500)]

    def mixed(self) -> str:
        words = self.chance.choices(self.words, k=self.chance.randrange(40))
        return "".join(each + self.chance.choice(["", " ", " "]) for each in words)

    def any_characters(self) -> str:
        return "".join(chr(self.code(self.chance)) for _ in range(self.chance.randrange(60)))

    def marks(self) -> str:
        piles = []
        for _ in range(self.chance.randrange(1, 12)):
            marks = self.chance.choices(MARKS, k=self.chance.choice([0, 1, 2, 3, 30]))
            piles.append(self.chance.choice(BASES) + "".join(marks))
        return self.chance.choice(["", " "]).join(piles)

    def backwards(self) -> str:
        words = self.chance.choices([*RIGHT_TO_LEFT, "left", "42"], k=self.chance.randrange(20))
        return "".join(each + self.chance.choice([" ", "\x00", *BIDI]) for each in words)

    def lines(self) -> str:
        words = self.chance.choices([*self.words, *BREAKS, *BREAKS], k=self.chance.randrange(60))
        return "".join(each + self.chance.choice(["", "", " ", *BREAKS]) for each in words)

    def long_word(self) -> str:
        kinds = ["a", "ab", "0", "é", "日本", "👩\u200d", "xyz_", "-", "\u0301"]
        letters = self.chance.choice(kinds)
        return "".join(self.chance.choices(letters, k=self.chance.randrange(100, 10_000)))

    def broken(self) -> bytes:
        """A document that is not UTF-8."""
        parts = self.chance.choices(NOT_UTF8, k=self.chance.randrange(1, 5))
        for _ in range(self.chance.randrange(5)):
            word = self.chance.choice(self.words).encode()
            parts.insert(self.chance.randrange(len(parts) + 1), word)
        return b"".join(parts)


def written(folder: Path, texts: list[bytes]) -> Path:
    """A Parquet file of texts that may not be UTF-8."""
    column = pa.array(texts, pa.binary()).view(pa.string())
    pq.write_table(pa.table({"text": column}), folder / "texts.parquet", row_group_size=1000)
    return folder / "texts.parquet"


def delivered(file: Path, name: str) -> Iterator[np.ndarray[Any, Any]]:
    tokenize = Tokenize("text", FOLDER / f"{name}.json")
    with Loader(file, batch_size=1000, workers=2, tokenize=tokenize, output="numpy") as loader:
        for batch in loader:
            yield from batch["text"]


def compare(file: Path, name: str, texts: list[str]) -> None:
    tokenizer = tokenizers.Tokenizer.from_file(str(FOLDER / f"{name}.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    found = delivered(file, name)
    for start in range(0, len(texts), 1000):
        for row, wanted in enumerate(tokenizer.encode_batch(texts[start : start + 1000]), start):
            ids = next(found)
            if not np.array_equal(ids, wanted.ids):
                pytest.fail(
                    f"SEED={SEED} DOCUMENTS={DOCUMENTS} (run with these environment variables):"
                    f" document {row} of '{name}', {texts[row]!r:.1000}, has the ids"
                    f" {ids.tolist()[:200]} but expected {wanted.ids[:200]}"
                )
    assert next(found, None) is None


@pytest.fixture(scope="module")
def texts() -> list[str]:
    writer = Writer(SEED)
    return [writer.document() for _ in range(DOCUMENTS)]


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", NAMES)
def test_every_document_has_the_ids_of_python(name: str, texts: list[str], tmp_path: Path) -> None:
    compare(written(tmp_path, [each.encode() for each in texts]), name, texts)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_is_not_utf8_has_the_ids_of_what_python_decodes(
    name: str, tmp_path: Path
) -> None:
    writer = Writer(SEED)
    broken = [*NOT_UTF8, *(writer.broken() for _ in range(DOCUMENTS // 10))]
    texts = [each.decode(errors="replace") for each in broken]
    compare(written(tmp_path, broken), name, texts)
