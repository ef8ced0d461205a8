"""Refuses to build a wheel without the engine's jars, which `python/build` puts beside the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class JarsHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        if not any(Path(self.root, "penstock_torch_jars", "main").glob("*.jar")):
            raise FileNotFoundError(
                "Cannot build the wheel of penstock-torch: the engine's jars are not here. Install"
                " the wheel instead, or run python/build in a clone of the project."
            )
