"""Confidence of Python's rules, as the kernel works it out from `repoquarry/languages/python/family.py`."""

from __future__ import annotations

from repoquarry.languages.python.family import POSSIBLE, RULES, SHOWN

#: where instances of a class are made, as columns of `POSSIBLE`
IN_CODE, IN_TESTS, NOWHERE = range(3)


def shown(rule: str) -> str:
    """The rule as edges name it in `how`."""
    return SHOWN.get(rule, rule)


def confidence(rule: str, targets: int, grounds: int | None = None) -> float:
    """Confidence of an edge that the rule found at a site with so many targets; `grounds` for what dispatch adds."""
    column = 0 if targets <= 1 else 1 if targets == 2 else 2 if targets <= 4 else 3
    return RULES[rule][column] if grounds is None or rule not in POSSIBLE else POSSIBLE[rule][column][grounds]
