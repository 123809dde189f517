"""GraphML, DOT and PyCG call graphs.

Modules with dots, then classes and nested functions: `package.module.Class.method`, `module.<lambda1>`; the module itself calls from its
top level; built-ins are `<builtin>.len`, methods of built-in types `<**PyStr**>.join`. Calling a class is an edge to its `__init__` where
the repository has one, and none otherwise; decorators that only mark a method are not calls in this notation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TextIO
from xml.sax.saxutils import escape, quoteattr

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.ingest.resolution import LIKELY
from repoquarry.server.api import Api
from repoquarry.server.exports.graph_source import ApiGraphSource
from repoquarry.server.resource_names import iterate_pages
from repoquarry.server.text_format import escape_controls, format_location, format_name, json_text
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1.entities_pb2 import Entity

DEFAULT_CONFIDENCE = LIKELY
"""Edges below this confidence are only possible."""
_MODULES = "MATCH (m:Module) WHERE m.repository = $repository AND m.id > $after AND m.id <= $until RETURN m.path AS path, m.name AS name"
_FUNCTIONS = "MATCH (f:Function) WHERE f.repository = $repository AND f.id > $after AND f.id <= $until RETURN f.path AS path, f.qualname AS qualname"
_CALLS = """
MATCH (a:{label})-[r:CALLS]->(b) WHERE a.repository = $repository AND a.id > $after AND a.id <= $until
  AND (r.confidence > $least OR r.confidence = $least AND r.how <> 'declared')
RETURN labels(a)[0] AS label, a.path AS path, a.qualname AS qualname,
       labels(b)[0] AS to_label, b.path AS to_path, b.qualname AS to_qualname
