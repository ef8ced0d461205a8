"""penstock_torch.dataloader_utils beside torch-dataloader-utils itself."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from penstock_torch import _fsspec

pa = pytest.importorskip("pyarrow", reason="these batches are made of pyarrow's")
pc = pytest.importorskip("pyarrow.compute")
pq = pytest.importorskip("pyarrow.parquet")
torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

from penstock_torch._forms import Form  # noqa: E402
from penstock_torch.dataloader_utils import Format, IcebergDataset, StructuredDataset  # noqa: E402

pytestmark = pytest.mark.usefixtures("engine")
ROWS = 1000


@pytest.fixture(scope="module")
def theirs() -> Any:
    reason = "the comparison needs torch-dataloader-utils"
    return pytest.importorskip("torch_dataloader_utils", reason=reason)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three files of three row groups."""
    made = tmp_path_factory.mktemp("files")
    for k in range(3):
        pq.write_table(table(k * ROWS), made / f"{k}.parquet", row_group_size=400)
    return made


def table(start: int) -> Any:
    ids = range(start, start + ROWS)

    def some(values: list[Any], type: Any) -> Any:
        return pa.array([None if i % 7 == 0 else v for i, v in zip(ids, values)], type)

    day = datetime.date(2001, 2, 3)
    time = datetime.datetime(2001, 2, 3, 4, 5, 6, 7)
    columns = {
        "id": pa.array(ids),
        "small": pa.array([i % 100 for i in ids], pa.int8()),
        "u32": pa.array(ids, pa.uint32()),
        "f32": some([i / 8 for i in ids], pa.float32()),
        "holes": some(list(ids), pa.int32()),
        "flag": pa.array([i % 3 == 0 for i in ids]),
        "name": some([f"name {i}" for i in ids], pa.string()),
        "day": some([day] * ROWS, pa.date32()),
        "at": some([time] * ROWS, pa.timestamp("us", "UTC")),
        "price": some([Decimal(i).scaleb(-2) for i in ids], pa.decimal128(10, 2)),
        "list": some([[i, i + 1] for i in ids], pa.list_(pa.int64())),
        "part": some([{"a": i, "b": str(i)} for i in ids], None),
        "raw": some([str(i).encode() for i in ids], pa.binary()),
    }
    return pa.table(columns)


def plain(values: Any) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)


def rows(batches: Any) -> list[str]:
    """Returns all rows as texts, which NaN does not make unequal, sorted."""
    made = []
    for batch in batches:
        columns = {name: plain(values) for name, values in batch.items()}
        made += [repr(row) for row in zip(*columns.values())]
    return sorted(made)


def ids(batches: Any) -> list[int]:
    return [i for batch in batches for i in batch["id"].tolist()]


@pytest.mark.parametrize("form", ["torch", "numpy"])
def test_rows_and_dtypes_are_theirs(theirs: Any, folder: Path, form: str) -> None:
    options: dict[str, Any] = {
        "path": str(folder),
        "format": "parquet",
        "batch_size": 128,
        "output_format": form,
    }
    reference, _ = theirs.StructuredDataset.create_dataloader(num_workers=0, **options)
    loader, _ = StructuredDataset.create_dataloader(**options)
    with loader:
        expected, found = next(iter(reference)), next(iter(loader))
        assert list(found) == list(expected)
        for name, values in expected.items():
            assert type(found[name]) is type(values), name
            assert getattr(found[name], "dtype", None) == getattr(values, "dtype", None), name
        assert rows(loader) == rows(reference)


def test_a_batch_of_dicts_is_of_python_lists(theirs: Any, folder: Path) -> None:
    options: dict[str, Any] = {"path": str(folder), "format": "parquet", "output_format": "dict"}
    reference, _ = theirs.StructuredDataset.create_dataloader(
        num_workers=0, collate_fn=lambda batch: batch, **options
    )
    loader, _ = StructuredDataset.create_dataloader(**options)
    with loader:
        assert rows(loader) == rows(reference)
        assert {type(values) for values in next(iter(loader)).values()} == {list}


