"""`query --format`: rows on stdout or in a file, all of them, and what they rest on apart from them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from tests.e2e.service import Service, run_here

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
        assert "based on shop at" in done.stderr
        assert "1 row" in done.stderr
        assert "based on" not in done.stdout


def test_a_query_of_no_repository_rests_on_none(shop_store: Path) -> None:
    for query in ("RETURN 1 AS n", "UNWIND [1, 2] AS n WITH n WHERE n > 1 RETURN n"):
        assert run_here(shop_store, "query", query, "--format", "csv").stderr.splitlines() == ["1 row"]
    for query in ("RETURN COUNT { MATCH (n) } AS n", "RETURN size([(a)-[:CALLS]->() | a]) AS n"):
        assert "based on shop at" in run_here(shop_store, "query", query, "--format", "csv").stderr


def test_all_rows_come_unless_fewer_are_asked_for(shop_store: Path, tmp_path: Path) -> None:
    output = tmp_path / "rows.csv"
    done = run_here(shop_store, "query", _MANY, "--format", "csv", "--output", str(output))
    assert done.stdout == ""
    assert "25000 rows\n" in done.stderr
    with output.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["number", "text"]
    assert rows[-1] == ["25000", "text 25000"]
    assert len(rows) == 25_001
    cut = run_here(shop_store, "query", _MANY, "--format", "jsonl", "--rows", "3")
    assert len(cut.stdout.splitlines()) == 3
    assert "3 rows, truncated by the limit on rows" in cut.stderr


def test_a_server_keeps_its_own_limit_and_says_so(shop_service: Service, tmp_path: Path) -> None:
    done = run_here(tmp_path, "query", _MANY, "--format", "jsonl", "--server", shop_service.address)
    assert len(done.stdout.splitlines()) == 10_000
    assert "10000 rows, truncated by the limit on rows" in done.stderr


def test_a_query_that_fails_leaves_no_file(shop_store: Path, tmp_path: Path) -> None:
    output = tmp_path / "rows.csv"
    assert run_here(shop_store, "query", "RETURN nothing", "--output", str(output)).returncode
    assert list(tmp_path.iterdir()) == []
    unwritable = tmp_path / "no" / "rows.csv"
    done = run_here(shop_store, "query", "RETURN 1 AS x", "--output", str(unwritable))
    assert "OUTPUT_FAILED" in done.stderr


def test_an_unknown_format_is_named_with_the_known_ones(shop_store: Path) -> None:
    done = run_here(shop_store, "query", "RETURN 1 AS x", "--format", "xml")
    assert "table, json, jsonl, csv" in done.stderr
