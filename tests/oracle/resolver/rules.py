"""Confidence of Python's rules, as the kernel works it out from `repoquarry/languages/python/rules.py`."""

from __future__ import annotations

from repoquarry.languages.python.rules import RULES, SHOWN


def shown(rule: str) -> str:
    """The rule as edges name it in `how`."""
    return SHOWN.get(rule, rule)


def confidence(rule: str, targets: int) -> float:
    """Confidence of an edge that the rule found at a site with so many targets."""
    return RULES[rule][0 if targets <= 1 else 1 if targets == 2 else 2 if targets <= 4 else 3]
