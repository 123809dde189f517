"""The rules by which call edges are found in JavaScript and TypeScript, and how often each is right."""

from __future__ import annotations

#: rule -> shares of its edges that are right, at call sites with one target, two, three or four, and more
RULES: dict[str, tuple[float, float, float, float]] = {
    "name": (0.99, 0.95, 0.9, 0.8),
    "module": (0.99, 0.95, 0.8, 0.4),
    "self": (0.98, 0.9, 0.8, 0.7),
    "super": (0.99, 0.95, 0.9, 0.9),
    "class": (0.97, 0.8, 0.6, 0.4),
    "receiver": (0.97, 0.85, 0.55, 0.3),
    "constructor": (0.98, 0.95, 0.8, 0.4),
    "instance": (0.9, 0.7, 0.5, 0.3),
    "value": (0.95, 0.8, 0.65, 0.4),
    "callback": (0.9, 0.7, 0.5, 0.2),
    "named": (0.7, 0.6, 0.5, 0.4),
    "partial": (0.9, 0.8, 0.6, 0.4),
    "property": (0.95, 0.85, 0.7, 0.4),
    "implicit": (0.9, 0.8, 0.7, 0.4),
    "declared": (
        0.97,
        0.95,
        0.9,
        0.85,
    ),  # a method without a body, of the interface or abstract class that a receiver is declared as
    "hook": (0.45, 0.4, 0.35, 0.3),  # what a subclass has for a method that its base calls on `this`
    "implementation": (0.48, 0.42, 0.35, 0.25),  # what a live class has for a method that its interface declares
    "override": (0.45, 0.4, 0.3, 0.2),
    "abstract": (0.05, 0.05, 0.05, 0.05),
    "possible": (0.4, 0.35, 0.25, 0.2),
}

#: rules of one kind: what dispatch adds to what was seen
SHOWN = {"hook": "possible", "implementation": "possible", "override": "possible", "named": "possible"}
