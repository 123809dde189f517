"""Profiles on numbers worked out by hand."""

import pytest

from repoquarry.graphstore.model.score_profiles import DEGREES_APART, PAPER

VALUES = {
    "dependency": 6.0, "complexity": 1.3, "usage": 2.0, "semantic": 0.5, "documentation": 0.7, "history": 0.25,
    "inward": 2.5, "outward": 1.5,
}  # fmt: skip


def test_paper_caps_the_sum_of_six_and_does_not_know_tests() -> None:
    assert PAPER.total(VALUES) == pytest.approx(10.75)
    assert PAPER.importance(VALUES, is_test=False) == 10.0
    assert PAPER.importance(VALUES, is_test=True) == 10.0
    assert PAPER.importance({**VALUES, "dependency": 1.0}, is_test=True) == pytest.approx(5.75)


def test_degrees_sums_eight_and_halves_tests() -> None:
    assert DEGREES_APART.importance(VALUES, is_test=False) == pytest.approx(14.75)
    assert DEGREES_APART.importance(VALUES, is_test=True) == pytest.approx(7.375)
