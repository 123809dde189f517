"""Walks over the stored graph: callers of callers, paths between two ends, everything that may be meant by overriding.

A call is followed to methods that replace the called one, and to functions that are handed over rather than called: in code
that is built around interfaces and registered handlers most ways lead there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from repoquarry.graphstore.code.paths import Ways, ways_over_meetings
from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import CallPath, Definition, Edge

MAX_FRONTIER: Final = 2_000
"""Definitions of one hop that are followed; the graph's hubs would otherwise bring in everything."""

_HANDED_OVER = frozenset({"handler", "value"})
_MAX_PATHS = 24
_PATH_FRONTIER: Final = 600
"""Definitions of one level of a path search that are followed, those reached by the surest edges."""


def constructors(reader: CodeReader, targets: Sequence[Definition]) -> list[Definition]:
    """Constructors of the classes among `targets`: calling a class runs them."""
    found = []
    for target in targets:
        if target.label == "Class":
            inside = reader.inside(target.repository, target.path)
            prefix = target.qualname + "."
            found += [
                item
                for item in inside
                if item.qualname.startswith(prefix)
                and item.qualname.count(".") == prefix.count(".")
                and item.kind == "constructor"
            ]
    return found


def members(reader: CodeReader, targets: Iterable[Definition]) -> list[Definition]:
    """The targets and, for a class or file, everything defined in it."""
    found: dict[str, Definition] = {}
    for target in targets:
        found[target.id] = target
        if target.label != "Function":
            prefix = target.qualname + "." if target.qualname else ""
            for item in reader.inside(target.repository, target.path):
                if item.qualname.startswith(prefix):
                    found[item.id] = item
    return list(found.values())


def reached_by(reader: CodeReader, targets: Sequence[Definition]) -> list[Definition]:
    """Methods that replace the targets, or that the targets replace, at any distance."""
    own = {item.id for item in targets}
    found: dict[str, Definition] = {}
    for step, far in ((reader.overriding, False), (reader.overridden, True)):
        frontier = sorted(own)
        while frontier:
            ends = [edge.start if far else edge.end for edge in step(frontier)]
            new = {item.id: item for item in ends if item.id not in found and item.id not in own}
            found.update(new)
            frontier = sorted(new)
    return sorted(found.values(), key=lambda item: item.id)


def callers_by_hops(reader: CodeReader, targets: Sequence[Definition], hops: int) -> tuple[tuple[Edge, ...], ...]:
    """Calls that reach the targets, hop by hop; every caller appears at its least distance."""
    seen = {item.id for item in targets}
    frontier, found = sorted(seen), []
    for _ in range(hops):
        edges = reader.calls_to(frontier)
        if not edges:
            break
        found.append(tuple(sorted(edges, key=lambda edge: (edge.start.is_test, -edge.count, edge.start.id))))
        frontier = sorted({edge.start.id for edge in edges} - seen)[:MAX_FRONTIER]
        seen.update(frontier)
    return tuple(found)


def forward(reader: CodeReader, ids: list[str]) -> list[Edge]:
    """Where control may go from these: calls, methods that replace the called ones, functions handed over."""
    handed = [edge for edge in reader.references_from(ids) if edge.how in _HANDED_OVER]
    return [*reader.calls_from(ids), *reader.overriding(ids), *handed]


def backward(reader: CodeReader, ids: list[str]) -> list[Edge]:
    """From where control may come to these: the edges of `forward`, found from their ends."""
    handed = [edge for edge in reader.references_to(ids) if edge.how in _HANDED_OVER]
    return [*reader.calls_to(ids), *reader.overridden(ids), *handed]


def call_paths(
    reader: CodeReader, starts: Sequence[Definition], ends: Sequence[Definition], hops: int
) -> list[CallPath]:
    """Shortest paths from any start to any end, one through each place where the two searches meet; best first.

    A class or file stands for everything defined in it. Both ends are searched from, the smaller frontier first, so that
    a path of eight calls costs two searches of four.
    """
    sources = {item.id for item in members(reader, starts)}
    targets = {item.id for item in members(reader, ends)} - sources
    ways = Ways(
        ahead=partial(forward, reader),
        back=partial(backward, reader),
        start=lambda edge: edge.start.id,
        end=lambda edge: edge.end.id,
        order=_surest_first,
        frontier=_PATH_FRONTIER,
    )
    found = [CallPath(edges) for edges in ways_over_meetings(ways, sources, targets, hops, _MAX_PATHS) if edges]
    unique = {tuple(step.id for step in path.steps): path for path in reversed(found)}
    ranked = sorted(unique, key=lambda ids: (_tests(unique[ids]), len(ids), -unique[ids].confidence, ids))
    return [unique[ids] for ids in ranked[:_MAX_PATHS]]


def _surest_first(edge: Edge) -> tuple[bool, float, str, str]:
    """By name where nothing else decides: engines give equal edges in orders of their own."""
    return edge.start.is_test or edge.end.is_test, -edge.confidence, edge.start.id, edge.end.id


def _tests(path: CallPath) -> int:
    return sum(step.is_test for step in path.steps)


def descendants(reader: CodeReader, roots: Sequence[Definition], depth: int) -> tuple[tuple[Edge, ...], ...]:
    """INHERITS edges level by level below some classes; a class appears at its least depth."""
    seen = {item.id for item in roots}
    frontier, levels = sorted(seen), []
    for _ in range(depth):
        edges = [edge for edge in reader.subclasses(frontier) if edge.start.id not in seen]
        if not edges:
            break
        levels.append(tuple(sorted(edges, key=lambda edge: (edge.start.is_test, edge.start.id))))
        frontier = sorted({edge.start.id for edge in edges})
        seen.update(frontier)
    return tuple(levels)
