"""The rules by which call edges are found, and how often each is right.

`confidence` of an edge is that of its rule and of the number of targets that its call site may have. The figures are measured
(`tests/benchmarks/callgraph_reliability.py`, docs/benchmarks.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: An edge of this confidence or more is a finding: it counts as a call. Below, it is a possibility.
LIKELY = 0.5

#: rule -> shares of its edges that are right, at call sites with one target, two, three or four, and more
RULES: dict[str, tuple[float, float, float, float]] = {
    "name": (0.99, 0.97, 0.95, 0.9),  # a name that is bound to the definition here or by import
    "module": (0.99, 0.9, 0.7, 0.2),  # an attribute of a module
    "self": (0.99, 0.94, 0.8, 0.8),  # a method of the receiver of the enclosing method
    "super": (0.99, 0.95, 0.9, 0.9),
    "class": (0.98, 0.7, 0.5, 0.3),  # an attribute of a class
    "receiver": (
        0.98,
        0.7,
        0.5,
        0.4,
    ),  # a method of an object whose class is known from where it was made or from a declaration
    "constructor": (0.97, 0.95, 0.6, 0.1),
    "instance": (0.95, 0.8, 0.6, 0.3),  # __call__
    "value": (0.95, 0.8, 0.7, 0.5),  # a function that reached the call as a value
    "callback": (0.9, 0.6, 0.4, 0.1),  # a function given to something that calls it
    "named": (0.8, 0.7, 0.6, 0.5),  # by a name made at run time, of which the beginning is known
    "fixture": (0.95, 0.95, 0.95, 0.95),  # a fixture that pytest calls for a parameter of its name
    "partial": (0.95, 0.8, 0.6, 0.4),
    "property": (0.95, 0.85, 0.7, 0.4),
    "implicit": (0.9, 0.8, 0.7, 0.4),  # special methods: operators, iteration, context managers
    "abstract": (0.05, 0.05, 0.05, 0.05),  # a method that only raises NotImplementedError, where others may be meant
}

#: rules of dispatch: what classes below the receiver's have, though no object of theirs was seen to come here
DISPATCH = (
    "hook",  # what a live subclass has for a method that its base calls on `self`
    "implementation",  # what a live subclass has for an abstract method of a declared receiver
    "override",  # the same where the method is not abstract
    "possible",  # any other override of a method that is reached, where the receiver may be of a subclass
    "overriding",  # seen to come here, but so was an object of which it overrides the method
)

#: where instances are made of the class of a possible target, or of one that inherits the method
MADE = ("in code", "in tests", "nowhere")


@dataclass(frozen=True, slots=True)
class Grounds:
    """What is known of an edge that dispatch added."""

    rule: str
    """One of `DISPATCH`."""
    targets: int
    """How many methods the call may reach."""
    on_self: bool
    """Whether the receiver is that of the calling method; else its class is declared, or was seen."""
    made: str
    """One of `MADE`."""


#: what speaks for an edge that dispatch added, in logits; fitted by scripts/fit_call_confidence.py
WEIGHTS: dict[str, float] = {
    "log2 targets": -0.04,
    "seen, log2 targets": -0.39,
    "made": 0.48,
    "seen, made in code": 0.83,
    "hook on self": 0.76,
    "implementation": 0.42,
    "override": -0.98,
    "possible": -1.80,
    "possible on self": -0.95,
    "overriding": 0.60,
    "overriding on self": 0.88,
}


#: rules whose edges are called possible, as those of dispatch are
_SHOWN = {"named": "possible"}


def shown(rule: str) -> str:
    """The rule as edges name it in `how`."""
    return _SHOWN.get(rule, rule)


def terms(grounds: Grounds) -> dict[str, float]:
    """The terms of the logistic model -> what each is multiplied by."""
    targets, seen = math.log2(grounds.targets), grounds.rule == "overriding"
    return {
        f"{grounds.rule} on self" if grounds.on_self else grounds.rule: 1.0,
        "log2 targets": targets,
        "seen, log2 targets": targets if seen and not grounds.on_self else 0.0,
        "made": float(grounds.made != "nowhere"),
        "seen, made in code": float(seen and grounds.made == "in code"),
    }


def possible_confidence(grounds: Grounds) -> float:
    """Confidence of an edge that dispatch added, to two digits."""
    logit = sum(WEIGHTS.get(name, 0.0) * value for name, value in terms(grounds).items())
    return round(1 / (1 + math.exp(-logit)), 2)


def confidence(rule: str, targets: int) -> float:
    """Confidence of an edge that the rule found at a site with so many targets."""
    return RULES[rule][0 if targets <= 1 else 1 if targets == 2 else 2 if targets <= 4 else 3]
