"""Relative paths are those of the process that names them, whoever started the engine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from penstock_torch import Dataset, Loader, Mixture

# Prints the ids that each kind of relative path leads to, by lines; then waits to be ended.
DOORS = """
import json, pathlib, sys
from penstock_torch import Dataset, Loader, Mixture, _engine
import test_lifetime
doors = {
    "a name with a colon": lambda: Dataset("day:1.parquet"),
    "a folder": lambda: Dataset("rows"),
    "a folder above": lambda: Dataset("../" + pathlib.Path.cwd().name + "/rows"),
    "a glob": lambda: Dataset("*/part*.parquet"),
    "a URI": lambda: Dataset("file:rows/part.parquet"),
    "a Path": lambda: Dataset([pathlib.Path("rows/part.parquet")]),
    "a source": lambda: Mixture({"rows": 1}),
    "a balanced source": lambda: Mixture.balanced("rows", "id", stop="all"),
}
if pathlib.Path("table.metadata.json").exists():
    doors |= {
        "metadata": lambda: Dataset(metadata="table.metadata.json"),
        "a Path of metadata": lambda: Dataset(metadata=pathlib.Path("table.metadata.json")),
        "a URI of metadata": lambda: Dataset(metadata="file:table.metadata.json"),
        "a moved table": lambda: Dataset(
            metadata="moved.metadata.json", map_location={"wh": "moved/"}
        ),
        "a moved table's Paths": lambda: Dataset(
            metadata="moved.metadata.json",
            map_location={pathlib.Path("wh"): pathlib.Path("moved")},
        ),
    }
def ids(loader):
    return sorted(int(id) for batch in loader for id in batch["id"])
for name, dataset in doors.items():
    with Loader(dataset(), output="numpy") as loader:
        print(json.dumps([name, ids(loader)]), flush=True)
if pathlib.Path("c.db").exists():
    from penstock_torch import dataloader_utils as utils
    loader, _ = utils.StructuredDataset.create_dataloader("day:1.parquet", "parquet")
    print(json.dumps(["utils", ids(loader)]), flush=True)
    config = {"type": "sql", "uri": "sqlite:///c.db", "warehouse": "wh"}
    loader, _ = utils.IcebergDataset.create_dataloader("n.relative", config)
    print(json.dumps(["a relative table", ids(loader)]), flush=True)
print(json.dumps(["engine", test_lifetime.engine_process()]), flush=True)
sys.stdin.read()
"""


def make(folder: Path, first: int, tables: bool) -> list[int]:
    """Makes the files, with ids that no other folder's files have."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    ids = list(range(first, first + 10))
    rows = pa.table({"id": pa.array(ids, pa.int64())})
    (folder / "rows").mkdir(parents=True)
    pq.write_table(rows, folder / "rows/part.parquet")
    shutil.copy(folder / "rows/part.parquet", folder / "day:1.parquet")
    if tables:
        from pyiceberg.catalog.sql import SqlCatalog

        os.chdir(folder)
        catalog = SqlCatalog("default", uri="sqlite:///c.db", warehouse="wh")
        catalog.create_namespace("n")
        catalog.create_table("n.relative", rows.schema).append(rows)
        for name, place in (("table", "absolute"), ("moved", "old")):
            table = catalog.create_table(
                f"n.{name}", rows.schema, location=f"file://{folder}/wh/{place}"
            )
            table.append(rows)
            shutil.copy(table.metadata_location[len("file://") :], f"{name}.metadata.json")
        Path("moved").mkdir()
        shutil.move("wh/old", "moved/old")
    return ids


def has_tables() -> bool:
    """Returns whether there are pyiceberg's catalog in a file, and torch to read from it."""
    try:
        import pyiceberg.catalog.sql  # noqa: F401
        import sqlalchemy  # noqa: F401
        import torch  # noqa: F401
    except ImportError:
        return False
    return True


def test_two_processes_in_two_folders_read_their_own_files(
    engine: None, tmp_path: Path, runtime: Path
) -> None:
    tables = has_tables()
    here = os.getcwd()
    try:
        expected = [make(tmp_path / name, first, tables) for name, first in (("a", 0), ("b", 100))]
    finally:
        os.chdir(here)
    tests = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(runtime), PYTHONPATH=tests)
    both, engines = [], []
    try:
        for name, ids in zip("ab", expected):
            process = subprocess.Popen(
                [sys.executable, "-c", DOORS],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=tmp_path / name,
                env=environment,
                text=True,
            )
            both.append(process)  # it keeps the engine that it started
            found: dict[str, Any] = {}
            assert process.stdout is not None
            while "engine" not in found:
                line = process.stdout.readline()
                assert line, f"it ended behind {list(found)}"
                found.update([json.loads(line)])
            engines.append(found.pop("engine"))
            assert found == dict.fromkeys(found, ids)
            assert len(found) == (15 if tables else 8)
    finally:
        for process in both:
            process.communicate("")
    assert engines[0] == engines[1]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return str(folder)


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("day:1.parquet", "HERE/day:1.parquet"),
        ("a/../b", "HERE/a/../b"),  # a may be a link
        ("../b", "ABOVE/b"),
        ("./a//b/", "HERE/a/b"),
        (".", "HERE"),
        ("FILE:a b", "HERE/a b"),
        ("file:///a", "/a"),
        ("file://localhost/a", "/a"),
        ("file://host/a", "file://host/a"),
        (Path("file:a"), "HERE/file:a"),
        ("s3:/a", "HERE/s3:/a"),
        ("s3://a/b", "s3://a/b"),
        ("az://a/../b", "az://a/../b"),
        ("", ""),
        (" ", " "),
    ],
)
def test_locations(here: str, given: Any, sent: str) -> None:
    sent = sent.replace("HERE", here).replace("ABOVE", str(Path(here).parent))
    assert Dataset(given).request()["locations"] == [sent]
    assert Dataset(metadata=given).request()["table"]["metadata"] == sent
    mixed = Mixture([(given, 1)]).request()["mixture"]
    assert mixed["sources"][0]["dataset"]["locations"] == [sent]


