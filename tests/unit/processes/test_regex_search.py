"""Search with expressions of callers: answers, and the end of every expression that needs too much."""

import threading

import pytest

from repoquarry.processes import regex_search
from repoquarry.processes.regex_search import RegexSearchError, find_matches
from repoquarry.processes.workers import StoppedError


def test_matches_of_each_text_are_returned_up_to_the_limit() -> None:
    assert find_matches("b+", ["abbab", "", "b"], limit=5, seconds=60) == [[(1, 3), (4, 5)], [], [(0, 1)]]
    assert find_matches("b", ["bbb"], limit=2, seconds=60) == [[(0, 1), (1, 2)]]
    assert find_matches("^b$", ["a\nb"], seconds=60, by_line=True) == [[(2, 3)]]
    assert find_matches("^b$", ["a\nb"], seconds=60) == [[]]
    assert find_matches("x*", ["a"], seconds=60, with_empty=False) == [[]]
    assert find_matches("\ud800", ["a\ud800"], seconds=60) == [[(1, 2)]]


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("a" * 1_001, "1,001 characters; the limit is 1,000"),
        ("(", "missing"),
        ("(" * 490 + ")" * 490, "nested too deeply"),
        ("a{100000000}", "more than 512 MiB"),
        ("(?R)a", "more than 512 MiB"),
    ],
)
def test_an_expression_that_needs_too_much_is_refused(pattern: str, problem: str) -> None:
    with pytest.raises(RegexSearchError, match=problem):
        find_matches(pattern, ["ab" * 500_000], seconds=300)
    assert find_matches("b", ["ab"], seconds=60) == [[(1, 2)]]


def test_a_search_ends_with_its_time_and_with_its_caller() -> None:
    with pytest.raises(TimeoutError):
        find_matches("(a+)+b", ["a" * 5_000], seconds=0.3)
    gone = threading.Event()
    gone.set()
    with pytest.raises(StoppedError):
        find_matches("(a+)+b", ["a" * 5_000], seconds=300, stopped=gone.is_set)
    assert all(child.alive() for child in regex_search._idle), "a child that was stopped is not used again"
