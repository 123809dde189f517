"""Views of the page in a real browser."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.page.conftest import LONG_FILE_LINES, LONG_NAME, PageService
from tests.e2e.service import repoquarry

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Page

pytestmark = pytest.mark.browser

MAX_SHIFT = 0.005
CHARGE = "/r/shop/s/shop/till.py::price"
MARKUP = "/r/shop/s/hostile/markup.py::shown"
QUERY = "/query?in=shop&q=MATCH%20(f:Function)%20RETURN%20f,%20f.name%20AS%20name%20ORDER%20BY%20name"
VIEWS = {
    "start": "/",
    "home": "/r/shop",
    "symbol": CHARGE,
    "ambiguous": "/r/shop/s/charge",
    "file": "/r/shop/f/shop/till.py?line=4",
    "map": "/r/shop/map",
    "change": "/r/shop/change/worktree",
    "query": QUERY,
    "ask": "/query?in=shop&mode=ask&q=who%20charges%20an%20order",
    "tasks": "/tasks",
}


def open_view(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")


def boxes(page: Page) -> list[FloatRect | None]:
    return [page.locator(selector).bounding_box() for selector in ("h1", ".source", ".caller >> nth=0")]


def test_symbol_shows_callers_and_calls_with_certainty(page: Page) -> None:
    open_view(page, CHARGE)
    callers = page.get_by_role("tree", name="Callers").get_by_role("treeitem")
    callers.first.wait_for()
    names = [str(row.text_content()) for row in callers.all()]
    words = re.compile(r"Till\.charge, shop/till\.py, calls it on line:6sure, \d+ percent")
    assert any(words.search(name) for name in names), names
    assert any("charge, shop/till.py" in name for name in names)
    assert page.locator(".answer").inner_text().startswith("2 callers in 1 file")


def test_symbol_counts_unresolved_calls(page: Page) -> None:
    open_view(page, "/r/shop/s/shop/wrapping.py::Gift.wrap")
    assert "1 unresolved call may be a caller" in page.locator(".answer").inner_text()
    assert page.locator(".unresolved-box").inner_text().startswith("1 unresolved call may target it")


def test_symbol_opening_a_hop_moves_nothing_above_it(page: Page) -> None:
    open_view(page, CHARGE)
    before = boxes(page)
    page.locator(".caller .hop").first.click()
    page.locator('.caller[aria-expanded="true"]').wait_for()
    assert boxes(page) == before


def test_two_loads_of_an_address_draw_the_same_picture(page: Page) -> None:
    pictures = []
    for _ in range(2):
        open_view(page, CHARGE)
        page.locator(".caller").first.wait_for()
        page.locator(".basis .separator").first.wait_for()
        pictures.append(page.locator("main").screenshot())
    assert pictures[0] == pictures[1]


def test_ambiguous_name_lists_all_meanings(page: Page) -> None:
    open_view(page, "/r/shop/s/charge")
    assert page.locator("h1").inner_text() == "charge has 2 meanings"


def test_hostile_text_stays_text(page: Page) -> None:
    for path in (
        MARKUP,
        "/r/shop/f/hostile/markup.py",
        "/r/shop/f/hostile/%3Cb%3Ebold%3Cb%3E.py",
        "/r/shop/map/hostile",
    ):
        open_view(page, path)
        assert page.locator("main img, main script, main iframe").count() == 0
    open_view(page, MARKUP)
    assert "<img src=x onerror=alert(1)>" in page.locator(".doc").inner_text()
    assert page.get_by_text("U+202E").count() > 0


def test_long_name_keeps_the_height_of_its_row(page: Page) -> None:
    open_view(page, MARKUP)
    row = page.locator(".caller", has_text="f_long").first
    box = row.bounding_box()
    assert box is not None
    assert box["height"] == 24
    assert LONG_NAME in str(row.get_attribute("title"))


def test_keyboard_finds_and_opens_a_symbol(page: Page) -> None:
    open_view(page, "/r/shop")
    page.locator("h1").first.wait_for()  # Rendered, so the page listens to keys.
    page.keyboard.press("/")
    page.keyboard.type("price")  # At once: none of these is a key of the view, such as "r" for Re-index.
    page.get_by_role("option").filter(has_text="shop/till.py:10").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/s/shop/till.py::price")
    page.locator(".caller").first.wait_for()
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.getAttribute('role')")
    assert focused == "treeitem"
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/r/shop/map")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0
    page.go_back()
    page.wait_for_url("**/s/shop/till.py::price")


def test_change_lists_callers_outside_the_diff(page: Page) -> None:
    open_view(page, "/r/shop/change/worktree")
    card = page.locator(".change-card", has_text="price")
    assert "currency" in card.locator(".verdict").inner_text()
    assert "total = price(order)" in card.inner_text()
    assert "pytest" in page.locator(".command").inner_text()
    page.keyboard.press("m")
    page.get_by_text("Markdown copied").wait_for()
    markdown = str(page.evaluate("navigator.clipboard.readText()"))
    assert "`shop/till.py:6` `total = price(order)`" in markdown


def test_file_shows_callers_at_definitions(page: Page) -> None:
    open_view(page, "/r/shop/f/shop/till.py?line=10")
    rows = [str(row.text_content()) for row in page.locator(".caller-margin li").all()]
    assert any("Till.charge" in row for row in rows)
    assert page.get_by_role("tree", name="Outline").get_by_role("treeitem").count() == 4
    assert page.locator(".src li.current").inner_text().startswith("10")


def test_map_lists_arrows_of_a_selected_box(page: Page) -> None:
    open_view(page, "/r/shop/map/shop")
    page.locator("[data-box$='counter.py']").click()
    assert "till.py" in page.locator("aside.side").inner_text()
    page.keyboard.press("x")
    page.locator(".whole-matrix").wait_for()


def test_a_wide_level_of_the_map_has_rows_without_overlap(page: Page) -> None:
    open_view(page, "/r/shop/map/wide")
    boxes = [found for box in page.locator(".box").all() if (found := box.bounding_box())]
    cells = {(box["x"], box["y"]) for box in boxes}
    assert len(cells) == 13
    assert min(abs(a - b) for a, _ in cells for b, _ in cells if a != b) >= boxes[0]["width"]
    assert page.locator(".levels").evaluate("levels => levels.scrollWidth <= levels.clientWidth")


def test_recipes_are_grouped_by_topic_and_the_running_one_is_marked(page: Page) -> None:
    open_view(page, "/query?in=shop")
    page.get_by_role("list", name="Calls", exact=True).get_by_role("button", name="Recursive functions").click()
    page.locator("[aria-current=true]", has_text="Recursive functions").wait_for()


def test_query_rows_link_to_definitions(page: Page) -> None:
    open_view(page, QUERY)
    page.locator("tbody tr").first.wait_for()
    page.locator("tbody a", has_text="Till.charge").click()
    page.wait_for_url("**/s/shop/till.py::Till.charge")


def test_query_completes_labels_and_properties_while_typing(page: Page) -> None:
    open_view(page, "/query?in=shop")
    field = page.get_by_label("Cypher query")
    field.fill("")
    field.press_sequentially("MATCH (f:")
    page.get_by_role("listbox", name="Completions").get_by_role("option", name="Function").click()
    assert field.input_value() == "MATCH (f:Function"
    field.press_sequentially(") RETURN f.")
    page.get_by_role("listbox", name="Completions").wait_for()


def test_query_names_a_misspelt_property(page: Page) -> None:
    open_view(page, "/query?in=shop")
    page.get_by_label("Cypher query").fill("MATCH (f:Function) RETURN f.nme")
    page.locator(".notes").get_by_text("nme").wait_for()


def test_home_says_what_the_repository_is(page: Page) -> None:
    open_view(page, "/r/shop")
    assert "Sells things over a counter." in page.locator(".lead").inner_text()
    assert "tests" in page.locator(".parts").inner_text()


@pytest.mark.parametrize(
    ("path", "title", "nearest"),
    [
        ("/r/shop/s/shop/till.py::chrge", "Nothing is called shop/till.py::chrge.", "/r/shop/s/charge"),
        ("/r/shop/f/shop/til.py", "No indexed file or folder is shop/til.py.", "/r/shop/f/shop/till.py"),
        ("/r/shop/map/hostil", "No indexed file or folder is hostil.", "/r/shop/map/hostile"),
        ("/r/shopp", "No repository is called shopp.", "/r/shop"),
    ],
)
def test_an_unknown_name_shows_the_nearest_ones(page: Page, path: str, title: str, nearest: str) -> None:
    open_view(page, path)
    alert = page.get_by_role("alert")
    assert alert.locator("h1").inner_text() == title
    alert.get_by_role("list", name="Nearest names").locator(f"a[href='{nearest}']").click()
    page.locator("main h1, main h2").first.wait_for()
    assert page.get_by_role("alert").count() == 0


def test_ask_answers_as_the_command_does(page: Page, service: PageService) -> None:
    answer = repoquarry(service.store, "ask", "--quiet", "--json", "-r", "shop", "who calls price?")
    text = str(json.loads(answer.stdout)["answer"]["text"])
    page.goto("/query?in=shop&mode=ask&q=who%20calls%20price%3F")
    shown = page.get_by_role("article", name="Answer")
    shown.wait_for()
    words = [word.strip("`:.,") for word in text.split() if word.strip("`").isidentifier()]
    assert [word for word in words if word not in shown.inner_text()] == []
    assert "price" in words
    assert "`" not in shown.inner_text()
    shown.get_by_role("link", name="shop/till.py:6").first.click()
    page.wait_for_url("**/f/shop/till.py?line=6")


def test_the_rest_of_a_list_is_a_query_that_shows_it(page: Page) -> None:
    open_view(page, "/r/shop")
    more = page.get_by_role("link", name=re.compile(r"^\d+ more entry points?$"))
    total = int(more.inner_text().split()[0]) + page.locator("[aria-label='Entry points'] .facts li").count()
    more.click()
    page.get_by_text(f"{total} rows", exact=True).first.wait_for()


def test_home_begins_with_classes_outside_of_tests_and_counts_no_relevant_calls(page: Page) -> None:
    open_view(page, "/r/shop")
    steps = page.locator(".reading-steps li").all_inner_texts()
    assert any("Stock" in step for step in steps)
    assert not any("Harness" in step for step in steps)
    assert "may affect this answer" not in page.locator(".basis").inner_text()


def test_freshness_says_when_it_was_checked(page: Page) -> None:
    open_view(page, "/r/shop")
    state = page.locator(".basis .state[title]")
    assert re.fullmatch(r"checked at \d\d:\d\d:\d\d", str(state.get_attribute("title")))


@pytest.mark.parametrize("width", [390, 768, 1024])
def test_no_view_is_cut_in_a_narrow_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    for view, path in VIEWS.items():
        open_view(page, path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        for link in page.locator(".top a, .top .search, .basis button").all():
            box = link.bounding_box()
            assert box is not None, view
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width, (view, link.inner_text())


def test_no_view_shifts_while_it_loads(page: Page) -> None:
    page.add_init_script(
        "window.shifts = []; new PerformanceObserver(list => shifts.push(...list.getEntries().map(one => one.value)))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    for view, path in VIEWS.items():
        open_view(page, path)
        assert page.evaluate("shifts.reduce((sum, one) => sum + one, 0)") < MAX_SHIFT, view


def test_numbers_of_the_map_do_not_touch(page: Page) -> None:
    for path in ("/r/shop/map", "/r/shop/map/shop", "/r/shop/map/crossing"):
        open_view(page, path)
        texts = [box for each in page.locator(".canvas .count").all() if (box := each.bounding_box())]
        pairs = [(a, b) for index, a in enumerate(texts) for b in texts[index + 1 :] if _overlap(a, b)]
        assert pairs == [], path
    assert len(texts) >= 20


def _overlap(a: FloatRect, b: FloatRect) -> bool:
    """Whether two numbers touch; the height of a box of text is more than that of its digits."""
    return (
        abs(a["x"] + a["width"] / 2 - b["x"] - b["width"] / 2) < (a["width"] + b["width"]) / 2
        and abs(a["y"] - b["y"]) < 10
    )


def test_theme_stays_after_loading(page: Page) -> None:
    open_view(page, "/r/shop")
    page.get_by_role("button", name="Light or dark colors").click()
    page.reload()
    assert "dark" in str(page.locator("html").get_attribute("class"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_views_have_no_accessibility_violation(browser: Browser, service: PageService, theme: str) -> None:
    pytest.importorskip("axe_playwright_python")
    axe = next(path for path in Path(str(files("axe_playwright_python"))).rglob("axe*.js"))
    dark = theme == "dark"
    context = browser.new_context(
        base_url=service.address,
        bypass_csp=True,
        color_scheme="dark" if dark else "light",
        viewport={"width": 1440, "height": 900},
    )
    tab = context.new_page()
    found: dict[str, object] = {}
    for view, path in VIEWS.items():
        open_view(tab, path)
        tab.add_script_tag(path=str(axe))
        answer = tab.evaluate(
            "axe.run(document, {resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}}})"
        )
        found |= {f"{view} {each['id']}": each["nodes"][0]["html"] for each in answer["violations"]}
    context.close()
    assert found == {}, json.dumps(found, indent=1)


def test_long_file_has_only_visible_lines_in_the_document(page: Page) -> None:
    open_view(page, f"/r/shop/f/shop/long.py?line={LONG_FILE_LINES // 2}")
    scroller = page.locator(".page-lines")
    assert page.locator(".src li.current").inner_text().startswith(str(LONG_FILE_LINES // 2))
    height = scroller.evaluate("each => each.scrollHeight")
    for place in (0.0, 0.25, 0.75, 1.0):
        scroller.evaluate("(each, place) => { each.scrollTop = each.scrollHeight * place }", place)
        number = min(int(LONG_FILE_LINES * place) + 10, LONG_FILE_LINES - 10)
        page.locator(".src li", has_text=f"value_{number} =").wait_for()
        assert page.locator(".src li").count() < 200
        assert scroller.evaluate("each => each.scrollHeight") == height


@pytest.mark.parametrize(
    ("view", "key", "column"), [("file", "o", ".outline"), ("map", "i", "aside.side"), ("change", "l", ".changed-list")]
)
def test_key_opens_the_column_that_a_narrow_window_hides(page: Page, view: str, key: str, column: str) -> None:
    page.set_viewport_size({"width": 1100, "height": 800})
    open_view(page, VIEWS[view])
    page.locator(".columns").wait_for()
    assert not page.locator(column).is_visible()
    page.keyboard.press(key)
    page.locator(column).wait_for()
    page.keyboard.press("Escape")
    page.locator(column).wait_for(state="hidden")
