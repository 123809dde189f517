"""Traversals: neighbors by hops, callers of callers, members, overrides, random walks.

A call is followed to methods that replace the called one, and to functions that are handed over rather than called: in code
that is built around interfaces and registered handlers most ways lead there.

A walker from the starts follows calls at random, one from the ends follows them backwards; a definition that both are likely to
visit lies between them, whatever single path is shortest. Hubs spread a walker over all their neighbours, so they count little.
Source: Tong and Faloutsos, Center-Piece Subgraphs, 2006, which multiplies the visits of walks with restarts in this way.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from repoquarry.graphstore.model.values import Node, Relationship
from repoquarry.graphstore.query.named.relations import relation_query
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.path_search import (
    PathSet,
    SearchSpace,
    find_paths_through_meetings,
    find_shortest_paths,
)
from repoquarry.graphstore.reading.records import CallPath, DefinitionRecord, EdgeRecord
from repoquarry.graphstore.store import Store

_BATCH = 500
MAX_REACHED: Final = 20_000
"""Nodes that one walk may reach, and one level of a search may hold; more are reported as cut."""


@dataclass(frozen=True)
class Hop:
    """One relationship that was followed from the node `known` to the node `other`."""

    known: str
    relation: Relationship
    other: Node


@dataclass(frozen=True)
class ReachedNode:
    """A node that a walk reached over one last relationship, from the node `via`."""

    node: Node
    hops: int
    relation: Relationship
    via: str


@dataclass(frozen=True)
class PathStep:
    """A relationship of a path, in the direction in which the path goes."""

    kind: str
    start: str
    relation: Relationship
    end: str


def expand(store: Store, ids: Iterable[str], kind: str, *, outgoing: bool) -> Iterator[Hop]:
    """The relationships of one kind at these nodes; calls also between repositories."""
    wanted = list(ids)
    for start in range(0, len(wanted), _BATCH):
        result = store.execute_named(relation_query(kind, outgoing=outgoing), ids=list(wanted[start : start + _BATCH]))
        for known, relation, other in result.rows:
            if isinstance(relation, Relationship) and isinstance(other, Node):
                yield Hop(str(known), relation, other)
        if kind == "CALLS":
            yield from _across(store, wanted[start : start + _BATCH], outgoing=outgoing)


def _across(store: Store, ids: Sequence[str], *, outgoing: bool) -> Iterator[Hop]:
    """Calls between repositories: one knows as something outside what the other defines."""
    for known, relation, other, *_ in store.execute_named(
        f"calls_across_{'out' if outgoing else 'in'}", ids=list(ids)
    ).rows:
        if isinstance(relation, Relationship) and isinstance(other, Node):
            yield Hop(str(known), relation, other)


def traverse(
    store: Store, start: str, kind: str, *, outgoing: bool, hops: int, least: float
) -> tuple[list[ReachedNode], bool]:
    """What is reached within so many hops, nearest first, each node once; and whether the walk was cut.

    `least` is the confidence below which a relationship is not followed.
    """
    found: list[ReachedNode] = []
    seen, frontier = {start}, [start]
    for distance in range(1, hops + 1):
        following: list[str] = []
        at = expand(store, frontier, kind, outgoing=outgoing)
        for hop in sorted(at, key=lambda hop: (hop.other.id, hop.known)):
            confidence = hop.relation.properties.get("confidence")
            if hop.other.id in seen or (isinstance(confidence, int | float) and confidence < least):
                continue
            if len(found) == MAX_REACHED:
                return found, True
            seen.add(hop.other.id)
            following.append(hop.other.id)
            found.append(ReachedNode(hop.other, distance, hop.relation, hop.known))
        frontier = following
    return found, False


def paths_to_each(
    store: Store, starts: Sequence[str], ends: Sequence[str], kinds: Sequence[str], hops: int, most: int
) -> PathSet[PathStep]:
    """The shortest paths from any start to each end along relationships of these kinds, the shortest first."""
    ways = SearchSpace(
        ahead=partial(_steps, store, kinds, outgoing=True),
        back=partial(_steps, store, kinds, outgoing=False),
        start=lambda step: step.start,
        end=lambda step: step.end,
        order=lambda step: (step.start, step.end, step.kind),
        frontier=MAX_REACHED,
    )
    found = [find_shortest_paths(ways, set(starts), end, hops, most) for end in dict.fromkeys(ends)]
    paths = sorted((path for one in found for path in one.paths), key=len)
    return PathSet(paths[:most], truncated=len(paths) > most or any(one.truncated for one in found))


def _steps(store: Store, kinds: Sequence[str], ids: list[str], *, outgoing: bool) -> Iterator[PathStep]:
    for kind in kinds:
        for hop in expand(store, ids, kind, outgoing=outgoing):
            start, end = (hop.known, hop.other.id) if outgoing else (hop.other.id, hop.known)
            yield PathStep(kind, start, hop.relation, end)


MAX_FRONTIER: Final = 2_000
"""Definitions of one hop that are followed; the graph's hubs would otherwise bring in everything."""

