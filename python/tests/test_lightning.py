"""Trainings with Lightning go on with the next row, at another number of ranks, too."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from trainers import Training, line

from penstock_torch import Dataset, Loader

pl: Any = pytest.importorskip("lightning.pytorch")
torch = pytest.importorskip("torch")

ROWS = 120

# When to save, instead of after a number of steps.
EPOCH = -1
VALIDATION = -2


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return line(tmp_path_factory.mktemp("lightning") / "table", ROWS)


def model(validated: list[int] | None = None) -> Any:
    """Returns a module that keeps the ids that it was trained with, by epoch."""

    class Module(pl.LightningModule):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.seen: list[tuple[int, list[int]]] = []

        def training_step(self, batch: dict[str, Any], _: int) -> Any:
            self.seen.append((self.current_epoch, batch["id"].tolist()))
            return self.layer(batch["x"][:, None]).square().mean()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    if validated is not None:

        def validation_step(self: Any, batch: dict[str, Any], _: int) -> None:
            validated.append(len(batch["id"]))

        Module.validation_step = validation_step
    return Module()


def fit(
    loader: Any, folder: Path, checkpoint: Path | None = None, every: int | None = None, **more: Any
) -> Any:
    """Trains in this process; returns the module and the trainer."""
    module = more.pop("module", None) or model()
    validation = more.pop("validation", None)
    when: dict[int | None, Any] = {EPOCH: {}, VALIDATION: {"save_on_train_epoch_end": False}}
    how = when.get(every, {"every_n_train_steps": every})
    saves = pl.callbacks.ModelCheckpoint(folder, "{step}", save_top_k=-1, **how)
    trainer = pl.Trainer(
        **{"max_epochs": 2, "num_sanity_val_steps": 0, **more},
        accelerator="cpu",
        callbacks=[*([saves] if every else []), *ours()],
        enable_checkpointing=every is not None,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="lightning")
        trainer.fit(module, loader, validation, ckpt_path=checkpoint)
    return module, trainer


def ours() -> list[Any]:
    """Returns the callback, unless Lightning finds it as the installed package's."""
    from importlib.metadata import entry_points

    from penstock_torch.integrations.lightning import callbacks

    return [] if entry_points(group="lightning.pytorch.callbacks_factory") else callbacks()


def rows(module: Any, epoch: int) -> list[int]:
    return [i for e, ids in module.seen if e == epoch for i in ids]


@pytest.mark.parametrize("where", [None, "id >= 0 and x < 2"], ids=["sized", "filtered"])
def test_each_checkpoint_goes_on_with_the_row_behind_the_last_one_trained(
    table: Path, tmp_path: Path, where: str | None
) -> None:
    def loader() -> Loader:
        return Loader(Dataset(table, where=where), 16, shuffle=True)

    with loader() as whole:
        expected, _ = fit(whole, tmp_path, every=1)
    with loader() as alone:
        for epoch in range(2):
            assert rows(expected, epoch) == [i for batch in alone for i in batch["id"].tolist()]
    for step in range(1, 16):
        with loader() as rest:
            module, _ = fit(rest, tmp_path, tmp_path / f"step={step}.ckpt")
        assert module.seen == expected.seen[step:], f"after step {step}"


