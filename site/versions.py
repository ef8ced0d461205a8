"""Lists the versions that a site has, for the switcher, and leads its root to the newest.

    versions.py SITE

Each folder of SITE that is named by a version is one. The newest release is the latest version, or
the newest snapshot where there is no release yet.
"""

import json
import re
import sys
from pathlib import Path

VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(-.+)?")

LEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Penstock</title>
<meta http-equiv="refresh" content="0; url={0}/index.html">
<a href="{0}/index.html">Penstock {0}</a>
</html>
"""


def order(name):
    """Newer versions are greater; what leads to a release is before it."""
    *numbers, suffix = VERSION.fullmatch(name).groups()
    return [int(number) for number in numbers], suffix is None, suffix or ""


def main(site):
    names = [folder.name for folder in site.iterdir() if VERSION.fullmatch(folder.name)]
    names.sort(key=order, reverse=True)
    latest = next((name for name in names if "-" not in name), names[0])
    versions = [
        {"version": name, "title": name, "aliases": ["latest"] if name == latest else []}
        for name in names
    ]
    (site / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")
    (site / "index.html").write_text(LEAD.format(latest))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
