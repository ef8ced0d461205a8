"""Options: wrong ones are refused before anything is connected, in Python's words."""

from __future__ import annotations

import ast
import datetime
import enum
import inspect
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import penstock_torch
from penstock_torch import Buckets, Draws, Groups, _engine
from penstock_torch._options import OPTIONS

# Without their types: what is tested here is what these say to values of others.
Loader: Any = penstock_torch.Loader
Dataset: Any = penstock_torch.Dataset
Mixture: Any = penstock_torch.Mixture
Packs: Any = penstock_torch.Packs
Windows: Any = penstock_torch.Windows
Padded: Any = penstock_torch.Padded
Codes: Any = penstock_torch.Codes
Hashed: Any = penstock_torch.Hashed
Window: Any = penstock_torch.Window
Tokenize: Any = penstock_torch.Tokenize


class End(str, enum.Enum):
    EXACT = "exact"


CLASSES = [getattr(penstock_torch, name) for name in OPTIONS]


@pytest.fixture(autouse=True)
def no_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect() -> Any:
        raise AssertionError("A wrong argument came as far as the engine.")

    if "engine" not in request.fixturenames:
        monkeypatch.setattr(_engine, "connect", connect)


# Values that no option of a kind takes, with the exception.
WRONG: dict[str, list[Any]] = {
    "choice": [(1, TypeError), (True, TypeError), ("Nope", ValueError), (None, TypeError)],
    "choice_by_column": [
        ("Nope", ValueError),
        ({"a": "Nope"}, ValueError),
        ({1: "days"}, TypeError),
    ],
    "compose": [("buckets", TypeError), (Buckets, TypeError), ({"kind": "packs"}, TypeError)],
    "dataset": [
        (5, TypeError),
        (None, TypeError),
        ({"a": 1}, TypeError),
        ([Path("a"), 7], TypeError),
    ],
    "features": [
        (["a", "b"], TypeError),
        ("a", TypeError),
        ({"x": "a"}, TypeError),
        ({"x": []}, ValueError),
        ({"x": [1]}, TypeError),
        ({1: ["a"]}, TypeError),
    ],
    "function": [("mean", TypeError), (3, TypeError)],
    "lists": [
        ("pad", ValueError),
        (3, TypeError),
        ({"valu": 0}, ValueError),
        ({"value": 0, "lenght": 8}, ValueError),
        ({"tokens": {"length": "8"}}, TypeError),
        ({"tokens": {"fill": 8}}, ValueError),
        ({"tokens": "pad"}, ValueError),
        ({"value": None}, TypeError),
        ({"length": 0}, ValueError),
    ],
    "locations": [(5, TypeError), (b"data", TypeError), ([1], TypeError), ({"data"}, TypeError)],
    "names": [("delay", TypeError), ([1], TypeError), ({"a"}, TypeError), (5, TypeError)],
    "nulls": [
        ("NaN", ValueError),
        ("masks", ValueError),
        ([0], TypeError),
        ({"a": None}, TypeError),
        ({1: 0}, TypeError),
    ],
    "path": [(5, TypeError), (b"ca.pem", TypeError), (["a"], TypeError)],
    "rank": [
        (3, TypeError),
        ((3,), TypeError),
        ((0, 1, 2), TypeError),
        (("0", "8"), TypeError),
        ((8, 8), ValueError),
        ((-1, 8), ValueError),
        ((0, 0), ValueError),
        ("3", ValueError),
        ("8/8", ValueError),
        ((0.0, 8), TypeError),
    ],
    "seconds": [
        (-1, ValueError),
        (float("nan"), ValueError),
        (float("inf"), ValueError),
        ("60", TypeError),
        (True, TypeError),
        (datetime.timedelta(seconds=5), TypeError),
    ],
    "secret": [(5, TypeError), (b"secret", TypeError)],
    "secrets": [("region", TypeError), ({"region": None}, TypeError), ({1: "a"}, TypeError)],
    "server": [
        ("host", ValueError),
        ("https://host:7200", ValueError),
        ("host:port", ValueError),
        ("::1:7200", ValueError),
        ("host:70000", ValueError),
        (("host", "7200"), TypeError),
        (("host",), TypeError),
        (("host", 0), ValueError),
        (("", 7200), ValueError),
        (("host:7200", 7200), ValueError),
        (7200, TypeError),
    ],
    "shuffle": [
        (65536, TypeError),
        (0, TypeError),
        (1.5, TypeError),
        ("true", ValueError),
        ("window", ValueError),
        ("window:", ValueError),
        ("window:0", ValueError),
        ("split", ValueError),
    ],
    "size": [
        ("many", ValueError),
        ("1 XB", ValueError),
        ("", ValueError),
        ("0", ValueError),
        (0, ValueError),
        (-5, ValueError),
        (1e9, TypeError),
        (True, TypeError),
        ("9000000TiB", ValueError),
    ],
    "strings": [
        ("codes", TypeError),
        (["origin"], TypeError),
        ({"origin": "code"}, ValueError),
        ({"origin": None}, TypeError),
        ({"origin": {}}, ValueError),
        ({"origin": {"bucket": 10}}, ValueError),
        ({"origin": {"buckets": "10"}}, TypeError),
        ({"origin": {"buckets": 0}}, ValueError),
        ({"origin": {"vocabulary": "ATL"}}, TypeError),
        ({"origin": {"vocabulary": ["ATL"], "unknwon": 0}}, ValueError),
        ({"origin": {"unknown": "0"}}, TypeError),
    ],
    "number": [
        ("0.5", TypeError),
        (True, TypeError),
        (-1, ValueError),
        (-0.5, ValueError),
        (math.nan, ValueError),
        (math.inf, ValueError),
    ],
    "text": [(5, TypeError), (b"csv", TypeError), (["csv"], TypeError)],
    "texts": [
        ("a", TypeError),
        (["a"], TypeError),
        ({"a": None}, TypeError),
        ({1: "a"}, TypeError),
    ],
    "time": [(5, TypeError), (datetime.date(2026, 11, 1), TypeError)],
    "tokenize": [
        ({"text": "tokenizer.json"}, TypeError),
        ("tokenizer.json", TypeError),
        (["tokenizer.json"], TypeError),
        (Tokenize, TypeError),
    ],
    "truth": [(1, TypeError), ("True", TypeError), (None, TypeError), (np.ones(2) > 0, TypeError)],
    "whole": [
        ("512", TypeError),
        (512.0, TypeError),
        (True, TypeError),
        (np.bool_(True), TypeError),
        (torch.tensor(True), TypeError),
        (np.array([1, 2]), TypeError),
        (2**63, ValueError),
    ],
}


