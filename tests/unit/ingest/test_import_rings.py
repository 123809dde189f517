"""Rings of imports against their definition: modules that reach each other."""

from hypothesis import given
from hypothesis import strategies as st

from repoquarry.ingest.graph.import_rings import find_import_rings
from repoquarry.ingest.resolution.model import ImportEdge

_NODES = range(7)


@given(st.sets(st.tuples(st.sampled_from(_NODES), st.sampled_from(_NODES))))
def test_rings_are_the_modules_that_reach_each_other(pairs: set[tuple[int, int]]) -> None:
    reached = {one: {two for start, two in pairs if start == one} for one in _NODES}
    for _ in _NODES:
        reached = {one: found | {far for near in found for far in reached[near]} for one, found in reached.items()}
    expected = {
        frozenset({one} | {two for two in reached[one] if one in reached[two]}) for one in _NODES if one in reached[one]
    }
    edges = [ImportEdge(one, two, (), (1,), "import", False) for one, two in sorted(pairs)]
    assert sorted(map(sorted, find_import_rings(edges))) == sorted(sorted(part) for part in expected if len(part) > 1)


def test_imports_that_run_later_or_never_make_no_ring() -> None:
    edges = [
        ImportEdge(0, 1, (), (1,), "import", deferred=False), ImportEdge(1, 0, (), (1,), "import", deferred=True),
        ImportEdge(2, 3, (), (1,), "import", deferred=False), ImportEdge(3, 2, (), (1,), "typing", deferred=False),
    ]  # fmt: skip
    assert find_import_rings(edges) == []


def test_a_long_ring_needs_no_recursion() -> None:
    count = 50_000
    edges = [ImportEdge(one, (one + 1) % count, (), (1,), "import", deferred=False) for one in range(count)]
    assert len(find_import_rings(edges)[0]) == count
