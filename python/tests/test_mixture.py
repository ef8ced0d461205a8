"""Mixtures: shares, order and resume of several datasets, balanced classes, and folds."""

from __future__ import annotations

import collections
import itertools
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock_torch import Dataset, Loader, Mixture, Packs, ReadError, Tokenize

untyped: Any = Mixture  # for values of other types
BLOCK = 1024  # the rows that have the shares to within one


ROOT = Path(__file__).parents[2]


def write(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    return str(file)


def loader(dataset: Any, batch_size: int = BLOCK, **options: Any) -> Loader:
    return Loader(dataset, batch_size, output="numpy", **options)


def rows(dataset: Any, column: str, **options: Any) -> list[Any]:
    with loader(dataset, **options) as batches:
        return [value for batch in batches for value in batch[column]]


def by_distance(flights: str, *weights: float, **options: Any) -> Mixture:
    """Flights up to 500 miles, up to 1,000, and farther."""
    where = ["distance <= 500", "distance > 500 and distance <= 1000", "distance > 1000"]
    sources = [Dataset(flights, where=each) for each in where]
    return Mixture(list(zip(sources, weights)), source_column="source", **options)


def source_of(distance: np.ndarray) -> np.ndarray:
    return np.searchsorted([500, 1000], distance)


@pytest.mark.parametrize("options", [{}, {"shuffle": True}, {"shuffle": "window:5000"}])
def test_every_block_has_the_shares(flights: str, options: dict[str, Any]) -> None:
    mixture = by_distance(flights, 5, 3, 2, columns=["distance", "source"])
    with loader(mixture, seed=3, **options) as batches:
        assert list(batches.schema()) == ["distance", "source"]
        length = len(batches)
        blocks = list(batches)
    assert len(blocks) == length > 50
    for block in blocks:
        assert block["source"].tolist() == source_of(block["distance"]).tolist()
    for block in blocks[:-1]:
        counts = np.bincount(block["source"], minlength=3)
        assert all(abs(counts - np.array([0.5, 0.3, 0.2]) * BLOCK) <= 1)


def test_rows_of_a_source_come_in_its_order(flights: str) -> None:
    with loader(by_distance(flights, 1, 1, 1), batch_size=1000, workers=2) as batches:
        got: dict[int, list[Any]] = collections.defaultdict(list)
        for batch in itertools.islice(batches, 30):
            for source, row in zip(batch["source"], zip(batch["date"], batch["delay"])):
                got[int(source)].append(row)
    own = Dataset(flights, where="distance > 1000")
    expected = list(zip(rows(own, "date"), rows(own, "delay")))
    assert 9_990 < len(got[2]) < 10_010 and got[2] == expected[: len(got[2])]


def test_texts_of_a_mixture_are_tokenised(tmp_path: Path) -> None:
    """The ids of each row are those of its text, on each of two ranks, then in packs."""
    folders = []
    for corpus, words in {"web": "gate open", "books": "sluice"}.items():
        lines = [json.dumps({"text": f"{words} {i}"}) + "\n" for i in range(600)]
        folders.append(Dataset(write(tmp_path / f"{corpus}.jsonl", "".join(lines))))
    mixture = Mixture([(folders[0], 0.7), (folders[1], 0.3)], stop="all")
    file = ROOT / "tokens/src/test/resources/dev/penstock/tokens/byte-bpe.json"
    tokenize = Tokenize("text", file)
    ids: dict[str, list[int]] = {}
    for folder in folders:
        tokens = rows(folder, "text", tokenize=tokenize)
        ids.update({text: list(row) for text, row in zip(rows(folder, "text"), tokens)})
    together = []
    for rank in range(2):
        texts = rows(mixture, "text", rank=(rank, 2))
        with loader(mixture, 100, rank=(rank, 2), tokenize=tokenize) as batches:
            assert len(batches) == 6
            assert [list(row) for batch in batches for row in batch["text"]] == [
                ids[text] for text in texts
            ]
        together += texts
    assert sorted(together) == sorted(ids)
    flat = [token for text in rows(mixture, "text") for token in ids[text]]
    with loader(mixture, 4, tokenize=tokenize, compose=Packs("text", 32)) as packs:
        packed = np.concatenate([batch["text"].ravel() for batch in packs])
    assert packed[: len(flat)].tolist() == flat and not packed[len(flat) :].any()


def test_weights_change_within_an_epoch(flights: str) -> None:
    later = {20 * BLOCK: [0, 1, 3], 10 * BLOCK: [1, 1, 0]}
    with loader(by_distance(flights, 0, 0, 1, weights_from=later)) as batches:
        counts = [
            np.bincount(batch["source"], minlength=3) / BLOCK
            for batch in itertools.islice(batches, 30)
        ]
    expected = [[0, 0, 1]] * 10 + [[0.5, 0.5, 0]] * 10 + [[0, 0.25, 0.75]] * 10
    for block, shares in zip(counts, expected, strict=True):
        assert block == pytest.approx(shares, abs=1 / BLOCK)


@pytest.fixture
def numbers(tmp_path: Path) -> list[str]:
    """Two CSV files: 3,000 numbers from 0, and 500 numbers from 10,000."""
    for name, numbers in (("large", range(3000)), ("small", range(10_000, 10_500))):
        (tmp_path / f"{name}.csv").write_text("n\n" + "".join(f"{each}\n" for each in numbers))
    return [str(tmp_path / "large.csv"), str(tmp_path / "small.csv")]


def test_stop_says_when_an_epoch_ends(numbers: list[str]) -> None:
    large, small = numbers
    first = rows(Mixture({large: 1, small: 1}), "n")
    assert len(set(first)) == len(first) and 999 <= len(first) <= 1001
    assert sorted(rows(Mixture({large: 1, small: 1}, stop="all"), "n")) == [
        *range(3000),
        *range(10_000, 10_500),
    ]
    repeat = collections.Counter(rows(Mixture({large: 1, small: 1}, stop="repeat"), "n"))
    assert all(repeat[each] == 1 for each in range(3000))
    assert all(5 <= repeat[each] <= 7 for each in range(10_000, 10_500))


def test_next_epoch_goes_on_within_a_source(numbers: list[str]) -> None:
    large, small = numbers
    with loader(Mixture({large: 0.5, Dataset(small): 0.5}), shuffle=False, seed=1) as batches:
        epochs = [[n for batch in batches for n in batch["n"]] for _ in range(4)]
        batches.set_epoch(2)
        assert [n for batch in batches for n in batch["n"]] == epochs[2]
    of_large = [n for epoch in epochs for n in epoch if n < 10_000]
    assert of_large == list(range(len(of_large))) and len(of_large) > 1990


@pytest.mark.parametrize("options", [{}, {"shuffle": "window:3000", "workers": 2}])
def test_resumed_loader_goes_on_with_the_next_batch(flights: str, options: dict[str, Any]) -> None:
    mixture = by_distance(flights, 5, 3, 2, weights_from={50_000: [1, 1, 1]})
    with loader(mixture, **options) as batches:
        whole = [batch["delay"].copy() for batch in batches]
    seed = random.randrange(1 << 30)
    print("seed", seed)
    for stop in random.Random(seed).sample(range(1, len(whole)), 3):
        with loader(mixture, **options) as batches:
            epoch = iter(batches)
            for _ in range(stop):
                next(epoch)
            state = batches.state_dict()
        with loader(mixture, **(options | {"workers": 1})) as batches:
            batches.load_state_dict(state)
            rest = [batch["delay"].copy() for batch in batches]
        assert len(rest) == len(whole) - stop
        assert all(np.array_equal(a, b) for a, b in zip(rest, whole[stop:]))
    with loader(by_distance(flights, 5, 3, 1), **options) as batches:
        batches.load_state_dict(state)
        with pytest.raises(ValueError, match="Cannot resume"):
            next(iter(batches))


def test_ranks_share_the_rows_and_have_as_many_batches(flights: str) -> None:
    mixture = by_distance(flights, 5, 3, 2)
    alone = collections.Counter(rows(mixture, "date"))
    shared: collections.Counter[Any] = collections.Counter()
    lengths = set()
    for rank in range(3):
        with loader(mixture, 500, rank=(rank, 3), rank_end="drop") as batches:
            made = list(batches)
            lengths.add(len(batches))
            assert len(made) == len(batches)
            for batch in made:
                shared.update(batch["date"].tolist())
    assert len(lengths) == 1
    assert shared <= alone and 0 <= alone.total() - shared.total() < 3 * 500


@pytest.fixture
def labels(tmp_path: Path) -> str:
    """1,000 rows: every tenth is 'rare', ten have no label, the others are 'usual'."""
    labelled = [
        {"id": i, "label": "rare" if i % 10 == 0 else None if i % 100 == 1 else "usual"}
        for i in range(1000)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, labelled)))
    return str(tmp_path)


