"""The rules by which call edges are found in Java, and how often each is right.

Where the compiler names the target the edge is as sure as the attribution is: measured by `tests/benchmarks/callgraph/javac.py`. `possible` are
overriding methods of classes that are made somewhere, where only a type above them is known.
"""

from __future__ import annotations

RULES: dict[str, tuple[float, float, float, float]] = {
    "name": (0.99, 0.6, 0.4, 0.3),  # a static method by a static import
    "class": (0.99, 0.6, 0.4, 0.3),  # a static method of a named class
    "self": (0.99, 0.6, 0.4, 0.3),  # a method of this object or of one around it
    "super": (0.99, 0.6, 0.4, 0.3),
    "receiver": (0.98, 0.6, 0.4, 0.3),  # a method of the declared or inferred type
    "constructor": (0.98, 0.6, 0.4, 0.3),
    "instance": (0.9, 0.8, 0.6, 0.4),  # what an object that was made here has for the method
    "value": (0.95, 0.8, 0.7, 0.5),  # a lambda or method that was assigned to the variable that is called
    "callback": (0.9, 0.6, 0.4, 0.1),  # one that was passed to what calls it
    "implicit": (0.9, 0.8, 0.7, 0.4),  # iteration, end of a `try` with resources
    "possible": (0.45, 0.35, 0.25, 0.2),
}
