"""Call-graph cases: each folder below `cases` is a small repository, its `expected.json` says what every caller in it calls.

Callers that call nothing are left out; names are those of `export --format callgraph-json`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.python import extract
from repoquarry.server.exports.callgraph_json import DEFAULT_CONFIDENCE
from tests.resolved import call_graph_of

CASES = sorted(path.parent for path in (Path(__file__).parent / "cases").rglob("expected.json"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_call_graph_is_as_expected(case: Path) -> None:
    sources = sorted(path for path in case.rglob("*.py*") if path.suffix in (".py", ".pyi"))
    files = [extract(path.relative_to(case).as_posix(), path.read_bytes()) for path in sources]
    assert all(not facts.parse_errors for facts in files)
    graph = call_graph_of(resolve(files), files, DEFAULT_CONFIDENCE)
    found = {caller: callees for caller, callees in graph.items() if callees}
    assert found == json.loads((case / "expected.json").read_text())
