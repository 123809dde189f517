"""GraphML, for yEd, Gephi, networkx, igraph: one directed graph, typed attributes. Lists, which GraphML lacks, are JSON text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TextIO
from xml.sax.saxutils import escape, quoteattr

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.server.exports.reading import RepositoryGraph

_TYPES = {PropertyKind.INTEGER: "long", PropertyKind.FLOAT: "double", PropertyKind.BOOLEAN: "boolean"}
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def write(graph: RepositoryGraph, target: TextIO) -> None:
    """Nodes carry `label`, edges `relationship`, both every property that is set."""
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
    """GraphML's type of each property; a name that means several kinds is text."""
    found: dict[str, str] = {}
    prop: Property
    for prop in properties:
        kind = _TYPES.get(prop.kind, "string")
        found[prop.name] = kind if found.get(prop.name, kind) == kind else "string"
    return found


def _quoted(label: str, id_: str) -> str:
    """Ids are unique within their label only."""
    return quoteattr(_FORBIDDEN.sub("\ufffd", f"{label} {id_}"))


def _data(letter: str, values: Mapping[str, Any]) -> str:
    return "".join(f'<data key="{letter}_{name}">{_text(value)}</data>' for name, value in values.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    return escape(_FORBIDDEN.sub("\ufffd", text), {"\r": "&#13;"})
