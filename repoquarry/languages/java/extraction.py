"""One Java file -> its facts."""

from __future__ import annotations

import msgspec

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import GraphBuilder
from repoquarry.languages.encoding import as_utf8
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java.constructs.declarations import Declarations
from repoquarry.languages.java.grammar import parse
from repoquarry.languages.syntax import broken_places, deep_recursion

_DEEPEST = 20_000


def extract(path: str, source: bytes) -> FileFacts:
    """The facts of one file. Never raises on bad input: see `FileFacts.parse_errors`."""
    text, encoding = as_utf8(source)
    root = parse(text).root_node
    found = Declarations()
    found.definitions.errors += broken_places(root)
    with deep_recursion(_DEEPEST):
        try:
            found.read(root)
            packed = msgspec.msgpack.encode(found.classes)
        except RecursionError:
            found.definitions.complain(root, "nested too deeply: what follows was left out")
            packed = msgspec.msgpack.encode([])
    return _facts(path, text, encoding, found, packed)


def _facts(path: str, text: bytes, encoding: str, found: Declarations, packed: bytes) -> FileFacts:
    graph, definitions = GraphBuilder(), found.definitions.made
    graph.functions = [[3, op.CLASS, 0] if one.kind == "class" else [] for one in definitions]
    outer = next((one for one in definitions if not one.parent), None)
    return FileFacts(
        path=path,
        language="java",
        encoding=encoding,
        loc=text.count(b"\n") + (1 if text and not text.endswith(b"\n") else 0),
        module_name=path.rpartition("/")[2].rsplit(".", 1)[0],
        is_package=False,
        is_stub=False,
        docstring=outer.docstring if outer is not None else "",
        branches=found.definitions.branches,
        deepest_indent=max((one.indent for one in definitions), default=0),
        definitions=tuple(definitions),
        imports=tuple(found.imports),
        exports=None,
        entry_points=(),
        parse_errors=tuple(sorted(found.definitions.errors, key=lambda error: (error.line, error.message))),
        graph=graph.finish(),
        namespace=found.package,
        own=packed,
    )
