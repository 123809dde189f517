"""Relationships between code: imports, calls, calls that stay open, inheritance, references, module dependencies.

One relationship a pair and type: what resolution found in several ways between the same two nodes is merged here, with all its
sites, under the surest way.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.ingest.graph.code_nodes import Places
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Nodes, Place, Relationships
from repoquarry.ingest.resolution import CallEdge, Calls, ImportEdge, Reference, Resolution, UnresolvedCall

_MAX_LINES = 100
_IMPORT_CONFIDENCE = {"import": 1.0, "from": 1.0, "typing": 1.0, "star": 0.95, "dynamic": 0.9}
"""An import that names its module is right if the module is; a star may be overridden, a dynamic one may be conditional."""
_REFERENCE_CONFIDENCE = 0.9
_MOST_TELLING = ("decorator", "raises", "handler", "value", "annotation")
"""Kinds of references: where there are several between two nodes, the first of these is the relationship's."""
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
        merged: dict[tuple[int, int], ImportEdge] = {}
        for edge in self._resolution.imports:
            pair = edge.source, edge.target
            other = merged.get(pair)
            merged[pair] = edge if other is None else _merged_imports(other, edge)
        for edge in merged.values():
            start, end = self._inside(edge.source), self._any(edge.target)
            if start and end:
                self._relationships.add(
                    "IMPORTS",
                    start,
                    end,
                    lines=_lines(edge.lines),
                    names=list(edge.names) or None,
                    how=edge.how,
                    confidence=_import_confidence(edge),
                )

    def calls(self) -> None:
        calls = _each_pair_once(self._resolution.calls)
        starts = [self._inside(caller) for caller in calls.callers.tolist()]
        ends = [self._any(callee) for callee in calls.callees.tolist()]
        joined: dict[tuple[str, str], list[tuple[int, str, str]]] = {}
        for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if start and end:
                joined.setdefault((start.label, end.label), []).append((row, start.id, end.id))
        cuts, lines = calls.starts.tolist(), calls.lines.tolist()
        counts, rules = calls.counts.tolist(), [calls.rules[rule] for rule in calls.rule_of.tolist()]
        for labels, rows in joined.items():
            self._relationships.add_all(
                "CALLS",
                labels,
                [start for _, start, _ in rows],
                [end for _, _, end in rows],
                count=[counts[row] for row, _, _ in rows],
                lines=[_lines(lines[cuts[row] : cuts[row + 1]]) for row, _, _ in rows],
                how=[rules[row][0] for row, _, _ in rows],
                confidence=[rules[row][1] for row, _, _ in rows],
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
                    lines=_lines(*(call.lines for call in calls)),
                    reason=max(calls, key=lambda call: call.count).reason,
                )

    def inheritance(self) -> None:
        seen: set[tuple[int, int]] = set()
        for edge in self._resolution.inherits:
            start, end = self._inside(edge.cls), self._any(edge.base)
            if start and end and end.label in ("Class", "External") and (edge.cls, edge.base) not in seen:
                seen.add((edge.cls, edge.base))
                self._relationships.add(
                    "INHERITS", start, end, position=edge.position, how="base class", confidence=1.0
                )
        pairs = dict.fromkeys((override.method, override.overridden) for override in self._resolution.overrides)
        for method, overridden in pairs:
            start, end = self._inside(method), self._inside(overridden)
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
                    kind=min((edge.how for edge in edges), key=_MOST_TELLING.index),
                    kinds=sorted({edge.how for edge in edges}),
                    lines=_lines(*(edge.lines for edge in edges)),
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


def _merged_imports(one: ImportEdge, other: ImportEdge) -> ImportEdge:
    """Both ways of importing the same module, under the surer one."""
    surer = max(one, other, key=_import_confidence)
    names = tuple(sorted({*one.names, *other.names}))
    return ImportEdge(one.source, one.target, names, one.lines + other.lines, surer.how)


def _each_pair_once(calls: Calls) -> Calls:
    """`calls` with all ways of calling the same thing as one edge, under the surest one; they are sorted."""
    callers, callees = calls.callers, calls.callees
    if not ((callers[1:] == callers[:-1]) & (callees[1:] == callees[:-1])).any():
        return calls
    merged: dict[tuple[int, int], CallEdge] = {}
    for edge in calls:
        other = merged.setdefault((edge.caller, edge.callee), edge)
        if other is not edge:
            merged[edge.caller, edge.callee] = _merged_calls(other, edge)
    return Calls.of(merged.values())


def _merged_calls(one: CallEdge, other: CallEdge) -> CallEdge:
    """Both ways of calling the same thing, under the surer one."""
    surer = max(one, other, key=lambda edge: edge.confidence)
    lines = one.lines + other.lines
    return CallEdge(one.caller, one.callee, one.count + other.count, lines, surer.how, surer.confidence)


def _import_confidence(edge: ImportEdge) -> float:
    return _IMPORT_CONFIDENCE.get(edge.how, _REFERENCE_CONFIDENCE)


def _lines(*found: Sequence[int]) -> list[int]:
    """All lines, ascending, each once, at most a hundred."""
    if len(found) == 1 and len(found[0]) == 1:
        return [found[0][0]]
    return sorted({line for lines in found for line in lines})[:_MAX_LINES]
