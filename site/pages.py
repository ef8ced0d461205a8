"""Lays out the pages and the settings for the generator.

    pages.py WORK

Pages are all Markdown files of docs/ and of the root. docs/README.md orders them: its sections are
those of the navigation. A link to a page stays a link to the page; one to another file of the clone
leads to the repository; one to nothing is an error. Blocks of code below lines in bold, such as
**Java** and **Python**, become tabs of these names, and <details> can be unfolded. WORK/docs gets
the pages, WORK/zensical.toml the settings.
"""

import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = re.search(r"<penstock.url>(.*)</penstock.url>", (ROOT / "pom.xml").read_text())[1]
CONTENTS = "docs/README.md"
HOME = "README.md"

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
ITEM = re.compile(r"([-*]|\d+\.) ")
FENCE = re.compile(r"^ *(```+|~~~+)")
IMAGE = re.compile(r'(<img src=")([^"]+)')
TAB = re.compile(r"\*\*([^*]+)\*\*")
FOLD = re.compile(r"<details><summary>(.*)</summary>")
CODE = re.compile(r"```|~~~|<!--|<details>")  # how the lines of a tab may begin
INDENT = " " * 4


class Pages:
    """The pages by their path in the clone, and where each is on the site."""

    def __init__(self, files):
        self.files = set(files)
        self.folders = {str(parent) for file in files for parent in Path(file).parents}
        self.places = {}
        for file in files:
            if file == HOME:
                self.places[file] = "index.md"
            elif file == CONTENTS:
                self.places[file] = "contents.md"
            elif file.startswith("docs/"):
                self.places[file] = file.removeprefix("docs/")
            elif "/" not in file and file.endswith(".md"):
                self.places[file] = file.lower()
        self.faults = []

    def target(self, page, link):
        """What a link on a page becomes on the site."""
        if re.match(r"[a-z]+:|#", link):
            return link
        path, _, anchor = link.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        anchor = "#" + anchor if anchor else ""
        if file in self.places:
            here = posixpath.dirname(self.places[page]) or "."
            return posixpath.relpath(self.places[file], here) + anchor
        if file in self.files:
            return f"{REPOSITORY}/blob/main/{file}{anchor}"
        if file in self.folders:
            return f"{REPOSITORY}/tree/main/{file}"
        self.faults.append(f"{page}: a link to {link}, which does not exist")
        return link

    def text(self, page):
        """The text of a page, for the site."""
        lines = []
        fence = None
        shift = ""
        for line in (ROOT / page).read_text("utf-8").splitlines():
            mark = FENCE.match(line)
            if fence:
                if mark and mark[1].startswith(fence):
                    fence = None
            else:
                # The generator nests lists by four blanks, GitHub by two, and the generator begins
                # a list only after an empty line.
                shift = " " * ((len(line) - len(line.lstrip(" "))) // 2 * 2)
                before = lines[-1] if lines else ""
                if mark:
                    fence = mark[1]
                elif ITEM.match(line) and re.match(r"[^\s#]", before) and not ITEM.match(before):
                    lines.append("")
                if not mark:
                    line = self.links(page, line)
            lines.append(shift + line if line else "")
        return "\n".join(blocks(lines)) + "\n"

    def links(self, page, line):
        line = IMAGE.sub(lambda m: m[1] + self.target(page, m[2]), line)
        parts = re.split(r"(`+[^`]*`+)(?![^\[]*\]\()", line)
        for i in range(0, len(parts), 2):
            parts[i] = LINK.sub(lambda m: f"{m[1]}[{m[2]}]({self.target(page, m[3])})", parts[i])
        return "".join(parts)

    def title(self, page):
        heading = re.search(r"(?m)^# (.*)$", (ROOT / page).read_text("utf-8"))
        return heading[1].replace("`", "") if heading else page

    def navigation(self):
        """The sections of docs/README.md. A page that it does not list ends the section of its
        folder, and one of the root the last section."""
        sections = []
        listed = {HOME}
        folders = {}
        for line in (ROOT / CONTENTS).read_text("utf-8").splitlines():
            if line.startswith("## "):
                sections.append((line[3:].split(":")[0], []))
            elif line.startswith("- "):
                entries = []
                # The first link, or all of a list such as "Formats: [CSV](...), [JSON](...)".
                group = re.match(r"- (\w[^\[]*): \[", line)
                for found in list(LINK.finditer(line))[: None if group else 1]:
                    file = posixpath.normpath(posixpath.join("docs", found[3]))
                    if file not in self.places:
                        self.faults.append(f"{CONTENTS}: lists {found[3]}, which is not a page")
                        continue
                    title = self.title(file) if found[2].endswith(".md") else found[2]
                    entries.append({title: self.places[file]})
                    listed.add(file)
                    if file.startswith("docs/"):
                        folders.setdefault(posixpath.dirname(file), sections[-1][1])
                sections[-1][1].extend([{group[1]: entries}] if group else entries)
        rest = [file for file in sorted(self.places) if file.endswith(".md")]
        project = []
        for file in rest:
            if file not in listed and file != CONTENTS:
                folders.get(posixpath.dirname(file), project).append(
                    {self.title(file): self.places[file]}
                )
        sections.append(("Project", project))
        home = [{"Penstock": "index.md"}, {"All pages": self.places[CONTENTS]}]
        return (
            home
            + [{"API": "api.md"}, {"Benchmarks": "benchmarks.md"}]
            + [{name: pages} for name, pages in sections if pages]
        )


def blocks(lines):
    """Bold lines with nothing but code below them as the generator's tabs, and <details> as its
    folds. Both hold what is indented."""
    result = []
    fence = None
    tab = fold = ""
    for i, line in enumerate(lines):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = None
        elif mark:
            fence = mark[1]
        elif name := FOLD.fullmatch(line):
            result.append(f'{tab}??? note "{name[1]}"')
            fold = INDENT
            continue
        elif line == "</details>":
            fold = ""
            continue
        elif (name := TAB.fullmatch(line)) and CODE.match(next(filter(None, lines[i + 1 :]), "")):
            result.append(f'=== "{name[1]}"')
            tab = INDENT
            continue
        elif line and not fold and not CODE.match(line):
            tab = ""
        result.append(tab + fold + line if line else line)
    return result


def toml(value):
    """A value as TOML, on one line."""
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml(k)} = {toml(v)}" for k, v in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def main(work):
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    files = [file for file in listing.stdout.split("\0") if file and (ROOT / file).exists()]
    pages = Pages(files)
    for page, place in pages.places.items():
        target = work / "docs" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if page.endswith(".md"):
            target.write_text(pages.text(page), "utf-8")
        else:
            shutil.copyfile(ROOT / page, target)
    for file in ("site.css", "site.js"):
        shutil.copyfile(ROOT / "site" / file, work / "docs" / file)
    settings = (ROOT / "site/zensical.toml").read_text("utf-8")
    values = {
        "pages": "docs",
        "output": "output",
        "repository": REPOSITORY,
        "nav": toml(pages.navigation()),
    }
    for name, value in values.items():
        settings = settings.replace(f"@{name}@", value)
    (work / "zensical.toml").write_text(settings, "utf-8")
    for fault in pages.faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if pages.faults else 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
