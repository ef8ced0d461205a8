"""Makes one Javadoc of all packages that programs may use, and a page that lists them.

    javadoc.py WORK VERSION

The modules are those of the BOM but the command. Their packages are the exported ones, or, where a
module has no module-info.java, those that are not internal. The sources are compiled as one, on the
class path. WORK/docs/api gets the Javadoc, WORK/docs/api.md the page.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "cli"

PAGE = """# API

The [Javadoc](api/index.html) of all packages that programs may use, with a search of its own.

"""


def modules():
    names = re.findall(
        r"<artifactId>penstock-(\S+)</artifactId>", (ROOT / "bom/pom.xml").read_text()
    )
    return [name for name in names if name not in ("bom", COMMAND)]


def sources(module):
    return ROOT / module / "src/main/java"


def packages(module):
    """The exported packages of a module, sorted."""
    folder = sources(module)
    described = folder / "module-info.java"
    if described.exists():
        found = re.findall(r"(?m)^ *exports ([\w.]+);", described.read_text("utf-8"))
    else:
        found = [
            ".".join(file.parent.relative_to(folder).parts)
            for file in folder.glob("**/package-info.java")
            if "internal" not in file.parts
        ]
    return sorted(found)


def first_sentence(module, package):
    """What a package is for, as Markdown."""
    file = sources(module).joinpath(*package.split("."), "package-info.java")
    comment = re.match(r"((?:///.*\n)+)", file.read_text("utf-8"))[1]
    text = " ".join(line.removeprefix("///").strip() for line in comment.splitlines())
    text = re.split(r"(?<=\.)\s", text)[0].replace("|", "&#124;")
    return re.sub(r"\[(?:[a-z]\w*\.)*([\w.]+)\](?![\[(])", r"`\1`", text)


def class_path(names):
    """The libraries of the modules, which Maven resolves without compiling anything."""
    command = ["./mvnw", "-q", "-Pouter", "-pl", ",".join(names), "-am", "-Dmaven.main.skip"]
    command += ["-Dmaven.test.skip", "-Dmaven.resources.skip", "compile"]
    command += ["dependency:build-classpath", "-DincludeScope=compile"]
    command += ["-Dmdep.outputFile=target/site-classpath.txt"]
    subprocess.run(command, cwd=ROOT, check=True)
    jars = {}
    for name in names:
        for entry in (ROOT / name / "target/site-classpath.txt").read_text().split(os.pathsep):
            if entry.endswith(".jar"):
                jars[entry] = None
    return os.pathsep.join(jars)


def main(work, version):
    exported = {module: packages(module) for module in modules()}
    exported = {module: names for module, names in exported.items() if names}

    merged = work / "java"
    for module in exported:
        shutil.copytree(sources(module), merged, dirs_exist_ok=True)
    (merged / "module-info.java").unlink()

    options = ["-quiet", "-notimestamp", "--no-fonts", "-Xdoclint:all,-missing", "-Werror"]
    options += ["--release", "25", "-encoding", "UTF-8", "-d", str(work / "docs/api")]
    options += ["-windowtitle", f"Penstock {version}", "-doctitle", f"Penstock {version}"]
    options += [
        "-header",
        "<a href='{@docRoot}/../index.html' style='color:inherit'>Documentation</a>",
    ]
    options += ["-sourcepath", str(merged), "-classpath", class_path(list(exported))]
    for module, names in exported.items():
        options += ["-group", f"penstock-{module}", ":".join(names)]
    for names in exported.values():
        options += names
    arguments = work / "javadoc.txt"
    arguments.write_text("\n".join('"' + option + '"' for option in options) + "\n")
    javadoc = Path(os.environ["JAVA_HOME"]) / "bin/javadoc"
    # With the JVM's quick compiler alone it takes half of the time.
    subprocess.run([str(javadoc), "-J-XX:TieredStopAtLevel=1", f"@{arguments}"], check=True)
    style = work / "docs/api/resource-files/stylesheet.css"  # names the fonts all the same
    style.write_text(re.sub(r"@import url\('fonts/.*\n", "", style.read_text("utf-8")), "utf-8")

    page = PAGE
    for module, names in exported.items():
        page += f"## penstock-{module}\n\n| Package | What it has |\n|---|---|\n"
        for name in names:
            link = f"api/{name.replace('.', '/')}/package-summary.html"
            page += f"| [`{name}`]({link}) | {first_sentence(module, name)} |\n"
        page += "\n"
    (work / "docs/api.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