def test_empty_location_is_not_the_working_folder(engine: None) -> None:
    with pytest.raises(ValueError, match="it is blank"):
        Loader("", output="numpy")


def test_glob_in_a_folder_whose_name_looks_like_one(
    flights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "[a]*{b"
    for each in (folder, tmp_path / "ax{b"):
        each.mkdir()
        shutil.copy(sorted(Path(flights).glob("*.parquet"))[0], each / "x[1].parquet")
    monkeypatch.chdir(folder)
    for location in ("*.parquet", "x[1].parquet"):
        with Loader(location, output="numpy") as loader:
            assert sum(len(batch["delay"]) for batch in loader) == 37_500


def test_working_folder_that_is_gone_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(ValueError, match="'a/b': the folder that this process works in is gone"):
        Dataset("a/b")
    assert Dataset("/a").request()["locations"] == ["/a"]


def test_files_of_storage_options(here: str) -> None:
    given: dict[str, str | Path | bool] = {
        "ca-file": "ca.pem",
        "credentials-file": Path("/c"),
        "endpoint": "h",
        "anonymous": True,
    }
    assert Dataset("s3://a", storage=given).request()["storage"] == {
        "ca-file": f"{here}/ca.pem",
        "credentials-file": "/c",
        "endpoint": "h",
        "anonymous": "true",
    }


@pytest.mark.parametrize(
    ("kind", "key", "given", "sent"),
    [
        ("jdbc", "uri", "jdbc:sqlite:a.db", "jdbc:sqlite:HERE/a.db"),
        ("jdbc", "uri", "jdbc:sqlite:day:1.db", "jdbc:sqlite:HERE/day:1.db"),
        ("jdbc", "uri", "jdbc:sqlite:file:a.db?mode=ro", "jdbc:sqlite:file:HERE/a.db?mode=ro"),
        ("jdbc", "uri", "jdbc:sqlite:/a.db", "jdbc:sqlite:/a.db"),
        ("jdbc", "uri", "jdbc:sqlite:file:/a.db", "jdbc:sqlite:file:/a.db"),
        ("jdbc", "uri", "jdbc:sqlite::memory:", "jdbc:sqlite::memory:"),
        ("jdbc", "uri", "sqlite:///a.db", "sqlite:///HERE/a.db"),
        ("jdbc", "uri", "sqlite:////a.db", "sqlite:////a.db"),
        ("jdbc", "uri", "jdbc:h2:./a;MODE=x", "jdbc:h2:HERE/a;MODE=x"),
        ("jdbc", "uri", "jdbc:h2:mem:a", "jdbc:h2:mem:a"),
        ("jdbc", "uri", "jdbc:derby:a;create=true", "jdbc:derby:HERE/a;create=true"),
        ("jdbc", "uri", "jdbc:postgresql://host/a", "jdbc:postgresql://host/a"),
        ("jdbc", "warehouse", "wh", "HERE/wh"),
        ("jdbc", "warehouse", Path("wh"), "HERE/wh"),
        ("jdbc", "warehouse", "file:wh/", "HERE/wh/"),
        ("jdbc", "warehouse", "file:///wh", "file:///wh"),
        ("hive", "warehouse", "s3://wh", "s3://wh"),
        ("rest", "warehouse", "project/wh", "project/wh"),  # a name
        ("rest", "warehouse", "./wh", "HERE/wh"),
        ("rest", "uri", "localhost:8181", "localhost:8181"),
        ("rest", "oauth2-server-uri", "v1/oauth/tokens", "v1/oauth/tokens"),
        ("rest", "x.key-file", "a.pem", "HERE/a.pem"),
        ("rest", "header.x-path", "a", "a"),
        ("rest", "trusted", Path("a.pem"), "HERE/a.pem"),
    ],
)
def test_options_of_a_catalog(here: str, kind: str, key: str, given: Any, sent: str) -> None:
    sent = sent.replace("HERE", here)
    request = Dataset(table="n.t", catalog={"type": kind, key: given}).request()
    assert request["table"]["catalog"] == {"type": kind, key: sent}


def test_moved_prefixes(here: str) -> None:
    moves: dict[str, str | Path] = {
        "wh": "new/",
        "s3://a/": Path("b"),
        "hdfs://h": "",
        f"file:{here}/wh": "/c",
    }
    assert Dataset(metadata="/m", map_location=moves).request()["table"]["mapLocation"] == {
        "wh": f"{here}/new/",  # in metadata that is relative itself
        f"{here}/wh": f"{here}/new/",
        f"file:{here}/wh": "/c",  # as given
        f"file://{here}/wh": f"{here}/new/",
        "s3://a/": f"{here}/b",
        "hdfs://h": "",
    }