def test_classes_are_balanced(labels: str) -> None:
    named = Dataset(labels, where="label is not null")
    under = rows(Mixture.balanced(named, "label"), "id")
    assert len(set(under)) == len(under) and 199 <= len(under) <= 201
    assert 99 <= sum(each % 10 == 0 for each in under) <= 101
    over = rows(Mixture.balanced(labels, "label", stop="repeat"), "id")
    assert set(over) == set(range(1000))
    classes = collections.Counter(0 if i % 10 == 0 else 1 if i % 100 == 1 else 2 for i in over)
    assert classes[2] == 890 and all(880 <= count <= 900 for count in classes.values()), classes

    numbered = Mixture.balanced(
        labels, "label", source_column="class", columns=["class", "id"], where="id >= 500"
    )
    with loader(numbered) as batches:
        (batch,) = batches
    assert list(batch) == ["class", "id"] and batch["id"].min() == 500
    # In ascending order: rare, usual, and rows without a label.
    expected = [0 if i % 10 == 0 else 2 if i % 100 == 1 else 1 for i in batch["id"]]
    assert batch["class"].tolist() == expected
    with pytest.raises(ReadError, match="Cannot read column 'x': no such column"):
        loader(Mixture.balanced(labels, "x"))
    floats = Mixture.balanced(Dataset(labels, cast={"id": "float64"}), "id")
    with pytest.raises(ValueError, match="Cannot balance by column 'id': it is float64"):
        loader(floats)