def test_an_arrow_batch_has_their_schema(theirs: Any, folder: Path) -> None:
    options: dict[str, Any] = {"path": str(folder), "format": "parquet", "output_format": "arrow"}
    reference, _ = theirs.StructuredDataset.create_dataloader(
        num_workers=0, collate_fn=lambda batch: batch, **options
    )
    loader, _ = StructuredDataset.create_dataloader(**options)
    with loader:
        batch = next(iter(loader))
        assert isinstance(batch, pa.RecordBatch)
        expected = next(iter(reference)).schema
        assert [(f.name, f.type) for f in batch.schema if not pa.types.is_nested(f.type)] == [
            (f.name, f.type) for f in expected if not pa.types.is_nested(f.type)
        ]


def test_numbers_can_be_written_to(folder: Path) -> None:
    forms: tuple[Form, ...] = ("torch", "numpy")
    for form in forms:
        loader, _ = StructuredDataset.create_dataloader(
            str(folder), "parquet", columns=["id", "flag", "holes"], output_format=form
        )
        with loader:
            batch = next(iter(loader))
            for values in batch.values():
                values[0] = 1


def test_columns_and_filters(theirs: Any, folder: Path) -> None:
    expression = (pc.field("id") < 1500) & pc.field("holes").is_valid() & (pc.field("f32") > 0.1)
    options: dict[str, Any] = {"path": str(folder), "format": "parquet", "columns": ["name", "id"]}
    reference, _ = theirs.StructuredDataset.create_dataloader(
        num_workers=0, filters=expression, **options
    )
    loader, _ = StructuredDataset.create_dataloader(filters=expression, batch_size=100, **options)
    with loader:
        assert rows(loader) == rows(reference)
        sizes = [len(batch["id"]) for batch in loader]
        assert set(sizes[:-1]) == {100}  # theirs end where a row group does
    loader, _ = StructuredDataset.create_dataloader(filters="id < 10", **options)
    with loader:
        assert ids(loader) == list(range(10))


@pytest.mark.parametrize("format", ["csv", "json", "jsonl", "orc", "parquet"])
def test_formats(theirs: Any, tmp_path: Path, format: Format) -> None:
    records = [{"id": i, "x": i / 2, "name": f"n{i}"} for i in range(1500)]
    file = tmp_path / f"a.{format}"
    if format == "parquet":
        pq.write_table(pa.Table.from_pylist(records), file)
    elif format == "orc":
        pytest.importorskip("pyarrow.orc").write_table(pa.Table.from_pylist(records), file)
    else:
        lines = [json.dumps(each) for each in records]
        if format == "csv":
            lines = ["id,x,name", *(f"{r['id']},{r['x']},{r['name']}" for r in records)]
        file.write_text("\n".join(lines) + "\n")
    reference, _ = theirs.StructuredDataset.create_dataloader(str(tmp_path), format, num_workers=0)
    loader, _ = StructuredDataset.create_dataloader(str(tmp_path), format)
    with loader:
        assert rows(loader) == rows(reference)
        expected, found = next(iter(reference)), next(iter(loader))
        assert len(found["id"]) == len(expected["id"]) == 1024  # by default
        assert {n: getattr(v, "dtype", None) for n, v in found.items()} == {
            n: getattr(v, "dtype", None) for n, v in expected.items()
        }


@pytest.mark.parametrize(("path", "files"), [("", 3), ("1.parquet", 1), ("[01].parquet", 2)])
def test_a_path_is_a_folder_a_file_or_a_glob(folder: Path, path: str, files: int) -> None:
    loader, _ = StructuredDataset.create_dataloader(str(folder / path), "parquet", columns=["id"])
    with loader:
        assert len(ids(loader)) == files * ROWS


def test_partition_folders_are_typed_columns(tmp_path: Path) -> None:
    for year in (2001, 2002):
        (tmp_path / f"year={year}").mkdir()
        pq.write_table(pa.table({"id": [year]}), tmp_path / f"year={year}" / "a.parquet")
    loader, _ = StructuredDataset.create_dataloader(
        str(tmp_path), "parquet", partitioning="hive", filters=pc.field("year") == 2002
    )
    with loader:
        (batch,) = list(loader)
        assert batch["id"].tolist() == batch["year"].tolist() == [2002]


