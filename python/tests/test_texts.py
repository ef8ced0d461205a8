"""Texts as people have them, in each format: nested, empty, null, not UTF-8, and long."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from penstock_torch import Dataset, Loader, Packs, ReadError, Tokenize

pa = pytest.importorskip("pyarrow")
zstandard = pytest.importorskip("zstandard")
pytestmark = pytest.mark.usefixtures("engine")

TEXT = ["jsonl.zst", "csv"]
BINARY = ["parquet", "arrow", "avro", "orc"]
Texts = list["bytes | None"]


def _json_lines(file: Path, texts: Texts) -> None:
    lines = [b'{"text":%b}\n' % (b"null" if t is None else b'"%b"' % t) for t in texts]
    file.write_bytes(zstandard.ZstdCompressor().compress(b"".join(lines)))


def _csv(file: Path, texts: Texts) -> None:
    rows = [b",1\n" if text is None else b'"%b",1\n' % text for text in texts]
    file.write_bytes(b"text,n\n" + b"".join(rows))


def _avro(file: Path, texts: Texts) -> None:
    def number(n: int) -> bytes:
        n, made = n << 1, b""
        while n > 127:
            made, n = made + bytes([n & 127 | 128]), n >> 7
        return made + bytes([n])

    def sized(data: bytes) -> bytes:
        return number(len(data)) + data

    field = {"name": "text", "type": ["null", "string"]}
    schema = json.dumps({"type": "record", "name": "row", "fields": [field]}).encode()
    rows = b"".join(b"\0" if text is None else number(1) + sized(text) for text in texts)
    sync = bytes(16)
    header = b"Obj\1" + number(1) + sized(b"avro.schema") + sized(schema) + b"\0" + sync
    file.write_bytes(header + number(len(texts)) + sized(rows) + sync)


def _arrow(file: Path, texts: Texts) -> None:
    _write(file, pa.table({"text": pa.array(texts, pa.binary()).view(pa.string())}))


def _write(file: Path, table: Any) -> None:
    if file.suffix == ".parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, file)
    elif file.suffix == ".orc":
        pytest.importorskip("pyarrow.orc").write_table(table, file)
    else:
        with pytest.importorskip("pyarrow.ipc").new_file(file, table.schema) as writer:
            writer.write_table(table)


WRITERS = {"jsonl.zst": _json_lines, "csv": _csv, "avro": _avro}


def written(folder: Path, form: str, *texts: bytes | None) -> Path:
    file = folder / f"texts.{form}"
    WRITERS.get(form, _arrow)(file, list(texts))
    return file


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tokenizer whose ids are the bytes of the text."""
    shown = {*range(33, 127), *range(161, 173), *range(174, 256)}
    hidden = [byte for byte in range(256) if byte not in shown]
    vocab = {chr(byte if byte in shown else 256 + hidden.index(byte)): byte for byte in range(256)}
    split = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    model = {"type": "BPE", "vocab": vocab, "merges": []}
    file = tmp_path_factory.mktemp("bytes") / "tokenizer.json"
    file.write_text(json.dumps({"pre_tokenizer": split, "model": model}))
    return str(file)


def read(file: Path, column: str = "text", **options: Any) -> list[Any]:
    """Returns a column, lists as bytes."""
    dataset = Dataset(file, columns=[column], **options.pop("dataset", {}))
    with Loader(dataset, 8, output="numpy", **options) as loader:
        return [
            bytes(value.tolist()) if hasattr(value, "tolist") else value
            for batch in loader
            for value in batch[column]
        ]


@pytest.mark.parametrize("form", TEXT + BINARY)
def test_empty_texts_and_nulls(tmp_path: Path, tokenizer: str, form: str) -> None:
    file = written(tmp_path, form, b"gate", b"", None, b"sluice")
    assert read(file) == ["gate", "", None, "sluice"]
    tokenize = Tokenize("text", tokenizer)
    assert read(file, tokenize=tokenize, nulls="mask") == [b"gate", b"", b"", b"sluice"]
    packs = Packs("text", 12)
    assert read(file, tokenize=tokenize, compose=packs) == [b"gatesluice\0\0"]
    with pytest.raises(ReadError, match=r"row 2 is null .* Use nulls='mask'.*, row 2\]"):
        read(file, tokenize=tokenize)


@pytest.mark.parametrize("form", TEXT)
def test_text_formats_refuse_what_is_not_utf8(tmp_path: Path, tokenizer: str, form: str) -> None:
    file = written(tmp_path, form, b"gate", b"a" * 100 + b"\xff")
    place = "line 3, column 'text', byte 17" if form == "csv" else "line 2"
    encoding = "format_options={'encoding': 'latin-1'}"
    for tokenize in (None, Tokenize("text", tokenizer)):
        with pytest.raises(ReadError) as caught:
            read(file, tokenize=tokenize)
        assert str(caught.value) == (
            f"Cannot read column 'text' as string: '{'a' * 60}...' is not UTF-8 from its byte 100"
            f" on, 0xff. State the encoding if it is another, for example {encoding}; else mend the"
            f" text. [{file}, {place}]"
        )