def wrong() -> list[Any]:
    """Every option with every value that its kind refuses, and the next number out of its range."""
    cases = []
    for owner, options in OPTIONS.items():
        for option in options:
            parameter = inspect.signature(getattr(penstock_torch, owner)).parameters[option.name]
            values = [*WRONG.get(option.kind, [])]
            if option.kind == "whole":
                values += [(option.least - 1, ValueError), (option.most + 1, ValueError)]
            if option.name == "cast":
                values += [({"a": 64}, TypeError), ({"a": float}, TypeError)]
            for value, error in values:
                if value is None and parameter.default is None:
                    continue  # it is not given
                label = f"{owner}-{option.name}-{value!r}"
                cases.append(pytest.param(owner, option, value, error, id=label))
    return cases


def given(owner: str, name: str, value: Any) -> dict[str, Any]:
    """Arguments for a class: what it needs, and an option."""
    needed: dict[str, dict[str, Any]] = {
        "Loader": {"dataset": "a"},
        "Dataset": {} if name in ("locations", "table", "metadata") else {"locations": "a"},
        "Mixture": {"sources": {"a": 1}},
        "Packs": {"column": "a", "length": 1},
        "Tokenize": {"column": "a", "tokenizer": "b"},
        "Windows": {"column": "a", "length": 1, "stride": 1},
    }
    return {**needed.get(owner, {"column": "a"}), name: value}


