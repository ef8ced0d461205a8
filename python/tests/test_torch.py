"""What a user of torch expects, and that the frameworks take a Loader as it is."""

from __future__ import annotations

import copy
import gc
import io
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import ROOT
from test_lifetime import engine_process

torch = pytest.importorskip("torch")

from penstock_torch import Dataset, EngineError, Loader, Ragged  # noqa: E402

EXAMPLES = ROOT / "python/examples"


def test_batches_are_tensors(flights: str) -> None:
    dataset = Dataset(flights, columns=["date", "delay", "distance", "origin"])
    options: dict[str, Any] = dict(strings={"origin": "codes"}, features={"x": ["distance"]})
    with Loader(dataset, 1000, **options) as loader:
        batch = next(iter(loader))
    assert batch["delay"].dtype == torch.int64 and batch["delay"].shape == (1000,)
    assert batch["date"].dtype == torch.int64
    assert batch["origin"].dtype == torch.int32
    assert batch["x"].dtype == torch.float32 and batch["x"].shape == (1000, 1)
    assert batch["x"].is_contiguous() and batch["delay"].is_contiguous()
    batch["delay"] += 1  # the memory is the batch's own


def test_kept_tensors_stay_as_they_were_also_when_the_engine_is_gone(flights: str) -> None:
    with Loader(Dataset(flights, columns=["date", "delay", "distance"]), 500) as loader:
        epoch = iter(loader)
        kept = [next(epoch) for _ in range(200)]
        views = [batch["distance"][10:20] for batch in kept]
        copies = [view.clone() for view in views]
        del kept
        for _ in epoch:
            pass
        assert all(torch.equal(a, b) for a, b in zip(views, copies))
        epoch = iter(loader)
        next(epoch)
        os.kill(engine_process(), signal.SIGKILL)
        with pytest.raises(EngineError, match="No batch is lost"):
            for _ in epoch:
                pass
        assert all(torch.equal(a, b) for a, b in zip(views, copies))


def test_lists(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"l": [1, 2]}\n{"l": []}\n{"l": [3]}\n')
    with Loader(str(tmp_path)) as loader:
        (batch,) = loader
    lists = batch["l"]
    assert isinstance(lists, Ragged) and lists.lengths().tolist() == [2, 0, 1]
    assert lists.padded(-1).tolist() == [[1, 2], [-1, -1], [3, -1]]
    if not hasattr(torch.nested, "nested_tensor_from_jagged"):
        with pytest.raises(RuntimeError, match=r"torch 2\..* has no jagged layout. Use padded"):
            lists.nested()
        return
    assert [row.tolist() for row in lists.nested().unbind()] == [[1, 2], [], [3]]


