"""DOT for Graphviz: what calls a definition and what it calls, some hops around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from repoquarry.server.api import Api
from repoquarry.server.harmless import harmless
from repoquarry.server.text import place, title
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1.entities_pb2 import Entity

MOST_NODES = 400
"""A drawing of more is of use to nobody; it says that it was cut."""


def write(api: Api, repository: str, name: str, hops: int, least: float, target: TextIO) -> None:
    """Draw the calls around everything that a name means in a repository. Raises: the errors of `Api`."""
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
            if not known and len(nodes) >= MOST_NODES:
                cut = True
                continue
            nodes.setdefault(relation.entity.id, relation.entity)
            ends = (relation.via_id, relation.entity.id)
            outward = direction == pb.DIRECTION_OUTGOING
            edges[ends if outward else (ends[1], ends[0])] = _certainty(relation)
    target.write(f"digraph {_quoted(name)} {{\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n")
    if cut:
        target.write(f"  label={_quoted(f'cut at {MOST_NODES} definitions')};\n")
    for id_, entity in nodes.items():
        style = ", style=bold" if id_ in centres else ""
        shown = _quoted(f"{title(entity)}\n{place(entity)}")
        target.write(f"  {_quoted(id_)} [label={shown}{style}];\n")
    for (start, end), text in edges.items():
        if start in nodes and end in nodes:
            target.write(f"  {_quoted(start)} -> {_quoted(end)} [label={_quoted(text)}];\n")
    target.write("}\n")


def _relations(
    api: Api, repository: str, name: str, hops: int, least: float, direction: pb.Direction.ValueType
) -> Iterator[tuple[Entity, pb.Relation | None]]:
    """Each meaning of the name, alone and with everything reached from it."""
    request = pb.ListRelationsRequest(
        symbol=name,
        kind=pb.RELATION_KIND_CALLS,
        direction=direction,
        hops=hops,
        repositories=[repository],
        min_confidence=least,
        page_size=1_000,
    )
    while True:
        page = api.code.list_relations(request)
        for meaning in page.meanings:
            yield meaning.entity, None
            for relation in meaning.relations:
                yield meaning.entity, relation
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _certainty(relation: pb.Relation) -> str:
    site = relation.site
    times = f"{site.count}×" if site.count > 1 else ""
    sure = f"{site.confidence:.2f}" if site.HasField("confidence") and site.confidence < 0.9 else ""
    return " ".join(part for part in (times, sure) if part)


def _quoted(text: str) -> str:
    """A DOT string: quotes and backslashes escaped, line breaks as `\\n`."""
    escaped = harmless(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
