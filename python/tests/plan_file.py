"""Reads plan files with Python's own library alone; docs/reference/plan-file.md is the format."""

import io
import struct
import zlib
from decimal import Decimal
from typing import Any


def bound(kind: int, exact: int, number: int, text: bytes) -> tuple[Any, bool]:
    value: Any = text if kind == 7 else number if kind else None
    if kind in (3, 4):
        value = struct.unpack("<d", struct.pack("<q", number))[0]
    if kind in (5, 6):
        value = Decimal(f"{int.from_bytes(text, 'big', signed=True)}e{-number}")
    return value, exact == 1


class Block:
    def __init__(self, stored: bytes, checksum: int) -> None:
        if zlib.crc32(stored) != checksum:
            raise ValueError(f"checksum is {zlib.crc32(stored):08x} but expected {checksum:08x}")
        self.take = io.BytesIO(zlib.decompress(stored)).read

    def count(self) -> int:
        (byte,) = self.take(1)
        return byte if byte < 128 else byte - 128 + 128 * self.count()

    def text(self) -> str:
        return self.take(self.count()).decode()

    def repeated(self, read: Any) -> list[Any]:
        return [read() for _ in range(self.count())]

    def numbers(self, count: int) -> list[int]:
        least, width = struct.unpack("<qB", self.take(9)) if count else (0, 0)
        planes = [self.take(count) for _ in range(width)]
        return [least + int.from_bytes(bytes(each), "little") for each in zip(*planes)]

    def strings(self, count: int) -> list[bytes]:
        if count and self.count() == 1:  # bytes as hexadecimal digits
            start, end = self.take(self.count()), self.take(self.count())
            return [start + self.take(each).hex().encode() + end for each in self.numbers(count)]
        texts = [b""]
        for shared, length in zip(self.numbers(count), self.numbers(count)):
            texts.append(texts[-1][:shared] + self.take(length))
        return texts[1:]

    def texts(self, count: int) -> list[str]:
        return [text.decode() for text in self.strings(count)]

    def field(self) -> Any:
        return {"name": self.text(), "nullable": self.count() == 1, "type": self.type()}

    def type(self) -> Any:
        kind = self.count()
        if kind in (1, 3):  # a list of elements, or a map of keys and values
            return {"nullable": self.count() == 1, "of": self.repeated(self.type)}
        if kind == 2:
            return {"struct": self.repeated(self.field)}
        return {"unsupported": self.text()} if kind == 4 else self.text()

    def schema(self) -> Any:
        columns = self.repeated(self.field)
        return {"columns": columns, "decodingChoices": self.text(), "flags": self.count()}

    def files(self, count: int, groups: int) -> Any:
        names, sizes = self.texts(count), self.numbers(count)
        versions, schemas, parts = self.texts(count), self.numbers(count), self.numbers(count)
        keys, values = self.texts(sum(parts)), self.texts(sum(parts))
        pairs = iter([(key, text[1:] if text else None) for key, text in zip(keys, values)])
        counts = self.numbers(count)
        others = iter(self.numbers(groups - sum(each > 0 for each in counts)))
        last = iter(self.numbers(sum(each > 0 for each in counts)))
        per_row, more, gone = self.count(), iter(self.numbers(groups)), iter(self.numbers(groups))
        for i, size in enumerate(counts):
            file: Any = {"location": names[i], "bytes": sizes[i], "version": versions[i]}
            file |= {"schema": schemas[i], "partition": [next(pairs) for _ in range(parts[i])]}
            rows = [next(others) for _ in range(size - 1)] + [next(last) for _ in range(size > 0)]
            file |= {"rows": rows, "left": [each - next(gone) for each in rows]}
            yield file | {"groupBytes": [next(more) + per_row * each for each in rows]}

    def statistics(self, n: int) -> Any:
        counts = [[each - 1 if each else None for each in self.numbers(n)] for _ in range(3)]
        bounds: Any = [[*(self.numbers(n) for _ in range(3)), self.strings(n)] for _ in "lu"]
        return zip(*counts, map(bound, *bounds[0]), map(bound, *bounds[1]))

    def matches(self, files: Any) -> None:
        for file, kind in zip(files, self.numbers(len(files))):
            rows = range(sum(file["left"]))  # none of them match, or all, or those with a bit
            bits = self.take((len(rows) + 7) // 8) if kind == 2 else [255 * kind] * len(rows)
            file["matches"] = [row for row in rows if bits[row // 8] >> row % 8 & 1]


def read(data: bytes) -> Any:
    offset, size, _, checksum, version, magic = struct.unpack("<QIIII8s", data[-32:])
    if magic != b"PenPlan\n" or version != 1:
        raise ValueError("not a plan of version 1")
    index = Block(data[offset : offset + size], checksum)
    plan: Any = {name: index.text() for name in ["hash", "table", "format", "filter"]}
    plan |= {name: index.repeated(index.text) for name in ["locations", "statistics"]}
    for name in ["formatOptions", "rules"]:
        plan[name] = dict(index.repeated(lambda: (index.text(), index.text())))
    plan |= {"schemas": index.repeated(index.schema), "files": []}
    blocks, offset, first = index.count(), 0, 0
    numbers = [index.numbers(blocks) for _ in range(6)]
    for kind, count, groups, size, _, checksum in zip(*numbers):
        block = Block(data[offset : offset + size], checksum)
        files = plan["files"][first : first + count]
        if kind == 0:
            plan["files"] += block.files(count, groups)
        elif kind > len(plan["statistics"]):
            block.matches(files)
        else:
            stated = block.statistics(groups)
            for file in files:
                known = file.setdefault("statistics", {})
                known[plan["statistics"][kind - 1]] = [next(stated) for _ in file["rows"]]
        offset, first = offset + size, (first + count) % len(plan["files"]) if kind else 0
    return plan
