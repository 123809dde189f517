"""Answers of the embedded engine: every function that the gate admits is there, and its own spellings reach no answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.errors import QueryFailedError, QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher import gate
from repoquarry.graphstore.query.cypher.dialect import load_dialect
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES, Type
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder, sample_graph

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


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("-round(sqrt(4.0), 1)", -2.0),
        ("1 - round(2.5, 1)", -1.5),
        ("reduce(a = 10, x IN [1, null] | a - coalesce(x, 1))", 8),
        ("left('', -1)", ""),
        ("left(null, -1)", None),
        ("right(null, -1)", None),
        ("substring('', 0, -5)", ""),
        ("substring('', -1)", ""),
        ("left('abc', 4294967296)", "abc"),
        ("abs(-9223372036854775808)", -(2**63)),
        ("abs(-9223372036854775807 - 1)", -(2**63)),
        ("abs(-2.5)", 2.5),
    ],
)
def test_values_at_the_edges_are_those_of_neo4j(store: Store, expression: str, value: Value) -> None:
    assert store.query(f"RETURN {expression} AS x").rows == [(value,)]


@pytest.mark.parametrize(
    "expression",
    ["left('abc', -1)", "right('', -1)", "substring('abc', 0, -1)", "substring('abc', 4611686018427387904)"],
)
def test_numbers_out_of_range_fail_as_on_neo4j(store: Store, expression: str) -> None:
    with pytest.raises(QueryFailedError, match="take no negative number"):
        store.query(f"RETURN {expression} AS x")


_ALL_NAMES = sorted(_NAMES)


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("RETURN a.name AS a ORDER BY a.name", [(name,) for name in _ALL_NAMES]),
        ("RETURN DISTINCT a.name AS a ORDER BY a.name DESC LIMIT 1", [(_ALL_NAMES[-1],)]),
        ("RETURN a.name AS a, a.id AS i ORDER BY a.id LIMIT 1", [("x", "texts:name:0")]),
        ("RETURN a.name AS a, count(*) AS n ORDER BY n, a.name LIMIT 1", [("", 1)]),
        ("WITH a.name AS a ORDER BY a.name LIMIT 1 RETURN a", [("",)]),
        ("RETURN toUpper(a.name) AS a ORDER BY toUpper(a.name) LIMIT 1", [("",)]),
        ("WITH a {.*} AS a ORDER BY a.name LIMIT 1 RETURN a.name AS n", [("",)]),
        ("WITH properties(a) AS a WHERE a.name = 'x' RETURN keys(a) AS n", [(["id", "name", "repository"],)]),
        ("WITH a WHERE a.name = 'x' AND COUNT { (a)--() } IS NOT NULL RETURN count(a) AS n", [(1,)]),
        ("RETURN DISTINCT COUNT { (a)--() } IS NULL AS x, COUNT { (a)--() } :: INTEGER AS y", [(False, True)]),
        ("WITH a WHERE ((a)--()--() OR a.name = 'x') AND true RETURN a.name AS n", [("x",)]),
    ],
)
def test_names_and_subqueries_are_allowed_where_neo4j_allows_them(
    store: Store, query: str, rows: list[tuple[Value, ...]]
) -> None:
    found = store.query(f"MATCH (a:Name) {query}").rows
    assert [tuple(sorted(map(str, c)) if isinstance(c, list) else c for c in row) for row in found] == [
        tuple(sorted(map(str, c)) if isinstance(c, list) else c for c in row) for row in rows
    ]


def test_a_union_of_many_parts_is_refused() -> None:
    admit(" UNION ALL ".join(["RETURN 1 AS x"] * 100), {}, "kglite")
    with pytest.raises(QueryRefusedError, match="more than 100 queries joined by UNION"):
        admit(" UNION ALL ".join(["RETURN 1 AS x"] * 101), {}, "neo4j")


@pytest.mark.parametrize(
    ("written", "cause"),
    [
        ("RETURN ((1 AS x", "was given a text for this query that is no Cypher"),
        ("MATCH ((a:Class)-[:INHERITS]->(b)){1,2} RETURN size(a) AS x", "lacks a form of Cypher"),
    ],
)
def test_a_rewritten_text_that_the_engine_does_not_read_is_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, cause: str
) -> None:
    monkeypatch.setattr(gate, "render", lambda query: written)
    with Store.open(StoreSettings(tmp_path, embedding=None), writable=True) as store:
        store.engine.replace_repository(sample_graph())
        with pytest.raises(QueryRefusedError, match=cause) as caught:
            store.execute_untrusted(f"RETURN {len(written)} AS x")
    assert caught.value.reason == "not_portable"
    assert "line" not in str(caught.value)
    assert "column" not in str(caught.value)
