"""One search from both ends finds all shortest paths, and one way over each meeting."""

import itertools
import random
from collections import defaultdict

import pytest

from repoquarry.code.paths import SearchSpace, find_paths_through_meetings, find_shortest_paths

Arc = tuple[str, str]


def _ways(arcs: list[Arc], frontier: int = 1000) -> SearchSpace[Arc]:
    out: dict[str, list[Arc]] = defaultdict(list)
    into: dict[str, list[Arc]] = defaultdict(list)
    for arc in arcs:
        out[arc[0]].append(arc)
        into[arc[1]].append(arc)
    return SearchSpace(
        ahead=lambda ids: [arc for id_ in ids for arc in out[id_]],
        back=lambda ids: [arc for id_ in ids for arc in into[id_]],
        start=lambda arc: arc[0],
        end=lambda arc: arc[1],
        order=lambda arc: arc,
        frontier=frontier,
    )


def _by_hand(arcs: list[Arc], starts: set[str], end: str, hops: int) -> set[tuple[Arc, ...]]:
    """All shortest paths, by trying every path of each length."""
    level: list[tuple[Arc, ...]] = [(arc,) for arc in arcs if arc[0] in starts]
    for _ in range(hops):
        found = {path for path in level if path[-1][1] == end}
        if found:
            return found
        level = [(*path, arc) for path in level for arc in arcs if arc[0] == path[-1][1]]
    return set()


@pytest.mark.parametrize("seed", range(30))
def test_all_shortest_paths_of_random_graphs(seed: int) -> None:
    draw = random.Random(seed)
    nodes = [f"n{number}" for number in range(9)]
    arcs = sorted(draw.sample([pair for pair in itertools.product(nodes, nodes) if pair[0] != pair[1]], 14))
    starts, end = {"n0", "n1"}, "n8"
    found = find_shortest_paths(_ways(arcs), starts, end, 5, 1000)
    assert set(found.paths) == _by_hand(arcs, starts, end, 5)
    assert len(set(found.paths)) == len(found.paths)
    assert not found.truncated


def test_truncation_of_paths_is_reported() -> None:
    arcs = [("a", f"m{number}") for number in range(5)] + [(f"m{number}", "z") for number in range(5)]
    found = find_shortest_paths(_ways(arcs), {"a"}, "z", 4, 3)
    assert (len(found.paths), found.truncated) == (3, True)
    assert find_shortest_paths(_ways(arcs, frontier=2), {"a"}, "z", 4, 9).truncated


def test_hops_bound_the_length() -> None:
    arcs = [("a", "b"), ("b", "c"), ("c", "d")]
    assert find_shortest_paths(_ways(arcs), {"a"}, "d", 2, 9).paths == []
    assert find_shortest_paths(_ways(arcs), {"a"}, "d", 3, 9).paths == [tuple(arcs)]
    assert find_shortest_paths(_ways(arcs), {"a"}, "a", 3, 9).paths == []


def test_paths_pass_every_shared_node() -> None:
    arcs = [("a", "m"), ("a", "n"), ("m", "z"), ("n", "z")]
    assert set(find_paths_through_meetings(_ways(arcs), {"a"}, {"z"}, 6, 9)) >= {
        (("a", "m"), ("m", "z")),
        (("a", "n"), ("n", "z")),
    }
