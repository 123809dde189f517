"""Write the pictures of the page into docs/pictures: every view in light and dark colors, and the one of README.

    python scripts/page_pictures.py [ADDRESS REPOSITORY SYMBOL [FOLDER]]

Without arguments the script indexes this repository in a temporary store and serves the page. With an address it takes the pictures
of a running page, without the one of README. Needs Chromium (its path is the variable CHROMIUM, else one on PATH) and the extra `dev`.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
SYMBOL = "repoquarry/code/impact.py::propagate_impact"
COMMAND = (sys.executable, "-c", "from repoquarry.server.cli import main; main()")
README_PATH = "/r/repoquarry/s/repoquarry/ingest/sources/source.py::parse_source"
TIMEOUT_MILLISECONDS = 120_000
COLORS = 256
QUERY = (
    "MATCH (f:Function {{repository: '{repository}', is_test: false}})-[u:UNRESOLVED]->(n:Name)\n"
    "RETURN f, sum(u.count) AS unresolved, f.calls_out AS resolved, f.calls_in AS callers, collect(n.name)[..4] AS such_as\n"
    "ORDER BY unresolved DESC, f.id LIMIT 200"
)


def list_views(repository: str, symbol: str) -> dict[str, str]:
    """Return the address of each view by the name of its picture."""
    root = f"/r/{quote(repository)}"
    return {
        "home": root,
        "symbol": f"{root}/s/{quote(symbol, safe='/:')}",
        "file": f"{root}/f/{quote(symbol.partition('::')[0])}",
        "map": f"{root}/map",
        "change": f"{root}/change/HEAD~1..HEAD",
        "query": f"/query?in={quote(repository)}&q={quote(QUERY.format(repository=repository))}",
        "tasks": "/tasks",
    }


@contextmanager
def serve_page() -> Iterator[str]:
    """Index this repository and yield the address of its page."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "REPOQUARRY_STORE": folder}
        subprocess.run([*COMMAND, "index", str(ROOT), "--name", "repoquarry"], env=environment, check=True)
        command = [*COMMAND, "ui", "--no-open", "--listen", "127.0.0.1:0"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None  # noqa: S101 - opened with a pipe
            yield "/".join(process.stdout.readline().split("/")[:3])
        finally:
            process.terminate()
            process.wait()


def take_pictures(browser: Browser, address: str, views: dict[str, str], folder: Path) -> None:
    """Take the picture of each view in both themes."""
    for theme in ("light", "dark"):
        page = browser.new_page(
            base_url=address, color_scheme=theme, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        for name, path in views.items():
            take_picture(page, path, folder / f"{name}-{theme}.png")
        page.close()


def take_picture(page: Page, path: str, target: Path) -> None:
    """Write the picture of one view with a palette, which makes the file a third of its size."""
    from PIL import Image

    page.set_default_timeout(TIMEOUT_MILLISECONDS)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    page.locator("main h1, main h2, main table").first.wait_for()
    target.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        # Other methods lose the colors of marks, which cover few pixels.
        found = picture.convert("RGB").quantize(COLORS, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
        found.save(target, optimize=True)
    print(target)


def main(arguments: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        if arguments:
            address, repository, symbol, *rest = arguments
            take_pictures(browser, address, list_views(repository, symbol), Path(rest[0]) if rest else PICTURES)
        else:
            with serve_page() as address:
                take_pictures(browser, address, list_views("repoquarry", SYMBOL), PICTURES)
                page = browser.new_page(base_url=address, viewport={"width": 1280, "height": 600})
                take_picture(page, README_PATH, PICTURES / "symbol.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