@pytest.mark.parametrize("worlds", [(1, 2), (2, 1), (3, 2), (1, 4)])
def test_another_number_of_ranks_ends_the_epoch_where_its_rows_end(
    table: Path, tmp_path: Path, worlds: tuple[int, int]
) -> None:
    before, after = worlds
    firsts, batches = [], 0
    for rank in range(before):
        with Loader(table, 5, rank=(rank, before)) as each:
            batches = len(each)
            firsts.append(fit(each, tmp_path / str(rank), every=1)[0])
    for step in (1, batches // 2, batches - 1, batches, batches + 2):
        validated: list[int] = []
        got = [ids for first in firsts for _, ids in first.seen[:step]]
        for rank in range(after):
            with (
                Loader(table, 5, rank=(rank, after)) as rest,
                Loader(table, 60, rank=(0, 1)) as validation,
            ):
                saved = tmp_path / f"0/step={step}.ckpt"
                module, trainer = fit(
                    rest, tmp_path, saved, module=model(validated), validation=validation
                )
                assert trainer.current_epoch == 2
                got += [ids for _, ids in module.seen]
        counts = Counter(i for ids in got for i in ids)
        assert counts == dict.fromkeys(range(ROWS), 2), f"after step {step}"
        epochs = 2 if step < batches else 1
        assert len(validated) == 2 * epochs * after, f"after step {step}"


@pytest.mark.parametrize("worlds", [(1, 1), (1, 2), (2, 1)])
@pytest.mark.parametrize("every, validates", [(EPOCH, False), (EPOCH, True), (VALIDATION, True)])
@pytest.mark.parametrize("steps", [-1, 1000])
def test_checkpoint_of_an_epochs_end_goes_on_with_the_next_epoch(
    table: Path, tmp_path: Path, worlds: tuple[int, int], every: int, validates: bool, steps: int
) -> None:
    before, after = worlds
    validated: list[int] | None = [] if validates else None
    options: dict[str, Any] = {"max_epochs": 3, "max_steps": steps}
    with Loader(table, 60, rank=(0, 1)) as validation, Loader(table, 5, rank=(0, before)) as whole:
        if validates:
            options["validation"] = validation
        fit(whole, tmp_path, every=every, module=model(validated), **options)
        batches = len(whole)
        got = []
        for rank in range(after):
            with Loader(table, 5, shuffle=False, rank=(rank, after)) as rest:
                saved = tmp_path / f"step={batches}.ckpt"
                module, _ = fit(rest, tmp_path, saved, module=model(validated), **options)
                assert rest.state_dict()["epoch"] == 3
                got += [ids for _, ids in module.seen]
    assert Counter(i for ids in got for i in ids) == dict.fromkeys(range(ROWS), 2)
    assert {epoch for epoch, _ in module.seen} == {1, 2}
    if validated is not None:
        assert len(validated) == 2 * (3 + 2 * after)


def test_limited_epochs_end_after_their_steps(table: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"limit_train_batches": 4, "max_epochs": 3}
    with Loader(table, 10, shuffle=True) as whole:
        expected, _ = fit(whole, tmp_path, every=1, **options)
    assert Counter(epoch for epoch, _ in expected.seen) == {0: 4, 1: 4, 2: 4}
    for step in (1, 3, 4, 6):
        with Loader(table, 10, shuffle=True) as rest:
            module, _ = fit(rest, tmp_path, tmp_path / f"step={step}.ckpt", **options)
        assert module.seen == expected.seen[step:], f"after step {step}"


def test_loaders_made_anew_for_each_epoch_go_on(table: Path, tmp_path: Path) -> None:
    made: list[Loader] = []

    def reloading() -> Any:
        module = model()

        def train_dataloader() -> Loader:
            made.append(Loader(table, 10, shuffle=True))
            made[-1].set_epoch(module.current_epoch)
            return made[-1]

        module.train_dataloader = train_dataloader
        return module

    options: dict[str, Any] = {"reload_dataloaders_every_n_epochs": 1, "max_epochs": 3}
    expected, _ = fit(None, tmp_path, every=1, module=reloading(), **options)
    assert rows(expected, 1) != rows(expected, 0)
    for step in (3, 12, 14):
        saved = tmp_path / f"step={step}.ckpt"
        module, _ = fit(None, tmp_path, saved, module=reloading(), **options)
        assert module.seen == expected.seen[step:], f"after step {step}"
    for each in made:
        each.close()


def test_example_is_killed_and_goes_on_at_another_number_of_ranks(
    train: Training, tmp_path: Path
) -> None:
    table = line(tmp_path / "table", 640)
    whole = train("train_lightning.py", table, tmp_path / "whole", ranks=2)
    assert whole.ids() == sorted(2 * list(range(640)))
    killed = train("train_lightning.py", table, tmp_path / "folder", ranks=2, die_at=7)
    rest = train("train_lightning.py", table, tmp_path / "folder")
    assert [state["batches"] for state in rest.loaded] == [4]
    assert sorted(killed.ids(4) + rest.ids()) == sorted(2 * list(range(640)))
    assert rest.loss == pytest.approx(whole.loss, abs=0.1)
