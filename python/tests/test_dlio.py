"""penstock_torch.dlio, with a stand-in for DLIO; python/check-dlio runs DLIO itself."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from test_lifetime import shared_maps

pa = pytest.importorskip("pyarrow", reason="the files are written by pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("torch")

pytestmark = pytest.mark.usefixtures("engine")
FILES, ROWS = 3, 100  # and rows of each file


def stand_in(now: SimpleNamespace) -> dict[str, Any]:
    """Returns the modules that the plug-in imports, whose configuration is `now`."""
    train = object()

    class Base:
        def __init__(self, *given: Any) -> None:
            self._args = now.args

    class BaseDataLoader(Base):
        def __init__(self, format: Any, dataset: Any, epoch: int, kind: Any) -> None:
            super().__init__()
            files = now.args.file_list_train if dataset is train else now.args.file_list_eval
            self.num_samples = now.args.num_samples_per_file * len(files)
            self.batch_size = now.args.batch_size if dataset is train else now.args.batch_size_eval

    class FormatReader(Base):
        def __init__(self, dataset: Any, thread: int) -> None:
            super().__init__()
            self.batch_size = now.args.batch_size
            self.global_index_map = now.args.global_index_map

        def preprocess(self) -> None:
            pass

    class PyTorchCheckpointing:
        @property
        def args(self) -> Any:
            return now.args

        def checkpoint(self, epoch: int, step: int) -> None:
            Path(now.args.checkpoint_folder, "model.pt").write_text("theirs")

    contents: dict[str, dict[str, Any]] = {
        "dlio_benchmark.checkpointing.pytorch_checkpointing": {
            "PyTorchCheckpointing": PyTorchCheckpointing
        },
        "dlio_benchmark.common.enumerations": {
            "DataLoaderType": SimpleNamespace(CUSTOM="custom"),
            "DatasetType": SimpleNamespace(TRAIN=train, VALID=object()),
        },
        "dlio_benchmark.data_loader.base_data_loader": {"BaseDataLoader": BaseDataLoader},
        "dlio_benchmark.reader.reader_handler": {"FormatReader": FormatReader},
        "hydra.core.hydra_config": {
            "HydraConfig": SimpleNamespace(
                get=lambda: SimpleNamespace(
                    output_subdir=now.subdir, runtime=SimpleNamespace(output_dir=str(now.folder))
                )
            )
        },
        "omegaconf": {
            "OmegaConf": SimpleNamespace(
                load=lambda file: json.loads(file.read_text()),
                to_container=lambda config, resolve: config,
            )
        },
    }
    modules: dict[str, Any] = {}
    for name, content in contents.items():
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            path = ".".join(parts[:end])
            modules.setdefault(path, ModuleType(path))
        vars(modules[name]).update(content)
    return modules


class Dlio:
    """A run of DLIO, as far as a plug-in sees it."""

    def __init__(self, plugin: Any, now: SimpleNamespace, files: list[str]) -> None:
        self.plugin, self._now = plugin, now
        now.subdir = ".hydra"
        self.configure({})
        now.args = SimpleNamespace(
            batch_size=20,
            batch_size_eval=20,
            checkpoint_folder=str(now.folder),
            comm_size=1,
            epochs=1,
            epochs_between_evals=1,
            eval_after_epoch=1,
            file_list_eval=files[:1],
            file_list_train=files[::-1],  # as DLIO may have shuffled them
            file_shuffle="off",
            my_rank=0,
            num_samples_per_file=ROWS,
            num_subfolders_train=3,
            prefetch_size=2,
            preprocess_time=0.0,
            preprocess_time_stdev=0.0,
            read_threads=2,
            sample_shuffle="off",
            seed=7,
            seed_change_epoch=True,
            shuffle_size=64,
            total_training_steps=-1,
        )
        self.args = now.args

    def configure(self, workload: Any) -> None:
        (self._now.folder / ".hydra").mkdir(exist_ok=True)
        (self._now.folder / ".hydra/config.yaml").write_text(json.dumps({"workload": workload}))

    def without_subdir(self) -> None:
        self._now.subdir = None

    def loader(self, dataset: str = "TRAIN", **args: Any) -> Any:
        vars(self.args).update(args)
        kind = getattr(self.plugin.DatasetType, dataset)
        loader = self.plugin.PenstockDataLoader("synthetic", kind, 1)
        loader.read()
        return loader

    def epochs(self, count: int, **args: Any) -> list[list[int]]:
        loader = self.loader(epochs=count, **args)
        epochs = []
        for _ in range(count):
            epochs.append([i for batch in loader.next() for i in batch["id"].tolist()])
            loader.finalize()
        return epochs

    def stopped(self, steps: int, **args: Any) -> list[int]:
        """Takes some batches, saves a checkpoint and ends; returns the rows."""
        loader = self.loader(**args)
        batches = loader.next()
        rows = [i for _ in range(steps) for i in next(batches)["id"].tolist()]
        self.plugin.PenstockCheckpointing.get_instance().checkpoint(1, steps)
        loader.close()
        return rows


@pytest.fixture
def dlio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Dlio]:
    files = []
    for k in range(FILES):
        ids = range(k * ROWS, (k + 1) * ROWS)
        table = pa.table({"id": ids, "x": pa.array([i / 2 for i in ids], pa.float32())})
        folder = tmp_path / "data" / str(k)
        folder.mkdir(parents=True)
        pq.write_table(table, folder / f"{k}.parquet.synthetic", row_group_size=25)
        files.append(str(folder / f"{k}.parquet.synthetic"))
    now = SimpleNamespace(folder=tmp_path)
    for name, module in stand_in(now).items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "penstock_torch.dlio", raising=False)
    import penstock_torch.dlio as plugin

    yield Dlio(plugin, now, files)
    del sys.modules["penstock_torch.dlio"]


def test_batches_are_tensors_of_the_columns_to_read(dlio: Dlio) -> None:
    import torch

    dlio.configure(
        {"dataset": {"parquet": {"columns": [{"name": "id", "read": False}, {"name": "x"}]}}}
    )
    batches = list(dlio.loader().next())
    assert [list(batch) for batch in batches] == [["x"]] * 15
    assert torch.equal(torch.cat([b["x"] for b in batches]), torch.arange(300) / 2)


def test_rows_come_in_the_order_of_the_files_paths(dlio: Dlio) -> None:
    assert dlio.epochs(2) == [list(range(300))] * 2


@pytest.mark.parametrize("shuffles", [{}, {"file_shuffle": "seed"}, {"sample_shuffle": "seed"}])
def test_ranks_have_disjoint_rows_and_equal_steps(dlio: Dlio, shuffles: dict[str, str]) -> None:
    (whole,) = dlio.epochs(1, **shuffles)
    parts = [dlio.epochs(1, my_rank=rank, comm_size=2, **shuffles)[0] for rank in range(2)]
    assert [len(part) for part in parts] == [140, 140]  # 7 batches, as DLIO counts
    if "sample_shuffle" not in shuffles:  # whose windows are those of a rank
        assert parts == [whole[:140], whole[150:290]]
    assert len({*parts[0], *parts[1]}) == 280


@pytest.mark.parametrize("option", ["file_shuffle", "sample_shuffle"])
def test_order_is_that_of_the_seed_whatever_the_threads(dlio: Dlio, option: str) -> None:
    dlio.configure({"reader": {"penstock": {"split_rows": 25}}})
    orders = [dlio.epochs(2, read_threads=threads, **{option: "seed"}) for threads in (0, 1, 4)]
    assert orders[0] == orders[1] == orders[2]
    first, second = orders[0]
    assert sorted(first) == sorted(second) == list(range(300))
    assert first != second and first != sorted(first)
    assert dlio.epochs(1, seed=8) != [first]


def test_order_stays_if_the_seed_does_not_change_with_the_epoch(dlio: Dlio) -> None:
    first, second = dlio.epochs(2, sample_shuffle="seed", seed_change_epoch=False)
    assert first == second != sorted(first)


@pytest.mark.parametrize("steps", [1, 7, 14])
def test_a_later_run_goes_on_with_the_next_batch(dlio: Dlio, steps: int) -> None:
    (whole,) = dlio.epochs(1, sample_shuffle="seed")
    assert dlio.stopped(steps) == whole[: steps * 20]
    assert Path(dlio.args.checkpoint_folder, "model.pt").read_text() == "theirs"
    dlio.configure({"checkpoint": {"resume": True}})
    rest, following = dlio.epochs(2, total_training_steps=15 - steps)
    assert rest == whole[steps * 20 :]
    assert sorted(following) == sorted(whole) and following != whole


def test_a_later_run_may_have_other_ranks_and_be_stopped_too(dlio: Dlio) -> None:
    rows = dlio.stopped(3, my_rank=1, comm_size=2)
    rows += dlio.stopped(3, my_rank=0)  # which saves for both
    dlio.configure({"checkpoint": {"resume": True}})
    rows += dlio.stopped(4, comm_size=1, total_training_steps=9)
    (rest,) = dlio.epochs(1, total_training_steps=5)
    assert sorted(rows + rest) == list(range(300))


@pytest.mark.parametrize("changes", [True, False])
def test_a_checkpoint_behind_an_epoch_begins_the_next(dlio: Dlio, changes: bool) -> None:
    options: dict[str, Any] = {"sample_shuffle": "seed", "seed_change_epoch": changes}
    _, second = dlio.epochs(2, **options)
    dlio.stopped(15)
    dlio.configure({"checkpoint": {"resume": True}})
    assert dlio.epochs(1) == [second]


def test_a_run_without_a_checkpoint_begins_at_the_first_row(dlio: Dlio) -> None:
    dlio.configure({"checkpoint": {"resume": True}})
    assert dlio.epochs(1) == [list(range(300))]


def test_more_steps_than_are_left_are_refused(dlio: Dlio) -> None:
    dlio.stopped(4)
    dlio.configure({"checkpoint": {"resume": True}})
    with pytest.raises(ValueError, match="11 steps of the epoch are left but DLIO would take 15"):
        dlio.loader()
    dlio.loader(total_training_steps=11).close()


def test_what_is_no_checkpoint_is_refused(dlio: Dlio) -> None:
    Path(dlio.args.checkpoint_folder, "penstock.json").write_text("[]")
    dlio.configure({"checkpoint": {"resume": True}})
    with pytest.raises(ValueError, match="is not what PenstockCheckpointing saves"):
        dlio.loader()


def test_a_checkpoint_of_another_loader_is_refused(dlio: Dlio) -> None:
    dlio.loader().close()
    with pytest.raises(RuntimeError, match="expects reader.data_loader_classname: penstock_torch"):
        dlio.plugin.PenstockCheckpointing.get_instance().checkpoint(1, 1)


@pytest.mark.parametrize("rows", [99, 101])
def test_another_number_of_rows_is_refused(dlio: Dlio, rows: int) -> None:
    with pytest.raises(
        ValueError, match=f"num_samples_per_file is {rows} but the file has 100 rows"
    ):
        dlio.loader(num_samples_per_file=rows)


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("file_shuffle", "yes", "reader.file_shuffle 'yes': expected one of off, seed, random"),
        ("sample_shuffle", 1, "reader.sample_shuffle '1': expected one of off, seed, random"),
        ("preprocess_time", 0.5, "reader.preprocess_time 0.5: .* Leave it out"),
    ],
)
def test_options_without_a_meaning_are_refused(
    dlio: Dlio, option: str, value: Any, error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        dlio.loader(**{option: value})


def test_options_of_ours_win(dlio: Dlio) -> None:
    dlio.configure({"reader": {"penstock": {"batch_size": 32, "drop_last": False}}})
    sizes = [len(batch["id"]) for batch in dlio.loader().next()]
    assert sizes == [32] * 9 + [12]


def test_off_may_be_what_yaml_makes_of_it(dlio: Dlio) -> None:
    assert dlio.epochs(1, file_shuffle=False) == [list(range(300))]


def test_a_configuration_that_hydra_did_not_keep_is_an_error(dlio: Dlio) -> None:
    dlio.without_subdir()
    with pytest.raises(ValueError, match="hydra.output_subdir is null but expected '.hydra'"):
        dlio.loader()


def test_the_last_epoch_frees_what_the_engine_took(dlio: Dlio) -> None:
    dlio.epochs(1)
    gc.collect()
    assert shared_maps(os.getpid()) == 0
    loader = dlio.loader(epochs=2)
    for _ in range(2):
        assert shared_maps(os.getpid()) > 0
        assert sum(len(batch["id"]) for batch in loader.next()) == 300
        loader.finalize()
    gc.collect()
    assert shared_maps(os.getpid()) == 0
    with pytest.raises(RuntimeError, match="all epochs are over"):
        next(loader.next())


def test_evaluations_read_their_own_files(dlio: Dlio) -> None:
    loader = dlio.loader("VALID", epochs=6, eval_after_epoch=3, epochs_between_evals=2)
    for _ in range(2):  # behind epochs 3 and 5
        assert sum(len(batch["id"]) for batch in loader.next()) == 100
        loader.finalize()
    with pytest.raises(RuntimeError, match="all epochs are over"):
        next(loader.next())


@pytest.fixture
def indexed(dlio: Dlio) -> Callable[[int], Any]:
    """Makes a reader of the last half of the samples."""
    files = dlio.args.file_list_train[::-1]
    dlio.args.global_index_map = {i: (files[i // ROWS], i % ROWS) for i in range(150, 300)}
    return lambda thread: dlio.plugin.PenstockReader(dlio.plugin.DatasetType.TRAIN, thread, 1)


@pytest.mark.filterwarnings("error")
def test_reader_returns_row_after_row(indexed: Callable[[int], Any]) -> None:
    reader = indexed(-1)
    for last in (210, 300):  # DLIO may leave an epoch
        rows = [reader.read_index(i, 1) for i in range(150, last)]
        assert [(int(row["id"]), float(row["x"])) for row in rows] == [
            (i, i / 2) for i in range(150, last)
        ]
    reader.finalize()


def test_reader_refuses_what_it_cannot_do(dlio: Dlio, indexed: Callable[[int], Any]) -> None:
    with pytest.raises(ValueError, match="read_threads is 2 but PenstockReader expects 0"):
        indexed(0)
    reader = indexed(-1)
    reader.read_index(190, 1)
    with pytest.raises(ValueError, match="Cannot read sample 160 behind sample 180"):
        reader.read_index(160, 1)
    with pytest.raises(NotImplementedError, match="PenstockReader reads by index"):
        reader.next()
    dlio.args.sample_shuffle = "seed"
    with pytest.raises(
        ValueError, match="sample_shuffle is 'seed' but PenstockReader expects 'off'"
    ):
        indexed(-1)


def test_reader_refuses_another_order_of_files(dlio: Dlio) -> None:
    files = dlio.args.file_list_train
    dlio.args.global_index_map = {i: (files[i // ROWS], i % ROWS) for i in range(300)}
    with pytest.raises(ValueError, match="num_subfolders_train is 3 but PenstockReader expects 0"):
        dlio.plugin.PenstockReader(dlio.plugin.DatasetType.TRAIN, -1, 1)


def test_only_this_module_needs_dlio() -> None:
    code = """
import sys
sys.modules["dlio_benchmark"] = None
import penstock_torch, penstock_torch.dataloader_utils
try:
    import penstock_torch.dlio
except ImportError as e:
    print(e)
"""
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert "dlio_benchmark" in done.stdout
