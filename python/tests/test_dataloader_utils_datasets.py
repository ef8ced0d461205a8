"""The datasets of penstock_torch.dataloader_utils in torch's DataLoader, and what they tell."""

from __future__ import annotations

import inspect
import itertools
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="these batches are made of pyarrow's")
torch = pytest.importorskip("torch")

from test_dataloader_utils import ROWS, folder, ids, rows, theirs  # noqa: E402
from torch.utils.data import DataLoader  # noqa: E402

from penstock_torch.dataloader_utils import (  # noqa: E402
    IcebergDataset,
    StructuredDataset,
    WorkerMetrics,
    _table,
)

__all__ = ["folder", "theirs"]  # fixtures
pytestmark = pytest.mark.usefixtures("engine")


def test_the_constructor_takes_a_path_or_files(theirs: Any, folder: Path) -> None:
    from torch_dataloader_utils.filesystem.discovery import discover_files

    files = discover_files(str(folder))
    reference = theirs.StructuredDataset(files=files, format="parquet", batch_size=100)
    expected = rows(DataLoader(reference, batch_size=None))
    made: list[dict[str, Any]] = [
        {"path": folder},
        {"path": files},  # by place, as the constructor of 0.2.0
        {"files": files},
        {"files": sorted(folder.iterdir())},
    ]
    for given in made:
        dataset = StructuredDataset(**given, format="parquet", batch_size=100)
        loader = DataLoader(dataset, batch_size=None)
        assert rows(loader) == expected
        assert len(loader) == 30
        dataset.loader.close()
    for given in ({}, {"path": folder, "files": files}):
        with pytest.raises(TypeError, match="give either path or files"):
            StructuredDataset(**given, format="parquet")


def test_only_the_data_loader_collates(theirs: Any, folder: Path) -> None:
    options: dict[str, Any] = {"format": "parquet", "output_format": "dict", "collate_fn": len}
    reference, rows_of_theirs = theirs.StructuredDataset.create_dataloader(
        str(folder), num_workers=0, **options
    )
    loader, dataset = StructuredDataset.create_dataloader(str(folder), **options)
    with loader:
        assert next(iter(loader)) == next(iter(reference)) == 13
        assert {type(next(iter(each))) for each in (dataset, rows_of_theirs)} == {dict}


def test_the_loader_is_a_data_loader_with_a_state(folder: Path) -> None:
    def made() -> tuple[Any, Any]:
        return StructuredDataset.create_dataloader(
            str(folder), "parquet", columns=["id"], batch_size=100
        )

    loader, dataset = made()
    assert issubclass(type(loader), DataLoader) and type(dataset) is StructuredDataset
    assert loader.dataset is dataset
    with loader:
        whole = ids(loader)
        dataset.set_epoch(0)
        had = ids(itertools.islice(loader, 7))
        other, _ = made()
        with other:
            other.load_state_dict(loader.state_dict())
            assert had + ids(other) == whole
    with pytest.raises(RuntimeError, match="closed"):
        next(iter(loader))


@pytest.mark.parametrize(
    ("method", "error", "words"),
    [
        ("fork", RuntimeError, "in a worker of torch's DataLoader.* or use num_workers=0"),
        ("spawn", TypeError, "Cannot send a StructuredDataset to another process.* num_workers=0"),
    ],
)
@pytest.mark.filterwarnings("ignore:Got pickle error")
def test_worker_processes_are_refused(folder: Path, method: str, error: Any, words: str) -> None:
    dataset = StructuredDataset(folder, "parquet", columns=["id"])
    loader: Any = DataLoader(
        dataset, batch_size=None, num_workers=1, multiprocessing_context=method
    )
    with pytest.raises(error, match=f"(?s){words}"):
        list(loader)
    assert len(ids(DataLoader(dataset, batch_size=None))) == 3 * ROWS
    dataset.loader.close()


