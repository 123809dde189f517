"""Bidirectional search for shortest paths between two sets of nodes: a path of eight steps costs two searches of four."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Link = TypeVar("Link")


@dataclass(frozen=True)
class SearchSpace(Generic[Link]):
    """Links that a search follows: `ahead` returns the links that leave some nodes, `back` those that reach them."""

    ahead: Callable[[list[str]], Iterable[Link]]
    back: Callable[[list[str]], Iterable[Link]]
    start: Callable[[Link], str]
    end: Callable[[Link], str]
    order: Callable[[Link], Any]
    """Sort key of a link; engines return the links that reach a node in any order."""

    frontier: int
    """Maximum number of nodes per level that are followed; hubs of the graph would otherwise bring in everything."""


@dataclass
class _SearchFrontier(Generic[Link]):
    """One side of the search: the links by which each node was first reached, none for the seeds."""

    reached: dict[str, list[Link]]
    level: list[str]
    cut: bool = False


@dataclass
class BidirectionalSearch(Generic[Link]):
    """State of a search between two disjoint sets of nodes."""

    space: SearchSpace[Link]
    starts: set[str]
    ends: set[str]
    _from_start: _SearchFrontier[Link] = field(init=False)
    _from_end: _SearchFrontier[Link] = field(init=False)

    def __post_init__(self) -> None:
        self._from_start = _SearchFrontier({id_: [] for id_ in sorted(self.starts)}, sorted(self.starts))
        self._from_end = _SearchFrontier({id_: [] for id_ in sorted(self.ends)}, sorted(self.ends))

    @property
    def cut(self) -> bool:
        """True if a level had more than the maximum number of nodes."""
        return self._from_start.cut or self._from_end.cut

    def expand(self) -> bool:
        """Expand the smaller side by one step; return False if neither side has nodes left."""
        sides = sorted((self._from_start, self._from_end), key=lambda side: len(side.level))
        side = next((one for one in sides if one.level), None)
        if side is None:
            return False
        outward = side is self._from_start
        links = (self.space.ahead if outward else self.space.back)(side.level)
        new: dict[str, list[Link]] = {}
        for link in sorted(links, key=self.space.order):
            far = self.space.end(link) if outward else self.space.start(link)
            if far not in side.reached:
                new.setdefault(far, []).append(link)
        side.reached.update(new)
        side.cut = side.cut or len(new) > self.space.frontier
        side.level = list(new)[: self.space.frontier]
        return True

    def meetings(self) -> list[str]:
        """Return the nodes that both sides have reached."""
        return sorted(self._from_start.reached.keys() & self._from_end.reached.keys())

    def through(self, meeting: str) -> Iterator[tuple[Link, ...]]:
        """Yield all paths from start to end through one meeting node, those of first links first."""
        for before in self._chains(self._from_start, meeting, self.space.start):
            for after in self._chains(self._from_end, meeting, self.space.end):
                yield (*reversed(before), *after)

    def _chains(self, side: _SearchFrontier[Link], node: str, far: Callable[[Link], str]) -> Iterator[tuple[Link, ...]]:
        """Yield the links from a node back to a seed of one side, nearest to the node first."""
        unfinished: list[tuple[str, tuple[Link, ...]]] = [(node, ())]
        while unfinished:
            at, chain = unfinished.pop()
            if not side.reached[at]:
                yield chain
            unfinished.extend((far(link), (*chain, link)) for link in reversed(side.reached[at]))


@dataclass(frozen=True)
class PathSet(Generic[Link]):
    """Paths, and whether more of them exist or may exist."""

    paths: list[tuple[Link, ...]]
    truncated: bool


def find_shortest_paths(
    space: SearchSpace[Link], starts: set[str], end: str, max_hops: int, max_paths: int
) -> PathSet[Link]:
    """Find all shortest paths from any start to one end, at most `max_paths` of them."""
    if end in starts:
        return PathSet([], truncated=False)
    search = BidirectionalSearch(space, starts, {end})
    for _ in range(max_hops):
        if not search.expand():
            break
        if met := search.meetings():
            # Sides grow by one level at a time, so that all nodes that meet now are on shortest paths.
            found: list[tuple[Link, ...]] = []
            for path in (path for meeting in met for path in search.through(meeting)):
                if len(found) == max_paths:
                    return PathSet(found, truncated=True)
                found.append(path)
            return PathSet(found, truncated=search.cut)
    return PathSet([], truncated=search.cut)


def find_paths_through_meetings(
    space: SearchSpace[Link], starts: set[str], ends: set[str], max_hops: int, max_paths: int
) -> list[tuple[Link, ...]]:
    """Find one path through each node where the searches meet, by the first links; longer ones too, until there are `max_paths`."""
    search = BidirectionalSearch(space, starts, ends - starts)
    for _ in range(max_hops):
        if not search.expand() or len(search.meetings()) >= max_paths:
            break
    return [next(search.through(meeting)) for meeting in search.meetings()]