@pytest.mark.parametrize(("owner", "option", "value", "error"), wrong())
def test_wrong_value_is_named(owner: str, option: Any, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as e:
        getattr(penstock_torch, owner)(**given(owner, option.name, value))
    message = str(e.value)
    assert message.startswith(f"Cannot use {option.name}")
    assert ": expected " in message and f", such as {option.name}" in message
    if not option.kind.startswith("secret"):
        innermost = value
        while isinstance(innermost, (dict, list)) and innermost:
            innermost = list(innermost.values() if isinstance(innermost, dict) else innermost)[-1]
        found = [repr(value), repr(innermost), str(innermost), getattr(value, "__name__", "-")]
        assert any(" ".join(each.split()) in message for each in found)


def test_every_kind_of_option_has_wrong_values() -> None:
    kinds = {option.kind for options in OPTIONS.values() for option in options}
    assert kinds == {*WRONG, "anything", "sources"}
    assert len(wrong()) >= 250


@pytest.mark.parametrize("owner", CLASSES)
def test_options_are_the_arguments_and_have_their_defaults(owner: type) -> None:
    parameters = inspect.signature(owner).parameters
    options = OPTIONS[owner.__name__]
    assert [each.name for each in options] == list(parameters)
    for option in options:
        default = parameters[option.name].default
        if default not in (None, "", inspect.Parameter.empty):
            assert ast.literal_eval(option.default) == default
        assert f"\n    {option.name}: " in str(inspect.getdoc(owner))


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (lambda: Loader("a", num_workers=4), "Use workers=4."),
        (lambda: Loader("a", batchSize=4), "Use batch_size=512."),
        (lambda: Loader("a", batchsize=4), "Did you mean 'batch_size'?"),
        (lambda: Loader("a", shufle=True), "Did you mean 'shuffle'?"),
        (lambda: Loader("a", collate=len), "Use collate_fn="),
        (lambda: Loader("a", transform=len), "Use collate_fn="),
        (lambda: Loader("a", sampler=[]), "Use shuffle="),
        (lambda: Loader("a", batch_sampler=[]), "Use batch_size= and drop_last="),
        (lambda: Loader("a", persistent_workers=True), "Leave it out: the threads stay"),
        (lambda: Loader("a", multiprocessing_context="spawn"), "Leave it out: workers are threads"),
        (lambda: Loader("a", worker_init_fn=len), "Leave it out: workers are threads"),
        (lambda: Loader("a", pin_memory_device="cuda:1"), "Use pin_memory=True."),
        (lambda: Loader("a", accelerator="gpu"), "Leave it out: move each batch to the device"),
        (lambda: Loader("a", generator=None), "Use seed=1."),
        (lambda: Loader("a", dataloader_num_workers=4), "Use workers=4."),
        (lambda: Loader("a", dataloader_persistent_workers=True), "Leave it out: the threads stay"),
        (lambda: Loader("a", per_device_train_batch_size=8), "Use batch_size=512."),
        (lambda: Loader("a", data_collator=len), "Use collate_fn="),
        (lambda: Loader("a", group_by_length=True), 'Use compose=Buckets("tokens").'),
        (lambda: Loader("a", limit_train_batches=9), "Use steps_per_epoch=1000."),
        (lambda: Loader("a", max_epochs=3), "every `for` over the Loader is an epoch"),
        (lambda: Loader("a", devices=2), "Leave it out: move each batch to the device"),
        (lambda: Loader("a", dtype="float32"), "It is one of Dataset: Dataset(..., cast="),
        (lambda: Dataset("a", usecols=["x"]), 'Use columns=["a", "b"].'),
        (lambda: Loader("a", world_size=8), "Use rank=(0, 8)."),
        (lambda: Loader("a", columns=["x"]), 'one of Dataset: Dataset(..., columns=["a", "b"]).'),
        (lambda: Loader("a", filters="x > 1"), 'It is one of Dataset: Dataset(..., where="delay'),
        (lambda: Loader("a", missingColumns="x"), "Dataset(..., missing_columns="),
        (lambda: Loader("a", zzz=1), "no option 'zzz'. Options are: dataset, batch_size,"),
        (lambda: Dataset("a", batch_size=4), "It is one of Loader: Loader(..., batch_size=512)."),
        (lambda: Dataset("a", storage_options={}), "Use storage="),
        (lambda: Dataset("a", colums=["x"]), "Did you mean 'columns'?"),
        (lambda: Mixture({"a": 1}, weights={}), "Did you mean 'weights_from'?"),
        (
            lambda: Mixture({"a": 1}, format="csv"),
            'It is one of Dataset: Dataset(..., format="csv")',
        ),
        (lambda: Mixture.balanced("a", "x", stopp="all"), "Mixture has no option 'stopp'. Did you"),
        (lambda: Packs("a", 8, tooLong="cut"), 'Use too_long="drop".'),
        (lambda: Windows("a", lenght=8, stride=1), "Did you mean 'length'?"),
        (lambda: Tokenize("a", "b", specialTokens=False), "Use special_tokens=False."),
        (lambda: Tokenize("a", "b", eos="</s>"), "no option 'eos'. Options are: column, tokenizer"),
    ],
)
def test_unknown_option_says_which_is_meant(make: Any, advice: str) -> None:
    with pytest.raises(TypeError) as e:
        make()
    assert advice in str(e.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Loader("a", None), "single rows use batch_size=1, batches of one row"),
        (lambda: Loader("a", shuffle=4096), r'such as shuffle="window:4096"\.'),
        (lambda: Loader("a", rank=3), r"rank=3: expected \(rank, world\), .*such as rank=\(0, 8\)"),
        (lambda: Loader("a", features=["a", "b"]), r"such as features=\{'x': \['a', 'b'\]\}\."),
        (lambda: Loader("a", strings="codes"), 'strings={"origin": "codes"}. Name each column'),
        (lambda: Loader("a", lists={"valu": 0}), "Did you mean 'value'"),
        (lambda: Loader("a", rank_end="exakt"), "Did you mean 'exact'"),
        (lambda: Padded(length=0), "length=0: expected a whole number of at least 1"),
        (lambda: Padded(value="0"), "value='0': expected a number"),
        (lambda: Codes(vocabulary="ATL"), r"such as vocabulary=\['ATL'\]"),
        (lambda: Codes(unknown=2**31), "unknown=2147483648: .* At most 2147483647"),
        (lambda: Hashed(1.5), "buckets=1.5: expected a whole number of at least 1"),
        (lambda: Hashed(None), "buckets=None: expected a whole number of at least 1"),
        (lambda: Window(5, interleave=None), "interleave=None: expected a whole number"),
        (lambda: Window(0), "rows=0: expected a whole number of at least 1"),
        (lambda: Loader("a", strings={"s": {"buckets": "9"}}), r"strings\['s'\]=.* buckets='9'"),
        (lambda: Loader("a", lists="padded", output="arrow"), "Cannot use lists= with output="),
        (lambda: Dataset("a", columns="delay"), r"such as columns=\['delay'\]\."),
        (lambda: Mixture({"a": 1}, weights_from={1.5: [1]}), "weights_from row=1.5: expected"),
        (lambda: Loader(), "missing 1 required positional argument: 'dataset'"),
        (lambda: Tokenize("a"), "missing 1 required positional argument: 'tokenizer'"),
        (lambda: Tokenize("a", "b", too_long="drpo"), "Did you mean 'drop'"),
        (lambda: Packs("a"), "missing 1 required positional argument: 'length'"),
        (lambda: Loader("a", 1, 2), "takes from 2 to 3 positional arguments but 4 were given"),
    ],
)
def test_advice(make: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Loader("a", token=b"hunter2"),
        lambda: Dataset("a", storage={"secret-access-key": "hunter2", "region": None}),
        lambda: Dataset("a", storage=["hunter2"]),
        lambda: Dataset(table="a", catalog={"token": "hunter2", "uri": None}),
        lambda: Loader("a", server="https://me:hunter2@host:7200"),
        lambda: Loader(["s3://me:hunter2@bucket/a", 5]),
        lambda: Dataset(("https://host/a?sig=hunter2", 5)),
    ],
)
def test_errors_have_no_secrets(make: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as e:
        make()
    assert "hunter2" not in str(e.value)


def test_scalars_of_other_libraries_and_paths(engine: None, flights: str) -> None:
    """Whatever means the same number gives the same rows."""
    usual = {"batch_size": 512, "seed": 7, "steps_per_epoch": 3, "rank": (1, 2), "workers": 2}
    with Loader(flights, shuffle="window:5000", output="numpy", **usual) as loader:
        rows = [batch["delay"].tolist() for batch in loader]
    options: dict[str, Any] = {
        "batch_size": np.int64(512),
        "workers": torch.tensor(2),
        "shuffle": np.str_("window:5000"),
        "seed": np.uint32(7),
        "rank_end": End.EXACT,
        "drop_last": np.bool_(False),
        "steps_per_epoch": np.int8(3),
        "rank": [np.int32(1), torch.tensor(2)],
        "memory": np.int64(1 << 30),
        "shared_memory": "1GiB",
        "timeout": np.float32(30.5),
        "split_bytes": 128 << 20,
        "nulls": {"delay": np.int64(-1), "distance": Decimal("0")},
        "features": {"x": np.array(["distance"])},
        "strings": {"origin": {"buckets": np.int16(9)}},
    }
    for dataset in (
        Path(flights),
        [Path(flights)],
        Dataset(Path(flights), case_sensitive=np.True_),
    ):
        with Loader(dataset, output="numpy", **options) as loader:
            loader.set_epoch(np.int64(0))
            assert [batch["delay"].tolist() for batch in loader] == rows
            assert loader.rank == "1/2" and type(loader.batch_size) is int


@pytest.mark.parametrize("value", [True, np.True_, "splits"])
def test_shuffle_by_truth(engine: None, flights: str, value: Any) -> None:
    with Loader(flights, shuffle=value, output="numpy") as loader:
        assert '"splits"' in loader.state_dict()["penstock_state"]


def test_sizes_and_options_without_a_choice(engine: None, flights: str) -> None:
    nothing: dict[str, Any] = {"nulls": {}, "strings": {}, "features": {}, "lists": {}}
    nothing |= {"timestamps": {}, "decimals": {}, "shuffle": None, "timeout": None, "token": None}
    for memory in ("1GiB", "1.5 gb", 1 << 30, "1073741824"):
        with Loader(flights, memory=memory, output="numpy", **nothing) as loader:
            assert len(loader) == 293


def test_nulls_of_other_types(engine: None, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,x,s\n1,1.5,a\n,,\n")
    file = str(tmp_path / "a.csv")
    nulls = {"n": np.int64(-7), "x": np.float32(0.5), "s": np.str_("none")}
    with Loader(file, nulls=nulls, output="numpy") as loader:
        (batch,) = loader
    assert batch["n"].tolist() == [1, -7] and batch["x"].tolist() == [1.5, 0.5]
    assert batch["s"] == ["a", "none"]
    with Loader(Dataset(file, columns=["x"]), nulls=float("nan"), output="numpy") as loader:
        assert np.isnan(next(iter(loader))["x"][1])


@pytest.mark.parametrize(
    ("server", "address"),
    [
        ("localhost:7200", ("localhost", 7200)),
        ("10.0.0.1:7200", ("10.0.0.1", 7200)),
        ("[::1]:7200", ("::1", 7200)),
        (("::1", 7200), ("::1", 7200)),
        (("[::1]", np.int64(7200)), ("::1", 7200)),
        (["loaders.internal", 7200], ("loaders.internal", 7200)),
    ],
)
def test_servers(server: Any, address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def connect(*arguments: Any) -> Any:
        asked.append(arguments)
        raise ConnectionError

    monkeypatch.setattr("penstock_torch._network.connect", connect)
    with pytest.raises(ConnectionError):
        Loader("a", server=server, ca_file=Path("ca.pem"))
    assert asked == [(address, "", str(Path("ca.pem").absolute()), 0)]


@pytest.fixture
def rows(tmp_path: Path) -> str:
    (tmp_path / "rows.jsonl").write_text('{"n": 1, "s": "a", "tokens": [1, 2]}\n')
    return str(tmp_path)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"lists": {"nope": "padded"}}, "lists= for column 'nope': there is no such column"),
        ({"lists": {"tokns": "padded"}}, "Did you mean 'tokens'.* lists of numbers are"),
        ({"lists": {"n": "padded"}}, "lists= for column 'n': it has no lists of numbers"),
        ({"lists": {"s": {"length": 2}}}, "it has no lists of numbers"),
        ({"nulls": {"nope": 0}}, "column 'nope'"),
        ({"strings": {"nope": "codes"}}, "column 'nope'"),
        ({"timestamps": {"nope": "days"}}, "column 'nope'"),
        ({"decimals": {"nope": "float64"}}, "column 'nope'"),
        ({"features": {"x": ["nope"]}}, "column 'nope'"),
        ({"compose": Buckets("nope")}, "column 'nope'"),
        ({"compose": Draws("nope")}, "column 'nope'"),
        ({"compose": Groups("nope")}, "column 'nope'"),
    ],
)
def test_column_that_is_not_there(
    engine: None, rows: str, option: dict[str, Any], message: str
) -> None:
    with pytest.raises((ValueError, OSError), match=message) as e:
        list(Loader(rows, output="numpy", **option))
    assert not isinstance(e.value, penstock_torch.EngineError)


