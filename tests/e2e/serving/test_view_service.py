"""ViewService and the page over a running service: every view in one call, with its cuts and its basis."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from repoquarry.server.errors import RequestError
from repoquarry.server.listener import Listener, ServiceContext
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import view_service_pb2 as pb
from tests.command_line import COMMAND
from tests.e2e.service import Service, StartService, environment, succeed
from tests.source_trees import git, write_tree

_PATCH = """--- a/shop/till.py
+++ b/shop/till.py
@@ -9,3 +9,3 @@

-def price(order):
-    return len(order)
+def price(order, discount):
+    return len(order) - discount
"""


def test_a_symbol_with_both_sides(shop_service: Service) -> None:
    views = shop_service.client().views
    answer = views.get_symbol(pb.GetSymbolRequest(symbol="price"))
    assert answer.entity.qualname == "price"
    assert [group.key for group in answer.callers.groups] == ["shop/till.py", "tests"]
    assert (answer.figures.callers, answer.figures.test_callers) == (3, 1)
    assert answer.source.lines[0].spans[0].kind == pb.TOKEN_KIND_KEYWORD
    assert answer.history_missing or answer.owners
    assert answer.basis.repositories[0].repository == "repositories/shop"
    few = views.get_symbol(pb.GetSymbolRequest(symbol="price", max_callers=1, max_lines=1))
    assert (few.callers.cut.shown, few.callers.cut.total) == (1, 3)
    assert (few.source.cut.shown, few.source.cut.total) == (1, 2)


def test_an_ambiguous_name_is_answered_with_its_meanings(shop_service: Service) -> None:
    answer = shop_service.client().views.get_symbol(pb.GetSymbolRequest(symbol="charge"))
    assert {meaning.entity.qualname for meaning in answer.meanings} == {"Till.charge", "charge"}
    assert not answer.HasField("entity")
    with pytest.raises(RequestError) as caught:
        shop_service.client().views.get_symbol(pb.GetSymbolRequest(symbol="nowhere"))
    assert caught.value.failure.reason == "SYMBOL_NOT_FOUND"


def test_hops_in_pages_are_those_of_one_page(shop_service: Service) -> None:
    views = shop_service.client().views
    symbol = views.get_symbol(pb.GetSymbolRequest(symbol="price")).entity.id
    request = pb.ListHopsRequest(symbol=symbol, direction=code_pb.DIRECTION_INCOMING)
    whole = views.list_hops(request)
    assert whole.total == 3
    expected = [row.entity.id for group in whole.groups for row in group.rows]
    request.page_size, found = 1, []
    for page in shop_service.client().pages(views.list_hops, request):
        found += [row.entity.id for group in page.groups for row in group.rows]
    assert found == expected
    tests = views.list_hops(pb.ListHopsRequest(symbol=symbol, direction=code_pb.DIRECTION_INCOMING, group="tests"))
    assert [row.entity.qualname for group in tests.groups for row in group.rows] == ["test_price"]
    callees = views.list_hops(pb.ListHopsRequest(symbol=expected[0]))
    assert [row.entity.qualname for group in callees.groups for row in group.rows] == ["price"]


def test_a_file_a_map_and_an_overview(shop_service: Service) -> None:
    views = shop_service.client().views
    file = views.get_file(pb.GetFileRequest(repository="shop", path="shop/till.py", first_line=9, lines=3))
    assert [line.number for line in file.source.lines] == [9, 10, 11]
    assert [(line.line, line.total) for line in file.callers] == [(10, 3)]
    levels = views.get_levels(pb.GetLevelsRequest(repository="shop"))
    assert levels.folder == "shop", "the folder holds nearly all lines"
    assert {box.path for box in levels.boxes} >= {"shop/__init__.py", "shop/wrapping.py"}
    inside = views.get_levels(pb.GetLevelsRequest(repository="shop", folder="shop"))
    assert [getattr(arrow, "from") for arrow in inside.arrows if arrow.to == "shop/till.py"] == ["shop/counter.py"]
    overview = views.get_overview(pb.GetOverviewRequest(repository="shop"))
    assert {role.name for role in overview.roles} >= {"tests"}
    assert overview.documents[0].path == "README.md"
    assert overview.files == 6
    for call in (
        partial(views.get_file, pb.GetFileRequest(repository="shop", path="nowhere.py")),
        partial(views.get_levels, pb.GetLevelsRequest(repository="shop", folder="nowhere")),
    ):
        with pytest.raises(RequestError) as caught:
            call()
        assert caught.value.failure.reason == "PATH_NOT_FOUND"


def test_a_patch_with_the_call_sites_outside_of_it(shop_service: Service) -> None:
    views = shop_service.client().views
    answer = views.get_change(pb.GetChangeRequest(repository="shop", patch=_PATCH))
    (definition,) = answer.definitions
    assert definition.kind == pb.CHANGED_KIND_SIGNATURE
    assert list(definition.parameters_changed) == ["discount is added and required"]
    assert [site.source_line for site in definition.outside_sites][-1] == "assert price([1]) == 1"
    assert (answer.figures.outside_sites, definition.test_sites) == (3, 1)
    assert answer.tests[0].commands == ["python -m pytest tests/test_shop.py"]
    with pytest.raises(RequestError) as caught:
        views.get_change(pb.GetChangeRequest(repository="shop", patch=_PATCH.replace("len(order)\n+", "sum(order)\n+")))
    assert "hunk 1 of shop/till.py does not match" in caught.value.failure.message


def test_queries_are_checked_and_completed_without_running(shop_service: Service) -> None:
    views = shop_service.client().views
    (note,) = views.check_cypher(pb.CheckCypherRequest(query="MATCH (n:Class)\nRETURN n.nme")).notes
    assert (note.error, note.line, note.message) == (False, 2, "The schema has no property 'nme'; did you mean 'name'?")
    (note,) = views.check_cypher(pb.CheckCypherRequest(query="MATCH (n) DELETE n")).notes
    assert note.error
    found = views.complete_cypher(pb.CompleteCypherRequest(query="MATCH (n:Fun", position=12))
    assert (found.start, found.items[0].text) == (9, "Function")


_USE = "from till import price\n\n\ndef pay():\n    return price(2)\n"


def _ui(store: Path, *arguments: str) -> tuple[subprocess.Popen[str], str]:
    command = [str(Path(sys.executable).parent / "repoquarry"), "ui", "--no-open", *arguments]
    process = subprocess.Popen(
        command, env=environment(store), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ((), "/r/shop"),
        (("shop",), "/r/shop"),
        (("price",), "/r/shop/s/shop/till.py::price"),
        (("charge",), "/r/shop/s/charge"),
        (("--change", "A..B"), "/r/shop/change/A..B"),
    ],
)
def test_ui_announces_the_address_of_the_first_view(
    own_store: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], path: str
) -> None:
    async def announce(context: ServiceContext, listeners: Sequence[Listener]) -> None:
        print(listeners[0].announcement)

    monkeypatch.setattr("repoquarry.server.listeners.serve", announce)
    assert succeed(own_store, "ui", "--no-open", *arguments).stdout == f"{{scheme}}://{{host}}:{{port}}{path}\n"


def test_ui_serves_the_page_at_the_printed_address_until_it_is_interrupted(own_store: Path) -> None:
    process, address = _ui(own_store, "price")
    try:
        match = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/r/shop/s/shop/till.py::price", address)
        assert match is not None, address
        request = urllib.request.Request(
            f"{match[1]}/repoquarry.v1.RepositoryService/ListRepositories",
            data=b"{}",
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["repositories"][0]["name"] == "repositories/shop"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 0


def run_in(folder: Path, store: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    variables = environment(store)
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, env=variables, capture_output=True, text=True, timeout=600, check=False
    )


def _post(address: str, method: str, **body: object) -> Any:
    request = urllib.request.Request(
        f"{address}/repoquarry.v1.{method}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def _run_job(address: str, source: Path) -> Any:
    """Index a folder through the page; the ended job."""
    created = _post(address, "IndexService/CreateIndexJob", sources=[{"location": str(source)}])
    name = created["indexJobs"][0]["name"]
    while True:
        job = _post(address, "IndexService/GetIndexJob", name=name)["indexJob"]
        if job["state"] not in ("STATE_QUEUED", "STATE_RUNNING"):
            return job
        time.sleep(0.1)


def test_ui_writes_the_store_only_while_it_indexes(own_store: Path, tmp_path: Path) -> None:
    process, announced = _ui(own_store)
    address = "/".join(announced.split("/")[:3])
    try:
        first = write_tree(tmp_path / "first", {"one.py": "def one():\n    return 1\n"})
        succeed(own_store, "index", str(first))  # Another process, while the page is open.
        names = {each["name"] for each in _post(address, "RepositoryService/ListRepositories")["repositories"]}
        assert names == {"repositories/shop", "repositories/first"}
        (first / "one.py").write_text("def one():\n    return two()\n\n\ndef two():\n    return 2\n")
        job = _run_job(address, first)
        assert job["state"] == "STATE_SUCCEEDED"
        assert not job["report"].get("unchanged", False)
        found = _post(address, "ViewService/GetSymbol", symbol="two", repositories=["repositories/first"])
        assert found["figures"]["callers"] == "1"
        succeed(own_store, "delete", "first", "--yes")
        _post(address, "RepositoryService/DeleteRepository", name="repositories/shop")
        assert "repositories" not in _post(address, "RepositoryService/ListRepositories")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_ui_reads_a_store_that_a_service_writes_and_refuses_index_jobs(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
    start_service(own_store)
    process, announced = _ui(own_store)
    address = "/".join(announced.split("/")[:3])
    try:
        assert len(_post(address, "RepositoryService/ListRepositories")["repositories"]) == 1
        job = _run_job(address, write_tree(tmp_path / "first", {"one.py": "def one():\n    return 1\n"}))
        assert (job["state"], job["error"]["reason"]) == ("STATE_FAILED", "STORE_BUSY")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_one_line_indexes_the_checkout_and_writes_the_review_of_a_range(tmp_path: Path) -> None:
    source = write_tree(tmp_path / "shop", {"till.py": "def price(order):\n    return 1\n", "use.py": _USE})
    git(source, "init", "-q")
    git(source, "add", "-A")
    git(source, "commit", "-qm", "Open")
    git(source, "branch", "base")
    (source / "till.py").write_text("def price(order, discount):\n    return 1\n")
    git(source, "commit", "-qam", "Take a discount")
    line = ("ui", "--change", "base..HEAD", "--export", "../review/change.html", "--comment", "../review/comment.md")
    for _ in range(2):  # The second run finds the checkout indexed.
        done = run_in(source, tmp_path / "store", *line)
        assert done.returncode == 0, done.stderr
    page = (tmp_path / "review" / "change.html").read_text()
    assert "<td>use.py:5</td><td>return price(2)</td>" in page
    assert "`use.py:5` `return price(2)`" in (tmp_path / "review" / "comment.md").read_text()
    assert "extract" not in done.stderr
    assert run_in(source, tmp_path / "store", "ui", "--comment", "comment.md").returncode != 0


def test_serve_offers_the_page_behind_its_tokens(start_service: StartService, own_store: Path) -> None:
    token = "token-of-the-page-tests"
    service = start_service(own_store, REPOQUARRY_PAGE_LISTEN="127.0.0.1:0", REPOQUARRY_SERVER_TOKENS=token)
    found = re.search(r"page on (http://127\.0\.0\.1:\d+)/", service.log.read_text())
    assert found is not None, service.log.read_text()
    with urllib.request.urlopen(f"{found[1]}/session", timeout=60) as answer:
        assert json.load(answer) == {"needs_token": True, "signed_in": False}
