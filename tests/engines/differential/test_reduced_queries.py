"""Random queries that lose their WHERE, labels, types and names: counts are the numbers of rows, whatever the optimizer does."""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import kglite
import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.kglite import loaded_graphs
from repoquarry.graphstore.engines.kglite.graph_folder import FOLDER, GraphFolder
from repoquarry.graphstore.engines.kglite.loaded_graphs import GraphCache, LoadedGraph
from repoquarry.graphstore.errors import GraphStoreError, QueryRefusedError
from repoquarry.graphstore.graph_engine import WHOLE, QueryLimits
from repoquarry.graphstore.query.cypher.gate import GatedQuery, admit
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.render import render
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, transform_children
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.sample_graphs import sample_graph
from tests.engines.differential.engine_pair import key, load_graphs
from tests.engines.differential.generator import QueryMaker

_LIMITS = QueryLimits(seconds=20.0, rows=3_000, bytes=0)
_DROPPED_SHARE = 1 / 3


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedGraph]:
    folder = tmp_path_factory.mktemp("reduced")
    engine = open_engine(StoreSettings(folder), writable=True)
    for graph in (sample_graph("requests"), *load_graphs()):
        if graph.repository != "quarry":
            engine.replace_repository(graph)
    engine.close()
    cache = GraphCache(GraphFolder(folder / FOLDER))
    yield cache.view(WHOLE)
    cache.drop()


def _reduce(node: Any, chance: random.Random) -> Any:
    """Drop a condition, labels, types, properties and names of patterns, each in a third of the places."""
    changed = transform_children(node, lambda child: _reduce(child, chance))
    fields = {
        ast.Match: ("where",),
        ast.NodePattern: ("labels", "properties", "where"),
        ast.RelationshipPattern: ("types", "properties", "where"),
    }.get(type(changed), ())
    dropped = {field: None for field in fields if chance.random() < _DROPPED_SHARE}
    return dataclasses.replace(changed, **dropped) if dropped else changed


def _without_names(match: ast.Match, chance: random.Random) -> ast.Match:
    """Drop the names that the WHERE does not use; a MATCH without a WHERE may lose all."""
    used = {node.name for node in iterate_nodes(match) if isinstance(node, ast.Variable)}
    counts = Counter(getattr(node, "variable", None) for node in iterate_nodes(match))

    def change(node: ast.Node) -> ast.Node:
        name = getattr(node, "variable", None)
        if name is not None and name not in used and counts[name] == 1 and chance.random() < 2 * _DROPPED_SHARE:
            return dataclasses.replace(node, variable=None)  # type: ignore[call-arg]
        return transform_children(node, change)

    return transform_children(match, change)


def _answer(view: LoadedGraph, gated: GatedQuery) -> list[list[str]] | str:
    try:
        result = loaded_graphs.run_query(view, gated.text, gated.parameters, _LIMITS)
    except GraphStoreError as exc:
        return exc.reason if isinstance(exc, QueryRefusedError) else type(exc).__name__
    return sorted([key(cell) for cell in row] for row in result.rows)


@pytest.mark.parametrize("count", [250, pytest.param(2_500, marks=pytest.mark.long)])
def test_a_count_is_the_number_of_rows_of_its_pattern(view: LoadedGraph, count: int) -> None:
    maker, chance, compared = QueryMaker(count), random.Random(count), Counter[str]()
    for _ in range(count):
        for part in parse(maker.query()).parts:
            if not isinstance(first := part.clauses[0], ast.Match):
                continue
            match = _without_names(_reduce(first, chance), chance)
            texts = [
                render(ast.Query((ast.SingleQuery((match,)),))) + end
                for end in (" RETURN count(*) AS n", " RETURN 1 AS one")
            ]
            try:
                counted, rows = (_answer(view, admit(text, {}, "kglite")) for text in texts)
            except QueryRefusedError:
                compared["refused"] += 1
                continue
            assert "not_portable" not in (counted, rows), f"the engine does not take the rewritten text of {texts}"
            if isinstance(rows, list) and len(rows) < _LIMITS.rows:
                compared["compared"] += 1
                assert counted == [[str(len(rows))]], texts[0]
    assert compared["compared"] > count / 2, compared


@pytest.mark.parametrize("count", [250, pytest.param(2_500, marks=pytest.mark.long)])
def test_rows_of_a_reduced_query_do_not_depend_on_the_optimizer(
    view: LoadedGraph, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker, chance, compared = QueryMaker(-count), random.Random(count), Counter[str]()
    for _ in range(count):
        text = render(_reduce(parse(maker.query()), chance))
        try:
            gated = admit(text, {}, "kglite")
        except QueryRefusedError:
            compared["refused"] += 1
            continue
        rows = _answer(view, gated)
        assert rows != "not_portable", f"the engine does not take the rewritten text of {text}"
        with monkeypatch.context() as patched:
            patched.setattr(loaded_graphs, "find_disabled_passes", lambda text: kglite.cypher_pass_names())
            plain = _answer(view, gated)
        is_cut = isinstance(rows, str) or len(rows) >= _LIMITS.rows or " LIMIT " in text or "collect" in text.lower()
        if not is_cut:
            compared["compared"] += 1
            assert rows == plain, text
    assert compared["compared"] > count / 2, compared