_HANDED_OVER = frozenset({"handler", "value"})
_MAX_PATHS = 24
_PATH_FRONTIER: Final = 600
"""Definitions of one level of a path search that are followed, those reached by the surest edges."""


def constructors(reader: CodeReader, targets: Sequence[DefinitionRecord]) -> list[DefinitionRecord]:
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


def expand_members(reader: CodeReader, targets: Iterable[DefinitionRecord]) -> list[DefinitionRecord]:
    """The targets and, for a class or file, everything defined in it."""
    found: dict[str, DefinitionRecord] = {}
    for target in targets:
        found[target.id] = target
        if target.label != "Function":
            prefix = target.qualname + "." if target.qualname else ""
            for item in reader.inside(target.repository, target.path):
                if item.qualname.startswith(prefix):
                    found[item.id] = item
    return list(found.values())


def find_override_family(reader: CodeReader, targets: Sequence[DefinitionRecord]) -> list[DefinitionRecord]:
    """Methods that replace the targets, or that the targets replace, at any distance."""
    own = {item.id for item in targets}
    found: dict[str, DefinitionRecord] = {}
    for step, far in ((reader.overriding, False), (reader.overridden, True)):
        frontier = sorted(own)
        while frontier:
            ends = [edge.start if far else edge.end for edge in step(frontier)]
            new = {item.id: item for item in ends if item.id not in found and item.id not in own}
            found.update(new)
            frontier = sorted(new)
    return sorted(found.values(), key=lambda item: item.id)


def callers_by_hops(
    reader: CodeReader, targets: Sequence[DefinitionRecord], hops: int
) -> tuple[tuple[EdgeRecord, ...], ...]:
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


def successors(reader: CodeReader, ids: list[str]) -> list[EdgeRecord]:
    """Where control may go from these: calls, methods that replace the called ones, functions handed over."""
    handed = [edge for edge in reader.references_from(ids) if edge.how in _HANDED_OVER]
    return [*reader.calls_from(ids), *reader.overriding(ids), *handed]


def predecessors(reader: CodeReader, ids: list[str]) -> list[EdgeRecord]:
    """From where control may come to these: the edges of `successors`, found from their ends."""
    handed = [edge for edge in reader.references_to(ids) if edge.how in _HANDED_OVER]
    return [*reader.calls_to(ids), *reader.overridden(ids), *handed]


def call_paths(
    reader: CodeReader, starts: Sequence[DefinitionRecord], ends: Sequence[DefinitionRecord], hops: int
) -> list[CallPath]:
    """Shortest paths from any start to any end, one through each place where the two searches meet; best first.

    A class or file stands for everything defined in it. Both ends are searched from, the smaller frontier first, so that
    a path of eight calls costs two searches of four.
    """
    sources = {item.id for item in expand_members(reader, starts)}
    targets = {item.id for item in expand_members(reader, ends)} - sources
    ways = SearchSpace(
        ahead=partial(successors, reader),
        back=partial(predecessors, reader),
        start=lambda edge: edge.start.id,
        end=lambda edge: edge.end.id,
        order=_surest_first,
        frontier=_PATH_FRONTIER,
    )
    found = [
        CallPath(edges) for edges in find_paths_through_meetings(ways, sources, targets, hops, _MAX_PATHS) if edges
    ]
    unique = {tuple(step.id for step in path.steps): path for path in reversed(found)}
    ranked = sorted(unique, key=lambda ids: (_tests(unique[ids]), len(ids), -unique[ids].confidence, ids))
    return [unique[ids] for ids in ranked[:_MAX_PATHS]]