def test_a_column_that_a_file_lacks_is_null(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"id": [2], "x": [0.5]}), tmp_path / "b.parquet")
    loader, _ = StructuredDataset.create_dataloader(str(tmp_path), "parquet")
    with loader:
        (batch,) = list(loader)
        assert str(batch["x"].tolist()) == "[nan, 0.5]"


def test_ranks_share_all_rows(folder: Path) -> None:
    found: list[int] = []
    for rank in range(3):
        loader, _ = StructuredDataset.create_dataloader(
            str(folder), "parquet", columns=["id"], num_ranks=3, rank=rank, batch_size=100
        )
        with loader:
            assert len(loader) == 10
            found += ids(loader)
    assert sorted(found) == list(range(3 * ROWS))


def test_epochs_are_shuffled_each_in_its_own_order(folder: Path) -> None:
    orders = []
    for workers in (1, 2):
        loader, dataset = StructuredDataset.create_dataloader(
            str(folder), "parquet", columns=["id"], shuffle=True, shuffle_seed=7, split_rows=400,
            num_workers=workers, batch_size=100,
        )  # fmt: skip
        with loader:
            dataset.set_epoch(0)
            first = ids(loader)
            second = ids(loader)  # epochs advance by themselves
            dataset.set_epoch(1)
            assert ids(loader) == second != first
            assert sorted(first) == list(range(3 * ROWS))
            orders.append(first)
    assert orders[0] == orders[1]


def test_rows_win_over_bytes_as_there(folder: Path) -> None:
    orders = []
    for size in (None, 1 << 30):
        loader, _ = StructuredDataset.create_dataloader(
            str(folder), "parquet", columns=["id"], shuffle=True, split_bytes=size, split_rows=100
        )
        with loader:
            orders.append(ids(loader))
    assert orders[0] == orders[1]


def test_a_buffer_shuffles_rows(folder: Path) -> None:
    loader, _ = StructuredDataset.create_dataloader(
        str(folder), "parquet", columns=["id"], shuffle_buffer_size=500, batch_size=100
    )
    with loader:
        found = ids(loader)
    assert sorted(found) == list(range(3 * ROWS))
    assert found[:100] != sorted(found[:100])


@pytest.mark.parametrize("options", [{}, {"shuffle": True}, {"shuffle_buffer_size": 300}])
def test_a_state_goes_on_with_the_next_batch(folder: Path, options: dict[str, Any]) -> None:
    def made() -> tuple[Any, Any]:
        return StructuredDataset.create_dataloader(
            str(folder), "parquet", columns=["id"], batch_size=300, num_workers=1, **options
        )

    loader, dataset = made()
    with loader:
        dataset.set_epoch(2)
        whole = ids(loader)
        for stop in range(1, 10):
            dataset.set_epoch(2)
            batches: Iterator[Any] = iter(loader)
            had = ids([next(batches) for _ in range(stop)])
            state = json.loads(json.dumps(dataset.state_dict()))
            assert loader.state_dict() == state
            other, resumed = made()
            with other:
                resumed.load_state_dict(state)
                assert had + ids(other) == whole


def test_their_state_is_refused(folder: Path) -> None:
    loader, dataset = StructuredDataset.create_dataloader(str(folder), "parquet", columns=["id"])
    with loader, pytest.raises(ValueError, match=r"set_epoch\(3\)"):
        dataset.load_state_dict({"epoch": 3, "completed_shards": []})


def test_collate_gets_the_batch_in_its_form(folder: Path) -> None:
    loader, _ = StructuredDataset.create_dataloader(
        str(folder), "parquet", columns=["id"], collate_fn=lambda batch: batch["id"].sum().item()
    )
    with loader:
        assert sum(loader) == sum(range(3 * ROWS))


def test_progress_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    loader, _ = StructuredDataset.create_dataloader(
        str(folder), "parquet", columns=["id"], show_progress=True, progress_interval_sec=0
    )
    with loader:
        assert len(ids(loader)) == 3 * ROWS
    assert "rows" in capsys.readouterr().err


