"""Searches of paths over arrays of relationships: trails, reachable ends and shortest paths, for many starts at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure
from repoquarry.graphstore.query.sql.dynamic_values import CypherFailure

_MAX_STEPS: Final = 40_000_000
"""Relationships of all trails of one batch of starts, above which a query is refused."""

_MAX_VISITED: Final = 100_000_000
"""Relationships that all searches of shortest paths of one query may follow, above which it is refused: some seconds."""

_MAX_SEARCHED: Final = 64
"""Nodes whose distances to all others stay while a query runs, 8 bytes for each node of the graph."""

_MAX_KEPT: Final = 2_000_000
"""Relationships of all arrays that stay for later queries."""

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PathSearch:
    """Search along the relationships that `edges` selects (rid, a, b), from `low` to `high` steps.

    `distinct`: each reachable end once, or one shortest path instead of all.
    """

    edges: str
    low: int
    high: int
    distinct: bool = False
    count: int = 0
    """Number of shortest paths, or of groups of paths of one length; 0 for a search by distance only."""
    groups: bool = False


@dataclass
class Adjacency:
    """Relationships sorted by start: those of node number i are `bounds[i]` to `bounds[i + 1]`."""

    nodes: Ids
    """Sorted ids; a number is a place in them."""
    bounds: Ids
    targets: Ids
    """Numbers of the ends."""
    relationships: Ids
    """Ids of the relationships."""

    @classmethod
    def build(cls, relationships: Ids, starts: Ids, ends: Ids) -> Adjacency:
        nodes = np.unique(np.concatenate([starts, ends]))
        first = np.searchsorted(nodes, starts)
        order = np.argsort(first, kind="stable")
        bounds = np.zeros(len(nodes) + 1, np.int64)
        np.add.at(bounds, first + 1, 1)
        return cls(nodes, np.cumsum(bounds), np.searchsorted(nodes, ends)[order], relationships[order])

    @cached_property
    def incoming(self) -> tuple[Ids, Ids, Ids]:
        """Return bounds and places of the relationships by their end, and the start of each relationship."""
        starts = np.repeat(np.arange(len(self.nodes)), np.diff(self.bounds))
        bounds = np.zeros(len(self.nodes) + 1, np.int64)
        np.add.at(bounds, self.targets + 1, 1)
        return np.cumsum(bounds), np.argsort(self.targets, kind="stable"), starts

    @cached_property
    def reversed(self) -> Adjacency:
        """Return the same relationships from end to start, with the same numbers of nodes."""
        bounds, order, starts = self.incoming
        return Adjacency(self.nodes, bounds, starts[order], self.relationships[order])

    def number(self, ids: Ids) -> Ids:
        """Return the numbers of nodes; -1 for a node without relationships."""
        if not len(self.nodes):
            return np.full(len(ids), -1, np.int64)
        places = np.minimum(np.searchsorted(self.nodes, ids), len(self.nodes) - 1)
        return np.where(self.nodes[places] == ids, places, -1)

    def expand(self, nodes: Ids) -> tuple[Ids, Ids]:
        """Return, for each relationship that leaves the nodes, the place in `nodes` and its own place."""
        counts = self.bounds[nodes + 1] - self.bounds[nodes]
        rows = np.repeat(np.arange(len(nodes)), counts)
        offsets = np.cumsum(counts) - counts
        return rows, np.arange(len(rows)) - offsets[rows] + self.bounds[nodes][rows]


@dataclass
class Trails:
    """Trails of a batch of starts: `rows` are places of starts, `steps` a matrix of relationships for each length."""

    rows: list[Ids] = field(default_factory=list)
    ends: list[Ids] = field(default_factory=list)
    steps: list[Ids] = field(default_factory=list)
    nodes: list[Ids] = field(default_factory=list)


def find_trails(graph: Adjacency, starts: Ids, low: int, high: int) -> Trails:
    """Return all trails of `low` to `high` steps. Raises: CypherFailure if there are too many."""
    found, numbers = Trails(), graph.number(starts)
    empty = np.zeros((len(starts), 0), np.int64)
    if low == 0:
        _keep(found, np.arange(len(starts)), starts, empty, empty)
    rows = np.flatnonzero(numbers >= 0)
    current, steps, nodes, total = numbers[rows], empty[: len(rows)], empty[: len(rows)], 0
    for length in range(1, high + 1):
        places, edges = graph.expand(current)
        taken = graph.relationships[edges]
        is_new = np.ones(len(edges), bool)
        for column in range(length - 1):
            is_new &= steps[places, column] != taken
        places, edges, taken = places[is_new], edges[is_new], taken[is_new]
        if not len(edges):
            break
        total += len(edges) * length
        if total > _MAX_STEPS:
            raise CypherFailure(
                "the variable-length pattern has too many paths; bound its length or name one of its ends"
            )
        current, rows = graph.targets[edges], rows[places]
        ends = graph.nodes[current]
        steps = np.column_stack([steps[places], taken])
        nodes = np.column_stack([nodes[places], ends])
        if length >= low:
            _keep(found, rows, ends, steps, nodes)
    return found


def _keep(found: Trails, rows: Ids, ends: Ids, steps: Ids, nodes: Ids) -> None:
    found.rows.append(rows)
    found.ends.append(ends)
    found.steps.append(steps)
    found.nodes.append(nodes)


def find_ends(graph: Adjacency, start: int, low: int, high: int) -> Ids:
    """Return the distinct ends of trails from a node, for `low` 0 or 1 along directed relationships."""
    number = int(graph.number(np.array([start]))[0])
    if number < 0:
        return np.array([start] if low == 0 else [], np.int64)
    seen = np.zeros(len(graph.nodes), bool)
    seen[number] = low == 0
    frontier = np.array([number])
    for _ in range(high):
        _, edges = graph.expand(frontier)
        reached = np.unique(graph.targets[edges])
        frontier = reached[~seen[reached]]
        if not len(frontier):
            break
        seen[frontier] = True
    return graph.nodes[np.flatnonzero(seen)]


class CountedPaths:
    """Shortest trails to one node, as many as a selector asks for."""

    def __init__(self, graph: Adjacency, end: int, search: PathSearch) -> None:
        self._graph, self._end, self._search = graph, end, search
        self._left = ShortestPaths(graph.reversed, end, search.high).depths
        """Distance to the end of each node."""
        self._tried = 0

    def of(self, start: int) -> list[tuple[list[int], list[int]]]:
        """Return the nodes and relationships of the paths from a node."""
        first = int(self._graph.number(np.array([start]))[0])
        if first < 0 or self._left[first] < 0:
            return [([start], [])] if start == self._end and self._search.low == 0 else []
        paths: list[tuple[list[int], list[int]]] = []
        groups = 0
        for length in range(max(self._search.low, int(self._left[first])), self._search.high + 1):
            before = len(paths)
            for nodes, steps in self._exact(first, length, [first], []):
                paths.append(([int(self._graph.nodes[node]) for node in nodes], steps))
                if not self._search.groups and len(paths) == self._search.count:
                    return paths
            groups += len(paths) > before
            if self._search.groups and groups == self._search.count:
                break
        return paths

    def _exact(self, node: int, left: int, nodes: list[int], steps: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Yield the trails of exactly `left` more steps to the end."""
        if not left:
            yield nodes, steps
            return
        graph = self._graph
        for place in range(int(graph.bounds[node]), int(graph.bounds[node + 1])):
            target, step = int(graph.targets[place]), int(graph.relationships[place])
            if 0 <= self._left[target] <= left - 1 and step not in steps:
                self._tried += 1
                if self._tried > _MAX_STEPS // 10:
                    raise CypherFailure("the search of shortest paths tries too many; lower its upper bound")
                yield from self._exact(target, left - 1, [*nodes, target], [*steps, step])


