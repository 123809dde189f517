"""PageRank."""

import random

import numpy as np
import pytest
import rustworkx as rx

from repoquarry.ingest import pagerank
from repoquarry.ingest.pagerank import own_pagerank


def weighted(edges: list[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """Weight each edge by how often it is listed."""
    return {edge: float(edges.count(edge)) for edge in edges}


def one_run_each(count: int, edges: list[tuple[int, int]]) -> list[float]:
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(tail, head, weight) for (tail, head), weight in sorted(weighted(edges).items())])
    return [
        rx.pagerank(
            graph,
            weight_fn=float,
            alpha=0.85,
            personalization={node: 2.0 if node == target else 1.0 for node in range(count)},
            tol=1e-13,
            max_iter=10_000,
        )[target]
        for target in range(count)
    ]


def random_graph(seed: int) -> tuple[int, list[tuple[int, int]]]:
    chance = random.Random(seed)
    count = chance.randint(1, 30)
    return count, [(chance.randrange(count), chance.randrange(count)) for _ in range(chance.randint(0, 3 * count))]


SMALL: list[tuple[int, list[tuple[int, int]]]] = [
    (1, []),
    (1, [(0, 0)]),
    (3, []),
    (2, [(0, 1), (1, 0)]),
    (4, [(0, 1), (1, 2), (2, 0), (3, 0)]),
    (5, [(0, 1), (0, 1), (1, 2), (2, 3), (3, 4)]),
]


@pytest.mark.parametrize(("count", "edges"), SMALL + [random_graph(seed) for seed in range(25)])
def test_it_equals_one_run_for_each_target(count: int, edges: list[tuple[int, int]]) -> None:
    assert own_pagerank(count, weighted(edges)) == pytest.approx(one_run_each(count, edges), abs=1e-9)


def test_no_nodes() -> None:
    assert len(own_pagerank(0, {})) == 0


def test_the_short_form_for_huge_components_moves_no_rank_by_more_than_half_a_percent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(7)
    count = 900
    edges = [(chance.randrange(count), chance.randrange(count)) for _ in range(4 * count)]
    exact = own_pagerank(count, weighted(edges))
    monkeypatch.setattr(pagerank, "_DENSE", 10)
    assert (np.abs(own_pagerank(count, weighted(edges)) - exact) / exact).max() < 0.005
