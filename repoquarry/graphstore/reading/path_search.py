"""Shortest paths between two sets of nodes.

A path of eight steps costs two searches of four. What a step is, and in which order equal ones count, the caller says: the agent
follows calls, overriding methods and functions handed over, the service the kinds of relationship that it was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Link = TypeVar("Link")


@dataclass(frozen=True)
class SearchSpace(Generic[Link]):
    """How a search goes on. `ahead` gives the links that leave some nodes, `back` those that reach them."""

    ahead: Callable[[list[str]], Iterable[Link]]
    back: Callable[[list[str]], Iterable[Link]]
    start: Callable[[Link], str]
    end: Callable[[Link], str]
    order: Callable[[Link], Any]
    """Sort key of a link: which of several that reach a node counts first; engines give them in orders of their own."""

    frontier: int
    """Nodes of one level that are followed; the graph's hubs would otherwise bring in everything."""


@dataclass
class _SearchFrontier(Generic[Link]):
    """The search from one end: the links by which each node was first reached, none for the seeds."""

    reached: dict[str, list[Link]]
    level: list[str]
    cut: bool = False


@dataclass
class BidirectionalSearch(Generic[Link]):
    """A search under way between two sets of nodes that share none."""

    ways: SearchSpace[Link]
    starts: set[str]
    ends: set[str]
    _from_start: _SearchFrontier[Link] = field(init=False)
    _from_end: _SearchFrontier[Link] = field(init=False)

    def __post_init__(self) -> None:
        self._from_start = _SearchFrontier({id_: [] for id_ in sorted(self.starts)}, sorted(self.starts))
        self._from_end = _SearchFrontier({id_: [] for id_ in sorted(self.ends)}, sorted(self.ends))

    @property
    def cut(self) -> bool:
        """Whether a level had more nodes than are followed."""
        return self._from_start.cut or self._from_end.cut

    def expand(self) -> bool:
        """Go one step on from the smaller side; False when neither can."""
        sides = sorted((self._from_start, self._from_end), key=lambda side: len(side.level))
        side = next((one for one in sides if one.level), None)
        if side is None:
            return False
        outward = side is self._from_start
        links = (self.ways.ahead if outward else self.ways.back)(side.level)
        new: dict[str, list[Link]] = {}
        for link in sorted(links, key=self.ways.order):
            far = self.ways.end(link) if outward else self.ways.start(link)
            if far not in side.reached:
                new.setdefault(far, []).append(link)
        side.reached.update(new)
        side.cut = side.cut or len(new) > self.ways.frontier
        side.level = list(new)[: self.ways.frontier]
        return True

    def meetings(self) -> list[str]:
        """Nodes that both sides have reached."""
        return sorted(self._from_start.reached.keys() & self._from_end.reached.keys())

    def through(self, meeting: str) -> Iterator[tuple[Link, ...]]:
        """All ways from start to end over one meeting, those of first links first."""
        for before in self._chains(self._from_start, meeting, self.ways.start):
            for after in self._chains(self._from_end, meeting, self.ways.end):
                yield (*reversed(before), *after)

    def _chains(self, side: _SearchFrontier[Link], node: str, far: Callable[[Link], str]) -> Iterator[tuple[Link, ...]]:
        """The links from a node back to a seed of one side, nearest to the node first."""
        unfinished: list[tuple[str, tuple[Link, ...]]] = [(node, ())]
        while unfinished:
            at, chain = unfinished.pop()
            if not side.reached[at]:
                yield chain
            unfinished.extend((far(link), (*chain, link)) for link in reversed(side.reached[at]))


@dataclass(frozen=True)
class PathSet(Generic[Link]):
    """Paths, and whether there are more than were asked for or could be found."""

    paths: list[tuple[Link, ...]]
    truncated: bool


def find_shortest_paths(ways: SearchSpace[Link], starts: set[str], end: str, hops: int, most: int) -> PathSet[Link]:
    """All paths of least length from any start to one end, at most `most` of them."""
    if end in starts:
        return PathSet([], truncated=False)
    search = BidirectionalSearch(ways, starts, {end})
    for _ in range(hops):
        if not search.expand():
            break
        if met := search.meetings():
            # sides grow by one level at a time, so that all that meet now meet on shortest paths
            found: list[tuple[Link, ...]] = []
            for path in (path for meeting in met for path in search.through(meeting)):
                if len(found) == most:
                    return PathSet(found, truncated=True)
                found.append(path)
            return PathSet(found, truncated=search.cut)
    return PathSet([], truncated=search.cut)


def find_paths_through_meetings(
    ways: SearchSpace[Link], starts: set[str], ends: set[str], hops: int, most: int
) -> list[tuple[Link, ...]]:
    """One way over each node where the searches meet, by the links that count first; longer ones too, until there are `most`."""
    search = BidirectionalSearch(ways, starts, ends - starts)
    for _ in range(hops):
        if not search.expand() or len(search.meetings()) >= most:
            break
    return [next(search.through(meeting)) for meeting in search.meetings()]
