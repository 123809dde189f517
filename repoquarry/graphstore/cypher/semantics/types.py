"""What is known of a value's type before a query runs: a set of kinds, and for lists what they hold."""

from __future__ import annotations

from dataclasses import dataclass

BOOLEAN, INTEGER, FLOAT, STRING = "Boolean", "Integer", "Float", "String"
LIST, MAP, NODE, RELATIONSHIP, PATH = "List", "Map", "Node", "Relationship", "Path"
TEMPORAL, DURATION, POINT = "Temporal", "Duration", "Point"
EVERY = frozenset({BOOLEAN, INTEGER, FLOAT, STRING, LIST, MAP, NODE, RELATIONSHIP, PATH, TEMPORAL, DURATION, POINT})


@dataclass(frozen=True, slots=True)
class Type:
    """Any of `kinds`, or null; `item` is what a list holds where it is a list. No kinds at all: always null."""

    kinds: frozenset[str]
    item: Type | None = None

    def may_be(self, *kinds: str) -> bool:
        return not self.kinds or not self.kinds.isdisjoint(kinds)

    def holds(self, *kinds: str) -> bool:
        """Whether a value of one of the kinds is really possible (null apart)."""
        return not self.kinds.isdisjoint(kinds)

    @property
    def items(self) -> Type:
        """The type of a list's items."""
        return self.item if self.item is not None else ANY

    def contains(self, *kinds: str) -> bool:
        """Whether one of the kinds may occur in it, at any depth of lists; a map may hold anything."""
        if self.holds(*kinds) or self.holds(MAP):
            return True
        return self.holds(LIST) and self.items.contains(*kinds)

    def describe(self) -> str:
        """As Neo4j says it in its messages."""
        if self.kinds == EVERY:
            return "Any"
        names = [f"List<{self.items.describe()}>" if kind == LIST else kind for kind in sorted(self.kinds)]
        return ", ".join(names) or "Null"


ANY = Type(EVERY)
NULL = Type(frozenset())
ANY_LIST = Type(frozenset({LIST}))


def of(*kinds: str) -> Type:
    """A value of one of these kinds."""
    return Type(frozenset(kinds))


def list_of(item: Type) -> Type:
    """A list of such items."""
    return Type(frozenset({LIST}), item)


NUMBER = of(INTEGER, FLOAT)


def union(*types: Type) -> Type:
    """A value of one of the types."""
    kinds: frozenset[str] = frozenset().union(*(t.kinds for t in types))
    lists = [t for t in types if LIST in t.kinds]
    if not lists:
        return Type(kinds)
    if any(t.item is None for t in lists):
        return Type(kinds)
    return Type(kinds, union(*(t.items for t in lists)))
