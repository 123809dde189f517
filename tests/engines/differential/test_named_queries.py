"""The product's own queries: the embedded engine and Neo4j give the recorded rows, and scopes are those of the texts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from repoquarry.graphstore.query.cypher.scope_analysis import analyze_text_scope
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import DECLARED_SCOPES, Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.engines.differential.compared_queries import GRAPHS, ComparedQuery, list_named_queries
from tests.engines.differential.engine_pair import Answer, compare_answers
from tests.engines.differential.recorded_rows import RecordedRows
from tests.internal_queries import QUERIES
from tests.neo4j_server import Neo4jServer, empty

_SOURCES = Path(__file__).parents[2] / "unit" / "resolution" / "sources"
_NAMED = list_named_queries()


@pytest.fixture(scope="module")
def embedded_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Sample graphs on the embedded engine."""
    with _filled_store(StoreSettings(tmp_path_factory.mktemp("named"))) as store:
        yield store


@pytest.fixture(scope="module")
def neo4j_store(neo4j_instance: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Sample graphs on Neo4j."""
    empty(neo4j_instance)
    with _filled_store(neo4j_instance.settings(tmp_path_factory.mktemp("named"))) as store:
        yield store


@contextmanager
def _filled_store(settings: StoreSettings) -> Iterator[Store]:
    with Store.open(settings, writable=True) as store:
        for graph in GRAPHS["sample"]():
            store.engine.replace_repository(graph)
        yield store


def _check(store: Store, recorded: RecordedRows, query: ComparedQuery) -> None:
    result = store.execute_named(query.name, **query.parameters)
    verdict = compare_answers(query.text, Answer(result.columns, tuple(result.rows)), recorded.get(query))
    assert verdict.kind == "equal", f"{verdict.kind}: {verdict.detail}"
    assert verdict.rows or not query.has_rows


@pytest.mark.parametrize("query", _NAMED, ids=[query.name for query in _NAMED])
def test_embedded_engine_gives_the_recorded_rows(
    embedded_store: Store, recorded: RecordedRows, query: ComparedQuery
) -> None:
    _check(embedded_store, recorded, query)


@pytest.mark.neo4j
@pytest.mark.parametrize("query", _NAMED, ids=[query.name for query in _NAMED])
def test_neo4j_gives_the_recorded_rows(neo4j_store: Store, recorded: RecordedRows, query: ComparedQuery) -> None:
    _check(neo4j_store, recorded, query)


@pytest.mark.parametrize("name", sorted(DECLARED_SCOPES))
def test_a_scope_that_is_declared_is_that_of_the_text(name: str) -> None:
    assert DECLARED_SCOPES[name] == analyze_text_scope(QUERIES[name].text).scope({"repository": "shop"})


@pytest.mark.neo4j
@pytest.mark.usefixtures("thread_workers")
@pytest.mark.parametrize("case", ["python/imports", "javascript/variables", "javascript/common_js", "java/constants"])
def test_references_of_an_indexed_tree_are_the_same_on_neo4j(
    case: str, store: Store, neo4j_settings: StoreSettings
) -> None:
    read = """
        MATCH (a)-[r:REFERENCES]->(b)
        RETURN a.id AS start, b.id AS end, r.kind AS kind, r.kinds AS kinds, r.lines AS lines, r.how AS how ORDER BY start, end
        """
    with Store.open(neo4j_settings, writable=True) as other:
        answers = []
        for one in (store, other):
            index_repository(str(_SOURCES / case), one, IngestSettings(workers=1))
            answers.append([list(row) for row in one.query(read).rows])
    assert answers[0] == answers[1]
    assert any(isinstance(row[3], list) and "import" in row[3] for row in answers[0])
