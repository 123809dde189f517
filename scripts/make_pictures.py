"""Pictures of the page for the documentation: `python scripts/make_pictures.py` indexes this repository and writes docs/pictures.

Needs Playwright and a Chromium, whose path the variable CHROMIUM names (`chromium` on PATH by default).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
VIEWS = {"symbol": "s/repoquarry/ingest/sources/source.py::parse_source"}
"""View of the page by name of its picture, below the repository."""
_SETTLE_MILLISECONDS = 2_500


def main() -> int:
    """Write one PNG for each view."""
    program = str(Path(sys.executable).with_name("repoquarry"))
    with tempfile.TemporaryDirectory(prefix="repoquarry-pictures-") as folder:
        environment = {**os.environ, "REPOQUARRY_STORE": f"{folder}/store"}
        subprocess.run([program, "index", str(ROOT), "--name", "repoquarry"], env=environment, check=True)
        command = [program, "ui", "repoquarry", "--no-open"]
        page = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            address = re.search(r"http://[^/\s]+", page.stdout.readline() if page.stdout else "")
            if address is None:
                sys.exit("the page did not start; run `repoquarry ui` to see why")
            _take(address[0])
        finally:
            page.terminate()
            page.wait(timeout=30)
    return 0


def _take(address: str) -> None:
    target = ROOT / "docs" / "pictures"
    target.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"))
        tab = browser.new_page(viewport={"width": 1280, "height": 600})
        for name, view in VIEWS.items():
            tab.goto(f"{address}/r/repoquarry/{view}")
            tab.wait_for_timeout(_SETTLE_MILLISECONDS)
            tab.screenshot(path=target / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
