"""Deterministic layered layout of a dependency graph: level and column of each box, dependencies pointing down, and arrows to draw.

1. The boxes are ordered so that the weight of dependencies against the order is least (exactly for few boxes).
2. A box is one level above the highest box before it that it uses often enough.
3. Within a level, boxes are ordered by the mean column of their neighbors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_MAX_EXACT: Final = 12
"""Maximum number of boxes whose order is computed exactly; the time doubles with each."""
_COLUMN_PASSES: Final = 4
_MAX_DRAWN: Final = 60
_MIN_UPWARD: Final = 4
"""Least weight of an upward dependency that is drawn."""

Weights = Mapping[tuple[str, str], int]
"""Weight by (using box, used box)."""


@dataclass(frozen=True)
class Levels:
    """Places of boxes; level 0 is the lowest."""

    order: tuple[str, ...]
    """From the lowest box to the highest."""
    level_by_box: Mapping[str, int]
    column_by_box: Mapping[str, int]

    def rise(self, start: str, end: str) -> int:
        """Return by how many levels a dependency rises; negative where it points down."""
        return self.level_by_box[end] - self.level_by_box[start]


def compute_levels(boxes: Sequence[str], weights: Weights, min_weight: int) -> Levels:
    """Compute the levels of some boxes; dependencies lighter than `min_weight` raise no box."""
    order = _order_boxes(sorted(boxes), weights)
    level_by_box: dict[str, int] = {}
    for box in order:
        used = [level_by_box[other] for other in level_by_box if weights.get((box, other), 0) >= min_weight]
        level_by_box[box] = 1 + max(used, default=-1)
    return Levels(tuple(order), level_by_box, _assign_columns(order, level_by_box, weights))


def _order_boxes(boxes: Sequence[str], weights: Weights) -> list[str]:
    """Order boxes from the used to the using ones with the least weight against the order; ties by name."""
    if len(boxes) <= _MAX_EXACT:
        return _order_exactly(boxes, weights)
    return _improve_order(_order_greedily(boxes, weights), weights)


def _order_exactly(boxes: Sequence[str], weights: Weights) -> list[str]:
    """Order few boxes by dynamic programming over the sets of the lowest ones."""
    count = len(boxes)
    pairs = [[weights.get((one, other), 0) for other in boxes] for one in boxes]
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())] * (1 << count)
    for chosen in range(1, 1 << count):
        members = [number for number in range(count) if chosen >> number & 1]
        options = []
        for last in members:  # The boxes below use the last one: against the order.
            cost, before = best[chosen & ~(1 << last)]
            options.append((cost + sum(pairs[member][last] for member in members), (*before, last)))
        best[chosen] = min(options)
    return [boxes[number] for number in best[-1][1]]


def _order_greedily(boxes: Sequence[str], weights: Weights) -> list[str]:
    """Order boxes from sinks and sources inwards, as in the heuristic of Eades, Lin and Smyth."""
    out_weight = dict.fromkeys(boxes, 0)
    in_weight = dict.fromkeys(boxes, 0)
    neighbors: dict[str, list[tuple[str, str, int]]] = {box: [] for box in boxes}
    for (start, end), weight in weights.items():
        out_weight[start] += weight
        in_weight[end] += weight
        neighbors[start].append((start, end, weight))
        neighbors[end].append((start, end, weight))
    left, low, high = set(boxes), [], []
    while left:
        sinks = [box for box in left if not out_weight[box]]
        sources = [box for box in left if not in_weight[box]]
        if sinks:
            box = min(sinks)
            low.append(box)
        elif sources:
            box = max(sources)
            high.append(box)
        else:
            box = min(left, key=lambda one: (out_weight[one] - in_weight[one], one))
            low.append(box)
        left.remove(box)
        for start, end, weight in neighbors[box]:
            out_weight[start] -= weight
            in_weight[end] -= weight
    return low + high[::-1]


def _improve_order(order: list[str], weights: Weights) -> list[str]:
    """Move single boxes to their best place until no move lessens the weight against the order."""
    has_improved = True
    while has_improved:
        has_improved = False
        for box in sorted(order):
            place = order.index(box)
            rest = order[:place] + order[place + 1 :]
            # The weight against the order changes by one pair for each step to the right.
            gain, best_gain, best_place = 0, 0, place
            costs = [0]
            for other in rest:
                gain += weights.get((other, box), 0) - weights.get((box, other), 0)
                costs.append(gain)
            for candidate, cost in enumerate(costs):
                if cost - costs[place] < best_gain:
                    best_gain, best_place = cost - costs[place], candidate
            if best_place != place:
                order = [*rest[:best_place], box, *rest[best_place:]]
                has_improved = True
    return order


def _assign_columns(order: Sequence[str], level_by_box: Mapping[str, int], weights: Weights) -> dict[str, int]:
    rows: dict[int, list[str]] = {}
    for box in sorted(order):
        rows.setdefault(level_by_box[box], []).append(box)
    columns = {box: column for row in rows.values() for column, box in enumerate(row)}
    around: dict[str, set[str]] = {box: set() for box in order}
    for start, end in weights:
        around[start].add(end)
        around[end].add(start)
    for _ in range(_COLUMN_PASSES):
        for level in sorted(rows):
            means = {
                box: sum(columns[other] for other in around[box]) / len(around[box]) if around[box] else columns[box]
                for box in rows[level]
            }
            rows[level].sort(key=lambda box: (means[box], box))
            columns |= {box: column for column, box in enumerate(rows[level])}
    return columns


def select_arrows(levels: Levels, weights: Weights, selected: str = "") -> set[tuple[str, str]]:
    """Select the dependencies that a picture draws: neighbors, what transitive reduction leaves, heavy upward ones.

    At most `_MAX_DRAWN`, the upward ones first, then the shortest; those of the box `selected` are always drawn.
    """
    upward = [pair for pair, weight in weights.items() if levels.rise(*pair) > 0 and weight >= _MIN_UPWARD]
    downward = {pair for pair in weights if levels.rise(*pair) < 0}
    beside = [
        (start, end)
        for start, end in weights
        if not levels.rise(start, end) and abs(levels.column_by_box[start] - levels.column_by_box[end]) == 1
    ]
    candidates = [*upward, *_reduce_transitively(downward, levels), *beside]
    candidates.sort(
        key=lambda pair: (levels.rise(*pair) <= 0, abs(levels.rise(*pair)), -weights[pair], pair),
    )
    return {*candidates[:_MAX_DRAWN], *(pair for pair in weights if selected in pair)}


def _reduce_transitively(pairs: set[tuple[str, str]], levels: Levels) -> list[tuple[str, str]]:
    """Return the downward pairs without those that a longer way downwards replaces."""
    below: dict[str, set[str]] = {}
    for start, end in pairs:
        below.setdefault(start, set()).add(end)
    reach: dict[str, set[str]] = {}
    for box in sorted(below, key=lambda one: levels.level_by_box[one]):
        direct = below[box]
        reach[box] = direct | {far for other in direct for far in reach.get(other, ())}
    return [
        (start, end)
        for start, end in sorted(pairs)
        if not any(end in reach.get(other, ()) for other in below[start] if other != end)
    ]
