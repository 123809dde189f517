"""Small, deterministic graphs by the schema for tests: a hand-made one that has one of everything, and generated ones of any size.

`GraphBuilder` fills in what the schema requires, so that a test names only the properties that it is about.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from repoquarry.graphstore.model.graph_tables import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind

_STAND_INS: Mapping[PropertyKind, Cell] = {
    PropertyKind.STRING: "",
    PropertyKind.INTEGER: 0,
    PropertyKind.FLOAT: 0.0,
    PropertyKind.BOOLEAN: False,
    PropertyKind.INTEGERS: [],
    PropertyKind.STRINGS: [],
}


class GraphBuilder:
    """Collects nodes and relationships one at a time and gives them as columns."""

    def __init__(self, repository: str) -> None:
        self.repository = repository
        self._nodes: dict[str, dict[str, dict[str, Cell]]] = {}
        self._relationships: dict[tuple[str, str, str], dict[tuple[str, str], dict[str, Cell]]] = {}
        self._labels: dict[str, str] = {}

    def node(self, label: str, node_id: str, name: str, **properties: Cell) -> str:
        """Add a node; gives its id."""
        repository = "" if label == "Package" else self.repository
        given = {"id": node_id, "repository": repository, "name": name, **properties}
        self._nodes.setdefault(label, {})[node_id] = _filled(NODE_LABELS[label].properties, given)
        self._labels[node_id] = label
        return node_id

    def join(self, type_: str, start: str, end: str, end_label: str = "", /, **properties: Cell) -> None:
        """Add a relationship; `end_label` is needed for a node of another repository."""
        joined = (type_, self._labels[start], end_label or self._labels[end])
        row = _filled(RELATIONSHIP_TYPES[type_].properties, properties)
        self._relationships.setdefault(joined, {})[start, end] = row

    def build(self) -> RepositoryGraph:
        nodes = [NodeTable(label, _columns(list(rows.values()))) for label, rows in self._nodes.items()]
        relationships = [
            RelationshipTable(
                kind, start, end, [pair[0] for pair in rows], [pair[1] for pair in rows], _columns(list(rows.values()))
            )
            for (kind, start, end), rows in self._relationships.items()
        ]
        return RepositoryGraph(self.repository, nodes, relationships)

    def repository_node(self, **properties: Cell) -> str:
        given: dict[str, Cell] = {
            "source": f"/repositories/{self.repository}",
            "source_kind": "folder",
            "revision": "1",
            "languages": ["python"],
            "indexer": "test",
            **properties,
        }
        return self.node("Repository", self.repository, self.repository, **given)

    def directory(self, path: str, **properties: Cell) -> str:
        name = path.rsplit("/", 1)[-1] if path != "." else self.repository
        return self.node("Directory", f"{self.repository}:{path}", name, path=path, **properties)

    def module(self, path: str, **properties: Cell) -> str:
        name = path.removesuffix(".py").replace("/", ".")
        given: dict[str, Cell] = {"path": path, "start_line": 1, "end_line": 100, "lines": 100, "language": "python"}
        given |= {"hash": "0" * 64, "parses": True, "calls_resolved": True}
        return self.node("Module", f"{self.repository}:{path}", name, **(given | properties))

    def define(self, label: str, parent: str, name: str, line: int, **properties: Cell) -> str:
        """A class or function inside the module, class or function `parent`, with its DEFINES relationship."""
        path, _, outer = parent.removeprefix(f"{self.repository}:").partition("::")
        qualname = f"{outer}.{name}" if outer else name
        given: dict[str, Cell] = {"path": path, "qualname": qualname, "start_line": line, "end_line": line + 5}
        given |= {"language": "python", "kind": label.lower()}
        if label == "Function":
            given |= {"signature": "()"}
        node = self.node(label, f"{self.repository}:{path}::{qualname}", name, **(given | properties))
        self.join("DEFINES", parent, node)
        return node

    def external(self, qualname: str) -> str:
        node_id = f"{self.repository}:external:{qualname}"
        name, package = qualname.rsplit(".", 1)[-1], qualname.split(".", 1)[0]
        return self.node("External", node_id, name, qualname=qualname, package=package)

    def call(self, start: str, end: str, *lines: int, how: str = "import", confidence: float = 1.0) -> None:
        self.join("CALLS", start, end, count=len(lines), lines=list(lines), how=how, confidence=confidence)

    def unresolved(self, start: str, name: str, *lines: int, reason: str = "unknown receiver") -> None:
        node = self.node("Name", f"{self.repository}:name:{name}", name)
        self.join("UNRESOLVED", start, node, count=len(lines), lines=list(lines), reason=reason)


def _filled(properties: tuple[Property, ...], given: dict[str, Cell]) -> dict[str, Cell]:
    missing = {prop.name: _STAND_INS[prop.kind] for prop in properties if prop.required and prop.name not in given}
    return given | missing


def _columns(rows: list[dict[str, Cell]]) -> dict[str, list[Cell]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def sample_graph(repository: str = "shop", revision: str = "1") -> RepositoryGraph:
    """A shop of four modules: a class hierarchy with overrides, recursion, an import cycle, unresolved calls, tests, a document."""
    b = GraphBuilder(repository)
    root = b.repository_node(
        revision=revision, commit="c0ffee", files=5, lines=500, readme="README.md", summary="A shop.", left_out=1,
        left_out_paths=["data/big.bin"], left_out_reasons=["binary"], unresolved_calls=3,
    )  # fmt: skip
    top, package, tests = (
        b.directory(".", files=5, lines=500),
        b.directory("shop", files=4, lines=400),
        b.directory("tests"),
    )
    app = b.module("shop/app.py", importance=6.5, docstring="Entry of the shop.", usage=1.0)
    models = b.module("shop/models.py", importance=4.25, lines=120, end_line=120)
    prices = b.module("shop/prices.py", importance=3.0)
    errors = b.module("shop/errors.py", importance=0.5)
    checks = b.module("tests/test_app.py", is_test=True)
    readme = b.node(
        "Document", f"{repository}:README.md", "README.md", path="README.md", start_line=1, end_line=20, format="markdown",
        heading="Shop", lines=20, hash="1" * 64,
    )  # fmt: skip
    for child in (package, tests, readme):
        b.join("CONTAINS", top, child)
    b.join("CONTAINS", root, top)
    for module in (app, models, prices, errors):
        b.join("CONTAINS", package, module)
    b.join("CONTAINS", tests, checks)

    error = b.define("Class", errors, "ShopError", 3, bases=["Exception"])
    base = b.define("Class", models, "Item", 5, importance=5.0, is_core=True, methods=2, docstring="Something to sell.")
    book = b.define("Class", models, "Book", 40, importance=2.0, methods=1, bases=["Item"])
    comic = b.define("Class", models, "Comic", 60, bases=["Book"])
    price = b.define("Function", base, "price", 10, kind="method", docstring="Price in cents.", calls_in=2)
    name = b.define("Function", base, "name", 20, kind="property", decorators=["property"])
    book_price = b.define("Function", book, "price", 44, kind="method")
    comic_price = b.define("Function", comic, "price", 64, kind="method")
    main = b.define("Function", app, "main", 10, entry_points=["console_script: shop"], is_async=True)
    total = b.define(
        "Function", app, "total", 30, calls_in=3, signature="(items, *, tax=0.2)", body_hash="0123456789abcdef0123"
    )
    inner = b.define("Function", total, "add", 32)
    discount = b.define("Function", prices, "discount", 4, docstring="Recursive.")
    rounding = b.define("Function", prices, "rounded", 20)
    unused = b.define("Function", prices, "unused", 40)
    test_total = b.define("Function", checks, "test_total", 3, is_test=True, entry_points=["test"])

    exception, length = b.external("builtins.Exception"), b.external("builtins.len")
    dumps = b.external("json.dumps")
    b.join("INHERITS", error, exception, lines=[1], how="builtin", confidence=1.0)
    b.join("INHERITS", book, base, lines=[1], how="scope", confidence=1.0)
    b.join("INHERITS", comic, book, lines=[1], how="scope", confidence=1.0)
    b.join("OVERRIDES", book_price, price)
    b.join("OVERRIDES", comic_price, book_price)
    imports = [
        (app, models, ["Item"]),
        (app, prices, ["discount"]),
        (models, prices, ["rounded"]),
        (prices, models, ["Item"]),
    ]
    for start, end, names in [
        *imports,
        (checks, app, ["total"]),
        (app, dumps, ["dumps"]),
        (models, errors, ["ShopError"]),
    ]:
        b.join("IMPORTS", start, end, lines=[1], names=list(names), how="import", confidence=1.0)
        if end != dumps:
            b.join("DEPENDS_ON", start, end, weight=1.0 + len(names))
    b.call(app, main, 90)
    b.call(main, total, 12, 14)
    b.call(main, book, 11)
    b.call(main, dumps, 15)
    b.call(total, inner, 35)
    b.call(total, discount, 36, confidence=0.9)
    b.call(total, length, 37, how="builtin")
    b.call(inner, price, 33, how="annotation", confidence=0.8)
    b.call(price, rounding, 11)
    b.call(book_price, price, 45, how="super")
    b.call(discount, discount, 6)
    b.call(discount, rounding, 7)
    b.call(test_total, total, 4)
    b.call(rounding, error, 22)
    b.unresolved(main, "price", 16, 17)
    b.unresolved(test_total, "price", 5)
    b.unresolved(unused, "close", 41, reason="unknown name")
    b.join("REFERENCES", total, base, kind="annotation", lines=[30], how="scope", confidence=1.0)
    b.join("REFERENCES", app, name, kind="value", lines=[80], how="scope", confidence=0.7)
    own = b.node("Package", f"package:pypi/{repository}", repository, ecosystem="pypi")
    requests = b.node("Package", "package:pypi/requests", "requests", ecosystem="pypi")
    b.join("PROVIDES", root, own)
    b.join("DEPENDS_ON", root, requests, weight=1.0, requirement=">=2,<3", locked="2.32.3")
    return b.build()


def random_graph(repository: str, functions: int, calls: int, seed: int = 0) -> RepositoryGraph:
    """Modules of twenty functions each that call one another at random, with text of the lengths that real code has."""
    chance = random.Random(seed)
    b = GraphBuilder(repository)
    root = b.repository_node(revision=str(seed), files=functions // 20, lines=functions * 12)
    top = b.directory(".")
    b.join("CONTAINS", root, top)
    defined: list[str] = []
    for number in range(0, functions, 20):
        module = b.module(f"package{number % 7}/module{number}.py", importance=round(chance.random() * 10, 3))
        b.join("CONTAINS", top, module)
        for place in range(min(20, functions - number)):
            docstring = f"Function {place} of module {number}: " + "does what it should. " * chance.randrange(1, 8)
            defined.append(
                b.define("Function", module, f"function_{number + place}", 1 + place * 12, docstring=docstring)
            )
    for _ in range(calls):
        start, end = chance.choice(defined), chance.choice(defined)
        b.call(start, end, *range(1, 1 + chance.randrange(1, 4)), confidence=round(chance.random(), 2))
    return b.build()
