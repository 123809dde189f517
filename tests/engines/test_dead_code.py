"""Dead code: one definition in the query, the rule, the counts and the answers; each reason leaves its function out."""

from collections.abc import Iterator

import pytest

from repoquarry.graphstore.model.graph_tables import Cell
from repoquarry.graphstore.query.query_library import QueryLibrary
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder

_END = "END AS reason"


def _function(b: GraphBuilder, parent: str, name: str, line: int, **given: Cell) -> str:
    return b.define("Function", parent, name, line, **{"is_mentioned": False, **given})


def _add_classes(b: GraphBuilder, module: str) -> None:
    plain = b.define("Class", module, "Plain", 20)
    _function(b, plain, "_method", 21, kind="method")
    child = b.define("Class", module, "Child", 22)
    grandchild = b.define("Class", module, "Grandchild", 23)
    b.join("INHERITS", child, b.external("library.Base"), lines=[1], how="scope", confidence=1.0)
    b.join("INHERITS", grandchild, child, lines=[1], how="scope", confidence=1.0)
    b.join("INHERITS", plain, b.external("abc.ABC"), lines=[1], how="scope", confidence=1.0)
    base = _function(b, child, "_hook", 24, kind="method")
    own = _function(b, grandchild, "_hook", 25, kind="method")
    b.join("OVERRIDES", own, base)
    _function(b, grandchild, "_may_override", 26, kind="method")
    plugin = b.define("Class", module, "Plugin", 30, decorators=["implementer(Shape)"])
    _function(b, plugin, "_area_of_plugin", 31, kind="method")
    data = b.define("Class", module, "Data", 32, decorators=["dataclass(frozen=True)"])
    _function(b, data, "_unused", 33, kind="method")
    protocol = b.define("Class", module, "Shape", 27, kind="protocol")
    _function(b, protocol, "_area", 28, kind="method")


def _add_other_languages(b: GraphBuilder) -> None:
    script = b.module("lib.ts", language="typescript", exports=["offered"])
    for line, name in enumerate(("offered", "kept"), 1):
        _function(b, script, name, line, language="typescript")
    _function(b, script, "member", 3, qualname="table.member", language="typescript")
    page = b.module("page.tsx", language="typescript", exports=["default"])
    _function(b, page, "Page", 1, language="typescript")
    barrel = b.module("barrel.ts", language="typescript", exports=["offeredByStar"])
    _function(b, barrel, "offeredByStar", 1, language="typescript")
    b.join(
        "IMPORTS",
        b.module("index.ts", language="typescript"),
        barrel,
        names=["*"],
        lines=[1],
        how="name",
        confidence=1.0,
    )
    bean = b.module("Bean.java", language="java")
    owner = b.define("Class", bean, "Bean", 1, language="java")
    for line, name in enumerate(("getSize", "readObject", "grow"), 2):
        _function(b, owner, name, line, language="java", kind="method")
    for path, name in (("internal/a.go", "Shown"), ("lib/b.go", "Offered"), ("lib/c.go", "hidden")):
        file = b.module(path, language="go")
        _function(b, file, name, 1, language="go")
        b.join("DEPENDS_ON", script, file, weight=1.0)
    b.join("DEPENDS_ON", script, bean, weight=1.0)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A function for each reason, named after it, and two that are dead."""
    b = GraphBuilder("app")
    b.repository_node()
    module = b.module("app.py")
    b.join("DEPENDS_ON", b.module("user.py"), module, weight=1.0)
    structure = b.module("main.go", language="go", calls_resolved=False)
    tests = b.module("test_app.py", is_test=True)
    main = _function(b, module, "main", 1, entry_points=["script"])
    _function(b, module, "_dead", 2)
    loop = _function(b, module, "_recursive", 3)
    b.call(loop, loop, 4)
    b.call(main, _function(b, module, "_called", 5), 6)
    handler = _function(b, module, "_handler", 7)
    b.join("REFERENCES", main, handler, kind="handler", lines=[8], how="scope", confidence=1.0)
    _function(b, module, "public", 9)
    _function(b, module, "_decorated", 11, decorators=["register"])
    _function(b, module, "_repr_html_", 12)
    _function(b, module, "_property", 13, kind="property")
    _function(b, main, "inside", 14)
    _function(b, structure, "_unresolved_file", 15)
    _function(b, tests, "_helper", 16)
    _function(b, module, "_named", 17)
    b.unresolved(main, "_named", 18)
    _function(b, module, "_mentioned", 19, is_mentioned=True)
    _function(b, module, "_of_an_earlier_version", 40, is_mentioned=None)
    _function(
        b, b.define("Class", module, "Page", 41), "_cached", 42, kind="method", decorators=["functools.lru_cache(8)"]
    )
    _function(b, b.module("hook.py", exports=None), "hook", 1)
    _add_other_languages(b)
    _add_classes(b, module)
    with Store.open(StoreSettings(tmp_path_factory.mktemp("dead"), embedding=None), writable=True) as opened:
        opened.engine.replace_repository(b.build())
        yield opened


def _rows(store: Store, name: str, **parameters: object) -> list[tuple[object, ...]]:
    query = QueryLibrary().require(name)
    return [tuple(row) for row in store.query(query.text, query.bind(parameters)).rows]  # type: ignore[arg-type]


_DEAD = ["_dead", "_recursive", "main.inside", "Plain._method", "Data._unused", "Page._cached", "kept", "hidden"]


def test_dead_code_is_private_and_without_a_known_use(store: Store) -> None:
    assert [row[2] for row in _rows(store, "dead-code")] == _DEAD
    assert [row[2] for row in _rows(store, "possibly-dead-code", public=False)] == _DEAD


def test_public_functions_are_listed_after_private_ones(store: Store) -> None:
    public = ["Bean.grow", "public", "Shown", "offered"]
    rows = [row[2:] for row in _rows(store, "possibly-dead-code")]
    assert rows == [(name, "private") for name in _DEAD] + [(name, "public") for name in public]


def test_functions_left_out_are_counted_by_reason(store: Store) -> None:
    assert {row[0]: row[1] for row in _rows(store, "dead-code-left-out")} == {
        "": 8,
        "accessor, which libraries read by its name": 1,
        "an unresolved call has its name": 1,
        "called by the language or a protocol": 2,
        "calls of its file are not resolved": 1,
        "entry point or decorated": 2,
        "exported, or of an interface of another package": 3,
        "inside a function or an object, which may offer it": 1,
        "its name, or a part that code completes, occurs elsewhere": 2,
        "may override a member of an external base": 1,
        "member of a decorated class": 1,
        "member of an interface or override": 3,
        "no file uses its file, which a tool may load": 1,
        "property, constructor, lambda or declaration": 1,
        "public": 4,
        "test": 1,
    }


def test_dead_code_has_one_definition() -> None:
    queries = QueryLibrary().queries
    texts = [queries[name].text for name in ("dead-code", "possibly-dead-code", "dead-code-left-out")]
    assert len({text.partition(_END)[0] for text in texts}) == 1
