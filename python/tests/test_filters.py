"""Filters of pyarrow and pyiceberg keep the rows that these libraries keep."""

from __future__ import annotations

import datetime
import functools
import operator
import os
import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from penstock_torch import Dataset, Loader
from penstock_torch._filters import to_text

pa = pytest.importorskip("pyarrow", reason="filters of pyarrow need pyarrow")
pc = pytest.importorskip("pyarrow.compute")
ds = pytest.importorskip("pyarrow.dataset")
pq = pytest.importorskip("pyarrow.parquet")

SCHEMA = [
    {"name": name, "type": type, "nullable": True}
    for name, type in {
        "i": "int64",
        "f": "float32",
        "d": "float64",
        "s": "string",
        "b": "bool",
        "bin": "binary",
        "day": "date",
        "at": "timestamp[us, UTC]",
        "dec": "decimal(10, 2)",
        "wide": "decimal(30, 2)",
        "small": "int8",
        "st": "struct<x: int32, y: struct<z: float32, a: decimal(5, 1)>>",
        "in": "int32",
        'a "b"': "int32",
    }.items()
]

field = pc.field
TIME = datetime.datetime(2001, 2, 3, 4, 5, 6, 700)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (field("i") == 5, "i = 5"),
        (pc.scalar(5) < field("i"), "i > 5"),
        (field("i") > field("d"), "i > d"),
        (~(field("i") > 5), "not (i > 5)"),
        (~(field("i") == 5), "i != 5"),
        (field("i") > 2.5, "i > 2.5"),
        (field("i") == 2**63 - 1, "i = 9223372036854775807"),
        (field("s") == "O'Hare", "s = 'O''Hare'"),
        (field("in") == 1, '"in" = 1'),
        (field('a "b"') == 1, '"a ""b""" = 1'),
        (field("b"), "b = true"),
        (~field("b"), "b != true"),
        (field("i").is_null(), "i is null"),
        (~field("i").is_null(), "i is not null"),
        (field("i").is_valid(), "i is not null"),
        (field("d").is_null(nan_is_null=True), "d is null or d is nan"),
        (~field("d").is_null(nan_is_null=True), "d is not null and d is not nan"),
        (field("i").is_null(nan_is_null=True), "i is null"),
        (pc.is_nan(field("d")), "d is nan"),
        (~pc.is_nan(field("d")), "d is not nan"),
        (~pc.is_nan(field("i")), "i is not null"),
        (field("i").isin([1, 2]), "i in (1, 2)"),
        (field("i").isin([1, None]), "i in (1) or i is null"),
        (~field("i").isin([1, 2]), "i not in (1, 2) or i is null"),
        (~field("i").isin([1, None]), "i not in (1)"),
        (field("d").isin([1.0, float("nan")]), "d in (1.0) or d is nan"),
        (field("s").isin(["b", "a"]), "s in ('a', 'b')"),
        (pc.starts_with(field("s"), "a'"), "s starts with 'a'''"),
        (~pc.starts_with(field("s"), "a"), "s not starts with 'a'"),
        (pc.ends_with(field("s"), "5%"), "s like '%5!%' escape '!'"),
        (pc.match_substring(field("s"), "a_"), "s like '%a!_%' escape '!'"),
        (pc.match_like(field("s"), r"a_\%%"), "s like 'a_!%%' escape '!'"),
        (field("bin") == b"\xca\xfe", "bin = x'cafe'"),
        (field("day") == datetime.date(2001, 2, 3), "day = date '2001-02-03'"),
        (field("day") < TIME, "day <= date '2001-02-03'"),
        (field("at") >= TIME, "at >= timestamp '2001-02-03T04:05:06.0007'"),
        (field("dec") == Decimal("1.50"), "dec = 1.50"),
        (field("dec") > 1.5, "dec > 1.5"),
        (field("st", "x") == 3, "st.x = 3"),
        (field("st", "y", "z") > 0.5, "st.y.z > 0.5"),
        (field("small").cast("int32") == 3, "small = 3"),
        (field("i") == None, "i is null and i is not null"),  # noqa: E711
        (pc.scalar(True), ""),
        (pc.scalar(False) | (field("i") == 1), "i = 1"),
        (
            (field("i") == 1) & ((field("i") == 2) | (field("i") == 3)) & (field("i") == 4),
            "i = 1 and (i = 2 or i = 3) and i = 4",
        ),
        (~((field("i") == 1) & (field("s") == "x")), "i != 1 or s != 'x'"),
    ],
)
def test_expression_of_pyarrow_as_text(expression: Any, text: str) -> None:
    assert to_text(expression, SCHEMA) == text


