"""Part of a store that is loaded for a query: its rows are those over everything."""

from collections import Counter
from collections.abc import Iterator

import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.kglite import loaded_graphs
from repoquarry.graphstore.engines.kglite.graph_folder import FOLDER, GraphFolder
from repoquarry.graphstore.engines.kglite.loaded_graphs import GraphCache
from repoquarry.graphstore.errors import GraphStoreError, QueryRefusedError
from repoquarry.graphstore.graph_engine import WHOLE, QueryLimits, QueryScope
from repoquarry.graphstore.query.cypher.gate import GatedQuery, admit
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.sample_graphs import sample_graph
from tests.engines.differential.engine_pair import key, load_graphs
from tests.engines.differential.scope_generator import PARAMETERS, REPOSITORIES, ScopeQueryMaker

_LIMITS = QueryLimits(seconds=20.0, rows=5_000, bytes=0)
_MIN_ADMITTED = 0.7
_MIN_NARROW = 0.2


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphCache]:
    """Four repositories that are linked by packages and by names."""
    folder = tmp_path_factory.mktemp("scope")
    engine = open_engine(StoreSettings(folder), writable=True)
    for graph in (sample_graph("requests"), *load_graphs()):
        if graph.repository in REPOSITORIES:
            engine.replace_repository(graph)
    engine.close()
    cache = GraphCache(GraphFolder(folder / FOLDER))
    yield cache
    cache.drop()


def _rows(views: GraphCache, query: GatedQuery, scope: QueryScope) -> list[list[str]] | str:
    """Return the rows, or the kind of the failure."""
    try:
        result = loaded_graphs.run_query(views.view(scope), query.text, query.parameters, _LIMITS)
    except GraphStoreError as exc:
        return exc.reason if isinstance(exc, QueryRefusedError) else type(exc).__name__
    return sorted([key(cell) for cell in row] for row in result.rows)


@pytest.mark.parametrize("count", [2_000, pytest.param(8_000, marks=pytest.mark.long)])
def test_rows_of_the_loaded_part_are_those_of_the_whole_store(views: GraphCache, count: int) -> None:
    maker, seen = ScopeQueryMaker(count), Counter[str]()
    for _ in range(count):
        text = maker.query()
        try:
            query = admit(text, PARAMETERS, "kglite")
        except QueryRefusedError:
            seen["refused"] += 1
            continue
        scope = query.reach.scope(query.parameters)
        seen["whole" if scope == WHOLE else "narrow"] += 1
        rows = _rows(views, query, WHOLE)
        assert rows != "not_portable", f"the engine does not take the rewritten text of {text}"
        assert scope == WHOLE or _rows(views, query, scope) == rows, f"{scope}: {text}"
    assert seen["refused"] <= (1 - _MIN_ADMITTED) * count, seen
    assert seen["narrow"] >= _MIN_NARROW * count, seen
