"""Draws the results that docs/design/results records, as a page of the site.

    charts.py WORK

WORK/docs/benchmarks.md gets the page. The values are compared with the tables of the pages that
results.toml names, and the README's picture with its chart: a difference is an error.
`charts.py --write` writes the CSV files from these tables, and the picture, instead.

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
CELL = re.compile(r"(\d[\d.,]*)(?: \((\d[\d.]*)\))?")
FIELDS = ["case", "contender", "value", "ratio"]

PICTURE = ROOT / "docs/beside-others.svg"
PICTURED = ("loaders", "w1")
WIDTH = 320  # of its bars: a phone shows it in its own size
MARGIN = 18
# A picture has a ground of its own, so that it can be read on any page.
STYLE = """
svg { --ground: #fff; --ink: #1f2329; --ours: #2f6fde; --theirs: #9aa3b2 }
@media (prefers-color-scheme: dark) {
  svg { --ground: #14171f; --ink: #e2e5ea; --ours: #6ea0ff; --theirs: #6b7484 }
}
.ground { fill: var(--ground) }
text { fill: var(--ink); font: 13px system-ui, sans-serif }
.title { font-weight: 600 }
.mark { font-size: 12px }
line { stroke: var(--ink); opacity: 0.15 }
.ours { fill: var(--ours) }
.theirs { fill: var(--theirs) }
"""

ROW = 38  # pixels of a bar and its label
AXIS = 22

INTRO = """# Benchmarks

Penstock beside other loaders and readers, drawn from the recorded results.
[Results in plain words](reference/results.md) has the same numbers as tables, and says where
Penstock is slower. [Speed](design/speed.md) says what limits it and which aims it misses. All bars
begin at zero, and each chart has a scale of its own. Compare only within one section: machines and
days differ.

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


def drawing(case, bars, result):
    """The bars of one case, as an SVG element on one line, and its height.

    bars: the contender, its value and its ratio, as recorded
    """
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
    return "".join(parts), height


def chart(case, bars, result):
    """A chart of one case, as a figure on one line."""
    limit = next((value for name, value, _ in bars if name == result.get("limit")), None)
    limit = f" The limit, {result['limit']}: {limit}." if limit else ""
    caption = f"<strong>{html.escape(case)}</strong><br>{result['unit']}.{limit}"
    drawn, _ = drawing(case, bars, result)
    return f'<figure class="chart"><figcaption>{caption}</figcaption>{drawn}</figure>'


def picture(case, bars, result):
    """A chart of one case, as a file."""
    drawn, height = drawing(case, [(name, value, "") for name, value, _ in bars], result)
    drawn = drawn.replace('width="100%"', f'x="{MARGIN}" y="{MARGIN + 28}" width="{WIDTH}"', 1)
    width, height = WIDTH + 2 * MARGIN, height + 2 * MARGIN + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}">\n<style>{STYLE}</style>\n'
        f'<rect class="ground" width="{width}" height="{height}" rx="8"/>\n'
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 12}">'
        f"{html.escape(case)}, {result['unit']}</text>\n{drawn}\n</svg>\n"
    )


def cases_of(rows, names):
    """The bars of each case, by its name."""
    cases = {}
    for case, contender, value, ratio in rows:
        name = names.get(case.split(":")[0], case)
        cases.setdefault(name, []).append((contender, value, ratio))
    return cases


def section(name, result, cases):
    anchor = re.sub(r"[^a-z ]", "", result["heading"].lower()).replace(" ", "-")
    unit = result["unit"][0].upper() + result["unit"][1:]
    ratio = f" In brackets: {result['ratio']}." if "ratio" in result else ""
    figures = "\n".join(chart(case, bars, result) for case, bars in cases.items())
    return f"""## {result["title"]}

{unit}; {result["better"]} bars are better.{ratio} {result["method"]}

Measured on {result["date"]} on {result["machine"]}. {result["versions"]}. \
[As a table]({result["page"]}#{anchor}), [as CSV](design/results/{name}.csv).

<div class="charts">
{figures}
</div>

"""


def main(work):
    results = tomllib.loads((RESULTS / "results.toml").read_text("utf-8"))
    names = results.pop("names")
    page = INTRO
    for name, result in results.items():
        text = (ROOT / "docs" / result["page"]).read_text("utf-8")
        shown = list(rows_of_page(result["heading"], text))
        file = RESULTS / f"{name}.csv"
        if work is None:
            with io.StringIO() as out:
                csv.writer(out, lineterminator="\n").writerows([FIELDS, *shown])
                file.write_text(out.getvalue(), "utf-8")
        rows = list(csv.reader(file.read_text("utf-8").splitlines()))[1:]
        if rows != shown:
            differing = [row for row in rows + shown if (row in rows) != (row in shown)]
            sys.exit(f"{file.relative_to(ROOT)} is not {result['page']}'s table: {differing}")
        cases = cases_of(rows, names)
        page += section(name, result, cases)
        if name == PICTURED[0]:
            case = names[PICTURED[1]]
            drawn = picture(case, cases[case], result)
            if work is None:
                PICTURE.write_text(drawn, "utf-8")
            elif PICTURE.read_text("utf-8") != drawn:
                sys.exit(f"{PICTURE.relative_to(ROOT)} is not its chart: site/charts.py --write")
    if work is not None:
        (work / "docs/benchmarks.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main(None if sys.argv[1] == "--write" else Path(sys.argv[1]))
