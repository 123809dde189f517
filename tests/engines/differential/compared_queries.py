"""Queries whose rows are compared between the engines.

Over the frozen graphs: the corpus, the recipes of the documentation and lookups by many ids. Over the sample graphs: the
product's own queries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.query_library import QueryLibrary
from repoquarry.graphstore.testing.sample_graphs import random_graph, sample_graph
from tests.documentation.pages import list_pages, read_blocks
from tests.engines.differential import corpus
from tests.engines.differential.engine_pair import load_graphs
from tests.internal_queries import QUERIES


@dataclass(frozen=True)
class ComparedQuery:
    """Query with its parameters; `name` is the test's id."""

    name: str
    text: str
    parameters: dict[str, Value]
    accepted: tuple[str, ...] = ("equal",)
    """Verdicts of the comparison that are right."""

    has_rows: bool | None = None
    """True if equal answers have rows, False if they have none, None if both are right."""

    graphs: str = "frozen"
    """Graphs of `GRAPHS` that the query reads."""


@cache
def list_queries() -> list[ComparedQuery]:
    return [*_corpus_queries(), *_recipes(), *_lookups()]


GRAPHS: Mapping[str, Callable[[], list[RepositoryGraph]]] = {
    "frozen": load_graphs,
    "sample": lambda: [sample_graph(), sample_graph("tools"), random_graph("random", 120, 400)],
}


@cache
def list_named_queries() -> list[ComparedQuery]:
    """List the product's own queries over the sample graphs; most of them have rows."""
    queries: list[ComparedQuery] = []
    for name, query in sorted(QUERIES.items()):
        values = {"id": _TOTAL, **_PARAMETERS, **_BY_QUERY.get(name, {})}
        parameters = {parameter.name: values[parameter.name] for parameter in query.parameters}
        has_rows = None if name in _EMPTY else True
        queries.append(ComparedQuery(name, query.text, parameters, has_rows=has_rows, graphs="sample"))
    return queries


_ACCEPTED = {"Rejected by both engines": ("rejected",), "Never refused": ("equal",)}


def _corpus_queries() -> Iterator[ComparedQuery]:
    for case in corpus.read():
        accepted = _ACCEPTED.get(case.chapter.partition(":")[0], ("equal", "refused"))
        yield ComparedQuery(
            f"{case.chapter} {case.line}", case.query, case.parameters, accepted, has_rows=not case.is_empty
        )


_WITHOUT_ROWS = frozenset({"dead-code", "possibly-dead-code"})
"""Named queries without rows over the frozen graphs, where no private function is dead: tests/engines/test_dead_code.py has rows."""


def _recipes() -> Iterator[ComparedQuery]:
    """Yield the queries of the pages; tests/engines/test_search_procedures.py compares those that search."""
    library = {query.text: query for query in QueryLibrary().queries.values()}
    for block in (block for page in list_pages() for block in read_blocks(page)):
        if block.language != "cypher" or not block.is_executed or "CALL db.index." in block.text:
            continue
        text = block.text.strip()
        parameters: dict[str, Value] = {"repository": "quarry"} if "$repository" in text else {}
        has_rows = True
        if text in library:
            name = library[text].name
            parameters = library[text].bind(corpus.NAMED_VALUES.get(name, {}))
            has_rows = name not in _WITHOUT_ROWS
        yield ComparedQuery(block.place, text, parameters, has_rows=has_rows)


def _lookups() -> Iterator[ComparedQuery]:
    ids = many_ids()
    for number, text in enumerate(_BY_IDS):
        yield ComparedQuery(f"ids {number}", text, {"ids": ids})


@cache
def many_ids() -> list[Value]:
    """List ids of functions and classes, the first of them twice, and one that is not stored."""
    tables = [table for graph in load_graphs() for table in graph.nodes if table.label in {"Function", "Class"}]
    ids = sorted(str(node) for table in tables for node in table.columns["id"])
    return [*ids[::3], ids[0], "not:there"]


