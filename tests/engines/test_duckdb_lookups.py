"""Lookups answered from arrays have the rows that the same query has as SQL, and everything else has no plan."""

import itertools
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from repoquarry.graphstore.engines.duckdb import graph_arrays, lookups
from repoquarry.graphstore.engines.duckdb.engine import DuckdbEngine
from repoquarry.graphstore.engines.duckdb.graph_folder import FOLDER, DatabaseFolder
from repoquarry.graphstore.engines.duckdb.graph_views import GraphViews
from repoquarry.graphstore.engines.duckdb.query_clock import QueryClock
from repoquarry.graphstore.engines.duckdb.query_session import QuerySession
from repoquarry.graphstore.graph_engine import WHOLE
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.sql.lookup_plan import plan_lookup
from repoquarry.graphstore.settings import StoreSettings
from tests.engines.differential.engine_pair import key, load_graphs
from tests.internal_queries import QUERIES

_ANCHORS = ("{id: $id}", "{name: $name}", "", "{id: id}")
_STEPS = ("-[r:CALLS]->", "<-[r:CALLS]-", "-[r:CALLS]-", "-[r]->", "-[r:DEFINES|CALLS {count: 1}]-")
_TESTS = (
    "b:Function OR b:Class",
    "b.is_test OR NOT a.name STARTS WITH 'a'",
    "b.path IS NOT NULL AND b.name <> a.name",
    "b.branches >= 2",
    "b.name IN $names",
    "a.name IN $names AND r.how = 'direct'",
)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QuerySession]:
    folder = tmp_path_factory.mktemp("lookups")
    engine = DuckdbEngine(StoreSettings(folder, "duckdb"), writable=True)
    for graph in load_graphs():
        engine.replace_repository(graph)
    engine.close()
    views = GraphViews(DatabaseFolder(folder / FOLDER))
    yield views.session(WHOLE)
    views.drop()


@pytest.fixture(scope="module")
def values(session: QuerySession) -> dict[str, Any]:
    """Values for the parameters of all internal queries."""
    calls = session.execute(
        'SELECT a.id, a.name, b.id, b.name FROM "r_CALLS" JOIN "n_Function" a ON s = a.nid JOIN "n_Function" b ON t = b.nid '
        "ORDER BY a.id, b.id LIMIT 400"
    )[::40]
    more = [
        row[0]
        for label in ("Class", "Module", "External", "Package")
        for row in session.execute(f'SELECT id FROM "n_{label}" ORDER BY id LIMIT 3')
    ]
    repositories = [row[0] for row in session.execute('SELECT id FROM "n_Repository" ORDER BY id')]
    ids, names = (
        [calls[0][0], *(row[2] for row in calls), *more, None, "x"],
        [name for row in calls for name in row[1::2]],
    )
    known = {"ids": ids, "names": names, "repositories": repositories, "repository": repositories[0], "name": names[1]}
    return {
        **known,
        "id": calls[1][2],
        "qualname": f".{names[1]}",
        "suffix": ".join",
        "ending": ".py",
        "paths": ["x.py"],
    }


def _answers(session: QuerySession, text: str, parameters: Mapping[str, Value]) -> tuple[list[Any], list[Any]]:
    """Return the sorted rows of a query as it is answered, and as SQL."""
    _, rows = session.answer(text, parameters, 15, 60.0)
    both = rows, session.stream(session.compile(text, parameters), 60.0)
    found, expected = (sorted([key(cell) for cell in row] for row in side) for side in both)
    return found, expected


def test_lookups_of_the_grid_have_the_rows_of_sql(session: QuerySession, values: dict[str, Any]) -> None:
    planned = filled = 0
    for (one, other), step, test in itertools.product(itertools.permutations(_ANCHORS, 2), _STEPS, _TESTS):
        unwind = "UNWIND $ids AS id " if "{id: id}" in (one, other) else ""
        text = f"{unwind}MATCH (a:Function {one}){step}(b {other}) WHERE {test} RETURN a.id AS a, r, b, b.name AS n, r.lines AS l"
        given = {name: values[name] for name in ("ids", "names", "id", "name") if f"${name}" in text}
        found, expected = _answers(session, text, given)
        assert found == expected, text
        planned += plan_lookup(text) is not None
        filled += bool(found)
    assert planned == 360
    assert filled > 100


@pytest.mark.parametrize("turn", range(graph_arrays._MAX_SINGLE_READS + 1))
def test_internal_queries_have_the_rows_of_sql(session: QuerySession, values: dict[str, Any], turn: int) -> None:
    """Whole rows are read by SQL at first, then from the columns."""
    planned = 0
    for query in QUERIES.values():
        if any(p.default is None and p.name not in values for p in query.parameters) or plan_lookup(query.text) is None:
            continue
        given = query.bind({p.name: values[p.name] for p in query.parameters if p.name in values})
        found, expected = _answers(session, query.text, given)
        assert found == expected, query.name
        planned += 1
    assert planned >= 40


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a {id: 'x'}) RETURN count(*) AS n",
        "MATCH (a {id: 'x'}) RETURN DISTINCT a",
        "MATCH (a {id: 'x'}) RETURN a ORDER BY a.name",
        "MATCH (a {id: 'x'})-[:CALLS*1..2]->(b) RETURN b",
        "MATCH (a {id: 'x'})-[:CALLS]->(a) RETURN a",
        "MATCH (a {id: 'x'}), (b) RETURN a",
        "OPTIONAL MATCH (a {id: 'x'}) RETURN a",
        "MATCH (a) WHERE a.id = 'x' OR a.name = 'y' RETURN a",
        "MATCH (a) WHERE a.id = a.name RETURN a",
        "MATCH (a)-[:CALLS]->(b) WHERE a.id = b.name RETURN a",
        "MATCH (a {path: 'x'}) RETURN a",
        "UNWIND [1] AS n MATCH (a {id: n}) RETURN a",
        "UNWIND $ids AS n MATCH (a {id: n.id}) RETURN a",
        "MATCH (a {id: 'x'}) RETURN a UNION MATCH (a {id: 'y'}) RETURN a",
        "MATCH (a {id: 'x'}) RETURN toUpper(a.name) AS n",
    ],
)
def test_other_queries_have_no_plan(text: str) -> None:
    assert plan_lookup(text) is None


def test_a_large_lookup_is_answered_by_sql(
    session: QuerySession, values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "UNWIND $ids AS id MATCH (a:Function {id: id})-[r:CALLS]->(b) RETURN a.id AS a, r, b"
    before, expected = _answers(session, text, {"ids": values["ids"]})
    monkeypatch.setattr(lookups, "_MAX_STEPS", 3)
    assert _answers(session, text, {"ids": values["ids"]}) == (before, expected)


class _Cursor:
    def __init__(self) -> None:
        self.interrupted = threading.Event()

    def interrupt(self) -> None:
        self.interrupted.set()


def test_the_clock_interrupts_only_what_still_runs_behind_its_limit() -> None:
    clock, cursors = QueryClock(), [_Cursor() for _ in range(4)]
    with clock.limit(cursors[0], 30.0), clock.limit(cursors[1], 0.05):
        assert cursors[1].interrupted.wait(5)
    with clock.limit(cursors[2], 0.05):
        pass
    with clock.limit(cursors[3], 0):
        time.sleep(0.1)
    assert [cursor.interrupted.is_set() for cursor in cursors] == [False, True, False, False]