def test_sources_take_expressions(flights: str) -> None:
    compute = pytest.importorskip("pyarrow.compute")
    expressions = pytest.importorskip("pyiceberg.expressions")
    near, far = compute.field("distance") < 300.5, expressions.GreaterThan("distance", 2000)
    columns = ["distance", "delay"]
    texts = [
        Dataset(flights, where="distance < 300.5", columns=columns),
        Dataset(flights, where="distance > 2000", columns=columns),
    ]
    given = [Dataset(flights, where=each, columns=columns) for each in (near, far)]
    expected = rows(Mixture(zip(texts, [1, 2])), "delay")
    assert rows(Mixture(zip(given, [1, 2])), "delay") == expected
    balanced = Mixture.balanced(Dataset(flights, where=[near, "origin in ('ATL','ORD')"]), "origin")
    assert {*rows(balanced, "origin")} == {"ATL", "ORD"}


def test_columns_of_sources_become_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,only\n1,x\n2,y\n")
    (tmp_path / "b.csv").write_text("n\n0.5\n1.5\n")
    a, b = str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    with pytest.raises(ReadError, match=r"with cast=\{COLUMN: TYPE\} in one of them"):
        list(loader(Mixture({a: 1, b: 1})))
    whole = Dataset(a, cast={"n": "float64"})
    with pytest.raises(ReadError, match=r"out of columns, or .* missing_columns='nulls'\."):
        list(loader(Mixture({whole: 1, b: 1})))
    (batch,) = loader(Mixture({whole: 1, b: 1}, columns=["n"], stop="all"))
    assert batch["n"].dtype == np.float64 and sorted(batch["n"]) == [0.5, 1, 1.5, 2]
    missing = Dataset(b, missing_columns="nulls")
    filled = Mixture([(whole, 1), (missing, 1)], stop="all", where="n >= 1")
    (batch,) = loader(filled, nulls={"only": ""}, strings={"only": "codes"}, features={"x": ["n"]})
    assert sorted(batch["x"][:, 0]) == [1, 1.5, 2] and batch["only"].dtype == np.int32


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: untyped([("a", 1)], stop="last"), "Cannot use stop='last'"),
        (lambda: untyped([("a", -1)]), "must be a positive number, got -1"),
        (lambda: untyped([("a", float("nan"))]), "must be a positive number, got nan"),
        (lambda: untyped([("a", 1)], weights_from={5: [float("inf")]}), "positive number, got inf"),
        (lambda: untyped([("a", "b")]), "must be a positive number, got 'b'"),
        (lambda: untyped([("a", 1)], weights_from=[(5, [1])]), "must be a dict from row to the"),
        (lambda: untyped([("a", 1)], weights_from={5: 1}), "must be a dict from row to the"),
        (lambda: untyped("data/web"), "Cannot mix 'data/web': expected a dataset and its weight"),
        (lambda: untyped(5), "Cannot mix 5: expected a dataset and its weight"),
        (
            lambda: untyped([("a", 1)], weights_from={0: [1]}),
            "weights_from row=0: expected a whole",
        ),
        (lambda: untyped([("a", 1)], weights_from={5: "1"}), "must be a dict from row to the"),
        (lambda: untyped.balanced("a", 5), "Cannot use column=5: expected the name of a column"),
        (lambda: untyped(["ab"]), "Cannot mix 'ab': expected a dataset and its weight"),
        (lambda: untyped([Dataset("a")]), r"Cannot mix Dataset\('.*/a'\): expected a dataset and"),
        (lambda: untyped([(untyped([("a", 1)]), 1)]), "Cannot mix a Mixture: give all sources"),
        (lambda: untyped.balanced(untyped([("a", 1)]), "c"), "Cannot mix a Mixture"),
        (lambda: untyped([("a", 1)], columns="n"), "Cannot use columns='n'"),
        (lambda: untyped([("a", 1)], where=["n > 1"]), "expected a text. Give expressions of"),
    ],
)
def test_wrong_mixtures_are_refused_before_anything_is_opened(make: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_engine_refuses_what_it_cannot_mix(numbers: list[str]) -> None:
    with pytest.raises(ValueError, match="A mixture has 1 to 4096 sources, got 0"):
        loader(Mixture([]))
    with pytest.raises(ValueError, match="The weight of source 1 is 0"):
        loader(Mixture(dict(zip(numbers, [1, 0]))))
    with pytest.raises(ValueError, match="Expected a weight for each of 2 sources, got 1"):
        loader(Mixture(dict(zip(numbers, [1, 1])), weights_from={10: [1]}))
    empty: list[Any] = [(numbers[0], 1), (Dataset(numbers[1], where="n < 0"), 1)]
    with pytest.raises(ValueError, match=r"Cannot mix source 1, .* it has no rows. Leave it out"):
        next(iter(loader(Mixture(empty))))


def test_mixture_prints_its_sources(numbers: list[str]) -> None:
    large, small = numbers
    mixture = Mixture({large: 0.7, small: 0.3})
    assert repr(mixture) == f"Mixture([(Dataset('{large}'), 0.7), (Dataset('{small}'), 0.3)])"
    assert repr(Mixture.balanced(small, "n")) == f"Mixture.balanced(Dataset('{small}'), 'n')"
    with loader(mixture) as batches:
        assert repr(batches).startswith("Loader(Mixture([(Dataset(")


@pytest.mark.parametrize(
    ("key", "fold"),
    # Of the function in docs/reference/filters.md, for 10 folds and seed 7.
    [(["ORD"], 6), ([17], 9), (["Zürich", 3], 2), ([None], 3)],
)
def test_folds_are_those_of_python(tmp_path: Path, key: list[Any], fold: int) -> None:
    columns = {f"{'s' if isinstance(part, str) else 'n'}{i}": part for i, part in enumerate(key)}
    other = {name: "a" if name.startswith("s") else 1 for name in columns}  # gives a null its type
    lines = [json.dumps(row, ensure_ascii=False) for row in (columns, other)]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
    name, value = next(iter(columns.items()))
    is_key = f"{name} is null" if value is None else f"{name} = {value!r}"
    folds = f"fold({', '.join(columns)}, 10, 7)"
    found = [
        each
        for each in range(10)
        if rows(Dataset(str(tmp_path), where=f"{is_key} and {folds} = {each}"), name, nulls=0)
    ]
    assert found == [fold]


def test_weights_may_be_numpy_s(numbers: list[str]) -> None:
    large, small = numbers
    weights = {np.int64(10): np.array([1.0, 0.0])}
    given = Mixture([(Path(large), np.float32(1)), (small, np.int64(1))], weights_from=weights)
    same = Mixture([(large, 1), (small, 1)], weights_from={10: [1, 0]})
    assert rows(given, "n") == rows(same, "n")
