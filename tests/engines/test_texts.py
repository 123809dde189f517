"""The embedded engine takes the text `["x"]` for a list and prints floats with plain digits: neither reaches an answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.sample_graph import GraphBuilder

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
