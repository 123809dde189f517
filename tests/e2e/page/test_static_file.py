"""The page's files: their size, and the static file of a change and of a symbol."""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from repoquarry.server.page_server import load_page_file

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAGE = Path(__file__).resolve().parents[3] / "repoquarry" / "server" / "page"
MAX_PAGE_BYTES = 300_000
MAX_STATIC_BYTES = 90_000


def record_complaints(tab: Page) -> list[str]:
    """Return a list that receives what the browser complains about."""
    complaints: list[str] = []
    tab.on("console", lambda line: complaints.append(line.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


def compressed_size(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def test_page_files_stay_within_their_sizes() -> None:
    served = [path for path in PAGE.rglob("*") if path.is_file() and path.name != "static.html"]
    assert len(served) == 3
    assert sum(map(compressed_size, served)) <= MAX_PAGE_BYTES
    assert compressed_size(PAGE / "static.html") <= MAX_STATIC_BYTES


def test_shell_names_files_that_exist() -> None:
    shell = (load_page_file("index.html") or b"").decode()
    assert "http" not in shell.replace('http-equiv="', "")
    names = [part.split('"')[0] for part in shell.split('"/assets/')[1:]]
    assert len(names) >= 2
    assert all(load_page_file(f"assets/{name}") is not None for name in names)


@pytest.mark.parametrize(
    ("path", "title"), [("/r/shop/change/worktree", "Working tree"), ("/r/shop/s/hostile/markup.py::shown", "shown")]
)
def test_saved_file_opens_without_a_server(page: Page, browser: Browser, tmp_path: Path, path: str, title: str) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")
    with page.expect_download() as download:
        page.keyboard.press("e")
    saved = tmp_path / "saved.html"
    download.value.save_as(saved)
    assert saved.stat().st_size < 2_000_000

    for has_script in (True, False):
        context = browser.new_context(offline=True, java_script_enabled=has_script)
        tab = context.new_page()
        complaints = record_complaints(tab)
        tab.goto(saved.as_uri())
        assert title in tab.locator("main").inner_text()
        assert tab.locator("main h1").count() == 1
        assert tab.locator("main img, main a[href^='/']").count() == 0
        if not has_script:
            assert _reads_from_the_top(tab)
        assert complaints == []
        context.close()


def _reads_from_the_top(tab: Page) -> bool:
    """Whether the title is near the upper left corner with a margin, and each part is directly below the one before."""
    boxes = [box for part in tab.locator("main > *").all() if (box := part.bounding_box())]
    gaps = [below["y"] - above["y"] - above["height"] for above, below in pairwise(boxes)]
    return 8 <= boxes[0]["x"] <= 40 and 8 <= boxes[0]["y"] <= 40 and max(gaps) <= 40
