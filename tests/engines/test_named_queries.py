"""Every named query gives the same rows on every engine, over the same graph, and rows at all where the sample has some."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.scope_analysis import analyze_text_scope
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import DECLARED_SCOPES, Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.internal_queries import QUERIES
from tests.neo4j_server import Neo4jServer, empty
from tests.sample_graph import random_graph, sample_graph

_SOURCES = Path(__file__).parents[1] / "unit" / "resolution" / "sources"
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
    "duplicates": {"repository": "", "lines": 1},
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


@pytest.fixture(scope="module")
def stores(neo4j_instance: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Store]]:
    """The same three repositories on the embedded engine and on Neo4j."""
    empty(neo4j_instance)
    folder: Path = tmp_path_factory.mktemp("named")
    embedded = StoreSettings(folder / "kglite")
    server = neo4j_instance.settings(folder / "neo4j")
    with Store.open(embedded, writable=True) as one, Store.open(server, writable=True) as other:
        for store in (one, other):
            for graph in (sample_graph(), sample_graph("tools"), random_graph("random", 120, 400)):
                store.engine.replace_repository(graph)
        yield one, other


@pytest.mark.neo4j
@pytest.mark.parametrize("name", sorted(QUERIES))
def test_rows_are_the_same_on_every_engine(stores: tuple[Store, Store], name: str) -> None:
    query = QUERIES[name]
    given = {"id": _TOTAL, **_PARAMETERS, **_BY_QUERY.get(name, {})}
    parameters = {key: given[key] for key in (parameter.name for parameter in query.parameters)}
    embedded, server = (store.execute_named(name, **parameters) for store in stores)
    assert embedded.columns == server.columns
    if "ORDER BY" in query.text:
        assert embedded.rows == server.rows
    else:
        assert sorted(map(repr, map(_ordered, embedded.rows))) == sorted(map(repr, map(_ordered, server.rows)))
    if name not in _EMPTY:
        assert embedded.rows


def _ordered(row: tuple[Value, ...]) -> list[object]:
    """A row whose property maps are in order of their names, for comparison by text."""
    return [_sorted(value) for value in row]


def _sorted(value: object) -> object:
    properties = getattr(value, "properties", None)
    if properties is None:
        return value
    rest = {name: item for name, item in vars(value).items() if name != "properties"}
    return sorted(rest.items()), sorted(properties.items())


@pytest.mark.parametrize("name", sorted(DECLARED_SCOPES))
def test_a_scope_that_is_declared_is_that_of_the_text(name: str) -> None:
    assert DECLARED_SCOPES[name] == analyze_text_scope(QUERIES[name].text).scope({"repository": "shop"})


@pytest.mark.neo4j
@pytest.mark.usefixtures("thread_workers")
@pytest.mark.parametrize("case", ["python/imports", "javascript/variables", "javascript/common_js", "java/constants"])
def test_references_of_an_indexed_tree_are_the_same_on_every_engine(
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