def test_value_between_two_float32_is_not_rounded() -> None:
    # pyarrow compares in float64. 0.1 lies below the float32 that is nearest to it.
    nearest = "0.10000000149011612"
    assert to_text(field("f") > 0.1, SCHEMA) == f"f >= {nearest}"
    assert to_text(field("f") <= 0.1, SCHEMA) == f"f < {nearest}"
    assert to_text(field("f") != 0.1, SCHEMA) == "f is not null"
    assert to_text(field("f") < 1e300, SCHEMA) == "f < infinity"
    assert to_text(field("f") == pa.scalar(0.1, pa.float32()), SCHEMA) == f"f = {nearest}"
    assert to_text(field("f").isin([0.1]), SCHEMA) == "f in (0.1)"  # here pyarrow rounds
    assert to_text(field("st", "y", "z") > 0.1, SCHEMA) == f"st.y.z >= {nearest}"


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        (field("i") + 1 == 3, "'add_checked'"),
        (pc.is_finite(field("d")), "'is_finite'"),
        (pc.if_else(field("b"), field("i") > 1, field("i") < 1), "'if_else'"),
        ((field("i") > 1) == (field("i") > 2), "'greater'"),
        (pc.starts_with(field("s"), "a", ignore_case=True), "ignores case"),
        (field("i").cast("int32") == 3, "from int64 to int32"),
        (field("i").cast("double") == 3, "from int64 to double"),
        (field("day").cast("string") == "x", "from date to string"),
        (field("wide") > 1.5, "decimal(30, 2)"),
        (field("i") == pa.scalar(1, pa.duration("s")), "duration[s]"),
        (field(0) == 1, "non-name"),
        (pc.scalar(1) == pc.scalar(1), "two values"),
    ],
)
def test_what_the_text_cannot_say_is_refused(expression: Any, named: str) -> None:
    with pytest.raises(ValueError, match="text form") as raised:
        to_text(expression, SCHEMA)
    assert named in str(raised.value)


def test_thousands_of_conditions_are_one_flat_text() -> None:
    parts = [field("i") == each for each in range(3000)]
    text = to_text(functools.reduce(operator.or_, parts), SCHEMA)
    assert text == " or ".join(f"i = {each}" for each in range(3000))


def test_other_objects_are_refused_before_anything_is_opened() -> None:
    with pytest.raises(TypeError, match="Cannot filter by a tuple: expected a text"):
        Dataset("nowhere", where=[("a", ">", 1)])


def test_conditions_of_a_list_must_all_hold() -> None:
    where = ["i = 1 or i = 2", field("s") == "x", pc.scalar(True)]
    assert to_text(where, SCHEMA) == "(i = 1 or i = 2) and s = 'x'"
    assert to_text(["i = 1 or i = 2"], SCHEMA) == "i = 1 or i = 2"
    assert to_text([], SCHEMA) == ""


# The same rows as pyarrow.


def random_table(random: random.Random, rows: int) -> Any:
    def column(values: Sequence[Any], type: Any) -> Any:
        return pa.array(random.choices([*values, None], k=rows), type)

    floats = [0.0, 0.1, 0.25, -1.5, 1e30, float("nan"), float("inf"), float("-inf")]
    days = [datetime.date(2001, 1, day) for day in range(1, 6)]
    times = [datetime.datetime(2001, 1, day, 12, 0, 0, 1000 * day) for day in range(1, 6)]
    texts = ["", "a", "ab", "b", "a%", "a_", "é", "O'Hare", "\\", "a\nb", "ab\\%"]
    part = pa.struct([("x", pa.int16()), ("y", pa.struct([("z", pa.float32())]))])
    structs = [None, *({"x": x, "y": {"z": z}} for x in (1, None) for z in (0.1, None, 5.0))]
    columns = {
        "i8": column([-2, 0, 1, 2, 127], pa.int8()),
        "i32": column([-2, 0, 1, 2, 2**31 - 1], pa.int32()),
        "i64": column([-2, 0, 1, 2, 2**62], pa.int64()),
        "u8": column([0, 1, 2, 255], pa.uint8()),
        "u32": column([0, 1, 2, 2**32 - 1], pa.uint32()),
        "u64": column([0, 1, 2, 2**63 - 1], pa.uint64()),
        "f32": column(floats, pa.float32()),
        "f64": column(floats, pa.float64()),
        "s": column(texts, pa.string()),
        "b": column([True, False], pa.bool_()),
        "bin": column([b"", b"a", b"ab", b"\xff"], pa.binary()),
        "fixed": column([b"ab", b"\xff\x00"], pa.binary(2)),
        "day": column(days, pa.date32()),
        "us": column(times, pa.timestamp("us")),
        "ms": column(times, pa.timestamp("ms")),
        "utc": column(times, pa.timestamp("us", "UTC")),
        "time": column([datetime.time(1), datetime.time(1, 2, 3, 4)], pa.time64("us")),
        "dec": column([Decimal("0.10"), Decimal("1.50"), Decimal("-2.00")], pa.decimal128(9, 2)),
        "st": column(structs, part),
    }
    return pa.table({"row": pa.array(range(rows)), **columns})


