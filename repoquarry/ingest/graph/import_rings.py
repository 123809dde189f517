"""Rings of imports: modules that import each other while they are loaded, directly or by others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from repoquarry.ingest.resolution.model import ImportEdge


def find_import_rings(imports: Iterable[ImportEdge]) -> list[list[int]]:
    """Return the symbols of the modules of each ring: the strongly connected parts with several modules.

    Imports for type checkers, and those that run later than their file is loaded, make no ring.
    """
    targets: dict[int, list[int]] = {}
    for edge in imports:
        if edge.how != "typing" and not edge.deferred:
            targets.setdefault(edge.source, []).append(edge.target)
    return [part for part in _connected_parts(targets) if len(part) > 1]


def _connected_parts(targets: dict[int, list[int]]) -> Iterator[list[int]]:
    """Yield the strongly connected parts by Tarjan's algorithm, without recursion."""
    numbers: dict[int, int] = {}
    lowest: dict[int, int] = {}
    standing: dict[int, None] = {}
    for root in targets:
        waiting = [(root, iter(targets[root]))] if root not in numbers else []
        while waiting:
            node, rest = waiting[-1]
            if node not in numbers:
                numbers[node] = lowest[node] = len(numbers)
                standing[node] = None
            for target in rest:
                if target not in numbers:
                    waiting.append((target, iter(targets.get(target, ()))))
                    break
                if target in standing:
                    lowest[node] = min(lowest[node], numbers[target])
            else:
                waiting.pop()
                if waiting:
                    above = waiting[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == numbers[node]:
                    yield _cut(standing, node)


def _cut(standing: dict[int, None], first: int) -> list[int]:
    """Remove the nodes from `first` on, and return them."""
    found: list[int] = []
    while not found or found[-1] != first:
        found.append(standing.popitem()[0])
    return found
