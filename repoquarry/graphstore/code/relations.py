"""Following any kind of relationship from node to node: the hops at some nodes, walks of several hops, shortest paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from repoquarry.graphstore.code.paths import Paths, Ways, shortest_paths
from repoquarry.graphstore.model.values import Node, Relationship
from repoquarry.graphstore.named.relations import relation_query
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
class Reached:
    """A node that a walk reached over one last relationship, from the node `via`."""

    node: Node
    hops: int
    relation: Relationship
    via: str


@dataclass(frozen=True)
class Step:
    """A relationship of a path, in the direction in which the path goes."""

    kind: str
    start: str
    relation: Relationship
    end: str


def hops_at(store: Store, ids: Iterable[str], kind: str, *, outgoing: bool) -> Iterator[Hop]:
    """The relationships of one kind at these nodes; calls also between repositories."""
    wanted = list(ids)
    for start in range(0, len(wanted), _BATCH):
        result = store.named(relation_query(kind, outgoing=outgoing), ids=list(wanted[start : start + _BATCH]))
        for known, relation, other in result.rows:
            if isinstance(relation, Relationship) and isinstance(other, Node):
                yield Hop(str(known), relation, other)
        if kind == "CALLS":
            yield from _across(store, wanted[start : start + _BATCH], outgoing=outgoing)


def _across(store: Store, ids: Sequence[str], *, outgoing: bool) -> Iterator[Hop]:
    """Calls between repositories: one knows as something outside what the other defines."""
    for known, relation, other, *_ in store.named(f"calls_across_{'out' if outgoing else 'in'}", ids=list(ids)).rows:
        if isinstance(relation, Relationship) and isinstance(other, Node):
            yield Hop(str(known), relation, other)


def walk(store: Store, start: str, kind: str, *, outgoing: bool, hops: int, least: float) -> tuple[list[Reached], bool]:
    """What is reached within so many hops, nearest first, each node once; and whether the walk was cut.

    `least` is the confidence below which a relationship is not followed.
    """
    found: list[Reached] = []
    seen, frontier = {start}, [start]
    for distance in range(1, hops + 1):
        following: list[str] = []
        at = hops_at(store, frontier, kind, outgoing=outgoing)
        for hop in sorted(at, key=lambda hop: (hop.other.id, hop.known)):
            confidence = hop.relation.properties.get("confidence")
            if hop.other.id in seen or (isinstance(confidence, int | float) and confidence < least):
                continue
            if len(found) == MAX_REACHED:
                return found, True
            seen.add(hop.other.id)
            following.append(hop.other.id)
            found.append(Reached(hop.other, distance, hop.relation, hop.known))
        frontier = following
    return found, False


def paths_to_each(
    store: Store, starts: Sequence[str], ends: Sequence[str], kinds: Sequence[str], hops: int, most: int
) -> Paths[Step]:
    """The shortest paths from any start to each end along relationships of these kinds, the shortest first."""
    ways = Ways(
        ahead=partial(_steps, store, kinds, outgoing=True),
        back=partial(_steps, store, kinds, outgoing=False),
        start=lambda step: step.start,
        end=lambda step: step.end,
        order=lambda step: (step.start, step.end, step.kind),
        frontier=MAX_REACHED,
    )
    found = [shortest_paths(ways, set(starts), end, hops, most) for end in dict.fromkeys(ends)]
    paths = sorted((path for one in found for path in one.paths), key=len)
    return Paths(paths[:most], truncated=len(paths) > most or any(one.truncated for one in found))


def _steps(store: Store, kinds: Sequence[str], ids: list[str], *, outgoing: bool) -> Iterator[Step]:
    for kind in kinds:
        for hop in hops_at(store, ids, kind, outgoing=outgoing):
            start, end = (hop.known, hop.other.id) if outgoing else (hop.other.id, hop.known)
            yield Step(kind, start, hop.relation, end)