NUMBERS = ["i8", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "st.x", "st.y.z"]
NAIVE = [datetime.datetime(2001, 1, day, 12, 0, 0, 1000 * day) for day in (1, 3, 5)]
VALUES: dict[str, list[Any]] = {
    **{name: [-2, 0, 1, 2, 200, 2**40, 0.1, 0.25, 1.5, -1e30, float("nan")] for name in NUMBERS},
    "s": ["", "a", "ab", "O'Hare", "é", "zz"],
    "b": [True, False],
    "bin": [b"", b"a", b"\xff"],
    "fixed": [b"ab", b"a", b"\xff\x00"],
    "day": [datetime.date(2001, 1, 3), datetime.date(1999, 1, 1), *NAIVE],
    "us": [
        *NAIVE,
        datetime.date(2001, 1, 2),
        pa.scalar(978_480_000_000_000_001, pa.timestamp("ns")),
    ],
    "ms": [*NAIVE, datetime.datetime(2001, 1, 1, 12, 0, 0, 1500)],
    "utc": [each.replace(tzinfo=datetime.timezone.utc) for each in NAIVE],
    "time": [datetime.time(1), datetime.time(2)],
    "dec": [Decimal("0.10"), Decimal("1.5"), Decimal("0.105"), 1.5, 0.1],
}
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
PATTERNS = ["a", "", "a%", "_", "a_", "%b", r"a\%", r"\\", "%", "ab", "O'"]


def random_expression(random: random.Random, depth: int) -> Any:
    kind = random.random()
    if depth and kind < 0.2:
        return ~random_expression(random, depth - 1)
    if depth and kind < 0.7:
        join = random.choice([operator.and_, operator.or_])
        return join(random_expression(random, depth - 1), random_expression(random, depth - 1))
    name = random.choice(list(VALUES))
    column = field(*name.split("."))
    values = VALUES[name]
    leaves: list[Callable[[], Any]] = [
        lambda: random.choice(COMPARISONS)(column, random.choice(values)),
        lambda: random.choice(COMPARISONS)(column, random.choice(values)),
        lambda: column.is_null(nan_is_null=random.random() < 0.5),
        column.is_valid,
        lambda: _is_in(random, column, values),
    ]
    if name in NUMBERS:
        other = random.choice(NUMBERS)
        leaves.append(lambda: pc.is_nan(column))
        leaves.append(lambda: random.choice(COMPARISONS)(column, field(*other.split("."))))
    if name == "b":
        leaves.append(lambda: column)
    if name == "s":
        functions = [pc.starts_with, pc.ends_with, pc.match_substring, pc.match_like]
        leaves += [lambda: random.choice(functions)(column, random.choice(PATTERNS))] * 3
    return random.choice(leaves)()


def _is_in(random: random.Random, column: Any, values: list[Any]) -> Any:
    first = values[0]
    alike = [each for each in values if type(each) is type(first)]
    chosen = random.sample(alike, random.randint(0, len(alike)))
    listed = pa.array([*chosen, None] if random.random() < 0.3 else chosen)
    return pc.is_in(column, value_set=listed, skip_nulls=random.random() < 0.3)


def rows_of(dataset: Dataset) -> list[int]:
    with Loader(dataset, batch_size=64, output="torch") as loader:
        return [row for batch in loader for row in batch["row"].tolist()]


@pytest.mark.parametrize("seed", [int(os.environ.get("SEED", "1")) + each for each in range(4)])
@pytest.mark.usefixtures("engine")
def test_random_expressions_keep_the_rows_that_pyarrow_keeps(tmp_path: Path, seed: int) -> None:
    pytest.importorskip("torch")
    chance = random.Random(seed)
    table = random_table(chance, 300)
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=70)
    # Not the files: by their statistics pyarrow loses NaN that is_null(nan_is_null=True) finds.
    rows, compared = ds.dataset(table), 0
    for _ in range(100):
        expression = random_expression(chance, chance.randint(0, 3))
        try:
            wanted = rows.to_table(columns=["row"], filter=expression)["row"].to_pylist()
        except (pa.ArrowException, NotImplementedError):
            continue  # such as a comparison that would round a large integer
        found = rows_of(Dataset(tmp_path, columns=["row"], where=expression))
        assert found == wanted, f"SEED={seed} (run with this environment variable): {expression}"
        compared += 1
    assert compared > 50


