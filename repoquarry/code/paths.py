"""Bidirectional search for shortest paths: between graph nodes along relationships, and between definitions along possible calls.

`find_relation_paths` follows relationships as the graph stores them, and returns all shortest paths. `find_call_paths` also follows
overriding methods and functions passed as values, because code with interfaces and handlers connects that way, and returns one path for
each node where the searches meet, ranked. Both limit the nodes of a step, and report when they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Generic, TypeVar

from repoquarry.code.reader import CodeReader
from repoquarry.code.records import CallPath, DefinitionRecord, EdgeRecord
from repoquarry.code.relations import MAX_REACHED, expand
from repoquarry.graphstore.model.values import Relationship
from repoquarry.graphstore.store import Store

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
