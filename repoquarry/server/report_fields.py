"""Fields of messages about code that reports name otherwise, and cuts of lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.code.calls import Certainty
from repoquarry.code.reader import to_definition
from repoquarry.code.records import RelationKind, Site, shown_name
from repoquarry.graphstore.model.values import Node
from repoquarry.server.resource_names import repository_name
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1 import entities_pb2
from repoquarry.v1 import view_service_pb2 as view_pb

_MAX_LINES_OF_ROW: Final = 100
_MAX_MEMBERS: Final = 100
_MAX_MARGIN_ROWS: Final = 20
"""Maximum number of callers per group in the margin of a file."""
_MAX_ROLE_FOLDERS: Final = 12
_MAX_NAMES_OF_REACH: Final = 5
_MAX_EDGES: Final = 12


def find_cut(shown: int, total: int, rule: str) -> view_pb.Cut | None:
    """Return the cut; None where everything is shown."""
    return view_pb.Cut(shown=shown, total=total, rule=rule) if shown < total else None


def group_message(group: Any, max_rows: int, first_row: int = 0) -> view_pb.NeighborGroup:
    """Convert a group of neighbors with `max_rows` of its rows."""
    rows = group.neighbors[first_row : first_row + max_rows]
    return to_message(view_pb.NeighborGroup, group, rows=rows)


def _entity_fields(source: Any) -> dict[str, object]:
    importance = getattr(source, "importance", None)
    return {
        "name": shown_name(source.name, getattr(source, "entry_points", ())),
        "repository": repository_name(source.repository),
        "kind": "" if source.label == "Module" else getattr(source, "kind", ""),
        "importance": importance if source.label in ("Module", "Class") else importance or None,
    }


def _hit_fields(hit: Any) -> dict[str, object]:
    found = hit.snippet
    shown = {"snippet": found.text, "snippet_line": found.line, "highlights": found.highlights} if found else {}
    unset: dict[str, object] = dict.fromkeys(("snippet", "snippet_line", "highlights"))
    location = to_message(entities_pb2.Entity, hit, kind=hit.kind, signature=None, summary=None)
    return {**unset, **shown, "entity": location, "parts": _parts(hit.parts)}


def _parts(values: Any) -> list[pb.ScorePart]:
    return [pb.ScorePart(name=name, value=value) for name, value in values]


def _neighbor_fields(item: Any) -> dict[str, object]:
    entity = item.entity
    if entity.label == "External":
        entity = entities_pb2.Entity(label="External", name=entity.name, qualname=entity.qualname)
    return {"entity": entity, "lines": item.lines[:_MAX_LINES_OF_ROW]}


def _call_fields(site: Any) -> dict[str, object]:
    unresolved = view_pb.UnresolvedCall(name=site.unresolved_name, reason=site.unresolved_reason)
    return {"unresolved": unresolved if site.unresolved_name else None}


def _role_fields(role: Any) -> dict[str, object]:
    shown = role.folders[:_MAX_ROLE_FOLDERS]
    return {
        "folders": shown,
        "cut": find_cut(len(shown), len(role.folders), "most lines first"),
        "files": sum(item.files for item in role.folders),
        "lines": sum(item.lines for item in role.folders),
    }


def _edge_fields(edge: Any) -> dict[str, object]:
    """Return the fields of a gained or lost call; one that is known by its name only has no certainty."""
    known = {"certainty": edge.target.certainty, "confidence": edge.target.confidence, "targets": edge.target.targets}
    return {"target": edge.target.entity, **(dict.fromkeys(known) if edge.by_name else known)}


REPLACEMENTS: Final[Mapping[type[Message], Callable[[Any], dict[str, object]]]] = {
    entities_pb2.Entity: _entity_fields,
    pb.SearchHit: _hit_fields,
    pb.RankedPlace: lambda place: {
        "entity": to_message(entities_pb2.Entity, place, is_test=None, signature=None, summary=None)
    },
    pb.Meaning: lambda item: {"measures": _parts(item.measures), "definitions": item.definitions[:_MAX_MEMBERS]},
    pb.Owner: lambda owner: {"last_commit_time": Timestamp(seconds=owner.last_time)},
    pb.PathStep: lambda step: {
        "kind": RelationKind[step.kind],
        "site": Site.from_properties(step.relation.properties),
    },
    pb.EdgeChange: lambda edge: {"kind": RelationKind[edge.kind]},
    view_pb.Neighbor: _neighbor_fields,
    view_pb.NeighborGroup: lambda group: {
        "key": repository_name(group.key) if group.kind == view_pb.GROUP_KIND_REPOSITORY else group.key,
        "neighbors": len(group.neighbors),
    },
    view_pb.CallSite: _call_fields,
    view_pb.LineCallers: lambda item: {
        "line": item.entity.start_line,
        "id": item.entity.id,
        "groups": [group_message(group, _MAX_MARGIN_ROWS) for group in item.groups],
        "total": sum(len(group.neighbors) for group in item.groups),
    },
    view_pb.OutsideSite: lambda site: {
        "caller": site.caller.entity,
        "certainty": site.caller.certainty,
        "confidence": site.caller.confidence,
        "targets": site.caller.targets,
    },
    view_pb.ChangedEdge: _edge_fields,
    view_pb.ChangedDefinition: lambda item: {
        "outside_sites": item.sites,
        "outside_total": len(item.sites),
        "edges": item.edges[:_MAX_EDGES],
    },
    view_pb.Reach: lambda step: {
        "definitions": len(step.affected),
        "names": [item.entity for item in step.affected[:_MAX_NAMES_OF_REACH]],
    },
    view_pb.Role: _role_fields,
    view_pb.Dependency: lambda item: {"repository": repository_name(item.repository)},
    view_pb.Completeness: lambda item: {one.name.lower(): item.sites_by_certainty.get(one, 0) for one in Certainty},
}
"""Fields of a message whose values are not the attributes of that name."""


def replace_fields(kind: type[Message], source: object) -> tuple[object, dict[str, object]]:
    """Return the record of a source, and the fields of its message that are not its attributes."""
    record = to_definition(source) if isinstance(source, Node) else source
    find_fields = REPLACEMENTS.get(kind)
    return record, find_fields(record) if find_fields is not None else {}
