"""Queries whose rows are compared between the engines: the corpus, the recipes of the documentation, lookups by many ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.query_library import QueryLibrary
from tests.documentation.pages import list_pages, read_blocks
from tests.engines.differential import corpus
from tests.engines.differential.engine_pair import load_graphs


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


@cache
def list_queries() -> list[ComparedQuery]:
    return [*_corpus_queries(), *_recipes(), *_lookups()]


_ACCEPTED = {"Rejected by both engines": ("rejected",), "Never refused": ("equal",)}


def _corpus_queries() -> Iterator[ComparedQuery]:
    for case in corpus.read():
        accepted = _ACCEPTED.get(case.chapter.partition(":")[0], ("equal", "refused"))
        yield ComparedQuery(
            f"{case.chapter} {case.line}", case.query, case.parameters, accepted, has_rows=not case.is_empty
        )


def _recipes() -> Iterator[ComparedQuery]:
    """Yield the queries of the pages; tests/engines/test_search_procedures.py compares those that search."""
    library = {query.text: query for query in QueryLibrary().queries.values()}
    for block in (block for page in list_pages() for block in read_blocks(page)):
        if block.language != "cypher" or not block.is_executed or "CALL db.index." in block.text:
            continue
        text = block.text.strip()
        parameters: dict[str, Value] = {"repository": "quarry"} if "$repository" in text else {}
        if text in library:
            parameters = library[text].bind(corpus.NAMED_VALUES.get(library[text].name, {}))
        yield ComparedQuery(block.place, text, parameters, has_rows=True)


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