@pytest.mark.parametrize("form", BINARY)
def test_other_formats_pass_on_what_is_not_utf8(tmp_path: Path, tokenizer: str, form: str) -> None:
    file = written(tmp_path, form, b"gate", b"a" * 100 + b"\xff\xe2\x82b")
    tokens = read(file, tokenize=Tokenize("text", tokenizer))
    assert tokens == [b"gate", ("a" * 100 + "\ufffd\ufffdb").encode()]
    assert read(file, dataset={"cast": {"text": "binary"}})[1].endswith(b"a\xff\xe2\x82b")
    with pytest.raises(ReadError) as caught:
        read(file)
    assert str(caught.value) == (
        "Cannot read column 'text' as text: row 1 of the batch is not UTF-8 from its byte 100 on,"
        r" b'aaaaaaaaaaaaaaaaaaaa\xff\xe2\x82b'. Take bytes, by cast={'text': 'binary'}, or mend"
        " the files."
    )


@pytest.mark.parametrize("form", TEXT + BINARY)
def test_long_texts(tmp_path: Path, tokenizer: str, form: str) -> None:
    file = written(tmp_path, form, b"gate", b"whale " * 3_000_000)
    more = {"format_options": {"max-record-bytes": "20000000"}}
    if form in ("avro", *TEXT):
        with pytest.raises(
            ReadError,
            match=r"more than 16777216 bytes\. Allow more by format_options\['max-record-bytes'\]"
            rf".*\[.*/texts.{form}, (line|block)",
        ):
            read(file)
        assert [len(text) for text in read(file, dataset=more)] == [4, 18_000_000]
    else:
        assert [len(text) for text in read(file)] == [4, 18_000_000]
        more = {}
    with pytest.raises(RuntimeError, match=r"Cannot tokenise a text of 18000000 bytes"):
        read(file, tokenize=Tokenize("text", tokenizer), dataset=more)


@pytest.mark.parametrize("form", ["jsonl.zst", "parquet", "arrow", "orc"])
def test_fields_of_objects_are_columns(tmp_path: Path, tokenizer: str, form: str) -> None:
    file = tmp_path / f"texts.{form}"
    title = [{"title": "t"}, {"title": None}, None]
    texts = [{"text": text, "meta": meta} for text, meta in zip(["gate", "", None], title)]
    if form == "jsonl.zst":
        lines = "\n".join(json.dumps(text) for text in texts)
        file.write_bytes(zstandard.ZstdCompressor().compress(lines.encode()))
    else:
        _write(file, pa.Table.from_pylist(texts))
    assert read(file, "meta.title") == ["t", None, None]
    assert read(file, "text", dataset={"where": "meta.title = 't'"}) == ["gate"]
    tokens = read(file, "meta.title", tokenize=Tokenize("meta.title", tokenizer), nulls="mask")
    assert tokens == [b"t", b"", b""]


def _chats(seed: int) -> list[dict[str, Any]]:
    draw = random.Random(seed)

    def or_none(value: Any) -> Any:
        return None if draw.random() < 0.2 else value

    def text() -> Any:
        return or_none("".join(draw.choices("aé雪 ", k=draw.randrange(9))))

    def message() -> Any:
        parts = [or_none({"text": text()}) for _ in range(draw.randrange(3))]
        return or_none({"role": text(), "content": text(), "parts": or_none(parts)})

    def messages() -> Any:
        return or_none([message() for _ in range(draw.randrange(5))])

    full = {"role": "user", "content": "gate?", "parts": [{"text": ""}]}
    return [{"messages": [full]}, *({"messages": messages()} for _ in range(500))]


def _at(value: Any, path: list[str]) -> Any:
    """Takes what is at a path of names and `[]` out of a value."""
    if value is None or not path:
        return value
    if path[0] == "[]":
        return [_at(element, path[1:]) for element in value]
    return _at(value[path[0]], path[1:])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", ["jsonl.zst", "parquet", "arrow", "orc"])
def test_fields_of_objects_in_lists_are_columns(
    tmp_path: Path, tokenizer: str, form: str, seed: int
) -> None:
    file = tmp_path / f"chats.{form}"
    chats = _chats(seed)
    if form == "jsonl.zst":
        lines = "\n".join(json.dumps(chat) for chat in chats)
        file.write_bytes(zstandard.ZstdCompressor().compress(lines.encode()))
    else:
        _write(file, pa.Table.from_pylist(chats))
    for path in "messages[].content", "messages[].parts", "messages[].parts[].text":
        wanted = [_at(chat, path.replace("[]", ".[]").split(".")) for chat in chats]
        assert read(file, path) == wanted
    content = "messages[].content"
    lists = [_at(chat, ["messages", "[]", "content"]) or [] for chat in chats]
    tokens = read(file, content, tokenize=Tokenize(content, tokenizer), nulls="mask")
    assert tokens == ["".join(text or "" for text in texts).encode() for texts in lists]


def test_a_path_into_lists_has_brackets(tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    file.write_text('{"messages":[{"role":"user","content":"gate?"}]}\n')
    assert read(file, "messages") == [[{"role": "user", "content": "gate?"}]]
    assert read(file, "messages[].content") == [["gate?"]]
    as_bytes = {"cast": {"messages[].content": "binary"}}
    assert read(file, "messages[].content", dataset=as_bytes) == [[b"gate?"]]
    with pytest.raises(ReadError, match=r"no such column .* in lists is 'messages\[\]\.content'"):
        read(file, "messages.content")
    with pytest.raises(ReadError, match=r"The parts of 'messages\[\]' are: \[role, content\]"):
        read(file, "messages[].contents")
