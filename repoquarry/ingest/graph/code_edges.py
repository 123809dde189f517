"""Relationships between code that resolution found: imports, calls, calls that stay open, inheritance, references.

One relationship a pair and type: what resolution found in several ways between the same two nodes is merged here, with all its
sites, under the surest way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from repoquarry.graphstore.model.records import Cell, RelationshipTable
from repoquarry.ingest.graph.resolved import ENDS, NO_NAME, Resolved
from repoquarry.ingest.graph.tables import Batch, Place, Relationships
from repoquarry.ingest.resolution import CallEdge, Calls, ImportEdge, Reference, Resolution, UnresolvedCall

_MAX_LINES = 100
_IMPORT_CONFIDENCE = {"import": 1.0, "from": 1.0, "typing": 1.0, "star": 0.95, "dynamic": 0.9}
"""An import that names its module is right if the module is; a star may be overridden, a dynamic one may be conditional."""
_REFERENCE_CONFIDENCE = 0.9
_MOST_TELLING = ("decorator", "raises", "handler", "value", "annotation")
"""Kinds of references: where there are several between two nodes, the first of these is the relationship's."""


def edge_tables(resolved: Resolved) -> list[RelationshipTable]:
    """All relationships that a resolution holds."""
    edges = _Edges(resolved)
    edges.imports()
    edges.calls()
    edges.unresolved()
    edges.inheritance()
    edges.references()
    return edges.found.tables()


class _Edges:
    """Collects relationships of one repository."""

    def __init__(self, resolved: Resolved) -> None:
        self._resolved = resolved
        self._resolution: Resolution = resolved.resolution
        self._labels = resolved.labels.tolist()
        self.found = Relationships()

    def imports(self) -> None:
        merged: dict[tuple[int, int], ImportEdge] = {}
        for edge in self._resolution.imports:
            pair = edge.source, edge.target
            other = merged.get(pair)
            merged[pair] = edge if other is None else _merged_imports(other, edge)
        batch = Batch("IMPORTS", "lines", "names", "how", "confidence")
        for edge in merged.values():
            start, end = self._place(edge.source), self._place(edge.target)
            if start and end:
                cells = _lines(edge.lines), list(edge.names) or None, edge.how, _import_confidence(edge)
                batch.add(start, end, *cells)
        batch.put(self.found)

    def calls(self) -> None:
        calls = _each_pair_once(self._resolution.calls)
        starts, ends = self._resolved.labels[calls.callers], self._resolved.labels_of(calls.callees)
        joined = np.where((starts < 0) | (ends < 0), -1, starts.astype(np.int64) * len(ENDS) + ends)
        for pair in np.unique(joined[joined >= 0]).tolist():
            rows = np.flatnonzero(joined == pair)
            chosen = calls.chosen(rows, calls.callers[rows], calls.callees[rows])
            rules = [chosen.rules[rule] for rule in chosen.rule_of.tolist()]
            self.found.add_all(
                "CALLS",
                (ENDS[pair // len(ENDS)], ENDS[pair % len(ENDS)]),
                list(map(self._resolved.id_of, chosen.callers.tolist())),
                list(map(self._resolved.id_of, chosen.callees.tolist())),
                count=chosen.counts.tolist(),
                lines=_lines_of(chosen),
                how=[how for how, _ in rules],
                confidence=[confidence for _, confidence in rules],
            )

    def unresolved(self) -> None:
        merged: dict[tuple[int, str], list[UnresolvedCall]] = {}
        for call in self._resolution.unresolved:
            merged.setdefault((call.caller, call.name or NO_NAME), []).append(call)
        batch = Batch("UNRESOLVED", "count", "lines", "reason")
        for (caller, name), calls in merged.items():
            start = self._place(caller)
            if start:
                batch.add(
                    start,
                    Place("Name", self._resolved.name_id(name)),
                    sum(call.count for call in calls),
                    _lines(*(call.lines for call in calls)),
                    max(calls, key=lambda call: call.count).reason,
                )
        batch.put(self.found)

    def inheritance(self) -> None:
        seen: set[tuple[int, int]] = set()
        for edge in self._resolution.inherits:
            start, end = self._place(edge.cls), self._place(edge.base)
            if start and end and end.label in ("Class", "External") and (edge.cls, edge.base) not in seen:
                seen.add((edge.cls, edge.base))
                self.found.add("INHERITS", start, end, position=edge.position, how="base class", confidence=1.0)
        pairs = dict.fromkeys((override.method, override.overridden) for override in self._resolution.overrides)
        for method, overridden in pairs:
            start, end = self._place(method), self._place(overridden)
            if start and end:
                self.found.add("OVERRIDES", start, end)

    def references(self) -> None:
        merged: dict[tuple[int, int], list[Reference]] = {}
        for edge in self._resolution.references:
            merged.setdefault((edge.source, edge.target), []).append(edge)
        batch = Batch("REFERENCES", "kind", "kinds", "lines", "how", "confidence")
        for (source, target), edges in merged.items():
            start, end = self._place(source), self._place(target)
            if start and end:
                kinds = sorted({edge.how for edge in edges})
                lines = _lines(*(edge.lines for edge in edges))
                batch.add(start, end, min(kinds, key=_MOST_TELLING.index), kinds, lines, "name", _REFERENCE_CONFIDENCE)
        batch.put(self.found)

    def _place(self, target: int) -> Place | None:
        """The node of a symbol or an external."""
        label = self._labels[target] if target >= 0 else ENDS.index("External")
        return Place(ENDS[label], self._resolved.id_of(target)) if label >= 0 else None


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
