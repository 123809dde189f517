"""The call graph as `{caller: [callees]}` in the naming of PyCG, for laying it beside other tools' graphs.

Modules with dots, then classes and nested functions: `package.module.Class.method`, `module.<lambda1>`; the module itself calls from its
top level; built-ins are `<builtin>.len`, methods of built-in types `<**PyStr**>.join`. Calling a class is an edge to its `__init__` where
the repository has one, and none otherwise; decorators that only mark a method are not calls in this notation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TextIO

from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.ingest.resolution import LIKELY
from repoquarry.server.api import Api
from repoquarry.server.exports.reading import RepositoryGraph
from repoquarry.server.harmless import json_text

#: Edges below this are possibilities rather than findings.
DEFAULT_CONFIDENCE = LIKELY

_MODULES = "MATCH (m:Module) WHERE m.repository = $repository AND m.id > $after AND m.id <= $until RETURN m.path AS path, m.name AS name"
_FUNCTIONS = "MATCH (f:Function) WHERE f.repository = $repository AND f.id > $after AND f.id <= $until RETURN f.path AS path, f.qualname AS qualname"
_CALLS = """
MATCH (a:{label})-[r:CALLS]->(b) WHERE a.repository = $repository AND a.id > $after AND a.id <= $until AND r.confidence >= $least
RETURN labels(a)[0] AS label, a.path AS path, a.qualname AS qualname,
       labels(b)[0] AS to_label, b.path AS to_path, b.qualname AS to_qualname
"""
_TYPES = {
    "builtins.str.": "<**PyStr**>.",
    "builtins.dict.": "<**PyDict**>.",
    "builtins.list.": "<**PyList**>.",
    "builtins.tuple.": "<**PyTuple**>.",
}
_MARKS = {"builtins.staticmethod", "builtins.classmethod", "builtins.property"}


class Node(NamedTuple):
    """An end of a call."""

    label: str
    """`Module`, `Class`, `Function` or `External`."""
    module: str
    """Dotted name of the module around it; empty for an External."""
    qualname: str
    """Dotted name inside the module, empty for the module itself; of an External the full dotted name."""


def write(api: Api, repository: str, least: float, target: TextIO) -> None:
    """Write the repository's calls of at least this confidence. Raises: the errors of `Api`."""
    graph = RepositoryGraph(api, repository)
    modules = {path: "" if name == path else name for path, name in graph.rows_of("Module", _MODULES, "path")}

    def node(label: str, path: str | None, qualname: str | None) -> Node:
        return Node(label, modules.get(path, "") if path else "", qualname or "")

    nodes = [Node("Module", name, "") for name in modules.values()]
    nodes += [node("Function", *row) for row in graph.rows_of("Function", _FUNCTIONS, "qualname")]
    calls = (
        row
        for label in RELATIONSHIP_TYPES["CALLS"].start
        for row in graph.rows_of(label, _CALLS.format(label=label), "to_label, to_path, to_qualname", least=least)
    )
    found = call_graph(nodes, ((node(*row[:3]), node(*row[3:])) for row in calls))
    target.write(json_text(found, indent=1, sort_keys=True) + "\n")


def call_graph(nodes: Iterable[Node], calls: Iterable[tuple[Node, Node]]) -> dict[str, list[str]]:
    """Callers and their callees, both sorted; every module and function of `nodes` is a caller, if only of nothing."""
    graph: dict[str, set[str]] = {_inside(node): set() for node in nodes if node.label != "Class"}
    for caller, target in calls:
        callee = _callee(target)
        if callee is not None:
            graph.setdefault(_inside(caller), set()).add(callee)
            graph.setdefault(callee, set())
    return {caller: sorted(callees) for caller, callees in sorted(graph.items())}


def _inside(node: Node) -> str:
    return ".".join(part for part in (node.module, node.qualname) if part)


def _callee(node: Node) -> str | None:
    """The name of what is called; None where this notation has no edge.

    A class is none: the call of its `__init__`, where it has one, is a call of its own.
    """
    if node.label != "External":
        return None if node.label == "Class" else _inside(node)
    name = node.qualname
    if name in _MARKS:
        return None
    for prefix, shown in _TYPES.items():
        if name.startswith(prefix):
            return shown + name[len(prefix) :]
    return f"<builtin>.{name.removeprefix('builtins.')}" if name.startswith("builtins.") else name