class ShortestPaths:
    """Shortest paths from one node: the distances of all nodes, and the paths back from an end."""

    def __init__(self, graph: Adjacency, start: int, high: int) -> None:
        self._graph, self._start = graph, start
        self.depths = self._depths = np.full(len(graph.nodes), -1, np.int64)
        self.visited = 0
        """Relationships that were followed."""
        first = int(graph.number(np.array([start]))[0])
        if first >= 0:
            self._search(first, high)

    def _search(self, first: int, high: int) -> None:
        self._depths[first] = 0
        frontier = np.array([first])
        for length in range(1, high + 1):
            _, edges = self._graph.expand(frontier)
            self.visited += len(edges)
            reached = np.unique(self._graph.targets[edges])
            frontier = reached[self._depths[reached] < 0]
            self._depths[frontier] = length
            if not len(frontier):
                break

    def to(self, end: int, low: int, *, one: bool) -> list[tuple[list[int], list[int]]]:
        """Return the nodes and relationships of one or all shortest paths. Raises: CypherFailure for the start."""
        if end == self._start:
            if low == 0:
                return [([end], [])]
            raise CypherFailure(RuntimeFailure.SAME_ENDS.message)
        last = int(self._graph.number(np.array([end]))[0])
        if last < 0 or self._depths[last] < 0:
            return []
        if low > 1:
            raise CypherFailure("a shortest path with a lower bound above 1")
        return self._back(last, one=one)

    def _back(self, last: int, *, one: bool) -> list[tuple[list[int], list[int]]]:
        """Walk back from the end, along relationships from nodes that are one step nearer to the start."""
        graph, paths = self._graph, [([last], list[int]())]
        bounds, order, starts = graph.incoming
        for depth in range(int(self._depths[last]) - 1, -1, -1):
            longer = []
            for nodes, steps in paths:
                for place in range(int(bounds[nodes[-1]]), int(bounds[nodes[-1] + 1])):
                    edge = order[place]
                    if self._depths[starts[edge]] == depth:
                        longer.append(([*nodes, int(starts[edge])], [*steps, int(graph.relationships[edge])]))
                        if one:
                            break
            paths = longer
            if len(paths) * (len(paths[0][0]) if paths else 0) > _MAX_STEPS // 10:
                raise CypherFailure("there are too many shortest paths; name more of their nodes")
        return [([int(graph.nodes[node]) for node in reversed(nodes)], steps[::-1]) for nodes, steps in paths]