def test_progress_without_tqdm_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(ImportError, match="Run: pip install tqdm"):
        StructuredDataset.create_dataloader(str(folder), "parquet", show_progress=True)


def test_booleans_with_nulls_are_refused_as_tensors(tmp_path: Path) -> None:
    pq.write_table(pa.table({"b": [True, None]}), tmp_path / "a.parquet")
    loader, _ = StructuredDataset.create_dataloader(str(tmp_path), "parquet")
    with loader, pytest.raises(ValueError, match="boolean column 'b': 1 rows"):
        next(iter(loader))
    loader, _ = StructuredDataset.create_dataloader(str(tmp_path), "parquet", output_format="numpy")
    with loader:
        assert next(iter(loader))["b"].tolist() == [True, None]


def test_their_strategies_are_read_for_sizes_and_shuffle(theirs: Any, folder: Path) -> None:
    from torch_dataloader_utils.splits.target_size import TargetSizeSplitStrategy

    strategies = [
        theirs.RoundRobinSplitStrategy(shuffle=True, seed=1),
        theirs.SizeBalancedSplitStrategy(),
        TargetSizeSplitStrategy(target_rows=400, shuffle=True, seed=3),
        TargetSizeSplitStrategy(target_bytes="1MiB"),
    ]
    for strategy in strategies:
        loader, _ = StructuredDataset.create_dataloader(
            str(folder), "parquet", columns=["id"], split_strategy=strategy
        )
        with loader:
            found = ids(loader)
        assert sorted(found) == list(range(3 * ROWS))
        assert (found != sorted(found)) == strategy.shuffle


def test_what_cannot_be_done_is_refused(folder: Path) -> None:
    create: Any = StructuredDataset.create_dataloader
    with pytest.raises(ValueError, match="Cannot read the format 'xml'"):
        create(str(folder), "xml")
    with pytest.raises(ValueError, match="Cannot deliver batches as 'pandas'"):
        create(str(folder), "parquet", output_format="pandas")
    with pytest.raises(ValueError, match=r"Cannot use rank=\(2, 2\)"):
        create(str(folder), "parquet", rank=2, num_ranks=2)
    for option in ("num_workers", "shuffle_buffer_size"):
        with pytest.raises(TypeError, match=f"Cannot use {option}='4': expected a whole number"):
            create(str(folder), "parquet", **{option: "4"})
    with pytest.raises(ValueError, match="num_workers=-1: expected a whole number of at least 0"):
        create(str(folder), "parquet", num_workers=-1)
    with pytest.raises(TypeError, match="For single rows use batch_size=1"):
        create(str(folder), "parquet", batch_size=None)
    with pytest.raises(ValueError, match="'listings_expiry_time' with local paths"):
        create(str(folder), "parquet", storage_options={"listings_expiry_time": 1})


@pytest.mark.parametrize(
    ("location", "options", "ours"),
    [
        ("s3://b/k", None, {}),
        (
            "s3://b/k",
            {"key": "K", "secret": "S", "token": "T", "anon": False, "profile": None},
            {
                "access-key-id": "K",
                "secret-access-key": "S",
                "session-token": "T",
                "anonymous": "false",
            },
        ),
        (
            "s3://b/k",
            {
                "client_kwargs": {"endpoint_url": "http://h:9000", "region_name": "eu"},
                "config_kwargs": {"s3": {"addressing_style": "path"}, "read_timeout": 5},
                "use_ssl": True,
            },
            {
                "endpoint": "http://h:9000",
                "region": "eu",
                "path-style": "true",
                "read-timeout": "5s",
            },
        ),
        ("gs://b/k", {"token": "anon", "project": "p"}, {"anonymous": "true", "project": "p"}),
        ("gs://b/k", {"token": "google_default", "requester_pays": "p"}, {"project": "p"}),
        (
            "az://c/k",
            {"account_name": "a", "account_key": "k", "sas_token": "s"},
            {"account": "a", "account-key": "k", "sas-token": "s"},
        ),
        ("https://h/a", {"headers": {"Authorization": "Bearer t"}}, {"bearer-token": "t"}),
        ("https://h/a", {"skip_instance_cache": True, "use_listings_cache": False}, {}),
        ("/h/a", {"skip_instance_cache": True}, {}),
    ],
)
def test_options_of_fsspec(
    location: str, options: dict[str, Any] | None, ours: dict[str, str]
) -> None:
    assert _fsspec.storage(location, options) == ours


