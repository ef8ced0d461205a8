"""The Trainer of transformers reads with a Loader, and goes on where it was killed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from trainers import Training

pa = pytest.importorskip("pyarrow")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers", minversion="5.24")

from penstock_torch import Dataset, Loader, Window  # noqa: E402
from penstock_torch.integrations.transformers import PenstockTrainerMixin  # noqa: E402

Trainer: Any = transformers.Trainer
Module: Any = torch.nn.Module
ROWS = 1000


class MyTrainer(PenstockTrainerMixin, Trainer):  # type: ignore[misc]
    """A Trainer that notes the ids of its batches."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.ids: list[list[int]] = []

    def training_step(self, model: Any, inputs: Any, *more: Any) -> Any:
        self.ids.append(inputs["id"].tolist())
        return super().training_step(model, inputs, *more)


class Line(Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)

    def forward(self, x: Any, y: Any, **_: Any) -> Any:
        guess = self.layer(x[:, None].float())[:, 0]
        return {"loss": (guess - y).square().mean(), "logits": guess}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    import pyarrow.parquet

    folder = tmp_path / "table"
    folder.mkdir()
    x = [i % 97 / 97 for i in range(ROWS)]
    columns = {"id": range(ROWS), "x": x, "y": [3 * each + 1 for each in x]}
    pyarrow.parquet.write_table(pa.table(columns), folder / "a.parquet", row_group_size=300)
    return folder


def arguments(folder: Path, **options: Any) -> Any:
    defaults: dict[str, Any] = dict(num_train_epochs=2, save_steps=5, label_names=["y"])
    defaults |= dict(use_cpu=True, report_to=[], disable_tqdm=True, logging_strategy="no")
    return transformers.TrainingArguments(str(folder), **(defaults | options))


def trained(trainer: Any, checkpoint: Path | None = None) -> list[list[int]]:
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    return list(trainer.ids)


def test_a_killed_run_goes_on_with_fewer_ranks(
    train: Training, table: Path, tmp_path: Path
) -> None:
    whole = train("train_hf_trainer.py", table, tmp_path / "whole")
    assert sorted(whole.ids()) == sorted([*range(ROWS)] * 2)
    killed = train("train_hf_trainer.py", table, tmp_path / "killed", ranks=2, die_at=7)
    again = train("train_hf_trainer.py", table, tmp_path / "killed")
    assert [state["batches"] for state in again.loaded] == [5]
    assert sorted(killed.ids(5) + again.ids()) == sorted([*range(ROWS)] * 2)
    assert again.loss == pytest.approx(whole.loss, abs=0.05)


@pytest.mark.parametrize("accumulated", [1, 3])
@pytest.mark.parametrize("at", [3, 6])
def test_a_resumed_run_gets_the_batches_of_the_undisturbed_one(
    table: Path, tmp_path: Path, accumulated: int, at: int
) -> None:
    options = dict(gradient_accumulation_steps=accumulated, save_steps=at)
    ends, rests = [], []
    for go_on in (False, True):
        transformers.set_seed(1)
        with Loader(table, 70, shuffle=True, seed=1) as loader:  # 15 batches an epoch
            trainer = MyTrainer(
                Line(), arguments(tmp_path / "out", **options), train_dataset=loader
            )
            rests.append(trained(trainer, tmp_path / f"out/checkpoint-{at}" if go_on else None))
        ends.append((trainer.state.global_step, trainer.state.epoch, trainer.model.state_dict()))
    assert rests[1] == rests[0][at * accumulated :]
    assert ends[0][:2] == ends[1][:2]
    for name, value in ends[0][2].items():
        assert torch.equal(value, ends[1][2][name])


@pytest.mark.parametrize(("before", "now"), [(1, 2), (2, 1), (2, 4), (4, 2)])
@pytest.mark.parametrize("limit", [dict(num_train_epochs=3), dict(max_steps=40)])
def test_every_row_comes_once_at_another_number_of_ranks(
    table: Path, tmp_path: Path, before: int, now: int, limit: dict[str, Any]
) -> None:
    """As each of several ranks, in turns: a rank trains alone, but with the batches of its own."""
    step = 7 if before < 4 else 13  # with 4 ranks in the third epoch
    given: list[list[list[int]]] = []
    steps = []
    for world, checkpoint in ((before, None), (now, tmp_path / f"0/checkpoint-{step}")):
        given.append([])
        for rank in range(world):
            with Loader(table, 50, shuffle=Window(100), rank=(rank, world)) as loader:
                folder = tmp_path / str(rank if checkpoint is None else "again")
                args = arguments(folder, save_steps=step, **limit)
                trainer = MyTrainer(Line(), args, train_dataset=loader)
                came = trained(trainer, checkpoint)
                given[-1] += came[:step] if checkpoint is None else came
                steps.append(trainer.state.global_step)
    ids = [each for batches in given for batch in batches for each in batch]
    if "max_steps" in limit:
        assert set(steps) == {40}
    else:
        assert sorted(ids) == sorted([*range(ROWS)] * 3)


