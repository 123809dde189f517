"""What lies between two sets of definitions: random walks from both ends that meet.

A walker from the starts follows calls at random, one from the ends follows them backwards; a definition that both are likely to
visit lies between them, whatever single path is shortest. Hubs spread a walker over all their neighbours, so they count little.
Source: Tong and Faloutsos, Center-Piece Subgraphs, 2006, which multiplies the visits of walks with restarts in this way.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import Definition, Edge
from repoquarry.graphstore.code.walks import backward, forward

_RESTART: Final = 0.15
_ROUNDS: Final = 12
_FRONTIER: Final = 150
"""Definitions of one hop that are walked on from, the likeliest ones."""
_UNMET: Final = 0.01
_OF_ENDS: Final = 0.7
"""Share of the starts of walkers that is no visit: the ends themselves are known, what lies between is asked for."""
_END_SHARE: Final = 0.5
_KEPT: Final = 200


def visits(reader: CodeReader, seeds: Mapping[str, float], hops: int, *, outward: bool) -> dict[str, float]:
    """How often walkers that start at `seeds` (weights by id) visit each definition within so many hops; shares of 1."""
    edges: dict[str, list[Edge]] = {}
    total = sum(seeds.values()) or 1.0
    frontier = {id_: weight / total for id_, weight in seeds.items()}
    for _ in range(hops):
        nearest = sorted(frontier, key=lambda id_: (-frontier[id_], id_))[:_FRONTIER]
        new = [id_ for id_ in nearest if id_ not in edges]
        if not new:
            break
        edges.update({id_: [] for id_ in new})
        for edge in (forward if outward else backward)(reader, new):
            edges[edge.start.id if outward else edge.end.id].append(edge)
        frontier = _spread(frontier, edges, outward=outward)
    return _walk({id_: weight / total for id_, weight in seeds.items()}, edges, outward=outward)


def _walk(seeds: Mapping[str, float], edges: Mapping[str, Sequence[Edge]], *, outward: bool) -> dict[str, float]:
    """Visits of walkers that start anew at the seeds with each step by a chance of `_RESTART`."""
    visited = dict(seeds)
    for _ in range(_ROUNDS):
        following = _spread(visited, edges, outward=outward)
        visited = {id_: (1 - _RESTART) * share for id_, share in following.items()}
        for id_, share in seeds.items():
            visited[id_] = visited.get(id_, 0.0) + _RESTART * share
    return {id_: share - _OF_ENDS * _RESTART * seeds.get(id_, 0.0) for id_, share in visited.items()}


def _spread(shares: Mapping[str, float], edges: Mapping[str, Sequence[Edge]], *, outward: bool) -> dict[str, float]:
    """One step of all walkers, by the confidence of the edges."""
    following: dict[str, float] = defaultdict(float)
    for id_, share in shares.items():
        leaving = edges.get(id_, ())
        total = sum(edge.confidence for edge in leaving)
        for edge in leaving:
            following[edge.end.id if outward else edge.start.id] += share * edge.confidence / (total or 1.0)
    return dict(following)


def between(
    reader: CodeReader, starts: Mapping[str, float], ends: Mapping[str, float], hops: int
) -> list[tuple[Definition, float]]:
    """Definitions by how likely the walks from both ends visit them, the likeliest first; the likeliest has 1.0.

    `starts` and `ends` give weights by id. Where the walks do not meet, what either of them visits is given, by a small share.
    """
    ahead, back = visits(reader, starts, hops, outward=True), visits(reader, ends, hops, outward=False)
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
