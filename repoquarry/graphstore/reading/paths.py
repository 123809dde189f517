"""Paths between definitions: shortest paths along relationships, call paths, and what lies between two sets of definitions.

`find_relation_paths` follows relationships exactly as the graph stores them. `find_call_paths` follows possible control flow: calls,
methods that override the called one, and functions that are passed as values, because code that is built around interfaces and
registered handlers connects that way.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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


_RESTART: Final = 0.15
"""Probability that a walker starts again."""
_ROUNDS: Final = 12
_MAX_WALK_FRONTIER: Final = 150
"""Maximum number of definitions per hop that are walked on from; the most visited are kept."""
_MISSING_VISIT: Final = 0.01
"""Added to both visit rates, so that a definition that only one walk visits still ranks."""
_SEED_DISCOUNT: Final = 0.7
"""Share of the restarts at a seed that does not count as a visit: the ends are known, the definitions between them are not."""
_END_WEIGHT: Final = 0.5
"""Weight of the ends themselves: calls inside a class that is an end do not lead on."""
_MAX_INTERMEDIATES: Final = 200


@dataclass(frozen=True)
class Intermediate:
    """A definition between two ends. `score` is relative to the most central one, which has 1.0."""

    definition: DefinitionRecord
    score: float


def find_intermediates(
    reader: CodeReader,
    starts: Sequence[Sequence[DefinitionRecord]],
    ends: Sequence[Sequence[DefinitionRecord]],
    hops: int,
) -> list[Intermediate]:
    """Rank the definitions between some starts and ends along calls, most central first.

    Each start and end is the list of definitions that one name can refer to; all names weigh the same. Walkers from the starts follow
    calls at random, walkers from the ends follow them backwards, and a definition that both are likely to visit lies between them.
    Hubs spread a walker over all their neighbors, so they count little. Source: Tong and Faloutsos, Center-Piece Subgraphs, 2006.
    """
    start_weights, end_weights = _weigh_seeds(reader, starts), _weigh_seeds(reader, ends)
    ahead = _visit_rates(reader, start_weights, hops, outward=True)
    back = _visit_rates(reader, end_weights, hops, outward=False)
    max_ahead, max_back = max(ahead.values(), default=1.0) or 1.0, max(back.values(), default=1.0) or 1.0
    scores = {
        id_: math.sqrt(
            (ahead.get(id_, 0.0) / max_ahead + _MISSING_VISIT) * (back.get(id_, 0.0) / max_back + _MISSING_VISIT)
        )
        for id_ in ahead.keys() | back.keys()
    }
    for id_ in scores.keys() & (start_weights.keys() | end_weights.keys()):
        scores[id_] *= _END_WEIGHT
    best = sorted(scores, key=lambda id_: (-scores[id_], id_))[:_MAX_INTERMEDIATES]
    top = scores[best[0]] if best else 1.0
    return [Intermediate(item, scores[item.id] / top) for item in reader.definitions(best)]


def _weigh_seeds(reader: CodeReader, names: Sequence[Sequence[DefinitionRecord]]) -> dict[str, float]:
    """Spread the weight of each name over its functions; a class or file stands for the functions defined in it."""
    seeds: dict[str, float] = defaultdict(float)
    for definitions in names:
        inside = reader.with_members(definitions)
        code = [item for item in inside if item.label == "Function"] or inside
        for item in code:
            seeds[item.id] += 1 / len(code)
    return dict(seeds)


def _visit_rates(reader: CodeReader, weights: Mapping[str, float], hops: int, *, outward: bool) -> dict[str, float]:
    """Return how often walkers from the seeds visit each definition within some hops, as shares of 1."""
    edges: dict[str, list[EdgeRecord]] = {}
    total = sum(weights.values()) or 1.0
    seeds = {id_: weight / total for id_, weight in weights.items()}
    frontier = seeds
    for _ in range(hops):
        nearest = sorted(frontier, key=lambda id_: (-frontier[id_], id_))[:_MAX_WALK_FRONTIER]
        new = [id_ for id_ in nearest if id_ not in edges]
        if not new:
            break
        edges.update({id_: [] for id_ in new})
        for edge in (_successors if outward else _predecessors)(reader, new):
            edges[edge.start.id if outward else edge.end.id].append(edge)
        frontier = _spread(frontier, edges, outward=outward)
    return _walk(seeds, edges, outward=outward)


def _walk(seeds: Mapping[str, float], edges: Mapping[str, Sequence[EdgeRecord]], *, outward: bool) -> dict[str, float]:
    """Return the visits of random walks that restart at the seeds."""
    visited = dict(seeds)
    for _ in range(_ROUNDS):
        spread = _spread(visited, edges, outward=outward)
        visited = {id_: (1 - _RESTART) * share for id_, share in spread.items()}
        for id_, share in seeds.items():
            visited[id_] = visited.get(id_, 0.0) + _RESTART * share
    return {id_: share - _SEED_DISCOUNT * _RESTART * seeds.get(id_, 0.0) for id_, share in visited.items()}


def _spread(
    shares: Mapping[str, float], edges: Mapping[str, Sequence[EdgeRecord]], *, outward: bool
) -> dict[str, float]:
    """Move all walkers one step, by the confidence of the edges."""
    moved: dict[str, float] = defaultdict(float)
    for id_, share in shares.items():
        leaving = edges.get(id_, ())
        total = sum(edge.confidence for edge in leaving)
        for edge in leaving:
            moved[edge.end.id if outward else edge.start.id] += share * edge.confidence / (total or 1.0)
    return dict(moved)
