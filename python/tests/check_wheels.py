"""Reads something with the main wheel, with each extra, and with all of them.

    check_wheels.py FOLDER                       all checks; FOLDER has a folder per extra
    check_wheels.py FOLDER --with EXTRA ...      reads what needs these extras
    check_wheels.py FOLDER --without EXTRA ...   tries to, where they are not installed

Every check is a process with an engine of its own: its class path is that of the process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent.parent
FLIGHTS = ROOT / "cli/src/main/resources/dev/penstock/cli/demo/flights"
NOBODY = "http://127.0.0.1:9"


def rows(expected: int, *given: Any, columns: list[str] | None = None, **named: Any) -> None:
    """Reads a dataset to its end."""
    from penstock_torch import Dataset, Loader

    dataset = Dataset(*given, columns=columns, **named)
    with Loader(dataset, batch_size=64, output="numpy", nulls="mask") as loader:
        read = sum(len(next(iter(batch.values()))) for batch in loader)
    assert read == expected, f"read {read} rows instead of {expected}"


def unreachable(*given: Any, **named: Any) -> None:
    """Opens a dataset of a server that is not there, and gets our sentence about that."""
    told = refusal(*given, **named)
    wanted = ("Connection refused", "no connection to the store")
    assert told.startswith("Cannot ") and any(each in told for each in wanted), told


def refusal(*given: Any, **named: Any) -> str:
    """Returns why a dataset cannot be opened."""
    from penstock_torch import Dataset, Loader

    try:
        Loader(Dataset(*given, **named), output="numpy").close()
    except (OSError, ValueError) as error:
        return str(error)
    raise AssertionError(f"could open {given or named}")


def main_wheel() -> None:
    from penstock_torch import Dataset, Loader

    seen = 0
    dataset = Dataset(FLIGHTS, columns=["delay", "distance"], where="distance >= 0")
    with Loader(dataset, batch_size=512, shuffle=True, output="numpy") as loader:
        for batch in loader:
            seen += len(batch["delay"])
        loader.report(Path(os.environ["CHECK_FOLDER"], "run.html"))
    assert seen == 300_000, seen

    csv = Path(os.environ["CHECK_FOLDER"], "names.csv")
    csv.write_text("name,n\nA,1\nB,2\n")
    rows(2, csv)
    try:
        rows(2, csv, format_options={"encoding": "IBM037"})
    except ValueError as error:
        assert "jdk.charsets" in str(error), error


def iceberg() -> None:
    table = TESTS / "data" / "iceberg"
    written = "hdfs://localhost:20500/test-warehouse/iceberg_v3_deletion_vectors"
    rows(3, table, map_location={written: str(table)})


def glue() -> None:
    keys = "software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider"
    unreachable(
        table="db.t",
        catalog={
            "type": "glue",
            "client.region": "us-east-1",
            "client.credentials-provider": keys,
            "glue.endpoint": NOBODY,
        },
    )


def tokens() -> None:
    from penstock_torch import Dataset, Loader, Tokenize

    data = ROOT / "blackbox/src/test/requests/data"
    texts = Dataset(data / "rows", columns=["name"], where="name is not null")
    tokenize = Tokenize("name", data / "tokens/tokenizer.json")
    with Loader(texts, batch_size=64, tokenize=tokenize, output="numpy") as loader:
        read = [int(ids[0]) for batch in loader for ids in batch["name"]]
    assert read == [1, 2, 3, 1, 3, 1, 2, 3, 2, 3], read


def scores() -> None:
    import tempfile

    from penstock_torch import check_scores, score

    flights = sorted(FLIGHTS.iterdir())[0]
    with tempfile.TemporaryDirectory() as out:
        keys = ["date", "origin"]
        score(flights, lambda batch: batch["distance"] * 2, out=out, keys=keys, output="numpy")
        assert check_scores(flights, out).rows == 37_500


STORES = {
    "azure": ("az://container/a.parquet", {"account": "a", "account-key": "YQ=="}),
    "gcs": ("gs://bucket/a.parquet", {"anonymous": "true"}),
    "s3": (
        "s3://bucket/a.parquet",
        {"region": "us-east-1", "access-key-id": "a", "secret-access-key": "b"},
    ),
}


def store(name: str) -> None:
    location, options = STORES[name]
    unreachable(location, storage={"endpoint": NOBODY, "attempts": "1", **options})


READS: dict[str, Callable[[], None]] = {
    "main": main_wheel,
    "arrow": lambda: rows(
        160,
        ROOT / "arrow/src/test/resources/dev/penstock/arrow/ipc/table-zstd.arrow",
        columns=["int32", "text"],
    ),
    "avro": lambda: rows(
        2, ROOT / "blackbox/src/test/resources/nulls/1.avro", columns=["i", "s", "n"]
    ),
    "azure": lambda: store("azure"),
    "delta": lambda: rows(
        35, ROOT / "delta/src/test/resources/golden/dv-partitioned-with-checkpoint"
    ),
    "gcs": lambda: store("gcs"),
    "iceberg": iceberg,
    "iceberg_glue": glue,
    "iceberg_hive": lambda: unreachable(
        table="db.t", catalog={"type": "hive", "uri": "thrift://127.0.0.1:9"}
    ),
    "orc": lambda: rows(
        2500, ROOT / "orc/src/test/resources/dev/penstock/orc/cpp.orc", columns=["time", "day"]
    ),
    "s3": lambda: store("s3"),
    "score": scores,
    "tokens": tokens,
}

# Extras that bring others; pip installs those along.
NEEDS = {"iceberg_glue": ["iceberg", "s3"], "iceberg_hive": ["iceberg", "orc"]}


def without_extra(name: str) -> None:
    """Tries to read what an extra is needed for, and gets told which."""
    told = refusal(STORES[name][0]) if name in STORES else refused(READS[name])
    advice = f"pip install 'penstock-torch[{name.replace('_', '-')}]'"
    assert advice in told, told


def refused(read: Callable[[], None]) -> str:
    try:
        read()
    except (AssertionError, OSError, ValueError) as error:
        return str(error)
    raise AssertionError("could read it")


def process(folder: Path, what: str, names: list[str], path: list[str]) -> str:
    """Runs reads in a process that sees some extras; returns what went wrong."""
    began = time.monotonic()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(folder / each) for each in path),
        "CHECK_FOLDER": str(folder),
    }
    command = [sys.executable, __file__, str(folder), what, *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    label = f"{'with' if path else 'without'} {' '.join(path) or 'extras'}: {' '.join(names)}"
    verdict = "ok" if done.returncode == 0 else "FAILED"
    print(f"{time.monotonic() - began:5.1f} s  {verdict}  {label}", flush=True)
    return "" if done.returncode == 0 else f"{label}\n{done.stdout}{done.stderr}"


def all_checks(folder: Path) -> int:
    extras = sorted(each.name for each in folder.iterdir() if each.is_dir())
    assert extras == sorted(set(READS) - {"main"}), extras
    checks = [
        ("--with", ["main"], []),
        ("--without", [name for name in extras if name not in NEEDS], []),
        ("--without", list(NEEDS), ["iceberg"]),
        *(("--with", [name], [*NEEDS.get(name, []), name]) for name in extras),
        ("--with", list(READS), extras),
    ]
    with ThreadPoolExecutor(3) as pool:
        failed = [each for each in pool.map(lambda check: process(folder, *check), checks) if each]
    for each in failed:
        print(f"\n{each}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.exit(all_checks(Path(sys.argv[1]).resolve()))
    for name in sys.argv[3:]:
        if sys.argv[2] == "--with":
            READS[name]()
        else:
            without_extra(name)
