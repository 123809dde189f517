"""ViewService and the page over a running service: every view in one call, with its cuts and its basis."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from repoquarry.server.errors import RequestError
from repoquarry.server.listener import Listener, ServiceContext
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import view_service_pb2 as pb
from tests.e2e.service import Service, StartService, environment, succeed

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


def test_ui_reports_another_writer_of_the_store(start_service: StartService, own_store: Path) -> None:
    start_service(own_store)
    process, address = _ui(own_store)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert address.startswith("http://127.0.0.1:")
    assert "tasks and index jobs are off" in errors


def test_serve_offers_the_page_behind_its_tokens(start_service: StartService, own_store: Path) -> None:
    token = "token-of-the-page-tests"
    service = start_service(own_store, REPOQUARRY_PAGE_LISTEN="127.0.0.1:0", REPOQUARRY_SERVER_TOKENS=token)
    found = re.search(r"page on (http://127\.0\.0\.1:\d+)/", service.log.read_text())
    assert found is not None, service.log.read_text()
    with urllib.request.urlopen(f"{found[1]}/session", timeout=60) as answer:
        assert json.load(answer) == {"needs_token": True, "signed_in": False}