class DistanceSearches:
    """Shortest paths of one query, from the side with fewer nodes; the sum of the searches is limited."""

    def __init__(self, search: PathSearch, graph: Adjacency) -> None:
        self._search, self._graph = search, graph
        self._found: OrderedDict[tuple[bool, int], ShortestPaths] = OrderedDict()
        self._visited = 0

    def paths(self, start: int, end: int, *, is_backward: bool) -> list[tuple[list[int], list[int]]]:
        """Return the nodes and relationships of one or all shortest paths. Raises: CypherFailure."""
        first, last = (end, start) if is_backward else (start, end)
        paths = self._from(first, is_backward=is_backward).to(last, self._search.low, one=self._search.distinct)
        return [(nodes[::-1], steps[::-1]) for nodes, steps in paths] if is_backward else paths

    def _from(self, node: int, *, is_backward: bool) -> ShortestPaths:
        found = self._found.get((is_backward, node))
        if found is None:
            if self._visited > _MAX_VISITED:
                raise CypherFailure(
                    f"the shortest paths follow more than {_MAX_VISITED:,} relationships; name one of their ends, or "
                    "lower the upper bound of their length"
                )
            graph = self._graph.reversed if is_backward else self._graph
            found = self._found[is_backward, node] = ShortestPaths(graph, node, self._search.high)
            self._visited += found.visited
            if len(self._found) > _MAX_SEARCHED:
                self._found.popitem(last=False)
        return found


Load = Callable[[str], tuple[Ids, Ids, Ids]]
"""Runs a SELECT of rid, a and b, and returns its columns."""


