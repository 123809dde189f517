"""Relationships between code: imports, calls, calls that stay open, inheritance, references, module dependencies.

One relationship a pair and type: what resolution found in several ways between the same two nodes is merged here, with all its
sites, under the surest way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.model.records import Cell
from repoquarry.ingest.graph.code_nodes import Places
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Batch, Nodes, Place, Relationships
from repoquarry.ingest.resolution import CallEdge, Calls, ImportEdge, Reference, Resolution, UnresolvedCall
from repoquarry.ingest.resolution.calls import Numbers

_MAX_LINES = 100
_IMPORT_CONFIDENCE = {"import": 1.0, "from": 1.0, "typing": 1.0, "star": 0.95, "dynamic": 0.9}
"""An import that names its module is right if the module is; a star may be overridden, a dynamic one may be conditional."""
_REFERENCE_CONFIDENCE = 0.9
_MOST_TELLING = ("decorator", "raises", "handler", "value", "annotation")
"""Kinds of references: where there are several between two nodes, the first of these is the relationship's."""
_NO_NAME = "<expression>"
_ENDS = ("Module", "Class", "Function", "External")
"""Labels of what calls and is called."""


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
        self._ids = [place.id if place is not None else "" for place in places.by_symbol]
        self._labels = np.array(
            [_ENDS.index(place.label) if place is not None else -1 for place in places.by_symbol], dtype=np.int8
        )
        """Of each symbol, as positions in `_ENDS`; -1 for what is no longer among the files."""

    def imports(self) -> None:
        merged: dict[tuple[int, int], ImportEdge] = {}
        for edge in self._resolution.imports:
            pair = edge.source, edge.target
            other = merged.get(pair)
            merged[pair] = edge if other is None else _merged_imports(other, edge)
        batch = Batch("IMPORTS", "lines", "names", "how", "confidence")
        for edge in merged.values():
            start, end = self._inside(edge.source), self._any(edge.target)
            if start and end:
                cells = _lines(edge.lines), list(edge.names) or None, edge.how, _import_confidence(edge)
                batch.add(start, end, *cells)
        batch.put(self._relationships)

    def calls(self) -> None:
        calls = _each_pair_once(self._resolution.calls)
        outside = calls.callees[calls.callees < 0]
        distinct, first = np.unique(outside, return_index=True)
        for target in distinct[np.argsort(first)].tolist():
            self._external(target)  # in the order of the calls
        starts, ends = self._labels[calls.callers], self._labels_of_any(calls.callees)
        joined = np.where((starts < 0) | (ends < 0), -1, starts.astype(np.int64) * len(_ENDS) + ends)
        for pair in np.unique(joined[joined >= 0]).tolist():
            rows = np.flatnonzero(joined == pair)
            chosen = calls.chosen(rows, calls.callers[rows], calls.callees[rows])
            rules = [chosen.rules[rule] for rule in chosen.rule_of.tolist()]
            self._relationships.add_all(
                "CALLS",
                (_ENDS[pair // len(_ENDS)], _ENDS[pair % len(_ENDS)]),
                list(map(self._id, chosen.callers.tolist())),
                list(map(self._id, chosen.callees.tolist())),
                count=chosen.counts.tolist(),
                lines=_lines_of(chosen),
                how=[how for how, _ in rules],
                confidence=[confidence for _, confidence in rules],
            )

    def unresolved(self) -> None:
        merged: dict[tuple[int, str], list[UnresolvedCall]] = {}
        for call in self._resolution.unresolved:
            merged.setdefault((call.caller, call.name or _NO_NAME), []).append(call)
        repository, batch = self._parts.origin.repository, Batch("UNRESOLVED", "count", "lines", "reason")
        for (caller, name), calls in merged.items():
            start = self._inside(caller)
            if start:
                batch.add(
                    start,
                    self._nodes.add("Name", f"{repository}:name:{name}", name),
                    sum(call.count for call in calls),
                    _lines(*(call.lines for call in calls)),
                    max(calls, key=lambda call: call.count).reason,
                )
        batch.put(self._relationships)

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
        batch = Batch("REFERENCES", "kind", "kinds", "lines", "how", "confidence")
        for (source, target), edges in merged.items():
            start, end = self._inside(source), self._any(target)
            if start and end:
                kinds = sorted({edge.how for edge in edges})
                lines = _lines(*(edge.lines for edge in edges))
                batch.add(start, end, min(kinds, key=_MOST_TELLING.index), kinds, lines, "name", _REFERENCE_CONFIDENCE)
        batch.put(self._relationships)

    def dependencies(self) -> None:
        for (source, target), weight in self._parts.scores.coupling.weights.items():
            start, end = self._places.by_key[source, ""], self._places.by_key[target, ""]
            self._relationships.add("DEPENDS_ON", start, end, weight=weight)

    def _inside(self, target: int) -> Place | None:
        return self._places.by_symbol[target] if target >= 0 else None

    def _any(self, target: int) -> Place | None:
        return self._places.by_symbol[target] if target >= 0 else self._external(target)

    def _id(self, target: int) -> str:
        return self._ids[target] if target >= 0 else self._external(target).id

    def _labels_of_any(self, targets: Numbers) -> NDArray[np.int8]:
        """As `_labels`, of symbols and externals."""
        found = np.full(len(targets), _ENDS.index("External"), dtype=np.int8)
        found[targets >= 0] = self._labels[targets[targets >= 0]]
        return found

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


def _lines_of(calls: Calls) -> list[Cell]:
    """The lines of each edge, as `_lines`."""
    lines, starts = calls.lines.tolist(), calls.starts.tolist()
    return [[lines[start]] if end - start == 1 else _lines(lines[start:end]) for start, end in pairwise(starts)]


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
