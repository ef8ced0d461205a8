"""Draws the results that docs/design/results records, as a page of the site.

    charts.py WORK

WORK/docs/benchmarks.md gets the page. The values are compared with the tables of
docs/design/speed.md: a difference is an error. `charts.py --write` writes the CSV files from these
tables instead.

Bars begin at zero and are linear; all bars of a chart have one scale.
"""

import csv
import html
import io
import math
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/design/results"
PAGE = ROOT / "docs/design/speed.md"
CELL = re.compile(r"(\d[\d.,]*)(?: \((\d[\d.]*)\))?")
FIELDS = ["case", "contender", "value", "ratio"]

ROW = 38  # pixels of a bar and its label
AXIS = 22

INTRO = """# Benchmarks

Penstock beside other loaders and readers, drawn from the recorded results.
[Results in plain words](reference/results.md) says what they mean and where Penstock is slower.
[Speed](design/speed.md) has the same numbers as tables, what limits Penstock and which aims it
misses. All bars begin at zero, and each chart has a scale of its own. Compare only within one
section: machines and days differ.

"""


def rows_of_page(heading, text):
    """The table below a heading of the page, as rows of the CSV file."""
    section = re.split(r"(?m)^## ", text.split(f"\n## {heading}\n")[1])[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    contenders = table[0][1:]
    for cells in table[2:]:
        for contender, cell in zip(contenders, cells[1:]):
            found = CELL.fullmatch(cell)
            if found:
                yield [cells[0].replace("`", ""), contender, found[1], found[2] or ""]


def nice(value):
    """The end of an axis for values up to this one, and the step between its marks."""
    step = 10 ** math.floor(math.log10(value))
    for part in (0.2, 0.25, 0.5, 1, 2, 2.5):
        if value / (step * part) <= 5:
            step *= part
            break
    return math.ceil(value / step - 1e-9) * step, step


def short(number):
    return f"{number:,.10g}"


def chart(case, bars, result):
    """A chart of one case, as a figure on one line.

    bars: the contender, its value and its ratio, as recorded
    """
    limit = next((value for name, value, _ in bars if name == result.get("limit")), None)
    bars = [bar for bar in bars if bar[0] != result.get("limit")]
    if "one" in result:  # what the values are multiples of
        bars.insert(0, (result["one"], "1", ""))
    end, step = nice(max(float(value) for _, value, _ in bars))
    height = len(bars) * ROW + AXIS
    said = "; ".join(f"{name} {value}" for name, value, _ in bars)
    label = html.escape(f"{case}, {result['unit']}: {said}", quote=True)
    parts = [f'<svg width="100%" height="{height}" role="img" aria-label="{label}">']
    for i in range(round(end / step) + 1):
        x = 100 * i * step / end
        anchor = "start" if i == 0 else "end" if x > 99 else "middle"
        parts.append(f'<line x1="{x:.4g}%" x2="{x:.4g}%" y1="0" y2="{height - AXIS}"/>')
        parts.append(
            f'<text class="mark" x="{x:.4g}%" y="{height - 6}" text-anchor="{anchor}">'
            f"{short(i * step)}</text>"
        )
    for i, (name, value, ratio) in enumerate(bars):
        y = i * ROW
        kind = "ours" if name.startswith("Penstock") else "theirs"
        ratio = f" ({ratio})" if ratio else ""
        parts.append(f'<text x="0" y="{y + 16}">{html.escape(name)}</text>')
        parts.append(f'<text x="100%" y="{y + 16}" text-anchor="end">{value}{ratio}</text>')
        width = 100 * float(value) / end
        parts.append(f'<rect class="{kind}" x="0" y="{y + 21}" width="{width:.4g}%" height="12"/>')
    parts.append("</svg>")
    limit = f" The limit, {result['limit']}: {limit}." if limit else ""
    caption = f"<strong>{html.escape(case)}</strong><br>{result['unit']}.{limit}"
    return f'<figure class="chart"><figcaption>{caption}</figcaption>{"".join(parts)}</figure>'


def section(name, result, rows):
    cases = {}
    for case, contender, value, ratio in rows:
        cases.setdefault(case, []).append((contender, value, ratio))
    anchor = re.sub(r"[^a-z ]", "", result["heading"].lower()).replace(" ", "-")
    unit = result["unit"][0].upper() + result["unit"][1:]
    ratio = f" In brackets: {result['ratio']}." if "ratio" in result else ""
    figures = "\n".join(chart(case, bars, result) for case, bars in cases.items())
    return f"""## {result["title"]}

{unit}; {result["better"]} bars are better.{ratio} {result["method"]}

Measured on {result["date"]} on {result["machine"]}. {result["versions"]}. \
[As a table](design/speed.md#{anchor}), [as CSV](design/results/{name}.csv).

<div class="charts">
{figures}
</div>

"""


def main(work):
    results = tomllib.loads((RESULTS / "results.toml").read_text("utf-8"))
    text = PAGE.read_text("utf-8")
    page = INTRO
    for name, result in results.items():
        shown = list(rows_of_page(result["heading"], text))
        file = RESULTS / f"{name}.csv"
        if work is None:
            with io.StringIO() as out:
                csv.writer(out, lineterminator="\n").writerows([FIELDS, *shown])
                file.write_text(out.getvalue(), "utf-8")
        rows = list(csv.reader(file.read_text("utf-8").splitlines()))[1:]
        if rows != shown:
            differing = [row for row in rows + shown if (row in rows) != (row in shown)]
            sys.exit(f"{file.relative_to(ROOT)} is not {PAGE.name}'s table: {differing}")
        page += section(name, result, rows)
    if work is not None:
        (work / "docs/benchmarks.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main(None if sys.argv[1] == "--write" else Path(sys.argv[1]))