class PathSearcher:
    """Searches of one connection, by their keys; they answer calls from SQL with Arrow arrays."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._searches: dict[str, tuple[PathSearch, Adjacency]] = {}
        self._kept: OrderedDict[str, Adjacency] = OrderedDict()
        self._distances: dict[str, DistanceSearches] = {}

    def prepare(self, searches: dict[str, PathSearch], load: Load) -> None:
        """Read the relationships of a query's searches, or take those of an earlier query."""
        with self._guard:
            for key, search in searches.items():
                graph = self._kept.pop(search.edges, None) or Adjacency.build(*load(search.edges))
                self._searches[key] = search, graph
                self._distances[key] = DistanceSearches(search, graph)
                if "$" not in search.edges:  # Without a parameter, the text alone tells the relationships.
                    self._kept[search.edges] = graph
            while len(self._kept) > 1 and sum(len(kept.targets) for kept in self._kept.values()) > _MAX_KEPT:
                self._kept.popitem(last=False)

    def forget(self, searches: dict[str, PathSearch]) -> None:
        for key in searches:
            self._searches.pop(key, None)
            self._distances.pop(key, None)

    def trails(self, keys: Any, starts: Any) -> Any:
        """Return a list of (b, rs, ns) per start."""
        import pyarrow as pa

        search, graph, given, is_set = self._given(keys, starts)
        found = find_trails(graph, given, search.low, search.high)
        rows = np.concatenate([np.empty(0, np.int64), *found.rows])
        order = np.argsort(rows, kind="stable")
        places = np.flatnonzero(is_set)
        counts = np.bincount(places[rows], minlength=len(starts)) if len(rows) else np.zeros(len(starts), np.int64)
        struct = pa.StructArray.from_arrays(
            [
                pa.array(np.concatenate([np.empty(0, np.int64), *found.ends])[order]),
                _lists(found.steps).take(pa.array(order)),
                _lists(found.nodes).take(pa.array(order)),
            ],
            ["b", "rs", "ns"],
        )
        offsets = np.concatenate([[0], np.cumsum(counts)])
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), struct)

    def ends(self, keys: Any, starts: Any) -> Any:
        import pyarrow as pa

        search, graph, given, is_set = self._given(keys, starts)
        known: dict[int, Ids] = {}
        for start in given.tolist():
            if start not in known:
                known[start] = find_ends(graph, start, search.low, search.high)
        parts = iter(given.tolist())
        return pa.array([known[next(parts)] if is_one else [] for is_one in is_set], pa.list_(pa.int64()))

    def shortest(self, keys: Any, starts: Any, ends: Any) -> Any:
        import pyarrow as pa

        rows: list[list[dict[str, list[int]]]] = []
        counted: dict[int, CountedPaths] = {}
        asked = list(zip(keys.to_pylist(), starts.to_pylist(), ends.to_pylist(), strict=True))
        is_backward = len({end for _, _, end in asked}) < len({start for _, start, _ in asked})
        for key, start, end in asked:
            if start is None or end is None:
                rows.append([])
                continue
            search, graph = self._searches[key]
            if search.count:
                if end not in counted:
                    counted[end] = CountedPaths(graph, end, search)
                paths = counted[end].of(start)
            else:
                paths = self._distances[key].paths(start, end, is_backward=is_backward)
            rows.append([{"ns": nodes, "rs": steps} for nodes, steps in paths])
        item = pa.struct([("ns", pa.list_(pa.int64())), ("rs", pa.list_(pa.int64()))])
        return pa.array(rows, pa.list_(item))

    def _given(self, keys: Any, starts: Any) -> tuple[PathSearch, Adjacency, Ids, npt.NDArray[np.bool_]]:
        search, graph = self._searches[keys[0].as_py()]
        is_set = ~np.asarray(starts.is_null().to_numpy(zero_copy_only=False), bool)
        given = np.asarray(starts.fill_null(0).to_numpy(zero_copy_only=False), np.int64)
        return search, graph, given[is_set], is_set


def _lists(matrices: list[Ids]) -> Any:
    """Return the rows of all matrices as one array of lists."""
    import pyarrow as pa

    lengths = np.concatenate([np.empty(0, np.int64), *(np.full(len(m), m.shape[1]) for m in matrices)])
    flat = np.concatenate([np.empty(0, np.int64), *(m.ravel() for m in matrices)])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(flat))


PATH_FUNCTIONS: Final[dict[str, tuple[Callable[..., Any], tuple[str, ...], str]]] = {
    "cy_trails": (PathSearcher.trails, ("VARCHAR", "BIGINT"), "STRUCT(b BIGINT, rs BIGINT[], ns BIGINT[])[]"),
    "cy_reachable": (PathSearcher.ends, ("VARCHAR", "BIGINT"), "BIGINT[]"),
    "cy_shortest": (PathSearcher.shortest, ("VARCHAR", "BIGINT", "BIGINT"), "STRUCT(ns BIGINT[], rs BIGINT[])[]"),
}
"""Functions of a searcher by their names in SQL, with the types of their arguments and result."""
