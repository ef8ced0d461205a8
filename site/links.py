"""Checks the links of a built site: each leads to a file of it, and to a place in that file.

    links.py SITE EXTERNAL

Links to other sites are listed in the file EXTERNAL and not followed. Pages that would fetch
something from another site when they are read are faults.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

# What a browser fetches by itself: by element and attribute, and by relation of a <link>.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
RELATIONS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "manifest"}


class Page(HTMLParser):
    """The places and links of a page."""

    def __init__(self, text):
        super().__init__()
        self.places = {"", "top"}
        self.links = []
        self.fetches = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name):
                self.places.add(values[name])
        link = values.get("href") or values.get(FETCHED.get(tag, ""))
        if link is None:
            return
        relations = set((values.get("rel") or "").split()) if tag == "link" else set()
        if tag in FETCHED or relations & RELATIONS:
            self.fetches.append(link)
        self.links.append(link)


def main(site, external):
    pages = {file: Page(file.read_text("utf-8")) for file in site.rglob("*.html")}
    faults = set()
    others = set()
    count = 0
    for file, page in pages.items():
        name = file.relative_to(site)
        for link in page.fetches:
            if re.match(r"(https?:)?//", link):
                faults.add(f"{name}: fetches {link}")
        for link in page.links:
            if re.match(r"https?:", link):
                others.add(link)
                continue
            if re.match(r"(javascript|data|mailto):", link):
                continue
            count += 1
            path, _, place = link.partition("#")
            path = unquote(path.partition("?")[0])
            target = (file.parent / path).resolve() if path else file
            if target.is_dir():
                target /= "index.html"
            if path.startswith("/") or not target.is_relative_to(site) or not target.exists():
                faults.add(f"{name}: a link to {link}, which does not exist")
            elif target in pages and unquote(place) not in pages[target].places:
                faults.add(f"{name}: a link to {link}, a place that does not exist")
    for style in site.rglob("*.css"):
        for link in re.findall(r"url\(['\"]?(https?:[^)]*)\)", style.read_text("utf-8")):
            faults.add(f"{style.relative_to(site)}: fetches {link}")
    external.write_text("".join(link + "\n" for link in sorted(others)))
    for fault in sorted(faults):
        print(fault, file=sys.stderr)
    print(
        f"{count} links in {len(pages)} pages, {len(faults)} faults; {len(others)} links to others"
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