# The same rows as pyiceberg.


@pytest.fixture(scope="module")
def iceberg_table(engine: None, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A table with nulls in every column but `row`."""
    pytest.importorskip("sqlalchemy", reason="pyiceberg's catalog in a file needs sqlalchemy")
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    folder = tmp_path_factory.mktemp("iceberg")
    catalog = sql.SqlCatalog("c", uri=f"sqlite:///{folder}/c.db", warehouse=f"file://{folder}")
    catalog.create_namespace("n")
    kept = ["row", "i32", "i64", "f32", "f64", "s", "b", "bin", "fixed", "day", "us", "utc", "dec"]
    rows = random_table(random.Random(7), 300).select(kept)
    table = catalog.create_table("n.t", rows.schema)
    table.append(rows.slice(0, 150))
    table.append(rows.slice(150))
    return table


def random_iceberg_expression(random: random.Random, depth: int) -> Any:
    from pyiceberg import expressions as e

    kind = random.random()
    if depth and kind < 0.2:
        return e.Not(random_iceberg_expression(random, depth - 1))
    if depth and kind < 0.7:
        parts = [random_iceberg_expression(random, depth - 1) for _ in range(2)]
        return random.choice([e.And, e.Or])(*parts)
    name = random.choice(
        ["i32", "i64", "f32", "f64", "s", "bin", "fixed", "day", "us", "utc", "dec"]
    )
    values = [each for each in ICEBERG_VALUES[name] if each is not None]
    compared = [e.EqualTo, e.NotEqualTo, e.LessThan, e.LessThanOrEqual, e.GreaterThan]
    leaves: list[Callable[[], Any]] = [
        lambda: random.choice([*compared, e.GreaterThanOrEqual])(name, random.choice(values)),
        lambda: random.choice([*compared, e.GreaterThanOrEqual])(name, random.choice(values)),
        lambda: random.choice([e.In, e.NotIn])(name, random.sample(values, random.randint(0, 2))),
        lambda: random.choice([e.IsNull, e.NotNull, e.IsNaN, e.NotNaN])(name),
    ]
    if name == "s":
        leaves.append(
            lambda: random.choice([e.StartsWith, e.NotStartsWith])(name, random.choice(values))
        )
    if depth == 0 and kind < 0.02:
        return random.choice([e.AlwaysTrue, e.AlwaysFalse])()
    return random.choice(leaves)()


ICEBERG_VALUES: dict[str, list[Any]] = {
    **VALUES,
    "i32": [-2, 0, 1, 2, 2**31 - 1],
    "i64": [-2, 0, 1, 2, 2**62],
    "f32": [0.0, 0.1, 0.25, -1.5, 1e30],
    "f64": [0.0, 0.1, 0.25, -1.5, 1e30],
    "fixed": [b"ab", b"\xff\x00"],
    "day": [datetime.date(2001, 1, 3), datetime.date(1999, 1, 1), "2001-01-02"],
    "us": [*NAIVE, "2001-01-03T12:00:00.003000"],
    "utc": [each.isoformat() + "+00:00" for each in NAIVE],
    "dec": [Decimal("0.10"), Decimal("1.50"), Decimal("-2.00")],
}


@pytest.mark.parametrize("seed", [int(os.environ.get("SEED", "1")) + each for each in range(2)])
def test_random_expressions_keep_the_rows_that_pyiceberg_keeps(
    iceberg_table: Any, seed: int
) -> None:
    chance, compared = random.Random(seed), 0
    for _ in range(100):
        expression = random_iceberg_expression(chance, chance.randint(0, 3))
        try:
            scan = iceberg_table.scan(row_filter=expression, selected_fields=("row",))
            wanted = sorted(scan.to_arrow()["row"].to_pylist())
        except (pa.ArrowException, NotImplementedError, TypeError, ValueError):
            continue
        metadata = iceberg_table.metadata_location
        dataset = Dataset(metadata=metadata, columns=["row"], where=expression)
        found = sorted(rows_of(dataset))
        assert found == wanted, f"SEED={seed} (run with this environment variable): {expression}"
        compared += 1
    assert compared > 50
