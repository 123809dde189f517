"""Lint of named queries: names, bounds and constructs are checked without a store; ours and those of the documents are clean."""

import re
from pathlib import Path

import pytest

from repoquarry.graphstore.query.query_library import QueryLibrary, read_query_file
from repoquarry.graphstore.query.query_lint import lint_query

_ROOT = Path(__file__).parents[2]


def _lint(folder: Path, text: str, header: str = "// A rule.\n// rule\n") -> list[str]:
    file = folder / "own.cypher"
    file.write_text(header + text, encoding="utf-8")
    return lint_query(read_query_file(file))


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("MATCH (f:Function) WHERE f.brnches > 3 RETURN f.id", "no property 'brnches'; did you mean 'branches'"),
        ("MATCH (f:Fonction) RETURN f.id", "no label 'Fonction'; did you mean 'Function'"),
        ("MATCH (a)-[:CALL]->(b) RETURN a.id", "no relationship type 'CALL'"),
        ("MATCH (a:Class)-[:INHERITS*]->(b) RETURN a.id", "a path has no upper bound"),
        ("MATCH (a:Class) RETURN id(a) AS x", "refused on this engine"),
        ("MATCH (a:Class) SET a.x = 1", "SET writes"),
        ("MATCH (a:Class RETURN a", "line 1"),
    ],
)
def test_a_mistake_in_a_query_is_found(tmp_path: Path, text: str, finding: str) -> None:
    assert any(finding in found for found in _lint(tmp_path, text)), _lint(tmp_path, text)


def test_parameters_need_no_values(tmp_path: Path) -> None:
    header = "// A rule.\n// rule\n// $names: list; names\n// $most: integer; number\n"
    assert _lint(tmp_path, "MATCH (f:Function) WHERE f.name IN $names AND f.branches > $most RETURN f.id", header) == []


@pytest.mark.parametrize("name", sorted(QueryLibrary().queries))
def test_shipped_queries_are_clean(name: str) -> None:
    assert lint_query(QueryLibrary().queries[name]) == []


_NAMED = re.compile(
    r"query --named ([a-z][\w-]+)|repoquarry queries ([a-z][\w-]+)|named_query[\"']?[:=] *[\"']([a-z][\w-]+)"
)


def test_documents_name_queries_that_exist() -> None:
    pages = [*(_ROOT / "docs").rglob("*.md"), _ROOT / "README.md", *(_ROOT / "examples").rglob("*.*")]
    named = {
        (page.name, name)
        for page in pages
        for found in _NAMED.findall(page.read_text("utf-8", errors="ignore"))
        for name in found
        if name
    }
    own = {"public-functions"}
    assert len(named) > 3
    assert {(page, name) for page, name in named if name not in {*QueryLibrary().queries, *own}} == set()