_BY_IDS = (
    "MATCH (f) WHERE f.id IN $ids RETURN f.id AS f, labels(f) AS l",
    "MATCH (f:Function) WHERE f.id IN $ids AND f.calls_in >= 0 RETURN f.id AS f",
    "MATCH (f:Function) WHERE f.id IN $ids OR f.name = 'run' RETURN f.id AS f",
    "MATCH (f:Function) WHERE NOT f.id IN $ids RETURN count(f) AS n",
    "MATCH (f:Function)-[:CALLS]->(g) WHERE g.id IN $ids RETURN f.id AS f, g.id AS g",
    "MATCH (f)-[:CALLS]-(g) WHERE g.id IN $ids AND f.id IN $ids RETURN f.id AS f, g.id AS g",
    "MATCH (m)-[:DEFINES]->(f), (f)-[:CALLS]->(g) WHERE f.id IN $ids RETURN m.id AS m, count(*) AS n",
    "MATCH p = (f)-[:CALLS*1..2]->(g) WHERE f.id IN $ids RETURN [n IN nodes(p) | n.id] AS ids",
    "MATCH (f:Function {name: 'run'}) WHERE f.id IN $ids RETURN f.id AS f",
    "MATCH (f) WHERE f.id IN $ids WITH f, f.name AS name OPTIONAL MATCH (f)-[:CALLS]->(g) RETURN f.id AS f, count(g) AS n",
    "MATCH (f) WHERE f.id IN $ids WITH *, 1 AS one RETURN count(*) AS n, sum(one) AS m",
    "MATCH (f) WHERE f.id IN $ids WITH DISTINCT * RETURN count(*) AS n",
    "MATCH (f) WHERE f.id IN $ids RETURN *",
    "MATCH (f) WHERE f.id IN $ids RETURN f.id AS f, COLLECT { MATCH (f)-[:CALLS]->(g) RETURN g.id ORDER BY g.id LIMIT 2 } AS gs ORDER BY f",
    "MATCH (f:Function) WHERE f.id IN $ids RETURN percentileCont(f.calls_in, 0.5) AS p",
    "MATCH (f:Function) WHERE f.id IN $ids RETURN f.id AS x UNION ALL MATCH (c:Class) WHERE c.id IN $ids RETURN c.id AS x",
    "OPTIONAL MATCH (f) WHERE f.id IN $ids RETURN f.id AS f",
    "MATCH (a:Repository) MATCH (f:Class) WHERE f.id IN $ids RETURN count(*) AS n",
    "MATCH (f) WHERE f.id IN [] RETURN f.id AS f",
    "MATCH (f) WHERE EXISTS { MATCH (g)-[:CALLS]->(f) WHERE g.id IN $ids } RETURN f.id AS f",
    "MATCH (f) WHERE f.id IN $ids CALL (f) { MATCH (f)-[:CALLS]->(g) WHERE g.id IN $ids RETURN count(g) AS n } RETURN f.id AS f, n",
)  # fmt: skip


_TOTAL = "shop:shop/app.py::total"
_PARAMETERS: dict[str, Value] = {
    "repository": "shop",
    "repositories": ["shop", "tools", "random"],
    "first": 0,
    "limit": 100,
    "folder": "",
    "paths": ["shop/models.py", "shop/app.py"],
    "names": ["price", "total", "close", "Item"],
    "ending": ".py",
    "suffix": "n",
    "ids": [
        _TOTAL, "shop", "shop:.", "shop:shop/app.py", "shop:shop/models.py::Item", "shop:shop/models.py::Book.price",
        "shop:shop/app.py::main", "shop:README.md", "shop:external:builtins.len", "shop:name:price", "package:pypi/shop",
        "shop:shop/models.py", "shop:shop/models.py::Book", "tools:shop/app.py::total", "shop:shop/models.py::Item.price",
        "package:pypi/requests", "shop:external:json.dumps", "shop:tests/test_app.py::test_total", "shop:shop/prices.py::discount",
        "shop:shop/models.py::Item.name",
    ],
}  # fmt: skip
_BY_QUERY: dict[str, dict[str, Value]] = {
    "duplicates": {"repository": "", "lines": 1, "tests": False},
    "duplicates_of": {"bodies": ["0123456789abcdef0123"]},
    "documents_by_path": {"ending": "README.md"},
    "code_spelled": {"names": ["item", "book"]},
    "code_qualified": {"name": "price", "qualname": "Book.price"},
    "modules_named": {"name": "app", "ends": [".app"], "parts": ["/app."]},
    "subclasses_of_outside": {"qualname": "builtins.Exception"},
    "outside_named": {"qualname": "json.dumps"},
    "externals_named": {"qualname": "json.dumps"},
    "variables_named": {"name": "LIMIT"},
}
# nothing in the sample answers these for the ids above, or not on purpose; tests/e2e/answers/test_across.py has calls across
_EMPTY = {
    "link_dependents",
    "package_dependents",
    "provides_in",
    "references_from",
    "calls_across_in",
    "calls_across_out",
    "external_counts",
    "variables_named",
}
