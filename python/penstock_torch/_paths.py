"""Paths as the engine takes them: from the root, because its folder is not this process's."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import PurePath
from urllib.parse import quote

# As in Location.java: a scheme is what is before "://", and "file:" is taken off.
_FILE = re.compile(r"file:(?://(?:localhost)?(?=/)|(?!//))(.*)", re.IGNORECASE | re.DOTALL)
_WILDCARD = re.compile(r"[*?\[{]")

# As in AbsolutePaths.java: databases that are files, their names relative. Behind the name may
# come settings.
_DATABASE = re.compile(
    r"(sqlite(?:\+\w+)?:///|jdbc:sqlite:(?:file:)?(?!file:)"
    r"|jdbc:(?:duckdb|h2|derby|hsqldb):(?:file:|directory:)?(?!//|~|\.?$|[a-z]{2,}:))"
    r"(?![/:?]|$)([^?;]*)(.*)",
    re.IGNORECASE | re.DOTALL,
)
_WAREHOUSE_IS_FOLDER = ("jdbc", "hadoop", "hive")
_SURELY_PATH = re.compile(r"\.\.?(?:/.*)?|file:.*", re.IGNORECASE | re.DOTALL)
_NAMES_PATH = re.compile(r"(?!header\.)(?:.*[._-])?(?:file|path|folder|dir|directory)")


def location(given: str | os.PathLike[str]) -> str:
    """Returns where files are: a URI as it is, a local path from the root."""
    path = _local(given)
    if path is None:
        return os.fspath(given)
    absolute = file(path)
    if path.startswith("/") or not _WILDCARD.search(path) or os.path.lexists(absolute):
        return absolute
    return _rooted(path, of=_WILDCARD.sub(r"[\g<0>]", _folder(path)))  # a glob, but not its folder


def file(given: str | os.PathLike[str]) -> str:
    """Returns the path of a file from the root. What is empty stays so: the engine refuses it."""
    path = os.fspath(given)
    if not path.strip():
        return path
    return _rooted(path, of="" if path.startswith("/") else _folder(path))


def storage(options: Mapping[str, str]) -> dict[str, str]:
    """Returns options of a store, those that name files from the root."""
    return {key: file(value) if key.endswith("-file") else value for key, value in options.items()}


def catalog(options: Mapping[str, str]) -> dict[str, str]:
    """Returns options of a catalog, those that are paths from the root.

    A REST catalog's warehouse is a name.
    """
    kind = options.get("type", options.get("catalog-impl", "")).lower()
    has_folder = kind.removesuffix("catalog").endswith(_WAREHOUSE_IS_FOLDER)
    return {key: _in_catalog(key, value, has_folder) for key, value in options.items()}


def _in_catalog(key: str, value: str, has_folder: bool) -> str:
    is_path = (has_folder and key == "warehouse") or _NAMES_PATH.fullmatch(key)
    if is_path or _SURELY_PATH.fullmatch(value):
        return prefix(value) if is_relative(value) else value
    database = _DATABASE.fullmatch(value)
    if database is None:
        return value
    kind, path, settings = database.groups()
    if kind.lower() == "jdbc:sqlite:file:":  # a URI
        return kind + quote(_folder(path)) + "/" + path + settings
    return kind + file(path) + settings


def moves(given: Mapping[str, str]) -> dict[str, str]:
    """Returns where the files of a moved table are, prefix by prefix.

    A relative prefix is one of this process's folder, which a table's metadata may write in three
    ways; in metadata that is relative itself it stays as it is.
    """
    made = {old: prefix(new) for old, new in given.items()}
    for old, new in tuple(made.items()):
        if is_relative(old):
            for form in ("", "file:", "file://"):
                made.setdefault(form + prefix(old), new)
    return made


def is_relative(given: str | os.PathLike[str]) -> bool:
    """Returns whether a location is a local path of this process's folder."""
    path = _local(given)
    return path is not None and not path.startswith("/")


def prefix(given: str | os.PathLike[str]) -> str:
    """Returns a location from the root; a slash at its end counts."""
    path = _local(given)
    if path is None:
        return os.fspath(given)
    absolute = file(path)
    return absolute + "/" if path.endswith("/") and absolute != "/" else absolute


def _local(given: str | os.PathLike[str]) -> str | None:
    """Returns the local path that a location is; None for others, also for those in error."""
    path = os.fspath(given)
    if path[:5].lower() == "file:" and not isinstance(given, PurePath):
        unwrapped = _FILE.fullmatch(path)
        path = "" if unwrapped is None else unwrapped.group(1)
    return None if not path.strip() or "://" in path else path


def _rooted(path: str, of: str) -> str:
    """Returns a path below a folder. A `..` behind a name stays: the name may be a link."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    while names and names[0] == "..":
        of = os.path.dirname(of)
        names.pop(0)
    return "/".join([of.rstrip("/"), *names]) or "/"


def _folder(path: str) -> str:
    try:
        return os.getcwd()
    except OSError as e:
        raise ValueError(
            f"Cannot use the relative path {path!r}: the folder that this process works in is"
            f" {'gone' if isinstance(e, FileNotFoundError) else 'not accessible'}. Name the path"
            " from the root."
        ) from e