@pytest.fixture
def columns(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """A batch: neighbours of one dtype, one of another, a matrix and two columns of lists."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    numbers = pa.array([i / 8 for i in range(512)], pa.float32())
    lists = pa.array([[float(i), 1.0] for i in range(512)], pa.list_(pa.float32()))
    names = [f"f{i}" for i in range(8)]
    table = pa.table(
        {**dict.fromkeys(names, numbers), "n": pa.array(range(512)), "l": lists, "m": lists}
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    matrix = {"x": ["f6", "f7"]}
    with Loader(str(tmp_path / "t.parquet"), 256, features=matrix) as loader:
        yield next(iter(loader))


def tensors(batch: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, column in batch.items():
        if isinstance(column, Ragged):
            made |= {f"{name}.values": column.values, f"{name}.offsets": column.offsets}
        else:
            made[name] = column
    return made


def test_writing_to_a_column_leaves_the_autograd_of_others_alone(columns: dict[str, Any]) -> None:
    every = tensors(columns)
    assert {"f0", "f5", "x", "n", "l.values", "m.values"} <= set(every)
    for name, column in every.items():
        if not column.is_floating_point():
            continue
        weights = torch.ones_like(column, requires_grad=True)
        product = (column * weights).sum()  # backward needs the column
        for other in every:
            if other != name:
                every[other].mul_(2)
        product.backward()
        assert torch.equal(weights.grad, column)
        product = (column * weights).sum()
        column.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            product.backward()


def test_a_column_is_written_and_copied_alone(columns: dict[str, Any]) -> None:
    for name, column in tensors(columns).items():
        before = column.clone()
        assert column.untyped_storage().nbytes() == column.nbytes, name
        saved = io.BytesIO()
        torch.save(column, saved)
        assert len(saved.getvalue()) < column.nbytes + 4096
        assert len(pickle.dumps(column)) < column.nbytes + 4096
        copied = copy.deepcopy(column)
        assert copied.untyped_storage().nbytes() == column.nbytes
        copied.zero_()
        assert torch.equal(column, before)


def test_columns_are_the_same_without_numpy(flights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = Dataset(flights, columns=["delay", "distance"])
    with Loader(dataset, 1000) as loader:
        batch = next(iter(loader))
    monkeypatch.setitem(sys.modules, "numpy", None)
    with Loader(dataset, 1000) as loader:
        other = next(iter(loader))
    for name, column in batch.items():
        assert torch.equal(column, other[name])
        assert other[name].untyped_storage().nbytes() == column.nbytes


@pytest.mark.parametrize(
    ("torchs", "ours"),
    [
        ({"batch_size": 0}, {"batch_size": 0}),
        ({"batch_size": -1}, {"batch_size": -1}),
        ({"num_workers": -1}, {"workers": -1}),
        ({"timeout": -1}, {"timeout": -1}),
    ],
)
def test_numbers_that_torch_refuses_are_refused(torchs: Any, ours: Any) -> None:
    with pytest.raises(ValueError):
        torch.utils.data.DataLoader([1], **torchs)
    with pytest.raises(ValueError, match="Cannot use"):
        Loader("a", **ours)


def test_single_rows_are_of_torch_alone(flights: str) -> None:
    assert next(iter(torch.utils.data.DataLoader([7], batch_size=None))) == 7
    with pytest.raises(TypeError, match="For single rows use batch_size=1"):
        Loader(flights, batch_size=None)  # type: ignore[arg-type]
    with Loader(flights, batch_size=1) as loader:
        assert next(iter(loader))["delay"].shape == (1,)


def test_options_of_workers_need_none_here(flights: str) -> None:
    rows = torch.utils.data.DataLoader
    with pytest.raises(ValueError, match="prefetch_factor"):
        rows([1], prefetch_factor=2)
    with pytest.raises(AssertionError):  # torch 2.2 says nothing
        next(iter(rows([1], timeout=5)))
    with Loader(flights, workers=0, prefetch_factor=2, timeout=5) as loader:
        assert next(iter(loader))["delay"].shape == (1024,)


def test_use_in_a_worker_of_a_data_loader_is_refused(flights: str) -> None:
    rows = type(
        "Rows",
        (torch.utils.data.IterableDataset,),
        {"__iter__": lambda self: iter(Loader(flights))},
    )
    workers = torch.utils.data.DataLoader(
        rows(), batch_size=None, num_workers=1, multiprocessing_context="fork"
    )
    with pytest.raises(RuntimeError, match="Cannot use a Loader in a worker"):
        next(iter(workers))


def test_rank_is_that_of_torch_distributed(flights: str, tmp_path: Path) -> None:
    import torch.distributed

    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1
    )
    try:
        with Loader(flights) as loader:
            assert loader.rank == "0/1"
    finally:
        torch.distributed.destroy_process_group()


def test_rank_is_the_launcher_s(flights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "3")
    with Loader(flights) as loader:
        assert loader.rank == "1/3"
        assert sum(len(batch["delay"]) for batch in loader) == 100_000


def test_the_example(flights: str) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "train_flights.py", flights],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert "after 293 batches: loss 0." in done.stdout


def test_torchrun_starts_killed_ranks_again(flights: str, tmp_path: Path) -> None:
    """docs/how-to/torchrun.md: every row once, though rank 1 ends in mid-epoch."""
    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
    launchers = ROOT / "examples/launchers"
    train: list[str | Path] = [sys.executable, launchers / "train.py", flights]
    train.append(tmp_path / "state.pt")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = dict(os.environ, PATH=path, DRILL="1:20", RENDEZVOUS_PORT=str(port))
    done = subprocess.run(
        [launchers / "torchrun.sh", *train],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    # Of the rank that ended, or of the other, whose connection then broke.
    assert re.search(r"exitcode: (137|1)\)", done.stderr)
    assert "300,000 rows, 2,023,783 minutes, as one of 2" in done.stdout


def test_the_script_that_is_ported(flights: str) -> None:
    """docs/how-to/port-a-pytorch-script.md shows its lines and its result."""
    script = ROOT / "examples/port/train.py"
    page = (ROOT / "docs/how-to/port-a-pytorch-script.md").read_text()
    blocks = re.findall("```python\n(.*?)```", page.split("## Stay in Python")[0], re.DOTALL)
    shown = [line for block in blocks for line in block.splitlines() if line.strip() != "..."]
    assert len(shown) > 20
    assert set(shown) <= set(script.read_text().splitlines())
    done = subprocess.run(
        [sys.executable, str(script), flights],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert "held out: 75,000 flights, loss 0.487" in done.stdout


class FakeCuda:
    """Stands in for torch.cuda: copies that were queued are done when the test says so."""

    def __init__(self) -> None:
        self.registered: dict[int, int] = {}
        self.done = False

    def is_available(self) -> bool:
        return True

    def cudart(self) -> FakeCuda:
        return self

    def cudaHostRegister(self, address: int, size: int, flags: int) -> int:
        assert address not in self.registered  # as CUDA refuses it
        self.registered[address] = size
        return 0

    def cudaHostUnregister(self, address: int) -> int:
        del self.registered[address]
        return 0

    def Event(self) -> FakeCuda:
        return self

    def record(self) -> None:
        pass

    def query(self) -> bool:
        return self.done

    def synchronize(self) -> None:
        self.done = True


def test_pinned_memory_is_used_again_only_when_copies_are_done(
    flights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda = FakeCuda()
    monkeypatch.setattr(torch, "cuda", cuda)
    dataset = Dataset(flights, columns=["distance"])
    with Loader(dataset, 500, pin_memory=True, shared_memory=64 << 20) as loader:
        assert list(cuda.registered.values()) == [64 << 20]
        for batch in loader:
            assert len(batch["distance"]) == 500
        del batch
        memory = loader._connection.memory
        assert memory is not None and len(memory._released) == 600  # copies still run
        assert memory.freed() == b""
        cuda.done = True
        assert len(memory.freed()) == 8 * 600


def test_memory_is_unpinned_when_the_last_tensor_over_it_is_gone(
    flights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda = FakeCuda()
    monkeypatch.setattr(torch, "cuda", cuda)
    with Loader(flights, 500, pin_memory=True, shared_memory=64 << 20) as loader:
        kept = next(iter(loader))["distance"]
    del loader
    gc.collect()
    assert cuda.registered and not cuda.done
    del kept
    gc.collect()
    assert not cuda.registered and cuda.done  # behind all copies
    for _ in range(3):  # the system gives the same address again
        Loader(flights, pin_memory=True, shared_memory=64 << 20).close()


def test_pin_memory_over_the_network_is_a_warning() -> None:
    with (
        pytest.warns(UserWarning, match="batches come over the network: memory is not pinned"),
        pytest.raises(EngineError),
    ):
        Loader("a", server=("127.0.0.1", 1), pin_memory=True)


class Pair(NamedTuple):
    x: Any
    y: Any


class Own:
    """A batch of the user's own type."""

    def __init__(self) -> None:
        self.pinned = 0

    def pin_memory(self) -> Own:
        self.pinned += 1
        return self


def test_what_collate_makes_is_pinned_deep(flights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned: list[Any] = []

    def pin(tensor: Any, device: Any = None) -> Any:
        pinned.append(tensor)
        return tensor

    kept: list[Any] = []

    def collate(batch: Any) -> Any:
        new = torch.zeros(2)
        ragged = Ragged(torch.ones(3), torch.tensor([0, 1, 3]), -1)
        kept.append([batch["distance"], new, ragged])
        nested = [{"new": (new, "text")}, Pair(batch["distance"], None)]
        return {"list": nested, "own": Own(), "ragged": ragged, "number": 7}

    monkeypatch.setattr(torch, "cuda", FakeCuda())
    monkeypatch.setattr(torch.Tensor, "pin_memory", pin)
    options: dict[str, Any] = dict(shared_memory=64 << 20, collate_fn=collate)
    dataset = Dataset(flights, columns=["distance"])
    with Loader(dataset, 500, pin_memory=True, **options) as loader:
        batch = next(iter(loader))
    (distance, new, ragged), *_ = kept
    asked = {id(tensor) for tensor in pinned}
    assert asked == {id(tensor) for tensor in (distance, new, ragged.values, ragged.offsets)}
    assert batch["own"].pinned == 1 and batch["number"] == 7
    assert isinstance(batch["ragged"], Ragged) and len(batch["ragged"]) == 2
    first, text = batch["list"][0]["new"]  # torch 2.2 makes a list of a tuple
    assert first is new and text == "text" and isinstance(batch["list"][1], Pair)
    pinned.clear()
    with Loader(dataset, 500, **options) as loader:
        next(iter(loader))
    assert not pinned


def test_what_pinning_raises_comes_as_it_is(flights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def pin_memory(self) -> None:
            raise KeyError("no room")

    monkeypatch.setattr(torch, "cuda", FakeCuda())
    options: dict[str, Any] = dict(shared_memory=64 << 20, collate_fn=lambda _: Wrong())
    loader = Loader(flights, 500, pin_memory=True, **options)
    with loader, pytest.raises(KeyError, match="no room"):
        next(iter(loader))


def test_pin_memory_without_a_gpu_is_a_warning(flights: str) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.warns(UserWarning, match="there is no GPU with CUDA") as warned:
        Loader(flights, pin_memory=True, collate_fn=lambda _: pytest.fail()).close()
    assert warned[0].filename == __file__
