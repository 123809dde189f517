"""The rules by which call edges are found, and how often each is right.

`confidence` of an edge is that of its rule, lowered where a call site has several possible targets. The figures are measured
(`tests/benchmarks/callgraph_reliability.py`, docs/benchmarks.md).
"""

from __future__ import annotations

#: rule -> share of its edges that are right when the site has one target
RULES: dict[str, float] = {
    "name": 0.99,  # a name that is bound to the definition here or by import
    "module": 0.99,  # an attribute of a module
    "self": 0.98,  # a method of the receiver of the enclosing method
    "super": 0.98,
    "class": 0.98,  # an attribute of a class
    "receiver": 0.95,  # a method of an object whose class is known from where it was made
    "constructor": 0.98,
    "instance": 0.95,  # __call__
    "value": 0.93,  # a function that reached the call as a value
    "callback": 0.9,  # a function given to something that calls it
    "partial": 0.95,
    "property": 0.95,
    "implicit": 0.9,  # special methods: operators, iteration, context managers
    "possible": 0.6,  # overrides of a method that is reached
}


def confidence(rule: str, targets: int) -> float:
    """Confidence of an edge that the rule found at a site with so many targets."""
    base = RULES[rule]
    return round(base if targets <= 1 else base * (0.9 if targets == 2 else 0.8 if targets <= 4 else 0.6), 3)