def test_a_plain_trainer_goes_on_at_the_same_number_of_ranks(table: Path, tmp_path: Path) -> None:
    class Plain(Trainer):  # type: ignore[misc]
        def get_train_dataloader(self) -> Loader:
            return Loader(table, 50, shuffle=Window(100), seed=1, collate_fn=self.noted)

        def noted(self, batch: Any) -> Any:
            ids.append(batch["id"].tolist())
            return batch

    ids: list[list[int]] = []
    Plain(Line(), arguments(tmp_path / "out")).train()
    whole = ids[:]
    ids.clear()
    Plain(Line(), arguments(tmp_path / "out")).train(str(tmp_path / "out/checkpoint-25"))
    assert ids == whole[25:] and len(whole) == 40


def test_trainers_without_the_mixin_say_what_to_do(table: Path, tmp_path: Path) -> None:
    with Loader(table, 50) as loader, pytest.raises(TypeError, match="PenstockTrainerMixin"):
        Trainer(Line(), arguments(tmp_path / "out"), train_dataset=loader).train()


def test_a_dataset_is_read_as_the_arguments_say(table: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = dict(per_device_train_batch_size=64, data_seed=5)
    options["dataloader_drop_last"] = True
    dataset = Dataset(table)
    trainer = MyTrainer(Line(), arguments(tmp_path / "a", **options), train_dataset=dataset)
    ids = trained(trainer)
    with Loader(table, 64, shuffle=Window(65536), seed=5, drop_last=True) as loader:
        assert ids == [batch["id"].tolist() for _ in range(2) for batch in loader]
    options |= {"train_sampling_strategy": "sequential", "auto_find_batch_size": True}
    trainer = MyTrainer(Line(), arguments(tmp_path / "b", **options), train_dataset=dataset)
    assert trained(trainer)[0] == [*range(64)]


def test_evaluation_reads_all_rows_each_time(table: Path, tmp_path: Path) -> None:
    data = {"all": Dataset(table), "few": Loader(Dataset(table, where="id < 10"), 4)}
    trainer = MyTrainer(Line(), arguments(tmp_path / "a"), eval_dataset=data)
    for _ in range(2):
        metrics = trainer.evaluate()
        assert metrics["eval_all_loss"] > 0 and metrics["eval_few_loss"] > 0
        assert len(trainer.predict(data["few"]).predictions) == 10
        assert len(trainer.predict(data["all"]).predictions) == ROWS


def test_rows_of_others_are_read_as_without_the_mixin(tmp_path: Path) -> None:
    rows = [{"id": i, "x": i / 4, "y": i / 8} for i in range(8)]
    options = dict(num_train_epochs=1, remove_unused_columns=False)
    trainer = MyTrainer(Line(), arguments(tmp_path, **options), train_dataset=rows)
    assert sorted(i for batch in trained(trainer) for i in batch) == [*range(8)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"train_sampling_strategy": "group_by_length"}, r"compose=Buckets\(COLUMN\)"),
        ({"accelerator_config": {"split_batches": True}}, "Cannot use split_batches"),
        ({"accelerator_config": {"dispatch_batches": True}}, "Cannot use dispatch_batches"),
        ({"auto_find_batch_size": True}, "Give its Dataset as train_dataset"),
    ],
)
def test_arguments_that_a_loader_does_not_follow_are_refused(
    table: Path, tmp_path: Path, options: dict[str, Any], says: str
) -> None:
    with Loader(table, 50) as loader, pytest.raises(ValueError, match=says):
        MyTrainer(Line(), arguments(tmp_path, **options), train_dataset=loader)


def test_other_ways_to_the_wrong_rows_are_refused(table: Path, tmp_path: Path) -> None:
    args = arguments(tmp_path / "out")
    with Loader(table, 50, rank=(0, 2)) as loader:
        with pytest.raises(ValueError, match="collate_fn= to the Loader"):
            MyTrainer(Line(), args, train_dataset=loader, data_collator=list)
        trainer = MyTrainer(Line(), args, train_dataset=loader, eval_dataset=loader)
        trainer.train()
        folder = tmp_path / "out/checkpoint-5"
        again = arguments(tmp_path / "out", gradient_accumulation_steps=2)
        with pytest.raises(ValueError, match="gradient_accumulation_steps=2, which does not"):
            MyTrainer(Line(), again, train_dataset=loader).train(str(folder))
        os.remove(folder / "penstock_state_0.json")
        with pytest.raises(ValueError, match=r"has no penstock_state_0\.json"):
            trainer.train(str(folder))
        skipped = arguments(tmp_path / "out", ignore_data_skip=True)
        with pytest.warns(UserWarning, match="begins the epoch again"):
            MyTrainer(Line(), skipped, train_dataset=loader).train(str(folder))
