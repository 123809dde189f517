"""Paths between definitions: shortest paths along relationships, and call paths.

`find_relation_paths` follows relationships exactly as the graph stores them. `find_call_paths` follows possible control flow: calls,
methods that override the called one, and functions that are passed as values, because code that is built around interfaces and
registered handlers connects that way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from repoquarry.graphstore.model.values import Relationship
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.path_search import (
    PathSet,
    SearchSpace,
    find_paths_through_meetings,
    find_shortest_paths,
)
from repoquarry.graphstore.reading.records import CallPath, DefinitionRecord, EdgeRecord
from repoquarry.graphstore.reading.relations import MAX_REACHED, expand
from repoquarry.graphstore.store import Store

_HANDED_OVER = frozenset({"handler", "value"})
"""Kinds of reference that pass a function as a value."""
_MAX_CALL_PATHS = 24
_MAX_CALL_FRONTIER: Final = 600
"""Maximum number of definitions per level of a call path search; those reached by the most confident edges are kept."""


@dataclass(frozen=True)
class PathStep:
    """A relationship of a path, in the direction of the path."""

    kind: str
    start: str
    relation: Relationship
    end: str


def find_relation_paths(
    reader: CodeReader, starts: Sequence[str], ends: Sequence[str], kinds: Sequence[str], max_hops: int, max_paths: int
) -> PathSet[PathStep]:
    """Find the shortest paths from any start to each end along relationships of some kinds, the shortest first."""
    space = SearchSpace(
        ahead=partial(_follow_relations, reader.store, kinds, outgoing=True),
        back=partial(_follow_relations, reader.store, kinds, outgoing=False),
        start=lambda step: step.start,
        end=lambda step: step.end,
        order=lambda step: (step.start, step.end, step.kind),
        frontier=MAX_REACHED,
    )
    found = [find_shortest_paths(space, set(starts), end, max_hops, max_paths) for end in dict.fromkeys(ends)]
    paths = sorted((path for one in found for path in one.paths), key=len)
    return PathSet(paths[:max_paths], truncated=len(paths) > max_paths or any(one.truncated for one in found))


def _follow_relations(store: Store, kinds: Sequence[str], ids: list[str], *, outgoing: bool) -> Iterator[PathStep]:
    for kind in kinds:
        for hop in expand(store, ids, kind, outgoing=outgoing):
            start, end = (hop.known, hop.other.id) if outgoing else (hop.other.id, hop.known)
            yield PathStep(kind, start, hop.relation, end)


def find_call_paths(
    reader: CodeReader, starts: Sequence[DefinitionRecord], ends: Sequence[DefinitionRecord], max_hops: int
) -> list[CallPath]:
    """Find the shortest call paths from any start to any end, one through each definition where the two searches meet, best first.

    A class or file stands for everything defined in it.
    """
    sources = {item.id for item in reader.with_members(starts)}
    targets = {item.id for item in reader.with_members(ends)} - sources
    space = SearchSpace(
        ahead=partial(_successors, reader),
        back=partial(_predecessors, reader),
        start=lambda edge: edge.start.id,
        end=lambda edge: edge.end.id,
        order=_rank_edge,
        frontier=_MAX_CALL_FRONTIER,
    )
    paths = find_paths_through_meetings(space, sources, targets, max_hops, _MAX_CALL_PATHS)
    unique = {tuple(step.id for step in path.steps): path for path in map(CallPath, reversed(paths)) if path.edges}
    ranked = sorted(unique.items(), key=lambda item: _rank_path(item[1], item[0]))
    return [path for _, path in ranked[:_MAX_CALL_PATHS]]


def _successors(reader: CodeReader, ids: list[str]) -> list[EdgeRecord]:
    """Return the edges along which control may leave some definitions."""
    handed = [edge for edge in reader.references_from(ids) if edge.how in _HANDED_OVER]
    return [*reader.calls_from(ids), *reader.overriding(ids), *handed]


def _predecessors(reader: CodeReader, ids: list[str]) -> list[EdgeRecord]:
    """Return the edges along which control may reach some definitions."""
    handed = [edge for edge in reader.references_to(ids) if edge.how in _HANDED_OVER]
    return [*reader.calls_to(ids), *reader.overridden(ids), *handed]


def _rank_edge(edge: EdgeRecord) -> tuple[bool, float, str, str]:
    """Production code first, then by confidence; ids decide last because engines return equal edges in any order."""
    return edge.start.is_test or edge.end.is_test, -edge.confidence, edge.start.id, edge.end.id


def _rank_path(path: CallPath, ids: tuple[str, ...]) -> tuple[int, int, float, tuple[str, ...]]:
    return sum(step.is_test for step in path.steps), len(ids), -path.confidence, ids