"""
_CALL_TYPES = {
    "builtins.str.": "<**PyStr**>.",
    "builtins.dict.": "<**PyDict**>.",
    "builtins.list.": "<**PyList**>.",
    "builtins.tuple.": "<**PyTuple**>.",
}
_MARKS = {"builtins.staticmethod", "builtins.classmethod", "builtins.property"}


class CallGraphNode(NamedTuple):
    """Caller or callee in a call graph."""

    label: str
    """`Module`, `Class`, `Function` or `External`."""
    module: str
    """Dotted name of the module; empty for an External."""
    qualname: str
    """Dotted name inside the module, empty for the module itself; the full dotted name of an External."""


def write_callgraph(api: Api, repository: str, least: float, target: TextIO) -> None:
    """Write the calls of a repository with at least this confidence, declared ones above it. Raises: the errors of `Api`."""
    graph = ApiGraphSource(api, repository)
    modules = {path: "" if name == path else name for path, name in graph.rows_of("Module", _MODULES, "path")}

    def node(label: str, path: str | None, qualname: str | None) -> CallGraphNode:
        return CallGraphNode(label, modules.get(path, "") if path else "", qualname or "")

    nodes = [CallGraphNode("Module", name, "") for name in modules.values()]
    nodes += [node("Function", *row) for row in graph.rows_of("Function", _FUNCTIONS, "qualname")]
    calls = (
        row
        for label in RELATIONSHIP_TYPES["CALLS"].start
        for row in graph.rows_of(label, _CALLS.format(label=label), "to_label, to_path, to_qualname", least=least)
    )
    found = call_graph(nodes, ((node(*row[:3]), node(*row[3:])) for row in calls))
    target.write(json_text(found, indent=1, sort_keys=True) + "\n")


def call_graph(
    nodes: Iterable[CallGraphNode], calls: Iterable[tuple[CallGraphNode, CallGraphNode]]
) -> dict[str, list[str]]:
    """Map callers to callees, both sorted; every module and function of `nodes` is a key."""
    graph: dict[str, set[str]] = {_inside(node): set() for node in nodes if node.label != "Class"}
    for caller, target in calls:
        callee = _callee(target)
        if callee is not None:
            graph.setdefault(_inside(caller), set()).add(callee)
            graph.setdefault(callee, set())
    return {caller: sorted(callees) for caller, callees in sorted(graph.items())}


def _inside(node: CallGraphNode) -> str:
    return ".".join(part for part in (node.module, node.qualname) if part)


def _callee(node: CallGraphNode) -> str | None:
    """Return the name of a callee; None where this notation has no edge.

    A class has no edge: the call of its `__init__` is a separate call.
    """
    if node.label != "External":
        return None if node.label == "Class" else _inside(node)
    name = node.qualname
    if name in _MARKS:
        return None
    for prefix, shown in _CALL_TYPES.items():
        if name.startswith(prefix):
            return shown + name[len(prefix) :]
    return f"<builtin>.{name.removeprefix('builtins.')}" if name.startswith("builtins.") else name


MAX_NODES = 400
"""Maximum number of nodes of a drawing; a larger drawing is truncated and reports it."""


def write_dot(api: Api, repository: str, name: str, hops: int, least: float, target: TextIO) -> None:
    """Draw the calls around all definitions of a name in a repository. Raises: the errors of `Api`."""
    nodes: dict[str, Entity] = {}
    edges: dict[tuple[str, str], str] = {}
    centres: set[str] = set()
    cut = False
    for direction in (pb.DIRECTION_OUTGOING, pb.DIRECTION_INCOMING):
        for meaning, relation in _relations(api, repository, name, hops, least, direction):
            centres.add(meaning.id)
            nodes.setdefault(meaning.id, meaning)
            if relation is None:
                continue
            known = relation.entity.id in nodes
            if not known and len(nodes) >= MAX_NODES:
                cut = True
                continue
            nodes.setdefault(relation.entity.id, relation.entity)
            ends = (relation.via_id, relation.entity.id)
            outward = direction == pb.DIRECTION_OUTGOING
            edges[ends if outward else (ends[1], ends[0])] = _certainty(relation)
    target.write(f"digraph {_quoted_dot(name)} {{\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n")
    if cut:
        target.write(f"  label={_quoted_dot(f'cut at {MAX_NODES} definitions')};\n")
    for id_, entity in nodes.items():
        style = ", style=bold" if id_ in centres else ""
        shown = _quoted_dot(f"{format_name(entity)}\n{format_location(entity)}")
        target.write(f"  {_quoted_dot(id_)} [label={shown}{style}];\n")
    for (start, end), text in edges.items():
        if start in nodes and end in nodes:
            target.write(f"  {_quoted_dot(start)} -> {_quoted_dot(end)} [label={_quoted_dot(text)}];\n")
    target.write("}\n")


def _relations(
    api: Api, repository: str, name: str, hops: int, least: float, direction: pb.Direction.ValueType
) -> Iterator[tuple[Entity, pb.Relation | None]]:
    """Yield each definition of the name, alone and with each relation."""
    request = pb.ListRelationsRequest(
        symbol=name,
        kind=pb.RELATION_KIND_CALLS,
        direction=direction,
        hops=hops,
        repositories=[repository],
        min_confidence=least,
        page_size=1_000,
    )
    for page in iterate_pages(api.code.list_relations, request):
        for meaning in page.meanings:
            yield meaning.entity, None
            for relation in meaning.relations:
                yield meaning.entity, relation


def _certainty(relation: pb.Relation) -> str:
    site = relation.site
    times = f"{site.count}×" if site.count > 1 else ""
    sure = f"{site.confidence:.2f}" if site.HasField("confidence") and site.confidence < 0.9 else ""
    return " ".join(part for part in (times, sure) if part)


def _quoted_dot(text: str) -> str:
    """Quote a DOT string: quotes and backslashes are escaped, line breaks become `\\n`."""
    escaped = escape_controls(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


_TYPES = {PropertyKind.INTEGER: "long", PropertyKind.FLOAT: "double", PropertyKind.BOOLEAN: "boolean"}
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def write_graphml(graph: ApiGraphSource, target: TextIO) -> None:
    """Write GraphML: nodes have `label`, edges have `relationship`, and both have all set properties."""
    target.write(_HEAD)
    nodes = _keys(prop for label in NODE_LABELS.values() for prop in label.properties)
    edges = _keys(prop for kind in RELATIONSHIP_TYPES.values() for prop in kind.properties)
    for side, letter, types in (
        ("node", "n", {"label": "string", **nodes}),
        ("edge", "e", {"relationship": "string", **edges}),
    ):
        for name, kind in types.items():
            target.write(f'<key id="{letter}_{name}" for="{side}" attr.name="{name}" attr.type="{kind}"/>\n')
    target.write('<graph id="repository" edgedefault="directed">\n')
    for node in graph.nodes():
        data = _data("n", {"label": node.label, **node.properties})
        target.write(f"<node id={_quoted(node.label, node.id)}>{data}</node>\n")
    for number, item in enumerate(graph.relationships()):
        ends = f"source={_quoted(item.start_label, item.start_id)} target={_quoted(item.end_label, item.end_id)}"
        data = _data("e", {"relationship": item.type, **item.properties})
        target.write(f'<edge id="e{number}" {ends}>{data}</edge>\n')
    target.write("</graph>\n</graphml>\n")


def _keys(properties: Any) -> dict[str, str]:
    """Return the GraphML type of each property; a name with several types is a string."""
    found: dict[str, str] = {}
    prop: Property
    for prop in properties:
        kind = _TYPES.get(prop.kind, "string")
        found[prop.name] = kind if found.get(prop.name, kind) == kind else "string"
    return found


def _quoted(label: str, id_: str) -> str:
    """Quote an id with its label, because ids are unique only within their label."""
    return quoteattr(_FORBIDDEN.sub("\ufffd", f"{label} {id_}"))


def _data(letter: str, values: Mapping[str, Any]) -> str:
    return "".join(f'<data key="{letter}_{name}">{_text(value)}</data>' for name, value in values.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    return escape(_FORBIDDEN.sub("\ufffd", text), {"\r": "&#13;"})
