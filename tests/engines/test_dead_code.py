"""Dead code: one definition in the query, the rule, the counts and the answers; each reason leaves its function out."""

from collections.abc import Iterator

import pytest

from repoquarry.graphstore.query.query_library import QueryLibrary, load_internal_query
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder

_END = "END AS reason"


def _add_classes(b: GraphBuilder, module: str) -> None:
    plain = b.define("Class", module, "Plain", 20)
    b.define("Function", plain, "_method", 21, kind="method")
    child = b.define("Class", module, "Child", 22)
    grandchild = b.define("Class", module, "Grandchild", 23)
    b.join("INHERITS", child, b.external("library.Base"), lines=[1], how="scope", confidence=1.0)
    b.join("INHERITS", grandchild, child, lines=[1], how="scope", confidence=1.0)
    b.join("INHERITS", plain, b.external("abc.ABC"), lines=[1], how="scope", confidence=1.0)
    base = b.define("Function", child, "_hook", 24, kind="method")
    own = b.define("Function", grandchild, "_hook", 25, kind="method")
    b.join("OVERRIDES", own, base)
    b.define("Function", grandchild, "_may_override", 26, kind="method")
    for line, name in ((34, "Drawn"), (35, "Called")):
        owner = b.define("Class", module, name, line)
        method = b.define("Function", owner, "_draw", line, kind="method")
    b.call(owner, method, 36)
    plugin = b.define("Class", module, "Plugin", 30, decorators=["implementer(Shape)"])
    b.define("Function", plugin, "_area_of_plugin", 31, kind="method")
    data = b.define("Class", module, "Data", 32, decorators=["dataclass(frozen=True)"])
    b.define("Function", data, "_unused", 33, kind="method")
    protocol = b.define("Class", module, "Shape", 27, kind="protocol")
    b.define("Function", protocol, "_area", 28, kind="method")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A function for each reason, named after it, and two that are dead."""
    b = GraphBuilder("app")
    b.repository_node()
    module = b.module("app.py", exports=["_exported"])
    structure = b.module("main.go", language="go", calls_resolved=False)
    tests = b.module("test_app.py", is_test=True)
    main = b.define("Function", module, "main", 1, entry_points=["script"])
    b.define("Function", module, "_dead", 2)
    loop = b.define("Function", module, "_recursive", 3)
    b.call(loop, loop, 4)
    b.call(main, b.define("Function", module, "_called", 5), 6)
    handler = b.define("Function", module, "_handler", 7)
    b.join("REFERENCES", main, handler, kind="handler", lines=[8], how="scope", confidence=1.0)
    b.define("Function", module, "public", 9)
    b.define("Function", module, "_exported", 10)
    b.define("Function", module, "_decorated", 11, decorators=["register"])
    b.define("Function", module, "_repr_html_", 12)
    b.define("Function", module, "_property", 13, kind="property")
    b.define("Function", main, "_inside", 14)
    b.define("Function", structure, "_unresolved_file", 15)
    b.define("Function", tests, "_helper", 16)
    b.define("Function", module, "_named", 17)
    b.unresolved(main, "_named", 18)
    b.define("Function", module, "_quoted", 19, is_quoted=True)
    _add_classes(b, module)
    with Store.open(StoreSettings(tmp_path_factory.mktemp("dead"), embedding=None), writable=True) as opened:
        opened.engine.replace_repository(b.build())
        yield opened


def _rows(store: Store, name: str, **parameters: object) -> list[tuple[object, ...]]:
    query = QueryLibrary().require(name)
    return [tuple(row) for row in store.query(query.text, query.bind(parameters)).rows]  # type: ignore[arg-type]


_DEAD = ["_dead", "_recursive", "Plain._method", "Data._unused"]


def test_dead_code_is_private_and_without_a_known_use(store: Store) -> None:
    assert [row[2] for row in _rows(store, "dead-code")] == _DEAD
    assert [row[2] for row in _rows(store, "possibly-dead-code")] == _DEAD
    assert [row[2] for row in _rows(store, "possibly-dead-code", public=True)] == [*_DEAD, "public"]


def test_functions_left_out_are_counted_by_reason(store: Store) -> None:
    assert {row[0]: row[1] for row in _rows(store, "dead-code-left-out")} == {
        "": 4,
        "member of a decorated class": 1,
        "another method of its name is called": 1,
        "member of an interface or override": 3,
        "calls of its file are not resolved": 1,
        "test": 1,
        "property, constructor, lambda or declaration": 1,
        "called by the language or a protocol": 1,
        "entry point or decorated": 2,
        "may override a member of an external base": 1,
        "an unresolved call has its name": 1,
        "a string has its name": 1,
        "exported": 1,
        "inside a function, which may return it": 1,
        "public": 1,
    }


def test_dead_code_has_one_definition() -> None:
    queries = QueryLibrary().queries
    texts = [queries[name].text for name in ("dead-code", "possibly-dead-code", "dead-code-left-out")]
    assert len({text.partition(_END)[0] for text in [*texts, load_internal_query("dead_code").text]}) == 1
