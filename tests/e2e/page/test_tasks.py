"""Tasks in a real browser: files, approval, a reason to decline, replay, and index jobs in the same list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.page.conftest import PageService, launch_page
from tests.e2e.service import repoquarry, write_tree
from tests.e2e.tasks.test_task_files import variables
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WORK = (
    Reply(calls=[("checkout", {"repository": "shop"})]),
    Reply(calls=[("run_command", {"command": "rm -rf shop"})]),
    Reply(calls=[("run_command", {"command": "cat inputs/words.txt > outputs/copy.txt"})]),
    Reply(calls=[("run_command", {"command": "echo done >> outputs/copy.txt"})]),
    Reply(calls=[("finish", {"text": "It is done."})]),
)


@pytest.fixture
def chat() -> Iterator[ScriptedChat]:
    with scripted_chat(*WORK) as found:
        yield found


@pytest.fixture
def tasks_page(browser: Browser, chat: ScriptedChat, tmp_path: Path) -> Iterator[tuple[Page, PageService]]:
    source = write_tree(tmp_path / "shop", {"shop/till.py": "def price(order):\n    return len(order)\n"})
    done = repoquarry(tmp_path / "store", "index", str(source))
    assert done.returncode == 0, done.stderr
    running = launch_page(
        tmp_path / "store", source, **variables(chat, tmp_path / "work", REPOQUARRY_SERVER_FRESHNESS_SECONDS="0")
    )
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=running.address)
    yield context.new_page(), running
    context.close()
    running.stop()


def test_a_task_takes_files_asks_and_replays(
    tasks_page: tuple[Page, PageService], chat: ScriptedChat, tmp_path: Path
) -> None:
    page, _ = tasks_page
    words = tmp_path / "words.txt"
    words.write_text("some words\n")
    page.goto("/tasks/new?in=shop")
    page.locator("textarea").fill("Copy the file.")
    page.locator("input[type=file]").set_input_files(words)
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Create task").click()
    prompt = page.get_by_role("alertdialog")
    prompt.wait_for()
    assert prompt.locator("pre").inner_text() == "rm -rf shop"
    page.keyboard.press("Enter")
    assert prompt.locator("pre").inner_text() == "rm -rf shop", "Enter approves nothing"
    prompt.get_by_label("Reason to decline").fill("the folder is needed")
    prompt.get_by_role("button", name="Decline").click()
    page.get_by_text("Declined by you: the folder is needed").wait_for()
    page.get_by_role("alertdialog").get_by_role("button", name="Run this and all further commands").click()
    page.get_by_label("Answer").get_by_text("It is done.").wait_for()
    assert page.get_by_role("alertdialog").count() == 0
    assert any("was not approved: the folder is needed" in str(request) for request in chat.requests)
    with page.expect_download() as download:
        page.get_by_role("button", name="outputs/copy.txt").click()
    assert Path(download.value.path()).read_text() == "some words\ndone\n"
    _replay(page)


def _replay(page: Page) -> None:
    steps = page.locator(".step-row")
    total = steps.count()
    assert total >= 4
    page.get_by_role("button", name="Back one event").click()
    for _ in range(3):
        page.get_by_role("button", name="Back one event").click()
    assert page.locator(".answer-card").count() == 0
    assert "step=" in page.url
    page.reload()
    page.locator(".replay", has_text="event ").wait_for()
    page.get_by_role("button", name="Replay").click()
    page.locator(".replay", has_text="all ").wait_for()
    assert steps.count() == total


def test_opening_tasks_reads_small_lists_once_and_the_answer_of_the_open_one(
    tasks_page: tuple[Page, PageService],
) -> None:
    page, running = tasks_page
    for number in range(3):
        done = repoquarry(running.store, "ask", "--quiet", "-r", "shop", f"who calls price? {number}")
        assert done.returncode == 0, done.stderr
    sizes: dict[str, list[int]] = {}
    page.on("response", lambda answer: sizes.setdefault(answer.url.rpartition("/")[2], []).append(len(answer.body())))
    page.goto("/tasks")
    page.get_by_role("region", name="Answer").wait_for()
    page.wait_for_load_state("networkidle")
    lists = {name: len(sizes[name]) for name in ("ListIndexJobs", "GetTask", "StreamTaskEvents")}
    assert lists == {"ListIndexJobs": 1, "GetTask": 1, "StreamTaskEvents": 1}
    assert len(sizes["ListTasks"]) <= 2, "the list, and the number of waiting tasks"
    answer = page.request.post("/repoquarry.v1.TaskService/ListTasks", data={"withoutAnswers": True}).json()
    assert all("answer" not in task for task in answer["tasks"])
    assert page.locator(".picker").inner_text().startswith("shop")


def test_index_jobs_are_in_the_list_of_tasks(tasks_page: tuple[Page, PageService]) -> None:
    page, running = tasks_page
    page.goto("/r/shop")
    page.wait_for_load_state("networkidle")
    till = running.source / "shop" / "till.py"
    till.write_text(till.read_text() + "\n\ndef more():\n    return 2\n")
    page.reload()
    page.locator(".basis").get_by_text("Out of date").wait_for()
    with page.expect_response("**/CreateIndexJob"):  # leaving the page earlier aborts the request
        page.locator(".basis .reindex").click()
    page.goto("/tasks")
    page.locator(".work-list li").nth(1).wait_for()
    page.get_by_role("link", name="Index shop").first.click()
    page.get_by_label("Index job").locator(".stages th").first.wait_for()
    assert page.get_by_label("Index job").locator(".stages th").count() > 3
