"""Lays out the projects whose wheels python/build builds: the package, and jars per extra.

    wheels.py modules            prints the Maven modules to build
    wheels.py lay-out FOLDER     makes a project per wheel in FOLDER
    wheels.py pack FOLDER DIST   builds these into DIST

After the first, Maven collects what each module needs in its target/dependency, and the licences of
that in target/licences/licences.tsv. It fails if a library would come in two versions, or without
its licence's text.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import zipfile
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

PYTHON = Path(__file__).resolve().parent.parent
ROOT = PYTHON.parent


class Extra(NamedTuple):
    """A wheel that holds jars only."""

    brings: str  # as its module's POM says it
    collected: str  # the Maven module whose dependencies it holds


# Modules of the BOM that are no extras: the main wheel has core and report, the others are for Java
# alone.
NO_EXTRAS = {"cli", "core", "djl", "metrics", "onnx", "report", "spark", "tck", "xgboost"}

# Other extras, whose jars one does not repeat. ORC's wheel has the Hadoop classes that the client
# of the metastore loads, too: 50 MB.
NEEDS = {"iceberg-glue": ("iceberg", "s3"), "iceberg-hive": ("iceberg", "orc")}


def read_extras() -> dict[str, Extra]:
    bom = (ROOT / "bom/pom.xml").read_text()
    modules = re.findall(r"<groupId>dev.penstock</groupId>\s*<artifactId>penstock-(.+)<", bom)
    extras = {}
    for name in sorted(set(modules) - NO_EXTRAS):
        described = re.search("<description>(.+)<", (ROOT / name / "pom.xml").read_text())
        own = f"python/jars/{name}"
        extras[name] = Extra(described[1], own if (ROOT / own).exists() else name)
    return extras


EXTRAS = read_extras()
MAIN = "python/jars/main"
MODULES = [MAIN, *(extra.collected for extra in EXTRAS.values())]

# Apache's text is in LICENSE; the others do not ask for theirs.
_NO_OWN_TEXT = re.compile(r"apache|0BSD|MIT-0", re.IGNORECASE)
_TEXT_IN_JAR = re.compile(r"(META-INF/)?([^/]*licen[sc]e[^/]*|AL2\.0|licenses?/.+)", re.IGNORECASE)

_PYPROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "penstock-torch-{name}"
version = "{version}"
description = "{brings} Jars for penstock-torch."
readme = "README.md"
requires-python = ">=3.10"
license = "Apache-2.0"
license-files = ["LICENSE", "JARS.md", "LICENCES.txt"]
dependencies = [{dependencies}]

[tool.hatch.build]
ignore-vcs = true

[tool.hatch.build.targets.wheel]
core-metadata-version = "2.4"
only-include = ["penstock_torch_jars"]
"""

_README = """\
# penstock-torch-{name}

Java libraries for the data loader penstock-torch. {brings} Install it as an extra:

    pip install 'penstock-torch[{name}]'
"""


class Library(NamedTuple):
    group: str
    artifact: str
    version: str
    licence: str

    @property
    def key(self) -> str:
        return f"{self.group}:{self.artifact}"


