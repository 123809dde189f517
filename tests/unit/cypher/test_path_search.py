"""Searches of shortest paths: both sides find the same paths, and their sum is limited."""

import numpy as np
import pytest

from repoquarry.graphstore.query.sql import path_search
from repoquarry.graphstore.query.sql.dynamic_values import CypherFailure
from repoquarry.graphstore.query.sql.path_search import Adjacency, DistanceSearches, PathSearch


def _graph(seed: int) -> Adjacency:
    chance = np.random.default_rng(seed)
    starts, ends = chance.integers(0, 12, (2, 30))
    return Adjacency.build(np.arange(100, 130), starts, ends)


@pytest.mark.parametrize("seed", range(8))
def test_searches_from_the_ends_find_the_paths_of_searches_from_the_starts(seed: int) -> None:
    searches = DistanceSearches(PathSearch("", 1, 4), _graph(seed))
    found = 0
    for start in range(12):
        for end in range(12):
            if start == end:
                continue
            forward, backward = (searches.paths(start, end, is_backward=side) for side in (False, True))
            assert sorted(forward) == sorted(backward)
            assert all(nodes[0] == start and nodes[-1] == end and len(steps) <= 4 for nodes, steps in forward)
            found += len(forward)
    assert found > 50


def test_shortest_paths_that_follow_too_many_relationships_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_search, "_MAX_VISITED", 40)
    searches = DistanceSearches(PathSearch("", 1, 15), _graph(1))
    searches.paths(0, 1, is_backward=False)
    searches.paths(1, 2, is_backward=False)
    with pytest.raises(CypherFailure, match=r"follow more than 40 relationships; name one of their ends"):
        searches.paths(2, 3, is_backward=False)
