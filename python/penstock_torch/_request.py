"""What the engine is asked to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from ._connection import Peer
from ._dataset import Dataset
from ._filters import to_text
from ._mixture import Mixture


class Field(TypedDict):
    """A column of a dataset."""

    name: str
    type: str
    nullable: bool


def dataset_request(dataset: Dataset | Mixture, peer: Peer) -> dict[str, Any]:
    """Returns what to ask for, with filters of other libraries as text."""
    if isinstance(dataset, Mixture):
        return dataset.request(lambda source: dataset_request(source, peer))
    request = dataset.request()
    if dataset.expression is None:
        return request
    where = to_text(dataset.expression, _columns(request, peer))
    return {**request, "where": where} if where else request


def _columns(request: Mapping[str, Any], peer: Peer) -> list[Field]:
    """Asks for all columns of a dataset, over a connection of its own."""
    every = {key: value for key, value in request.items() if key != "columns"}
    frames = peer.connect()
    try:
        peer.open(frames, {"dataset": every})
        return peer.ask(frames, "schema", "columns", list)
    finally:
        frames.close()
