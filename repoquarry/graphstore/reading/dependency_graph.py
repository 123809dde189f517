"""Definitions and dependencies of one stored revision in memory.

The dependents of a change can be the complete repository. Following edges by queries then costs a query per file and a node per edge; the
columns of all edges cost about as much as one hop, and are loaded once per revision.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from repoquarry.graphstore.model.values import Value, get_float, get_str
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.store import Store

DEPENDENCY_KINDS: Final = ("CALLS", "OVERRIDES", "INHERITS", "REFERENCES", "IMPORTS")
"""Kinds in the order in which they are followed. An overridden method depends on the overriding one, as a call may go."""

Dependent = tuple[DefinitionRecord, str, float, bool]
"""Dependent, id of the definition that it depends on, confidence of the edge, and whether the edge is an annotation of a type."""


class DependencyGraph:
    """Definitions of one stored revision, with the edges to each from its dependents. Immutable; built by `Store.cached`."""

    def __init__(self, store: Store, repository: str) -> None:
        result = store.execute_named("definition_columns", repository=repository)
        rows = ({**dict(zip(result.columns, row, strict=True)), "repository": repository} for row in result.rows)
        records = (DefinitionRecord.from_properties(get_str(row["id"]), get_str(row["label"]), row) for row in rows)
        found = sorted(records, key=lambda item: item.id)
        self.definition_by_id: Mapping[str, DefinitionRecord] = {item.id: item for item in found}
        self.test_modules = [item for item in found if item.label == "Module" and item.is_test]
        self.definitions_by_path: Mapping[str, list[DefinitionRecord]] = _group_by_path(found)
        self._definitions = found
        self._numbers = {item.id: number for number, item in enumerate(found)}
        self._edges = {
            kind: _IncomingEdges(
                self._numbers, store.execute_named(f"{kind.lower()}_columns", repository=repository).rows
            )
            for kind in DEPENDENCY_KINDS
        }

    def find_dependents(self, kind: str, ids: Iterable[str]) -> Iterator[Dependent]:
        """Yield the dependents of some definitions by edges of one kind, by the ids of both ends."""
        numbers = (self._numbers[id_] for id_ in ids if id_ in self._numbers)
        edges = self._edges[kind]
        for start, end, place in sorted(edges.find(numbers)):
            record, target = self._definitions[start], self._definitions[end]
            yield record, target.id, edges.confidences[place], bool(edges.annotations[place])


class _IncomingEdges:
    """Edges of one kind by the number of their end, in arrays: those of an end are consecutive."""

    def __init__(self, numbers: Mapping[str, int], rows: Iterable[tuple[Value, ...]]) -> None:
        edges = sorted(
            (numbers[end], numbers[start], 1.0 if confidence is None else get_float(confidence), is_annotation is True)
            for start, end, confidence, is_annotation in rows
            if isinstance(start, str) and isinstance(end, str) and start in numbers and end in numbers
        )
        self._starts = array("i", (start for _, start, _, _ in edges))
        self.confidences = array("d", (confidence for _, _, confidence, _ in edges))
        self.annotations = array("b", (is_annotation for *_, is_annotation in edges))
        self._offsets = array("i", bytes(4 * (len(numbers) + 1)))
        for end, *_ in edges:
            self._offsets[end + 1] += 1
        for number in range(len(numbers)):
            self._offsets[number + 1] += self._offsets[number]

    def find(self, ends: Iterable[int]) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end, place in the arrays) of the edges to some definitions."""
        for end in ends:
            for place in range(self._offsets[end], self._offsets[end + 1]):
                yield self._starts[place], end, place


def _group_by_path(definitions: Iterable[DefinitionRecord]) -> Mapping[str, list[DefinitionRecord]]:
    """Return the classes and functions of each file by line, outer ones first; files without them have an empty list."""
    found: dict[str, list[DefinitionRecord]] = {}
    for item in definitions:
        inside = found.setdefault(item.path, [])
        if item.label != "Module":
            inside.append(item)
    for inside in found.values():
        inside.sort(key=lambda item: (item.start_line, -item.end_line, item.id))
    return found
