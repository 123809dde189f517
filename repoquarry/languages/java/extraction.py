"""One Java file -> its facts."""

from __future__ import annotations

import sys

import msgspec
from tree_sitter import Node as Syntax

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import GraphBuilder
from repoquarry.languages.facts import FileFacts, ParseError
from repoquarry.languages.java.declarations import Declarations
from repoquarry.languages.java.grammar import line_of, parse

#: more broken places than this are not listed one by one
MAX_PARSE_ERRORS = 20
_DEEPEST = 20_000


def extract(path: str, source: bytes) -> FileFacts:
    """The facts of one file. Never raises on bad input: see `FileFacts.parse_errors`."""
    text, encoding = _utf8(source)
    root = parse(text).root_node
    found = Declarations()
    if root.has_error:
        found.errors += _broken_places(root)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        found.read(root)
        packed = msgspec.msgpack.encode(found.classes)
    except RecursionError:
        found.complain(root, "nested too deeply: what follows was left out")
        packed = msgspec.msgpack.encode([])
    finally:
        sys.setrecursionlimit(before)
    return _facts(path, text, encoding, found, packed)


def _facts(path: str, text: bytes, encoding: str, found: Declarations, packed: bytes) -> FileFacts:
    graph = GraphBuilder()
    graph.functions = [[3, op.CLASS, 0] if one.kind == "class" else [] for one in found.definitions]
    outer = next((one for one in found.definitions if not one.parent), None)
    return FileFacts(
        path=path,
        language="java",
        encoding=encoding,
        loc=text.count(b"\n") + (1 if text and not text.endswith(b"\n") else 0),
        module_name=path.rpartition("/")[2].rsplit(".", 1)[0],
        is_package=False,
        is_stub=False,
        docstring=outer.docstring if outer is not None else "",
        branches=found.branches,
        deepest_indent=max((one.indent for one in found.definitions), default=0),
        definitions=tuple(found.definitions),
        imports=tuple(found.imports),
        exports=None,
        entry_points=(),
        parse_errors=tuple(sorted(found.errors, key=lambda error: (error.line, error.message))),
        graph=graph.finish(),
        namespace=found.package,
        own=packed,
    )


def _utf8(source: bytes) -> tuple[bytes, str]:
    """The text as UTF-8, without a mark at its beginning, and the encoding in which it was given."""
    if source.startswith(b"\xef\xbb\xbf"):
        source = source[3:]
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return source.decode("latin-1").encode(), "latin-1"
    return source, "utf-8"


def _broken_places(root: Syntax) -> list[ParseError]:
    """What the grammar could not read."""
    found: list[ParseError] = []
    pending = [root]
    while pending and len(found) < MAX_PARSE_ERRORS:
        node = pending.pop()
        if node.is_missing:
            found.append(ParseError(line_of(node), f"syntax error: {node.type} expected"))
        elif node.is_error:
            found.append(ParseError(line_of(node), "syntax error"))
        elif node.has_error:
            pending.extend(reversed(node.children))
    return found
