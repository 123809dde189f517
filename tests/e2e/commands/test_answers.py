"""Answers of commands, equal on a local store and through a server, and in every format of rows and of changes."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from repoquarry.server.cli.commands.compare import format_change
from repoquarry.v1 import view_service_pb2 as pb
from tests.e2e.service import Service, repoquarry, run_here, succeed
from tests.source_trees import write_tree

QUERY = "MATCH (a:Function)-[c:CALLS]->(b:Function) RETURN a.qualname AS a, b.qualname AS b, c.count AS n ORDER BY a, b"
VOLATILE = {"seconds", "name", "create_time", "start_time", "end_time", "check_time", "page_token", "next_page_token"}

COMMANDS = [
    ["list", "--json"],
    ["query", QUERY, "--json"],
    ["query", "MATCH p = (:Module)-[:DEFINES]->(:Class) RETURN p, length(p) AS n ORDER BY n LIMIT 2", "--json"],
    ["query", "RETURN $x AS x", "--param", 'x={"a": [1, 2.5, null, true, "é"]}', "--json"],
    ["search", "charge the order", "--json"],
    ["search", "charge", "--mode", "exact", "--tests", "exclude", "--json"],
    ["locate", "Till.charge returns the wrong total", "--json"],
    ["show", "Till.charge", "--json"],
    ["show", "price", "--callers", "--hops", "3", "--json"],
    ["show", "Counter.serve", "--callees", "--json"],
    ["show", "shop/till.py", "--source", "--json"],
    ["context", "shop", "--tokens", "500", "--json"],
    ["duplicates", "--of", "Till.charge", "--json"],
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


_FEATURES = ("dependency", "complexity", "usage", "semantic", "documentation", "history", "inward", "outward")


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
        counted = _FEATURES if profile == "degrees" else _FEATURES[:6]
        assert sum(values[feature] for feature in counted) == pytest.approx(values["sum"], abs=0.005)
        half = 0.5 if profile == "degrees" else 1.0
        assert values["importance"] == pytest.approx(values["sum"] * half, abs=0.001)


def _values(text: str) -> dict[str, float]:
    """The numbers that `show --why` prints, by name."""
    return {name: float(value) for name, value in re.findall(r"^ +(\w+) +(\d+\.\d{3})\b", text, re.MULTILINE)}


def test_ask_answers_with_places(shop_service: Service) -> None:
    done = succeed(
        shop_service.store.parent / "none", "ask", "Who calls price?", "--json", "--server", shop_service.address
    )
    task = json.loads(done.stdout)
    assert task["state"] == "succeeded"
    assert "shop/till.py" in {place["path"] for place in task["answer"]["places"]}
    assert task["answer"]["basis"]["repositories"][0]["repository"] == "repositories/shop"
    assert done.stderr == ""  # A question without a model has no steps.


def test_deleting_leaves_the_source_alone(own_store: Path, shop: Path) -> None:
    assert run_here(own_store, "delete", "shop", stdin="n\n").returncode == 130
    assert run_here(own_store, "delete", "shop", "--yes").returncode == 0
    assert run_here(own_store, "list").stdout == "no repositories\n"
    assert run_here(own_store, "show", "price").returncode == 3
    assert (shop / "shop/till.py").exists()


def test_a_command_is_a_process_of_its_own(shop_store: Path) -> None:
    """The other tests run commands in their own process; here is one as a user runs it, with a reader that stops early."""
    done = repoquarry(shop_store, "query", "RETURN 1 AS one", "--json")
    assert (done.returncode, json.loads(done.stdout)["rows"], done.stderr) == (0, [[1]], "")


_MIXED = (
    "UNWIND [[1, 'a,\"b\"\\nc', 2.5], [null, '', [1, {k: 'v'}]]] AS row "
    "RETURN row[0] AS number, row[1] AS text, row[2] AS anything"
)
_MANY = "UNWIND range(1, 25000) AS number RETURN number, 'text ' + toString(number) AS text"


def test_each_format_writes_the_same_rows(shop_store: Path) -> None:
    lines = run_here(shop_store, "query", _MIXED, "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"number": 1, "text": 'a,"b"\nc', "anything": 2.5},
        {"number": None, "text": "", "anything": [1, {"k": "v"}]},
    ]
    done = run_here(shop_store, "query", _MIXED, "--format", "csv")
    assert list(csv.reader(io.StringIO(done.stdout, newline=""))) == [
        ["number", "text", "anything"],
        ["1", 'a,"b"\nc', "2.5"],
        ["", "", '[1, {"k": "v"}]'],
    ]
    whole = json.loads(run_here(shop_store, "query", _MIXED, "--format", "json").stdout)
    assert whole["columns"] == ["number", "text", "anything"]
    assert whole["rows"][1] == [None, "", [1, {"k": "v"}]]
    assert not whole["basis"]["repositories"]  # rows that are written in the query rest on none


def test_what_rows_rest_on_goes_to_stderr(shop_store: Path) -> None:
    for form in ("table", "csv", "jsonl"):
        done = run_here(
            shop_store, "query", "MATCH (f:Function {repository: 'shop'}) RETURN count(f) AS n", "--format", form
        )
        assert "based on shop@" in done.stderr
        assert "1 row" in done.stderr
        assert "based on" not in done.stdout
        assert "syntax errors" not in done.stderr
    whole = run_here(shop_store, "query", "MATCH (f:Function) RETURN f.name LIMIT 1", "--basis")
    assert "1 file with syntax errors" in " ".join(whole.stderr.split())


def test_a_query_of_no_repository_rests_on_none(shop_store: Path) -> None:
    for query in ("RETURN 1 AS n", "UNWIND [1, 2] AS n WITH n WHERE n > 1 RETURN n"):
        assert run_here(shop_store, "query", query, "--format", "csv").stderr.splitlines() == ["1 row"]
    for query in ("RETURN COUNT { MATCH (n) } AS n", "RETURN size([(a)-[:CALLS]->() | a]) AS n"):
        assert "based on shop@" in run_here(shop_store, "query", query, "--format", "csv").stderr


def test_all_rows_come_unless_fewer_are_asked_for(shop_store: Path, tmp_path: Path) -> None:
    output = tmp_path / "rows.csv"
    done = run_here(shop_store, "query", _MANY, "--format", "csv", "--output", str(output))
    assert done.stdout == ""
    assert done.stderr == f"{output}: {output.stat().st_size:,} bytes\n25,000 rows\n"
    with output.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["number", "text"]
    assert rows[-1] == ["25000", "text 25000"]
    assert len(rows) == 25_001
    cut = run_here(shop_store, "query", _MANY, "--format", "jsonl", "--limit", "3")
    assert len(cut.stdout.splitlines()) == 3
    assert "3 rows, truncated by the limit on rows" in cut.stderr


def test_server_applies_and_reports_its_own_limit(shop_service: Service, tmp_path: Path) -> None:
    done = run_here(tmp_path, "query", _MANY, "--format", "jsonl", "--server", shop_service.address)
    assert len(done.stdout.splitlines()) == 10_000
    assert "10,000 rows, truncated by the limit on rows" in done.stderr


def test_a_query_that_fails_leaves_no_file(shop_store: Path, tmp_path: Path) -> None:
    output = tmp_path / "rows.csv"
    assert run_here(shop_store, "query", "RETURN nothing", "--output", str(output)).returncode
    assert list(tmp_path.iterdir()) == []


_PATCH = """--- a/shop/till.py
+++ b/shop/till.py
@@ -10,2 +10,2 @@
-def price(order):
-    return len(order)
+def price(order, discount):
+    return len(order) - discount
"""


@pytest.mark.parametrize("name", ["markdown", "json", "junit-list"])
def test_each_format_of_impact_has_the_tests_to_run(shop_store: Path, name: str) -> None:
    done = run_here(shop_store, "impact", "shop", "--patch", "-", "--format", name, stdin=_PATCH)
    assert done.returncode == 0, done.stderr
    expected = {
        "markdown": "python -m pytest tests/test_shop.py",
        "json": "tests/test_shop.py",
        "junit-list": "tests/test_shop.py::test_price",
    }
    assert expected[name] in done.stdout
    if name == "markdown":
        assert done.stdout.startswith("**3 call sites outside the diff**")
        assert "discount is added and required" in done.stdout
    elif name == "json":
        assert json.loads(done.stdout)["test_files"]


def test_nothing_outside_the_diff_gives_no_comment() -> None:
    response = pb.GetChangeResponse(figures=pb.ChangeFigures(definitions=3, reached=7))
    assert format_change(response) == ""


def test_texts_of_a_repository_stay_in_their_code_spans() -> None:
    response = pb.GetChangeResponse(figures=pb.ChangeFigures(outside_sites=1))
    item = response.definitions.add(
        kind=pb.CHANGED_KIND_SIGNATURE, outside_total=1, parameters_changed=["*a* is now `x`"]
    )
    item.after.qualname = "f`<img>`"
    item.outside_sites.add(line=1, source_line="f(`a``b`) [x](y)")
    text = format_change(response)
    assert "`` f`<img>` ``" in text
    assert "``` f(`a``b`) [x](y) ```" in text
    assert r"\*a\* is now `x`" in text
