"""What benchmarks/mlperf.py generates, and that all its readers deliver just that."""

from __future__ import annotations

import collections
import importlib.util
import json
import shutil
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("torch")
pq: Any = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)

_path = Path(__file__).parent.parent.parent / "benchmarks" / "mlperf.py"
_spec = importlib.util.spec_from_file_location("mlperf", _path)
assert _spec is not None and _spec.loader is not None
mlperf: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(mlperf)

SCALES = {  # of which three row groups are made
    "dlrm": Fraction(15_000, 1_024 * 1_536_000),
    "dlrm-dictionary": Fraction(15_000, 1_024 * 1_536_000),
    "criteo": Fraction(15_000, 1_024 * 1_536_000),
    "flux": Fraction(20, 4_296 * 256),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for kind, scale in SCALES.items():
        mlperf.make(folder, kind, scale)
    return folder


def only_file(data: Path, kind: str) -> Any:
    (path,) = (data / "mlperf" / kind).glob("*.parquet")
    return pq.ParquetFile(path)


def types(file: Any) -> collections.Counter[str]:
    return collections.Counter(str(each) for each in file.schema_arrow.types)


def group_rows(file: Any) -> list[int]:
    return [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]


def test_dlrm_has_the_types_of_the_public_file(data: Path) -> None:
    file = only_file(data, "dlrm")

    assert types(file) == {"halffloat": 50, "float": 56, "double": 49, "int8": 45}
    columns = mlperf.columns("dlrm")
    assert columns[:3] + columns[-1:] == [f"feature_{i:03}" for i in (11, 17, 18, 195)]
    read = collections.Counter(str(file.schema_arrow.field(name).type) for name in columns)
    assert read == {"halffloat": 4, "float": 27, "double": 5, "int8": 4}
    widths = {"halffloat": 2, "float": 4, "double": 8, "int8": 1}
    assert sum(widths[str(each)] for each in file.schema_arrow.types) == 761


def test_dlrm_is_plain_in_row_groups_of_6144(data: Path) -> None:
    file = only_file(data, "dlrm")

    assert group_rows(file) == [6_144, 6_144, 2_712]
    column = file.metadata.row_group(0).column(17)
    assert column.compression == "UNCOMPRESSED"
    assert not column.has_dictionary_page and not column.is_stats_set


def test_dlrm_has_a_variant_with_dictionaries(data: Path) -> None:
    file = only_file(data, "dlrm-dictionary")

    assert file.schema_arrow.equals(only_file(data, "dlrm").schema_arrow)
    column = file.metadata.row_group(0).column(17)
    assert column.compression == "UNCOMPRESSED"
    assert column.has_dictionary_page and column.is_stats_set


def test_criteo_has_a_label_dense_columns_and_skewed_categories(data: Path) -> None:
    file = only_file(data, "criteo")

    assert types(file) == {"float": 14, "int32": 186}
    assert group_rows(file) == [6_144, 6_144, 2_712]
    assert file.metadata.row_group(0).column(0).compression == "SNAPPY"
    assert mlperf.columns("criteo") == file.schema_arrow.names[:40]
    categories = file.read(["c185"])["c185"].to_pylist()
    counts = collections.Counter(categories)
    assert len(counts) > 3_000 and max(counts.values()) > 300


def test_flux_has_rows_of_2164832_bytes_and_few_in_a_row_group(data: Path) -> None:
    file = only_file(data, "flux")

    sizes = {field.name: field.type.list_size for field in file.schema_arrow}
    assert sizes == mlperf.FLUX
    assert 4 * sum(sizes.values()) == mlperf.KINDS["flux"].row_bytes == 2_164_832
    assert group_rows(file) == [8, 8, 4]


@pytest.mark.parametrize("kind", SCALES)
def test_the_same_seed_gives_the_same_values(data: Path, kind: str, tmp_path: Path) -> None:
    again = mlperf.make(tmp_path, kind, SCALES[kind])

    assert again == mlperf.made(data, kind)
    assert only_file(tmp_path, kind).read().equals(only_file(data, kind).read())


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("kind", SCALES)
@pytest.mark.parametrize("system", mlperf.READERS)
def test_readers_deliver_what_was_generated(data: Path, kind: str, system: str, cores: int) -> None:
    made = mlperf.made(data, kind)
    sums = mlperf.Checksum(mlperf.columns(kind))

    rows = sum(mlperf.READERS[system](data, kind, cores)(sums.add))

    assert (rows, sums.hex()) == (made["rows"], made["checksum"])


def test_the_checksum_tells_rows_in_another_order() -> None:
    left, right = mlperf.Checksum(["a"]), mlperf.Checksum(["a"])

    left.add({"a": mlperf.np.array([1.5, 2.5])})
    right.add({"a": mlperf.np.array([2.5, 1.5])})

    assert left.hex() != right.hex()


def test_scale_counts_whole_files() -> None:
    assert mlperf.sizes("dlrm", Fraction(1, 512)) == [1_536_000] * 2
    assert mlperf.sizes("dlrm", Fraction(1, 1)) == [1_536_000] * 1_024
    assert mlperf.sizes("flux", Fraction(1, 512)) == [256] * 8 + [100]


def test_what_does_not_fit_on_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = SimpleNamespace(free=3_000_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: free)

    with pytest.raises(SystemExit, match=r"it takes about 2\.8 GB .* but only 3\.0 are\. Set"):
        mlperf.make(tmp_path, "dlrm", Fraction(1, 512))
    assert not list((tmp_path / "mlperf").iterdir())


def test_an_unfinished_folder_is_made_anew(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, stop = mlperf.write, KeyboardInterrupt

    def stopped(kind: str, path: Path, number: int, rows: int, sums: Any) -> None:
        write(kind, path, number, rows // 2, sums)
        raise stop

    monkeypatch.setattr(mlperf, "write", stopped)
    with pytest.raises(stop):
        mlperf.make(tmp_path, "dlrm", SCALES["dlrm"])
    assert mlperf.made(tmp_path, "dlrm") is None
    monkeypatch.undo()

    mlperf.make(tmp_path, "dlrm", SCALES["dlrm"])

    assert only_file(tmp_path, "dlrm").read().equals(only_file(data, "dlrm").read())
    assert [each.name for each in (tmp_path / "mlperf").iterdir()] == ["dlrm"]


def test_what_is_there_is_not_made_again(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mlperf, "write", None)

    assert mlperf.make(data, "dlrm", SCALES["dlrm"])["rows"] == 15_000


def test_files_of_another_scale_are_refused(data: Path) -> None:
    with pytest.raises(SystemExit, match=r"it was made at scale .*/\d+, not 1/512\. Remove"):
        mlperf.make(data, "dlrm", Fraction(1, 512))


@pytest.mark.parametrize("scale", ["0", "2", "-1/2", "1/0", "much"])
def test_a_wrong_scale_is_refused(
    scale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCALE", scale)

    with pytest.raises(SystemExit, match=rf"SCALE must be a number in \(0, 1\].*, got '{scale}'"):
        mlperf.main("make", tmp_path)


def test_a_wrong_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"No such kind: \['dlmr'\]\. Kinds are"):
        mlperf.main("make", tmp_path, "dlmr")


def test_dlio_samples_read_a_row_group_once_and_are_constant(data: Path) -> None:
    samples = mlperf.Samples(data, "dlrm")

    shapes = {samples[row].shape for row in range(0, 15_000, 1_000)}

    assert len(samples) == 15_000 and shapes == {(27, 27)}
    assert list(samples.groups) == [(0, 0), (0, 1), (0, 2)]


def test_a_run_prints_memory_and_speed_and_tells_wrong_rows(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARM_UP", "0.1")
    monkeypatch.setenv("SECONDS", "0.1")
    expected = mlperf.made(data, "flux")

    good = mlperf.run_one("pyarrow", "flux", data, 1, expected)
    bad = mlperf.run_one("pyarrow", "flux", data, 1, expected | {"checksum": "0"})

    assert good["ok"] and good["rows_per_s"] > 0 and good["memory_mb"] > 0, json.dumps(good)
    assert not bad["ok"]
