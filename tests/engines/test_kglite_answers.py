"""Answers of the embedded engine: every function that the gate admits is there, and its own spellings reach no answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import load_dialect
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES, Type
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.sample_graph import GraphBuilder, sample_graph

_SAMPLES = {
    types.STRING: "'1'", types.INTEGER: "1", types.FLOAT: "0.5", types.BOOLEAN: "true", types.NODE: "n", types.RELATIONSHIP: "r",
    types.PATH: "p", types.MAP: "{a: 1}", types.LIST: "['1', '2']",
}  # fmt: skip
_PATTERN = "MATCH p = (n:Class)-[r:INHERITS]->() "
_ODD = {
    "exists": "exists((n)-->())",
    "count": "count(*)",
    "nodes": "size(nodes(p))",
    "relationships": "size(relationships(p))",
}
_ODD |= {
    "range": "range(1, 3)",
    "startnode": "startNode(r).id",
    "endnode": "endNode(r).id",
    "percentilecont": "percentileCont(n.start_line, 0.5)",
}
_ODD |= {"percentiledisc": "percentileDisc(n.start_line, 0.5)"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphEngine]:
    folder: Path = tmp_path_factory.mktemp("functions")
    opened = open_engine(StoreSettings(folder), writable=True)
    opened.replace_repository(sample_graph())
    yield opened
    opened.close()


def _sample(kind: Type) -> str:
    return next((text for one, text in _SAMPLES.items() if kind.holds(one)), "null")


@pytest.mark.parametrize("name", sorted(load_dialect("kglite").functions))
def test_a_function_that_passes_is_answered(engine: GraphEngine, name: str) -> None:
    arguments = [_sample(kind) for kind in SIGNATURES[name].arguments[: max(1, SIGNATURES[name].required)]]
    call = _ODD.get(name, f"{name}({', '.join(arguments)})")
    gated = admit(f"{_PATTERN}RETURN {call} AS x", {}, engine.info.dialect, path_hops=15)
    assert engine.run(gated.text, gated.parameters, QueryLimits(seconds=60)).rows


_NAMES = ("x", '["x"]', "", '[""]', "1", '["1"]', "[1]", '["x", "y"]')


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    builder = GraphBuilder("texts")
    builder.repository_node()
    for number, name in enumerate(_NAMES):
        builder.node("Name", f"texts:name:{number}", name)
    with Store.open(StoreSettings(tmp_path_factory.mktemp("texts"), embedding=None), writable=True) as opened:
        opened.engine.replace_repository(builder.build())
        yield opened


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n:Name) WHERE n.name = $name RETURN n.name AS name",
        "MATCH (n:Name) WHERE NOT n.name <> $name RETURN n.name AS name",
        "MATCH (n:Name {name: $name}) RETURN n.name AS name",
        "MATCH (n:Name) WHERE n.name IN [$name, 'other'] RETURN n.name AS name",
        "MATCH (n:Name) WHERE $name IN [n.name] RETURN n.name AS name",
        "MATCH (n:Name) WHERE CASE n.name WHEN $name THEN true ELSE false END RETURN n.name AS name",
        "MATCH (n:Name) WHERE n.name = $name = n.name RETURN n.name AS name",
        "MATCH (n:Name) WHERE nullIf(n.name, $name) IS NULL RETURN n.name AS name",
        "UNWIND [$name] AS wanted MATCH (n:Name) WHERE any(x IN [n.name] WHERE x = wanted) RETURN n.name AS name",
    ],
)
def test_a_text_equals_only_itself(store: Store, query: str, name: str) -> None:
    assert store.query(query, {"name": name}).rows == [(name,)]


def test_a_text_that_may_spell_a_list_is_not_reversed(store: Store) -> None:
    assert store.query("RETURN reverse($text) AS x", {"text": "abc"}).rows == [("cba",)]
    with pytest.raises(QueryRefusedError, match="cannot answer as Neo4j does"):
        store.query("RETURN reverse($text) AS x", {"text": '["x"]'})


@pytest.mark.parametrize(("number", "text"), [(0.001, "0.001"), (9999999.5, "9999999.5"), (-0.5, "-0.5"), (0.0, "0.0")])
def test_floats_in_the_plain_range_are_printed(store: Store, number: float, text: str) -> None:
    query = "RETURN toString($x) AS a, 'v' + $x AS b, $x + 'v' AS c, toStringList([$x]) AS d"
    assert store.query(query, {"x": number}).rows == [(text, f"v{text}", f"{text}v", [text])]


@pytest.mark.parametrize("number", [1e7, -1e7, 0.00099, -1e-300, 1e300])
@pytest.mark.parametrize("expression", ["toString($x)", "'v' + $x", "$x + 'v'", "toStringList([$x])"])
def test_floats_that_need_an_exponent_are_refused(store: Store, number: Value, expression: str) -> None:
    with pytest.raises(QueryRefusedError, match="cannot answer as Neo4j does"):
        store.query(f"RETURN {expression} AS x", {"x": number})