def _surest_first(edge: EdgeRecord) -> tuple[bool, float, str, str]:
    """By name where nothing else decides: engines give equal edges in orders of their own."""
    return edge.start.is_test or edge.end.is_test, -edge.confidence, edge.start.id, edge.end.id


def _tests(path: CallPath) -> int:
    return sum(step.is_test for step in path.steps)


def descendants(
    reader: CodeReader, roots: Sequence[DefinitionRecord], depth: int
) -> tuple[tuple[EdgeRecord, ...], ...]:
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


_RESTART: Final = 0.15
_ROUNDS: Final = 12
_FRONTIER: Final = 150
"""Definitions of one hop that are walked on from, the likeliest ones."""
_UNMET: Final = 0.01
_OF_ENDS: Final = 0.7
"""Share of the starts of walkers that is no visit: the ends themselves are known, what lies between is asked for."""
_END_SHARE: Final = 0.5
_KEPT: Final = 200


def visit_probabilities(
    reader: CodeReader, seeds: Mapping[str, float], hops: int, *, outward: bool
) -> dict[str, float]:
    """How often walkers that start at `seeds` (weights by id) visit each definition within so many hops; shares of 1."""
    edges: dict[str, list[EdgeRecord]] = {}
    total = sum(seeds.values()) or 1.0
    frontier = {id_: weight / total for id_, weight in seeds.items()}
    for _ in range(hops):
        nearest = sorted(frontier, key=lambda id_: (-frontier[id_], id_))[:_FRONTIER]
        new = [id_ for id_ in nearest if id_ not in edges]
        if not new:
            break
        edges.update({id_: [] for id_ in new})
        for edge in (successors if outward else predecessors)(reader, new):
            edges[edge.start.id if outward else edge.end.id].append(edge)
        frontier = _spread(frontier, edges, outward=outward)
    return _walk({id_: weight / total for id_, weight in seeds.items()}, edges, outward=outward)


def _walk(seeds: Mapping[str, float], edges: Mapping[str, Sequence[EdgeRecord]], *, outward: bool) -> dict[str, float]:
    """Visits of walkers that start anew at the seeds with each step by a chance of `_RESTART`."""
    visited = dict(seeds)
    for _ in range(_ROUNDS):
        following = _spread(visited, edges, outward=outward)
        visited = {id_: (1 - _RESTART) * share for id_, share in following.items()}
        for id_, share in seeds.items():
            visited[id_] = visited.get(id_, 0.0) + _RESTART * share
    return {id_: share - _OF_ENDS * _RESTART * seeds.get(id_, 0.0) for id_, share in visited.items()}


def _spread(
    shares: Mapping[str, float], edges: Mapping[str, Sequence[EdgeRecord]], *, outward: bool
) -> dict[str, float]:
    """One step of all walkers, by the confidence of the edges."""
    following: dict[str, float] = defaultdict(float)
    for id_, share in shares.items():
        leaving = edges.get(id_, ())
        total = sum(edge.confidence for edge in leaving)
        for edge in leaving:
            following[edge.end.id if outward else edge.start.id] += share * edge.confidence / (total or 1.0)
    return dict(following)


def rank_intermediates(
    reader: CodeReader, starts: Mapping[str, float], ends: Mapping[str, float], hops: int
) -> list[tuple[DefinitionRecord, float]]:
    """Definitions by how likely the walks from both ends visit them, the likeliest first; the likeliest has 1.0.

    `starts` and `ends` give weights by id. Where the walks do not meet, what either of them visits is given, by a small share.
    """
    ahead, back = (
        visit_probabilities(reader, starts, hops, outward=True),
        visit_probabilities(reader, ends, hops, outward=False),
    )
    most_ahead, most_back = max(ahead.values(), default=1.0) or 1.0, max(back.values(), default=1.0) or 1.0
    scores = {
        id_: math.sqrt((ahead.get(id_, 0.0) / most_ahead + _UNMET) * (back.get(id_, 0.0) / most_back + _UNMET))
        for id_ in ahead.keys() | back.keys()
    }
    for id_ in scores.keys() & (starts.keys() | ends.keys()):
        scores[id_] *= _END_SHARE  # an end is known; calls inside a class that is one do not lead on
    best = sorted(scores, key=lambda id_: (-scores[id_], id_))[:_KEPT]
    top = scores[best[0]] if best else 1.0
    return [(item, scores[item.id] / top) for item in reader.definitions(best)]