@pytest.mark.parametrize("option", [{"columns": ["nope"]}, {"cast": {"nope": "int64"}}])
def test_column_of_the_dataset_that_is_not_there(
    engine: None, rows: str, option: dict[str, Any]
) -> None:
    with pytest.raises(OSError, match="column 'nope'"):
        list(Loader(Dataset(rows, **option), output="numpy"))


def test_lists_by_column_leave_the_others_as_they_are(engine: None, tmp_path: Path) -> None:
    lines = [f'{{"k": "a", "x": {i}, "y": {i}}}' for i in range(8)]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    options: dict[str, Any] = {"compose": Windows("k", 4, 4), "output": "numpy"}
    with Loader(str(tmp_path), lists={"x": "ragged"}, **options) as loader:
        batch = next(iter(loader))
    assert isinstance(batch["x"], penstock_torch.Ragged) and batch["y"].shape == (2, 4)


@pytest.mark.parametrize(
    ("option", "value", "short"),
    [
        ("lists", Padded(), "padded"),
        ("lists", Padded(7, 3), {"value": 7, "length": 3}),
        ("lists", {"tokens": Padded(7, np.int64(3))}, {"tokens": {"value": 7, "length": 3}}),
        ("strings", {"s": Codes()}, {"s": "codes"}),
        ("strings", {"s": Codes(["a", "b"], unknown=-1)}, {"s": {"vocabulary": ["a", "b"]}}),
        ("strings", {"s": Hashed(buckets=5)}, {"s": {"buckets": 5}}),
        ("shuffle", Window(5), "window:5"),
        ("shuffle", Window(5, interleave=2), "window:5:2"),
    ],
)
def test_values_with_parts_and_their_short_forms(
    engine: None, rows: str, option: str, value: Any, short: Any
) -> None:
    found = []
    for given in (value, short):
        with Loader(rows, output="numpy", **{option: given}) as loader:
            (batch,) = loader
        texts = (repr(batch[name]) for name in ("n", "s", "tokens"))
        found.append((loader.state_dict(), *texts))
    assert found[0] == found[1]


def test_errors_of_the_engine_name_the_option(engine: None, flights: str) -> None:
    with pytest.raises(ValueError, match=r"Cannot cast to 'flaot64'.* \[option cast\]"):
        Loader(Dataset(flights, cast={"delay": "flaot64"}))
    with pytest.raises(ValueError, match=r"'yesterday'.* \[option as_of\]"):
        Loader(Dataset(flights, as_of="yesterday"))