def test_accelerate_leaves_the_ranks_to_the_loader(folder: Path) -> None:
    accelerator = pytest.importorskip("accelerate").Accelerator(cpu=True)
    loader, _ = StructuredDataset.create_dataloader(
        str(folder),
        "parquet",
        num_ranks=accelerator.num_processes,
        rank=accelerator.process_index,
    )
    with loader:
        assert accelerator.prepare(loader) is loader
    create: Any = StructuredDataset.create_dataloader
    with pytest.raises(TypeError, match=r"Use num_ranks=accelerator.num_processes and rank="):
        create(str(folder), "parquet", accelerator=accelerator)


def test_lightning_trains_and_predicts(folder: Path) -> None:
    lightning = pytest.importorskip("lightning")

    class Model(lightning.LightningModule):  # type: ignore[misc,name-defined]
        seen = 0

        def training_step(self, batch: Any, _: int) -> None:
            self.seen += len(batch["id"])

        def predict_step(self, batch: Any, _: int) -> int:
            return len(batch["id"])

        def configure_optimizers(self) -> None:
            return None

    loader, _ = StructuredDataset.create_dataloader(str(folder), "parquet", columns=["id"])
    quiet = dict.fromkeys(
        ("logger", "enable_checkpointing", "enable_progress_bar", "enable_model_summary"), False
    )
    trainer = lightning.Trainer(max_epochs=1, accelerator="cpu", **quiet)
    model = Model()
    with loader:
        trainer.fit(model, loader)
        assert model.seen == sum(trainer.predict(model, loader)) == 3 * ROWS


def test_metrics_count_what_came(theirs: Any, folder: Path) -> None:
    options: dict[str, Any] = {"path": str(folder), "format": "parquet", "batch_size": 100}
    reference, counted = theirs.StructuredDataset.create_dataloader(num_workers=0, **options)
    loader, dataset = StructuredDataset.create_dataloader(**options)
    with loader:
        for each in (counted, dataset):
            assert each.get_metrics() == []
        list(reference), list(loader)
        (expected,), (found,) = counted.get_metrics(), dataset.get_metrics()
        assert isinstance(found, WorkerMetrics)
        assert (found.worker_id, found.rows_read) == (expected.worker_id, expected.rows_read)
        assert found.batches_read == len(loader)  # theirs end where a row group does
        assert found.elapsed_sec > 0 and found.bytes_read > 0
        list(reference), list(loader)
        for each in (counted, dataset):
            each.set_epoch(1)
            assert each.get_metrics() == []
        list(loader), list(loader)
    first, second = dataset.get_metrics()  # also behind close()
    assert first.bytes_read > 0 and second.bytes_read > 0


def test_warnings_name_the_line_that_iterates(folder: Path) -> None:
    loader, _ = StructuredDataset.create_dataloader(str(folder), "parquet", columns=["id"])
    with loader:
        next(iter(loader))
        with pytest.warns(UserWarning, match="was left before its end") as warned:
            next(iter(loader))
    assert warned[0].filename == __file__


def test_jdbc_catalogs_are_left_to_the_engine(theirs: Any) -> None:
    pytest.importorskip("pyiceberg")
    config = {"name": "prod", "type": "jdbc", "uri": "jdbc:none:x", "jdbc.user": "u"}
    with pytest.raises(ValueError, match="'jdbc' is not a valid CatalogType"):
        theirs.IcebergDataset("n.t", config)
    ours = {"type": "jdbc", "catalog-name": "prod", "uri": "jdbc:none:x", "jdbc.user": "u"}
    table = _table("prod.n.t", config, {}).request()["table"]
    assert table == {"name": "n.t", "catalog": ours}
    with pytest.raises(OSError, match="No suitable driver found for jdbc:none:x"):
        IcebergDataset("n.t", config)


def test_create_dataloader_takes_what_the_constructor_takes() -> None:
    for kind in (StructuredDataset, IcebergDataset):
        created: Any = kind.create_dataloader
        assert inspect.signature(created).parameters == inspect.signature(kind).parameters
