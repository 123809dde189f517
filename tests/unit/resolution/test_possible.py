"""Confidence of possible edges: it follows from what is known of their target and receiver."""

from __future__ import annotations

import pytest

from repoquarry.ingest.languages.python import extract
from repoquarry.ingest.resolution import CallEdge, resolve
from repoquarry.ingest.resolution.rules import DISPATCH, MADE, Grounds, possible_confidence

BASE = "class Base:\n    def run(self):\n        pass\n\n\n"


def edges(sources: dict[str, str]) -> dict[tuple[str, str], CallEdge]:
    """The calls by the keys of caller and callee."""
    resolution = resolve([extract(path, text.encode()) for path, text in sources.items()])
    symbols = resolution.symbols
    return {(symbols[one.caller].key, symbols[one.callee].key): one for one in resolution.calls if one.callee >= 0}


def family(size: int) -> str:
    """A base class, so many classes that override its method, and a function that calls it on a declared receiver."""
    classes = "".join(f"class C{number}(Base):\n    def run(self):\n        pass\n\n\n" for number in range(size))
    return f"{BASE}{classes}def go(base: Base):\n    base.run()\n"


@pytest.mark.parametrize("rule", [rule for rule in DISPATCH if rule not in ("hook", "implementation")])
def test_more_targets_make_each_less_likely(rule: str) -> None:
    figures = [possible_confidence(Grounds(rule, count, False, MADE[0])) for count in (2, 4, 8, 16, 32)]
    assert figures == sorted(figures, reverse=True)
    assert figures[0] > figures[-1]


def test_a_call_that_many_override_is_less_sure_of_each() -> None:
    few, many = edges({"main.py": family(2)}), edges({"main.py": family(40)})
    assert few["go", "C0.run"].how == many["go", "C0.run"].how == "possible"
    assert few["go", "C0.run"].confidence > many["go", "C0.run"].confidence


def test_classes_that_are_made_are_likelier_than_classes_that_nobody_makes() -> None:
    source = family(3)
    made = edges({"main.py": f"{source}\n\nC0()\n"})
    in_tests = edges({"main.py": source, "tests/test_it.py": "from main import C0\n\nC0()\n"})
    nowhere = edges({"main.py": source})
    assert made["go", "C0.run"].confidence >= in_tests["go", "C0.run"].confidence
    assert in_tests["go", "C0.run"].confidence >= nowhere["go", "C0.run"].confidence
    assert made["go", "C0.run"].confidence > nowhere["go", "C0.run"].confidence
    assert made["go", "C1.run"].confidence == nowhere["go", "C1.run"].confidence
