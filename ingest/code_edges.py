"""Relationships between code: imports, calls, calls that stay open, inheritance, references, module dependencies.

One relationship a pair and type: what resolution found in several ways between the same two nodes is merged here, with all its
sites, under the surest way.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.code_nodes import Places
from ingest.parts import Parts
from ingest.resolution import CallEdge, ImportEdge, Reference, Resolution, UnresolvedCall
from ingest.tables import Nodes, Place, Relationships

_MAX_LINES = 100
_IMPORT_CONFIDENCE = {"import": 1.0, "from": 1.0, "typing": 1.0, "star": 0.95, "dynamic": 0.9}
"""An import that names its module is right if the module is; a star may be overridden, a dynamic one may be conditional."""
_REFERENCE_CONFIDENCE = 0.9
_NO_NAME = "<expression>"


def add_edges(parts: Parts, places: Places, nodes: Nodes, relationships: Relationships) -> None:
    """Add every relationship that resolution found, and the external and name nodes that they need."""
    edges = _Edges(parts, places, nodes, relationships)
    edges.imports()
    edges.calls()
    edges.unresolved()
    edges.inheritance()
    edges.references()
    edges.dependencies()


class _Edges:
    """Adds relationships of one repository; knows how a target's number becomes a node."""

    def __init__(self, parts: Parts, places: Places, nodes: Nodes, relationships: Relationships) -> None:
        self._parts = parts
        self._resolution: Resolution = parts.resolution
        self._places = places
        self._nodes = nodes
        self._relationships = relationships
        self._externals: dict[int, Place] = {}

    def imports(self) -> None:
        merged: dict[tuple[int, int], list[ImportEdge]] = {}
        for edge in self._resolution.imports:
            merged.setdefault((edge.source, edge.target), []).append(edge)
        for (source, target), edges in merged.items():
            ends = self._inside(source), self._any(target)
            surest = max(edges, key=lambda edge: _IMPORT_CONFIDENCE.get(edge.how, _REFERENCE_CONFIDENCE))
            if ends[0] and ends[1]:
                names = sorted({name for edge in edges for name in edge.names})
                self._relationships.add(
                    "IMPORTS",
                    ends[0],
                    ends[1],
                    lines=_lines([edge.lines for edge in edges]),
                    names=names or None,
                    how=surest.how,
                    confidence=_IMPORT_CONFIDENCE.get(surest.how, _REFERENCE_CONFIDENCE),
                )

    def calls(self) -> None:
        merged: dict[tuple[int, int], list[CallEdge]] = {}
        for edge in self._resolution.calls:
            merged.setdefault((edge.caller, edge.callee), []).append(edge)
        for (caller, callee), edges in merged.items():
            start, end = self._inside(caller), self._any(callee)
            surest = max(edges, key=lambda edge: edge.confidence)
            if start and end:
                self._relationships.add(
                    "CALLS",
                    start,
                    end,
                    count=sum(edge.count for edge in edges),
                    lines=_lines([edge.lines for edge in edges]),
                    how=surest.how,
                    confidence=surest.confidence,
                )

    def unresolved(self) -> None:
        merged: dict[tuple[int, str], list[UnresolvedCall]] = {}
        for call in self._resolution.unresolved:
            merged.setdefault((call.caller, call.name or _NO_NAME), []).append(call)
        repository = self._parts.origin.repository
        for (caller, name), calls in merged.items():
            start = self._inside(caller)
            if start:
                self._relationships.add(
                    "UNRESOLVED",
                    start,
                    self._nodes.add("Name", f"{repository}:name:{name}", name),
                    count=sum(call.count for call in calls),
                    lines=_lines([call.lines for call in calls]),
                    reason=max(calls, key=lambda call: call.count).reason,
                )

    def inheritance(self) -> None:
        for edge in self._resolution.inherits:
            start, end = self._inside(edge.cls), self._any(edge.base)
            if start and end and end.label in ("Class", "External"):
                self._relationships.add(
                    "INHERITS", start, end, position=edge.position, how="base class", confidence=1.0
                )
        for override in self._resolution.overrides:
            start, end = self._inside(override.method), self._inside(override.overridden)
            if start and end:
                self._relationships.add("OVERRIDES", start, end)

    def references(self) -> None:
        merged: dict[tuple[int, int], list[Reference]] = {}
        for edge in self._resolution.references:
            merged.setdefault((edge.source, edge.target), []).append(edge)
        for (source, target), edges in merged.items():
            start, end = self._inside(source), self._any(target)
            if start and end:
                self._relationships.add(
                    "REFERENCES",
                    start,
                    end,
                    kind=max(edges, key=lambda edge: edge.count).how,
                    lines=_lines([edge.lines for edge in edges]),
                    how="name",
                    confidence=_REFERENCE_CONFIDENCE,
                )

    def dependencies(self) -> None:
        for (source, target), weight in self._parts.coupling.weights.items():
            start, end = self._places.by_key[source, ""], self._places.by_key[target, ""]
            self._relationships.add("DEPENDS_ON", start, end, weight=weight)

    def _inside(self, target: int) -> Place | None:
        return self._places.by_symbol[target] if target >= 0 else None

    def _any(self, target: int) -> Place | None:
        return self._places.by_symbol[target] if target >= 0 else self._external(target)

    def _external(self, target: int) -> Place:
        """The External node of a dotted name."""
        if target not in self._externals:
            dotted = self._resolution.externals[~target]
            self._externals[target] = self._nodes.add(
                "External",
                f"{self._parts.origin.repository}:external:{dotted}",
                dotted.rsplit(".", 1)[-1] or dotted,
                qualname=dotted,
                package=dotted.split(".", 1)[0],
            )
        return self._externals[target]


def _lines(found: Sequence[Sequence[int]]) -> list[int]:
    """All lines, ascending, each once, at most a hundred."""
    return sorted({line for lines in found for line in lines})[:_MAX_LINES]