@pytest.mark.parametrize(
    ("location", "options", "named"),
    [
        ("s3://b/k", {"default_block_size": 5}, "'default_block_size' with s3:// locations"),
        ("s3://b/k", {"use_ssl": False}, "use_ssl=False"),
        ("s3://b/k", {"client_kwargs": {"verify": False}}, "client_kwargs.verify=False"),
        ("gs://b/k", {"token": {"type": "service_account"}}, "the token"),
        ("az://c/k", {"client_secret": "x"}, "'client_secret'"),
        ("memory://a", {"x": 1}, "'x' with memory:// locations"),
    ],
)
def test_options_without_a_counterpart(location: str, options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match="Cannot use") as raised:
        _fsspec.storage(location, options)
    assert named in str(raised.value)
    assert "service_account" not in str(raised.value)


def test_locations_of_fsspec() -> None:
    assert _fsspec.location("abfs://c/k") == "az://c/k"
    assert _fsspec.location("abfs://c@a.dfs.core.windows.net/k").startswith("abfs://c@a")
    assert _fsspec.location("file:///a/b") == "/a/b"
    assert _fsspec.location("~/a") == str(Path.home() / "a")


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A catalog with the table n.t of two snapshots."""
    pytest.importorskip("sqlalchemy", reason="pyiceberg's catalog in a file needs sqlalchemy")
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    folder = tmp_path_factory.mktemp("warehouse")
    config = {"uri": f"sqlite:///{folder}/c.db", "warehouse": f"file://{folder}"}
    made = sql.SqlCatalog("c", **config)
    made.create_namespace("n")
    simple = table(0).select(["id", "f32", "holes", "name", "day", "price"])
    made.create_table("n.t", simple.schema).append(simple)
    made.load_table("n.t").append(table(ROWS).select(simple.schema.names))
    return {"name": "c", "type": "sql", **config}


def test_iceberg_table(theirs: Any, catalog: dict[str, str]) -> None:
    from pyiceberg.catalog import load_catalog

    first, second = load_catalog(**catalog).load_table("n.t").metadata.snapshots
    for options, expected in [
        ({}, 2 * ROWS),
        ({"snapshot_id": first.snapshot_id}, ROWS),
        ({"snapshot_id": second.snapshot_id, "filters": pc.field("id") >= 1500}, ROWS // 2),
    ]:
        reference, _ = theirs.IcebergDataset.create_dataloader(
            "n.t", catalog, num_workers=0, **options
        )
        loader, dataset = IcebergDataset.create_dataloader("n.t", catalog, **options)
        with loader:
            found = rows(loader)
            assert found == rows(reference)
            assert len(found) == expected
            dataset.set_epoch(0)
            assert rows(dataset) == found


def test_scan_filter_is_exact_and_joins_filters(catalog: dict[str, str]) -> None:
    from pyiceberg.expressions import GreaterThanOrEqual

    greater: Any = GreaterThanOrEqual
    loader, _ = IcebergDataset.create_dataloader(
        "c.n.t",
        catalog,
        columns=["id"],
        scan_filter=greater("id", 1990),
        filters=pc.field("id") != 1995,
    )
    with loader:
        assert sorted(ids(loader)) == [i for i in range(1990, 2000) if i != 1995]


def test_rest_catalogs_are_left_to_the_engine() -> None:
    from penstock_torch.dataloader_utils import _table

    config = {"name": "prod", "type": "rest", "uri": "https://catalog", "token": "secret"}
    request = _table("prod.n.t", config, {"version": 5, "columns": ["id"]}).request()
    assert request["table"] == {
        "name": "n.t",
        "catalog": {"type": "rest", "uri": "https://catalog", "token": "secret"},
        "version": 5,
    }
    with pytest.raises(ValueError, match="property 'auth': it is a dict"):
        _table("n.t", {**config, "auth": {"type": "oauth2"}}, {})