def lay_out(folder: Path) -> None:
    project = tomllib.loads((PYTHON / "pyproject.toml").read_text())["project"]
    version = project["version"]
    check_versions(project)
    jars = {name: collected(extra.collected) for name, extra in EXTRAS.items()}
    main_jars = collected(MAIN)
    libraries = read_libraries()
    check_once(set().union(main_jars, *jars.values()), libraries)

    shutil.rmtree(folder, ignore_errors=True)
    target = folder / "main"
    shutil.copytree(
        PYTHON / "penstock_torch",
        target / "penstock_torch",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for file in ("pyproject.toml", "README.md", "hatch_build.py"):
        shutil.copy(PYTHON / file, target)
    add_jars(target, "main", main_jars.values(), libraries)

    for name, extra in EXTRAS.items():
        target = folder / name
        target.mkdir()
        others = NEEDS.get(name, ())
        there = set(main_jars).union(*(jars[other] for other in others))
        needs = ["penstock-torch", *(f"penstock-torch-{other}" for other in others)]
        texts = {
            "name": name,
            "version": version,
            "brings": extra.brings,
            "dependencies": ", ".join(f'"{need}=={version}"' for need in needs),
        }
        (target / "pyproject.toml").write_text(_PYPROJECT.format(**texts))
        (target / "README.md").write_text(_README.format(**texts))
        own = [jar for file, jar in jars[name].items() if file not in there]
        add_jars(target, name.replace("-", "_"), own, libraries)


def check_versions(project: dict) -> None:
    """Fails unless Maven, the package and its extras name the same version and wheels."""
    version = project["version"]
    maven = re.search(r"<revision>(.+?)(-SNAPSHOT)?</revision>", (ROOT / "pom.xml").read_text())
    code = (PYTHON / "penstock_torch" / "__init__.py").read_text()
    stated = re.search(r'__version__ = "(.+)"', code)
    if not maven or not stated or {maven.group(1), stated.group(1)} != {version}:
        sys.exit(f"pom.xml, pyproject.toml ({version}) and __init__.py differ in the version.")
    extras = project["optional-dependencies"]
    wrong = [
        name for name in EXTRAS if f"penstock-torch-{name}=={version}" not in extras.get(name, [])
    ]
    if wrong or set(extras) != {*EXTRAS, "all", "torch"}:
        sys.exit(f"pyproject.toml has other extras than the BOM, or other versions: {wrong}")
    if extras["all"] != [f"penstock-torch[{','.join(sorted(EXTRAS))}]"]:
        sys.exit("The extra 'all' of pyproject.toml does not name all of them.")


def collected(module: str) -> dict[str, Path]:
    """Returns a module's own jar and those that it needs, by file name."""
    target = ROOT / module / "target"
    found = list((target / "dependency").glob("*.jar"))
    beside = ("-tests.jar", "-sources.jar", "-javadoc.jar")
    found += (each for each in target.glob("penstock-*.jar") if not each.name.endswith(beside))
    tests = [each.name for each in found if "test" in each.name]
    if not found or tests:
        sys.exit(f"{module} has no jars, or jars of tests: {tests}")
    return {each.name: each for each in sorted(found)}


def read_libraries() -> list[Library]:
    """Returns what Maven resolved, with the modules of this project."""
    lines = {
        line
        for module in MODULES
        for line in (ROOT / module / "target/licences/licences.tsv").read_text().splitlines()
        if line
    }
    version = next(line.split(":")[2].split("\t")[0] for line in lines if ":penstock-core:" in line)
    lines |= {f"dev.penstock:penstock-{name}:{version}\tApache-2.0" for name in EXTRAS}
    return sorted(Library(*re.split("[:\t]", line, maxsplit=3)) for line in lines)


def library_of(jar: str, libraries: list[Library]) -> list[Library]:
    """Returns the libraries that a file may be; several if groups differ only."""
    exact = [each for each in libraries if jar == f"{each.artifact}-{each.version}.jar"]
    return exact or [
        each for each in libraries if jar.startswith(f"{each.artifact}-{each.version}-")
    ]


def check_once(jars: set[str], libraries: list[Library]) -> None:
    """Fails if the class path of all extras has a library in two versions."""
    versions: dict[str, set[str]] = {}
    for jar in jars:
        found = library_of(jar, libraries)
        if len(found) != 1:
            sys.exit(f"{jar} is no library that Maven names, or several: {found}")
        versions.setdefault(found[0].key, set()).add(jar)
    twice = {key: sorted(found) for key, found in versions.items() if len(found) > 1}
    if twice:
        sys.exit(f"Libraries in two versions; manage them in the root pom.xml: {twice}")
    natives = {jar for jar in jars if jar.startswith(("brotli4j-", "native-"))}
    if len({re.sub(r".*-(?=\d)", "", jar) for jar in natives}) > 1:
        sys.exit(f"python/jars/orc/pom.xml names another version of brotli4j: {natives}")


def add_jars(target: Path, folder: str, jars, libraries: list[Library]) -> None:
    """Copies jars, and writes down what they are."""
    into = target / "penstock_torch_jars" / folder
    into.mkdir(parents=True)
    texts = (PYTHON / "jars" / "LICENCES.txt").read_text()
    lines = []
    for jar in jars:
        shutil.copy(jar, into)
        library = library_of(jar.name, libraries)[0]
        lines.append(f"| {library.key} | {library.version} | {library.licence} |\n")
        if not has_licence(jar, library, texts):
            sys.exit(f"Add the licence's text of {library} to python/jars/LICENCES.txt.")
    head = "# Java libraries in this wheel\n\n| Library | Version | Licence |\n|---|---|---|\n"
    (target / "JARS.md").write_text(head + "".join(sorted(lines)))
    shutil.copy(ROOT / "LICENSE", target)
    shutil.copy(PYTHON / "jars" / "LICENCES.txt", target)


def has_licence(jar: Path, library: Library, texts: str) -> bool:
    if _NO_OWN_TEXT.search(library.licence):
        return True
    if re.search(rf"^{re.escape(library.group)} ", texts, re.MULTILINE):
        return True
    with zipfile.ZipFile(jar) as opened:
        return any(_TEXT_IN_JAR.fullmatch(name) for name in opened.namelist())


def pack_all(folder: Path, dist: Path) -> None:
    dist.mkdir(parents=True)
    with ProcessPoolExecutor() as pool:
        list(pool.map(pack, sorted(folder.iterdir()), repeat(dist)))


def pack(project: Path, dist: Path) -> None:
    from hatchling import build

    os.chdir(project)  # where the build backend looks for it
    build.build_wheel(str(dist))
    if project.name == "main":
        build.build_sdist(str(dist))


if __name__ == "__main__":
    if sys.argv[1] == "modules":
        print(",".join(MODULES))
    elif sys.argv[1] == "lay-out":
        lay_out(Path(sys.argv[2]))
    else:
        pack_all(Path(sys.argv[2]), Path(sys.argv[3]).absolute())
