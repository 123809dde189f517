"""Stores that earlier versions wrote: the current code reads, re-indexes, serves and deletes what is in them."""

import json
import shutil
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from repoquarry.graphstore.model.schema import TIME_PROPERTIES
from repoquarry.v1.index_service_pb2 import StreamIndexEventsRequest
from tests.e2e.compatibility.repositories import ADDRESSES, ServedRepositories, serve_repositories
from tests.e2e.compatibility.write_store import QUESTION, STORES, fill_store, read_graph
from tests.e2e.service import ROOT, StartService, run_here, succeed

VERSIONS = ("b853eaf", "v0.1.0")
SHELF = "inventory:inventory/shelf.py::"
ORDERS = "storefront:storefront/orders.py::"
QUERIES: dict[str, list[list[object]]] = {
    "MATCH (n) WHERE NOT n:Variable RETURN labels(n)[0] AS label, count(*) AS nodes ORDER BY label": [
        ["Class", 9],
        ["Directory", 13],
        ["Document", 2],
        ["External", 33],
        ["Function", 32],
        ["Module", 13],
        ["Name", 2],
        ["Package", 3],
        ["Repository", 2],
    ],
    "MATCH (a:External)-[:PROVIDES]->(b) RETURN a.qualname, b.id ORDER BY a.qualname": [
        ["inventory", "inventory:inventory/__init__.py"],
        ["inventory.Warehouse", "inventory:inventory/warehouse.py::Warehouse"],
        ["inventory.shelf", "inventory:inventory/shelf.py"],
        ["inventory.shelf.clamp", f"{SHELF}clamp"],
    ],
    "MATCH (a:Function)-[c:CALLS]->(b:Function) WHERE a.name IN ['price', 'renderBasket'] "
    "RETURN a.qualname, b.qualname, c.confidence ORDER BY a.qualname, b.qualname": [
        ["PriceList.price", "Discount.apply", 0.98],
        ["PriceList.price", "SeasonDiscount.apply", 0.45],
        ["renderBasket", "Basket.total", 0.97],
        ["renderBasket", "formatPrice", 0.99],
    ],
    "MATCH p = (:Function {name: 'main'})-[:CALLS*1..4]->(:Function {name: 'clamp'}) RETURN [n IN nodes(p) | n.name]": [
        [["main", "load", "receive", "put", "clamp"]],
    ],
    "MATCH (a)-[r:INHERITS|OVERRIDES]->(b {language: 'java'}) RETURN type(r) AS type, a.qualname, b.qualname ORDER BY type": [
        ["INHERITS", "SeasonDiscount", "Discount"],
        ["OVERRIDES", "SeasonDiscount.apply", "Discount.apply"],
    ],
    "MATCH (m:Module) WHERE m.is_test RETURN m.path, m.commits, m.calls_resolved ORDER BY m.path": [
        ["tests/test_orders.py", 1, True],
        ["tests/test_shelf.py", 1, True],
    ],
}  # fmt: skip


def run_json(store: Path, *arguments: str, **variables: str) -> dict[str, Any]:
    done = succeed(store, *arguments, "--json", **variables)
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def query_rows(store: Path, query: str) -> list[list[object]]:
    rows: list[list[object]] = run_json(store, "query", query)["rows"]
    return rows


def search_hits(store: Path, text: str, mode: str) -> dict[str, float]:
    """Return scores by id, best first."""
    hits = run_json(store, "search", text, "--mode", mode)["hits"]
    return {hit["entity"]["id"]: hit["score"] for hit in hits}


def extract_ids(found: list[dict[str, Any]]) -> list[str]:
    return [item["entity"]["id"] for item in found]


def index(store: Path, name: str, repositories: ServedRepositories) -> dict[str, Any]:
    (job,) = run_json(store, "index", ADDRESSES[name], **repositories.variables)["jobs"]
    assert job["state"] == "succeeded"
    report: dict[str, Any] = job["report"]
    return report


