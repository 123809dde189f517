"""Levels put users above what they use, with the least weight against the order, and always the same."""

import itertools
import random

from repoquarry.code.views import levels as module
from repoquarry.code.views.levels import compute_levels, select_arrows

Pair = tuple[str, str]


def _against(order: list[str], weights: dict[Pair, int]) -> int:
    place = {box: number for number, box in enumerate(order)}
    return sum(weight for (start, end), weight in weights.items() if place[start] < place[end])


def _random_weights(boxes: list[str], seed: int) -> dict[Pair, int]:
    random_of = random.Random(seed)
    return {pair: random_of.randint(1, 9) for pair in itertools.permutations(boxes, 2) if random_of.random() < 0.4}


def test_users_stand_above_what_they_use() -> None:
    weights = {("app", "db"): 5, ("db", "utils"): 4, ("app", "utils"): 3, ("utils", "db"): 1}
    levels = compute_levels(["app", "db", "utils"], weights, 3)
    assert levels.order == ("utils", "db", "app")
    assert dict(levels.level_by_box) == {"utils": 0, "db": 1, "app": 2}
    assert levels.rise("utils", "db") == 1


def test_light_dependencies_raise_no_box() -> None:
    levels = compute_levels(["a", "b"], {("a", "b"): 2}, 3)
    assert dict(levels.level_by_box) == {"a": 0, "b": 0}
    assert dict(levels.column_by_box) == {"a": 0, "b": 1}


def test_the_order_of_few_boxes_is_the_best_one() -> None:
    boxes = ["a", "b", "c", "d", "e"]
    for seed in range(20):
        weights = _random_weights(boxes, seed)
        best = min(_against(list(order), weights) for order in itertools.permutations(boxes))
        assert _against(list(compute_levels(boxes, weights, 1).order), weights) == best


def test_no_move_of_one_box_improves_the_order_of_many() -> None:
    boxes = [f"box{number:02}" for number in range(20)]
    for seed in range(5):
        weights = _random_weights(boxes, seed)
        order = list(compute_levels(boxes, weights, 1).order)
        cost = _against(order, weights)
        for box, place in itertools.product(boxes, range(len(boxes))):
            moved = [other for other in order if other != box]
            moved.insert(place, box)
            assert _against(moved, weights) >= cost
        assert compute_levels(boxes[::-1], dict(reversed(weights.items())), 1) == compute_levels(boxes, weights, 1)


def test_arrows_that_a_longer_way_replaces_are_not_drawn() -> None:
    weights = {("a", "b"): 3, ("b", "c"): 3, ("a", "c"): 3, ("c", "a"): 2}
    levels = compute_levels(["a", "b", "c"], weights, 3)
    assert select_arrows(levels, weights) == {("a", "b"), ("b", "c")}
    assert select_arrows(levels, weights, "c") == {("a", "b"), ("b", "c"), ("a", "c"), ("c", "a")}
    assert ("c", "a") in select_arrows(levels, weights | {("c", "a"): 4} | {("a", "c"): 9})


def test_the_number_of_arrows_is_bounded() -> None:
    low, high = [f"low{number:02}" for number in range(12)], [f"top{number:02}" for number in range(12)]
    weights = {(start, end): 3 for start in high for end in low}
    assert len(select_arrows(compute_levels([*low, *high], weights, 3), weights)) == module._MAX_DRAWN
