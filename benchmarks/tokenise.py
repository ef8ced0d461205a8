"""Tokenises the same texts with Penstock and with Python's libraries, in turns.

tokenise.py make DATA_DIR TEXTS             a Parquet file of texts, row groups of 500 rows
tokenise.py run DATA_DIR TOKENIZER...       all systems in turns; prints a table for each tokenizer
tokenise.py read SYSTEM TOKENIZER DATA_DIR  one of Python's systems, in this process

The texts are made of paragraphs and words of this project's pages, with a seed. A tokenizer is the
name of one that the tests of module tokens have.

ROUNDS, EPOCHS, SYSTEMS, OUT, JAVA    see tokenise.sh
"""

import gzip
import json
import os
import random
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tokens/src/test/resources/dev/penstock/tokens"
THREADS = 2
BATCH = 1000
SYSTEMS = ["encode_batch", "datasets", "penstock-python", "penstock-java"]


def make(data, count):
    import pyarrow
    import pyarrow.parquet

    with gzip.open(TESTS / "documents.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line)["text"] for line in lines]
    paragraphs = [each for each in documents[:760] if len(each) > 100]
    words = [word for each in paragraphs for word in each.split()]
    chance = random.Random(1)
    texts = []
    for number in range(count):
        if number % 2:
            texts.append(" ".join(chance.choices(words, k=chance.randrange(20, 400))))
        else:
            texts.append(" ".join(chance.choices(paragraphs, k=chance.randrange(1, 8))))
    data.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(
        pyarrow.table({"text": texts}),
        data / "texts.parquet",
        row_group_size=500,
        compression="zstd",
    )


def texts_of(data):
    import pyarrow.parquet

    return pyarrow.parquet.read_table(data / "texts.parquet")["text"].to_pylist()


def tokenizer_of(path):
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(path)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def by_encode_batch(path, data):
    """Encodes texts that are in memory; the ids stay where Rust has them."""
    texts, tokenizer = texts_of(data), tokenizer_of(path)

    def epoch():
        parts = (texts[i : i + BATCH] for i in range(0, len(texts), BATCH))
        return sum(len(each) for part in parts for each in tokenizer.encode_batch(part))

    return epoch


def by_datasets(path, data):
    """Maps with two processes; the result is a file. Loading the texts does not count."""
    import datasets

    datasets.disable_progress_bars()
    datasets.disable_caching()
    rows = datasets.load_dataset(
        "parquet",
        data_files=str(data / "texts.parquet"),
        split="train",
        cache_dir=str(data / "datasets"),
    )
    tokenizer = tokenizer_of(path)

    def encode(batch):
        ids = [each.ids for each in tokenizer.encode_batch(batch["text"])]
        return {"ids": ids, "count": [len(each) for each in ids]}

    def epoch():
        made = rows.map(encode, batched=True, remove_columns=["text"], num_proc=THREADS)
        return lambda: sum(made["count"])  # reading it does not count

    return epoch


def by_penstock(path, data):
    import penstock_torch

    tokenize = penstock_torch.Tokenize("text", path)
    loader = penstock_torch.Loader(
        data / "texts.parquet", batch_size=BATCH, workers=THREADS, tokenize=tokenize
    )

    def epoch():
        return sum(batch["text"].values.numel() for batch in loader)

    return epoch


def read(system, path, data):
    """The tokens of an epoch, and the seconds of several."""
    ways = {"encode_batch": by_encode_batch, "datasets": by_datasets}
    epoch = ways.get(system, by_penstock)(path, data)
    seconds = []
    for _ in range(epochs()):
        start = time.perf_counter()
        tokens = epoch()
        seconds.append(time.perf_counter() - start)
    return {"tokens": tokens() if callable(tokens) else tokens, "seconds": seconds}


def epochs():
    return int(os.environ.get("EPOCHS", "3"))


def run_one(system, name, data):
    path = str(TESTS / f"{name}.json")
    if system == "penstock-java":
        command = [*shlex.split(os.environ["JAVA"]), "dev.penstock.benchmarks.TokenizeRun"]
        command += [str(data / "texts.parquet"), path, str(THREADS), str(BATCH), str(epochs())]
    else:
        command = [sys.executable, __file__, "read", system, path, str(data)]
    environment = {**os.environ, "RAYON_NUM_THREADS": str(THREADS), "OMP_NUM_THREADS": "1"}
    if system == "datasets":  # its processes are the threads
        environment["RAYON_NUM_THREADS"] = "1"
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return {"system": system, "tokenizer": name, **json.loads(done.stdout.splitlines()[-1])}


def run(data, names):
    systems = os.environ.get("SYSTEMS", " ".join(SYSTEMS)).split()
    megabytes = sum(len(each.encode()) for each in texts_of(data)) / 1e6
    for name in names:
        speeds, tokens = {system: [] for system in systems}, set()
        for turn in range(int(os.environ.get("ROUNDS", "3"))):
            for system in systems if turn % 2 == 0 else reversed(systems):
                result = run_one(system, name, data)
                with open(os.environ.get("OUT", data / "tokenise.jsonl"), "a") as out:
                    print(json.dumps(result), file=out)
                tokens.add(result["tokens"])
                speeds[system].append(megabytes / statistics.median(result["seconds"][1:]))
        if len(tokens) != 1:
            sys.exit(f"The systems made different numbers of tokens: {sorted(tokens)}.")
        print(f"\n{name}, {megabytes:.1f} MB of texts, {tokens.pop():,} tokens\n")
        print("| system | MB/s | beside the first |\n|---|---|---|")
        first = statistics.median(speeds[systems[0]])
        for system, found in speeds.items():
            median, low, high = statistics.median(found), min(found), max(found)
            print(f"| {system} | {median:.2f} ({low:.2f} to {high:.2f}) | {median / first:.2f} |")


def main(command, *arguments):
    if command == "make":
        make(Path(arguments[0]), int(arguments[1]))
    elif command == "read":
        print(json.dumps(read(*arguments[:2], Path(arguments[2]))))
    else:
        run(Path(arguments[0]), arguments[1:])


if __name__ == "__main__":
    main(*sys.argv[1:])