def _without_times(store: Path) -> list[dict[str, Any]]:
    """Return the nodes and relationships of a store without the time of indexing."""
    return [
        {**row, "properties": {key: value for key, value in row["properties"].items() if key not in TIME_PROPERTIES}}
        for row in read_graph(store)
    ]


def assert_same_answers(store: Path, fresh: Path) -> None:
    assert _without_times(store) == _without_times(fresh)
    for mode in ("keyword", "semantic", "regex"):
        expected = search_hits(fresh, "capacity", mode)
        assert expected
        assert search_hits(store, "capacity", mode) == pytest.approx(expected)
    used = [run_json(folder, "show", "count", "--references")["references"] for folder in (store, fresh)]
    assert used[0] == used[1] != []
    for option in ("--source", "--owners"):
        assert (
            run_json(store, "show", "clamp", option)["meanings"] == run_json(fresh, "show", "clamp", option)["meanings"]
        )


@pytest.fixture
def repositories(tmp_path: Path) -> Iterator[ServedRepositories]:
    with serve_repositories(tmp_path / "repositories") as repositories:
        yield repositories


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the current code wrote from the same sources."""
    folder = tmp_path_factory.mktemp("fresh")
    with serve_repositories(folder / "repositories") as repositories:
        fill_store(folder / "store", repositories)
    return folder / "store"


@pytest.fixture(scope="module", params=VERSIONS)
def stored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store as an earlier version wrote it; copy it to change it."""
    folder = tmp_path_factory.mktemp("stored")
    with tarfile.open(STORES / f"{request.param}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "store"


@pytest.fixture
def store(stored: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(stored, tmp_path / "store"))


def test_list_reads_the_repositories(stored: Path) -> None:
    keys = ("display_name", "source", "commit", "branch", "languages", "files", "lines", "summary")
    listed = [[repository[key] for key in keys] for repository in run_json(stored, "list")["repositories"]]
    inventory, storefront = "e6c5006995ff72cbfd5c85a6ac4c318000f0b08b", "87a9f7b3e2263f503a8fb9a8ca1864bb1b3d79b9"
    languages = ["java", "python", "javascript"]
    assert listed == [
        ["inventory", ADDRESSES["inventory"], inventory, "main", ["python"], 5, 97, "Stock levels of a warehouse"],
        ["storefront", ADDRESSES["storefront"], storefront, "main", languages, 8, 110, "Orders over a web page"],
    ]


def test_query_reads_the_graph_as_its_writer_did(stored: Path) -> None:
    assert read_graph(stored) == json.loads((stored.parent / "graph.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("query", QUERIES, ids=("labels", "provided", "calls", "path", "types", "tests"))
def test_query_returns_the_expected_rows(stored: Path, query: str) -> None:
    assert query_rows(stored, query) == QUERIES[query]


def test_show_reads_the_text_the_callers_and_the_history(stored: Path) -> None:
    (shown,) = run_json(stored, "show", "clamp", "--source")["meanings"]
    assert shown["entity"]["id"] == f"{SHELF}clamp"
    assert "return max(low, min(value, high))" in json.dumps(shown)
    (shown,) = run_json(stored, "show", "clamp", "--callers")["meanings"]
    callers = [f"{SHELF}Shelf.put", "inventory:tests/test_shelf.py::test_clamp", f"{ORDERS}Order.limited"]
    assert extract_ids(shown["relations"]) == callers
    (shown,) = run_json(stored, "show", "clamp", "--owners")["meanings"]
    assert [(owner["name"], owner["last_commit_time"]) for owner in shown["owners"]] == [
        ("Grace", "2024-03-04T05:06:07Z")
    ]


def test_show_lists_references_in_both_repositories(stored: Path) -> None:
    used = run_json(stored, "show", "clamp", "--references")["references"]
    calls = [(place["path"], place["line"]) for place in used if place["kinds"] == ["call"]]
    assert calls == [("inventory/shelf.py", 28), ("storefront/orders.py", 15), ("tests/test_shelf.py", 11)]


def test_this_version_has_a_store() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"v{version}" in VERSIONS


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic", "exact", "regex"])
def test_search_finds_the_definition_first(stored: Path, mode: str) -> None:
    assert next(iter(search_hits(stored, "Return the remaining capacity", mode))) == f"{SHELF}Container.free"


def test_ask_and_impact_follow_calls_across_repositories(store: Path) -> None:
    places = run_json(store, "ask", QUESTION)["answer"]["places"]
    assert {place["qualname"] for place in places} == {"Shelf.put", "test_clamp", "Order.limited"}
    impact = run_json(store, "impact", "inventory", "--symbol", "clamp")
    assert extract_ids(impact["affected"])[:2] == [f"{SHELF}Shelf.put", f"{ORDERS}Order.limited"]
    assert extract_ids(impact["test_files"]) == ["inventory:tests/test_shelf.py", "storefront:tests/test_orders.py"]


@pytest.mark.slow
def test_index_of_unchanged_sources_equals_a_fresh_store(
    store: Path, fresh: Path, repositories: ServedRepositories
) -> None:
    revision = "MATCH (r:Repository {id: '%s'}) RETURN r.revision"
    for name in ADDRESSES:
        is_same = query_rows(store, revision % name) == query_rows(fresh, revision % name)
        assert index(store, name, repositories)["unchanged"] == is_same
    assert_same_answers(store, fresh)


@pytest.mark.slow
def test_index_after_an_edit_equals_a_fresh_store(
    store: Path, tmp_path: Path, repositories: ServedRepositories
) -> None:
    text = (repositories.folder / "inventory/inventory/shelf.py").read_text(encoding="utf-8")
    repositories.commit_file("inventory", "inventory/shelf.py", text.replace("count = 0", "count = clamp(0, 0, 0)"))
    for name in ADDRESSES:
        index(tmp_path / "fresh", name, repositories)
        index(store, name, repositories)
    called = "MATCH (f:Function {qualname: 'Shelf.__init__'})-[:CALLS]->(g {name: 'clamp'}) RETURN count(g)"
    assert query_rows(store, called) == [[1]]
    assert_same_answers(store, tmp_path / "fresh")


def test_delete_leaves_the_other_repository(store: Path) -> None:
    assert run_here(store, "delete", "inventory", "--yes").returncode == 0
    assert [repository["display_name"] for repository in run_json(store, "list")["repositories"]] == ["storefront"]
    assert query_rows(store, "MATCH (n) WHERE n.repository = 'inventory' RETURN count(n)") == [[0]]
    assert query_rows(store, "MATCH (:External)-[r:PROVIDES]->() RETURN count(r)") == [[0]]
    assert next(iter(search_hits(store, "Reserve the items of an order", "keyword"))) == f"{ORDERS}place_order"
    assert not search_hits(store, "Limit a value to a range", "exact")


def test_serve_reads_finished_work_and_does_more(
    store: Path, start_service: StartService, repositories: ServedRepositories
) -> None:
    service = start_service(store, **repositories.variables)
    server = ("--server", service.address)
    (job,) = run_json(store, "list", "--jobs", *server)["index_jobs"]
    assert (job["state"], job["repository"], job["report"]["files"]) == ("succeeded", "repositories/inventory", 5)
    events = service.client().index.stream_index_events(StreamIndexEventsRequest(name=job["name"]))
    assert [part.event.sequence for part in events] == list(range(1, job["last_sequence"] + 1))
    (task,) = run_json(store, "list", "--tasks", *server)["tasks"]
    assert (task["state"], task["spec"]["text"], len(task["answer"]["places"])) == ("succeeded", QUESTION, 3)
    (batch,) = run_json(store, "list", "--batches", *server)["batches"]
    outcomes = run_json(store, "batch", batch["name"], *server)["outcomes"]
    assert [(outcome["repository"], outcome["files"]) for outcome in outcomes] == [("inventory", 5), ("storefront", 8)]
    (added,) = run_json(store, "index", ADDRESSES["storefront"], *server)["jobs"]
    assert added["state"] == "succeeded"
    assert len(run_json(store, "list", "--jobs", *server)["index_jobs"]) == 2
