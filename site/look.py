"""Looks at pages of a built site in Chromium, and has axe-core check them.

    look.py SITES VERSION AXE PICTURES

SITES/VERSION is the site, AXE the script of axe-core. PICTURES gets a picture of each look.
"""

import base64
import contextlib
import functools
import itertools
import json
import re
import subprocess
import sys
import threading
import urllib.request
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# Tabs and a chart, code, a wide table, charts, pictures of terminals.
PAGES = [
    "index.html",
    "guide/batches.html",
    "reference/platforms.html",
    "benchmarks.html",
    "tutorial/csv-to-model.html",
]
PHONE = 390
DESKTOP = 1280
FLAGS = ["headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run"]
FLAGS += ["disable-background-networking", "disable-component-update", "disable-sync"]

# The theme adds the version last.
READY = """const done = arguments[0];
(function look() {
  if (document.querySelector(".md-version")) done(); else setTimeout(look, 20);
})();"""
FAULTS = """const done = arguments[1];
const desktop = arguments[0];
const faults = [];
const page = document.documentElement;
if (page.scrollWidth > innerWidth) faults.push("is wider than the screen");
for (const code of document.querySelectorAll("pre > code")) {
  if (desktop && code.scrollWidth > code.clientWidth) faults.push("cuts off: " + code.innerText);
}
axe.run().then((found) => {
  for (const fault of found.violations) {
    for (const node of fault.nodes) faults.push(`${fault.id}: ${node.html}`);
  }
  done(faults);
});"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Browser:
    """Chromium without a window, by the protocol of WebDriver."""

    def __init__(self, address):
        self.address = f"{address}/session"
        options = {"args": [f"--{flag}" for flag in FLAGS]}
        wanted = {"goog:chromeOptions": options, "timeouts": {"script": 120_000}}
        opened = self.ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})
        self.address += f"/{opened['sessionId']}"

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def tell(self, command, **parameters):
        self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def run(self, script, *arguments):
        """Runs a script that gives its value to its last argument."""
        return self.ask("POST", "/execute/async", {"script": script, "args": arguments})

    def open(self, address, width, theme):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == PHONE}
        self.tell("Emulation.setDeviceMetricsOverride", **size)
        theme = {"name": "prefers-color-scheme", "value": theme}
        self.tell("Emulation.setEmulatedMedia", features=[theme])
        self.ask("POST", "/url", {"url": address})
        self.run(READY)

    def picture(self):
        return base64.b64decode(self.ask("GET", "/screenshot"))


@contextlib.contextmanager
def browser():
    with subprocess.Popen(
        ["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True
    ) as driver:
        try:
            found = (re.search(r"successfully on port (\d+)", line) for line in driver.stdout)
            port = next(match[1] for match in found if match)
            opened = Browser(f"http://127.0.0.1:{port}")
            try:
                yield opened
            finally:
                opened.ask("DELETE", "")
        finally:
            driver.terminate()


def main(sites, version, axe, pictures):
    axe = axe.read_text("utf-8") + "\narguments[0]();"
    pictures.mkdir(parents=True, exist_ok=True)
    faults = []
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=sites)) as server,
        browser() as chromium,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{version}"
        looks = list(itertools.product(PAGES, (DESKTOP, PHONE), ("light", "dark")))
        for page, width, theme in looks:
            chromium.open(f"{address}/{page}", width, theme)
            chromium.run(axe)
            found = chromium.run(FAULTS, width == DESKTOP)
            where = f"{page}, {width} pixels, {theme}"
            faults += [f"{where}: {' '.join(fault.split())[:200]}" for fault in found]
            name = f"{Path(page).stem}-{width}-{theme}.png"
            (pictures / name).write_bytes(chromium.picture())
        server.shutdown()
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(looks)} looks at {len(PAGES)} pages, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
