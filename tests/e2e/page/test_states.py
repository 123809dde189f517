"""States of the page in a real browser: narrow windows, back and forward, large answers, and a service that fails or refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.page.conftest import PageService, launch_page
from tests.e2e.page.test_views import CHARGE, open_view
from tests.e2e.service import end, launch, long_token, repoquarry, write_tree

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

_CALLERS = 10_000
_FILES = 100
_MAX_ELEMENTS = 300
_HOLD_STREAMS = """
const released = new Promise((resolve) => (window.release = resolve));
const send = window.fetch;
window.fetch = async (...request) => {
  const answer = await send(...request);
  if (!answer.url.endsWith("/StreamChange")) return answer;
  const body = new Uint8Array(await answer.arrayBuffer());
  const end = 5 + new DataView(body.buffer).getUint32(1);
  const pull = (stream) => released.then(() => { stream.enqueue(body.slice(end)); stream.close(); });
  return new Response(new ReadableStream({ start: (stream) => stream.enqueue(body.slice(0, end)), pull }), answer);
};
"""
"""Script that delivers the first message of a streamed change, and the others after `release()`."""


@pytest.fixture
def small_store(tmp_path: Path) -> tuple[Path, Path]:
    """Store of one small repository, which a test may change."""
    source = write_tree(
        tmp_path / "shop", {"shop/till.py": "def price():\n    return 1\n\n\ndef pay():\n    return price()\n"}
    )
    done = repoquarry(tmp_path / "store", "index", str(source))
    assert done.returncode == 0, done.stderr
    return tmp_path / "store", source


@pytest.fixture
def own_service(small_store: tuple[Path, Path]) -> Iterator[PageService]:
    running = launch_page(*small_store)
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.fixture
def own_page(browser: Browser, own_service: PageService) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=own_service.address)
    yield context.new_page()
    context.close()


def test_columns_are_tabs_in_a_narrow_window(page: Page) -> None:
    page.set_viewport_size({"width": 720, "height": 450})
    open_view(page, CHARGE)
    assert page.locator(".source").is_visible()
    assert not page.get_by_role("tree", name="Callers").is_visible()
    page.get_by_role("group", name="Column").get_by_role("button", name="Callers").click()
    assert page.get_by_role("tree", name="Callers").is_visible()
    assert not page.locator(".source").is_visible()
    for path, name, selector in (
        ("/r/shop/f/shop/till.py", "Outline", ".outline"),
        ("/r/shop/map", "Part", "aside.side"),
        ("/r/shop/change/worktree", "Consequences", ".consequences"),
    ):
        open_view(page, path)
        assert not page.locator(selector).is_visible()
        page.get_by_role("group", name="Column").get_by_role("button", name=name).click()
        assert page.locator(selector).is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 720


def test_back_restores_the_position_and_the_opened_hop(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 300})
    open_view(page, CHARGE)
    page.locator(".caller .hop").first.click()
    page.locator('.caller[aria-expanded="true"]').wait_for()
    callers = page.locator(".callers .scroll")
    callers.evaluate("element => (element.scrollTop = 40)")
    position = callers.evaluate("element => element.scrollTop")
    assert position > 0
    page.locator(".caller a").first.evaluate("element => element.click()")  # A click by pointer would scroll first.
    page.wait_for_url(lambda url: "price" not in url)
    page.go_back()
    page.locator('.caller[aria-expanded="true"]').wait_for()
    page.wait_for_function("top => document.querySelector('.callers .scroll').scrollTop === top", arg=position)


def test_a_commit_message_stays_text(page: Page) -> None:
    open_view(page, "/r/shop/change/HEAD~1..HEAD")
    assert page.locator("h1").inner_text() == "<img src=x onerror=alert(3)> & <script>alert(4)</script>"
    assert page.locator("main img, main script").count() == 0


def test_ten_thousand_callers_stay_readable(browser: Browser, tmp_path: Path) -> None:
    calls = "".join(f"def use_{number}():\n    return price()\n\n\n" for number in range(_CALLERS // _FILES))
    files = {
        f"shop/part_{number % 7}/use_{number}.py": f"from shop.till import price\n\n\n{calls}"
        for number in range(_FILES)
    }
    source = write_tree(tmp_path / "shop", {"shop/till.py": "def price():\n    return 1\n", **files})
    done = repoquarry(tmp_path / "store", "index", str(source))
    assert done.returncode == 0, done.stderr
    running = launch_page(tmp_path / "store", source)
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=running.address)
    page = context.new_page()
    open_view(page, CHARGE)
    assert f"{_CALLERS:,} callers in {_FILES} files" in page.locator(".answer").inner_text()
    rows = page.get_by_role("tree", name="Callers").get_by_role("treeitem")
    assert 0 < rows.count() <= _MAX_ELEMENTS
    context.close()
    running.stop()


def test_a_change_shows_its_progress_and_can_be_cancelled(own_page: Page) -> None:
    """The service is new, because it caches the last changes, and a cached change has no progress."""
    own_page.add_init_script(_HOLD_STREAMS)
    own_page.goto("/r/shop/change/worktree")
    own_page.get_by_text("Reading possible callers.").wait_for()
    own_page.get_by_role("button", name="Cancel").click()
    own_page.get_by_text("Cancelled.").wait_for()
    own_page.evaluate("release()")
    own_page.get_by_role("button", name="Try again").click()
    own_page.get_by_role("button", name="Copy as Markdown").wait_for()


def test_a_stopped_service_is_named_and_the_page_recovers(own_page: Page, own_service: PageService) -> None:
    open_view(own_page, CHARGE)
    own_service.stop()
    own_page.get_by_role("link", name="Map").click()
    own_page.get_by_role("alert").get_by_text("The service does not answer.").wait_for()
    assert "does not answer" in own_page.locator(".basis").inner_text()
    port = own_service.address.rpartition(":")[2]
    own_service.process = launch_page(own_service.store, own_service.source, port).process
    own_page.get_by_role("button", name="Try again").click()
    own_page.get_by_label("Levels").wait_for()


def test_a_repository_that_is_deleted_while_open_is_missed(own_page: Page) -> None:
    open_view(own_page, CHARGE)
    answer = own_page.request.post(
        "/repoquarry.v1.RepositoryService/DeleteRepository", data={"name": "repositories/shop"}
    )
    assert answer.ok, answer.text()
    own_page.get_by_role("link", name="Map").click()
    alert = own_page.get_by_role("alert")
    alert.get_by_text("No repository is called shop.").wait_for()
    alert.get_by_role("link", name="Other repositories").click()
    own_page.get_by_text("repoquarry index").wait_for()


def test_an_expired_session_asks_for_the_token_again(browser: Browser, small_store: tuple[Path, Path]) -> None:
    token = long_token("reader")
    variables = {
        "REPOQUARRY_PAGE_LISTEN": "127.0.0.1:0",
        "REPOQUARRY_PAGE_SESSION_SECONDS": "3",
        "REPOQUARRY_SERVER_TOKENS": f"read:{token}",
    }
    store, _ = small_store
    service = launch(store, store.parent / "serve.log", 0, **variables)
    try:
        address = re.search(r"page on (http://\S+)", service.log.read_text())
        assert address is not None
        context = browser.new_context(base_url=address[1])
        page = context.new_page()
        for _ in range(2):
            page.goto(CHARGE)
            page.get_by_role("alert").get_by_text("This page needs a token.").wait_for()
            page.get_by_label("Token").fill(token)
            page.get_by_role("button", name="Sign in").click()
            page.locator(".caller").first.wait_for()
            page.wait_for_timeout(8_000)  # The page asks for waiting tasks a little later, which renews the session.
        context.close()
    finally:
        end(service)
