"""Every command works on the local store and through a server, and prints the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.service import Service, repoquarry, run_here, write_tree

QUERY = "MATCH (a:Function)-[c:CALLS]->(b:Function) RETURN a.qualname AS a, b.qualname AS b, c.count AS n ORDER BY a, b"
VOLATILE = {"seconds", "name", "create_time", "start_time", "end_time", "page_token", "next_page_token"}

COMMANDS = [
    ["list", "--json"],
    ["query", QUERY, "--json"],
    ["query", "MATCH p = (:Module)-[:DEFINES]->(:Class) RETURN p, length(p) AS n ORDER BY n LIMIT 2", "--json"],
    ["query", "RETURN $x AS x", "--param", 'x={"a": [1, 2.5, null, true, "é"]}', "--json"],
    ["search", "charge the order", "--json"],
    ["search", "charge", "--mode", "exact", "--tests", "exclude", "--json"],
    ["locate", "Till.charge returns the wrong total", "--json"],
    ["show", "charge", "--json"],
    ["show", "price", "--callers", "--hops", "3", "--json"],
    ["show", "Counter.serve", "--callees", "--json"],
    ["show", "shop/till.py", "--source", "--json"],
    ["context", "shop", "--tokens", "500", "--json"],
    ["duplicates", "--of", "charge", "--json"],
    ["export", "shop", "--format", "callgraph-json"],
]


def steady(value: Any) -> Any:
    """Without what differs between two runs."""
    if isinstance(value, dict):
        return {key: steady(item) for key, item in value.items() if key not in VOLATILE}
    return [steady(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("command", COMMANDS, ids=[" ".join(command)[:40] for command in COMMANDS])
def test_local_and_remote_answer_alike(shop_service: Service, shop_store: Path, command: list[str]) -> None:
    local = run_here(shop_store, *command)
    remote = run_here(shop_service.store.parent / "nowhere", *command, "--server", shop_service.address)
    assert local.returncode == 0, local.stderr
    assert remote.returncode == 0, remote.stderr
    assert steady(json.loads(local.stdout)) == steady(json.loads(remote.stdout))
    assert json.loads(local.stdout)


def test_query_prints_one_object_with_columns_rows_and_basis(shop_store: Path) -> None:
    done = run_here(shop_store, "query", QUERY, "--json")
    answer = json.loads(done.stdout)
    assert answer["columns"] == ["a", "b", "n"]
    assert ["charge", "price", 1] in answer["rows"]
    assert ["Counter.serve", "Till.charge", 1] in answer["rows"]
    basis = answer["basis"]["repositories"][0]
    assert basis["repository"] == "repositories/shop"
    assert basis["parse_error_paths"] == ["broken.py"]
    assert basis["freshness"]["state"] == "current"
    assert basis["unresolved_calls"]["total"] == 1


def test_a_query_comes_from_a_file_or_from_stdin(shop_store: Path, tmp_path: Path) -> None:
    file = tmp_path / "query.cypher"
    file.write_text("RETURN 1 AS one", encoding="utf-8")
    from_file = run_here(shop_store, "query", "--file", str(file), "--json")
    from_stdin = run_here(shop_store, "query", "--json", stdin="RETURN 1 AS one")
    assert json.loads(from_file.stdout)["rows"] == json.loads(from_stdin.stdout)["rows"] == [[1]]


def test_nodes_relationships_and_paths_have_one_form(shop_store: Path) -> None:
    done = run_here(
        shop_store,
        "query",
        "MATCH p = (c:Class {id: 'shop:shop/till.py::Till'})-[r:DEFINES]->(f:Function) RETURN c, r, p",
        "--json",
    )
    node, relationship, path = json.loads(done.stdout)["rows"][0]
    assert node["id"] == "shop:shop/till.py::Till"
    assert node["labels"] == ["Class"]
    assert node["properties"]["qualname"] == "Till"
    assert relationship["type"] == "DEFINES"
    assert relationship["start"] == {"id": node["id"], "label": "Class"}
    assert path == {"nodes": [node, path["nodes"][1]], "relationships": [relationship]}


def test_a_name_that_means_several_things_is_answered_with_all(shop_store: Path) -> None:
    answer = json.loads(run_here(shop_store, "show", "charge", "--json").stdout)
    found = {meaning["entity"]["id"] for meaning in answer["meanings"]}
    assert found == {"shop:shop/till.py::Till.charge", "shop:shop/till.py::charge"}
    text = run_here(shop_store, "show", "charge").stdout
    assert "2 definitions" in text
    assert "shop/till.py:5-7" in text


def test_possible_callers_are_told_apart_from_known_ones(shop_store: Path) -> None:
    answer = json.loads(run_here(shop_store, "show", "wrap", "--callers", "--json").stdout)
    (meaning,) = answer["meanings"]
    assert meaning["relations"] == []
    assert [item["entity"]["qualname"] for item in meaning["possible"]] == ["Counter.serve"]
    assert answer["basis"]["repositories"][0]["unresolved_calls"]["names"] == [{"name": "wrap", "count": 1}]


def test_why_shows_the_features_behind_a_score(shop_store: Path) -> None:
    text = run_here(shop_store, "show", "shop/till.py", "--why").stdout
    values = _values(text)
    features = ("dependency", "complexity", "usage", "semantic", "documentation", "history", "inward", "outward")
    assert "by profile degrees" in text
    assert sum(values[feature] for feature in features) == pytest.approx(values["sum"], abs=0.005)
    assert values["importance"] == pytest.approx(values["sum"], abs=0.001)


def test_why_says_what_the_profile_does_to_the_sum(tmp_path: Path) -> None:
    tree = write_tree(
        tmp_path / "bench", {"x.py": "def f(): ...\n", "test_x.py": "from x import f\n\ndef test_f():\n    f()\n"}
    )
    for profile in ("degrees", "paper"):
        assert run_here(tmp_path / "store", "index", str(tree), REPOQUARRY_INGEST_SCORE_PROFILE=profile).returncode == 0
        text = run_here(tmp_path / "store", "show", "test_x.py", "--why").stdout
        values = _values(text)
        assert f"by profile {profile}" in text
        assert ("times 0.5: it holds tests" in text) is (profile == "degrees")
        assert text.count("(not counted)") == (2 if profile == "paper" else 0)
        half = 0.5 if profile == "degrees" else 1.0
        assert values["importance"] == pytest.approx(values["sum"] * half, abs=0.001)


def _values(text: str) -> dict[str, float]:
    """The numbers that `show --why` prints, by name."""
    return {name: float(value) for name, value in re.findall(r"^ +(\w+) +(\d+\.\d{3})\b", text, re.MULTILINE)}


def test_locate_prints_files_and_definitions(shop_store: Path) -> None:
    answer = json.loads(run_here(shop_store, "locate", "--json", stdin="price of an order in Till.charge").stdout)
    assert answer["files"][0]["path"] == "shop/till.py"
    assert {"path", "qualname", "score", "reasons"} <= answer["definitions"][0].keys()


def test_the_call_graph_is_in_pycg_naming(shop_store: Path) -> None:
    graph = json.loads(run_here(shop_store, "export", "shop").stdout)
    assert graph["shop.till.Till.charge"] == ["shop.till.price"]
    assert graph["shop.till.price"] == ["<builtin>.len"]
    assert graph["shop.wrapping"] == []


def test_ask_answers_with_places(shop_service: Service) -> None:
    done = run_here(
        shop_service.store.parent / "none", "ask", "Who calls price?", "--json", "--server", shop_service.address
    )
    assert done.returncode == 0, done.stderr
    task = json.loads(done.stdout)
    assert task["state"] == "succeeded"
    assert "shop/till.py" in {place["path"] for place in task["answer"]["places"]}
    assert task["answer"]["basis"]["repositories"][0]["repository"] == "repositories/shop"
    assert "1." in done.stderr  # the steps are told while it works


def test_deleting_leaves_the_source_alone(own_store: Path, shop: Path) -> None:
    assert run_here(own_store, "delete", "shop", stdin="n\n").returncode == 130
    assert run_here(own_store, "delete", "shop", "--yes").returncode == 0
    assert run_here(own_store, "list").stdout == "no repository is indexed\n"
    assert run_here(own_store, "show", "price").returncode == 3
    assert (shop / "shop/till.py").exists()


def test_a_command_is_a_process_of_its_own(shop_store: Path) -> None:
    """The other tests run commands in their own process; here is one as a user runs it, with a reader that stops early."""
    done = repoquarry(shop_store, "query", "RETURN 1 AS one", "--json")
    assert (done.returncode, json.loads(done.stdout)["rows"], done.stderr) == (0, [[1]], "")


def test_text_output_names_what_it_rests_on(shop_store: Path) -> None:
    done = run_here(shop_store, "query", "MATCH (c:Class) RETURN c.name AS name ORDER BY name")
    assert "Counter\nGift\nTill" in done.stdout
    assert "based on shop" in done.stderr
    assert "1 file with syntax errors" in done.stderr
