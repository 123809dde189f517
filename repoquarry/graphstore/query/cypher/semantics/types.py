"""Static types of Cypher values: types of literals and parameters, result types of operators, signatures of functions.

Source: `SHOW FUNCTIONS` of Neo4j 5.26, and the arguments that its semantic check accepts. Functions that inspect the server or files
(`file`, `linenumber`, `graph.*`) are omitted on purpose: they are unknown here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BOOLEAN, INTEGER, FLOAT, STRING = "Boolean", "Integer", "Float", "String"
LIST, MAP, NODE, RELATIONSHIP, PATH = "List", "Map", "Node", "Relationship", "Path"
TEMPORAL, DURATION, POINT = "Temporal", "Duration", "Point"
EVERY = frozenset({BOOLEAN, INTEGER, FLOAT, STRING, LIST, MAP, NODE, RELATIONSHIP, PATH, TEMPORAL, DURATION, POINT})


@dataclass(frozen=True, slots=True)
class Type:
    """Any of `kinds`, or null; `item` is the type of a list's items. Without kinds: always null."""

    kinds: frozenset[str]
    item: Type | None = None

    def may_be(self, *kinds: str) -> bool:
        return not self.kinds or not self.kinds.isdisjoint(kinds)

    def holds(self, *kinds: str) -> bool:
        """Return whether a value of one of the kinds is possible besides null."""
        return not self.kinds.isdisjoint(kinds)

    @property
    def items(self) -> Type:
        return self.item if self.item is not None else ANY

    def describe(self) -> str:
        """Format the type like Neo4j's messages."""
        if self.kinds == EVERY:
            return "Any"
        names = [f"List<{self.items.describe()}>" if kind == LIST else kind for kind in sorted(self.kinds)]
        return ", ".join(names) or "Null"


ANY = Type(EVERY)
NULL = Type(frozenset())
ANY_LIST = Type(frozenset({LIST}))


def of(*kinds: str) -> Type:
    """Return the type of a value of one of these kinds."""
    return Type(frozenset(kinds))


def list_of(item: Type) -> Type:
    return Type(frozenset({LIST}), item)


NUMBER = of(INTEGER, FLOAT)


def union(*types: Type) -> Type:
    kinds: frozenset[str] = frozenset().union(*(t.kinds for t in types))
    lists = [t for t in types if LIST in t.kinds]
    if not lists:
        return Type(kinds)
    if any(t.item is None for t in lists):
        return Type(kinds)
    return Type(kinds, union(*(t.items for t in lists)))


_BOOLEAN, _INTEGER, _STRING = of(BOOLEAN), of(INTEGER), of(STRING)
_FLOAT = of(FLOAT)


def type_of_value(value: object) -> Type:
    """Return the type of a literal or of a parameter's value."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return _BOOLEAN
    if isinstance(value, int):
        return _INTEGER
    if isinstance(value, float):
        return _FLOAT
    if isinstance(value, str):
        return _STRING
    if isinstance(value, dict):
        return of(MAP)
    if isinstance(value, list | tuple):
        # One item stands for all of its class, unless it is a list.
        samples = [*{type(item): item for item in value}.values()]
        if any(isinstance(item, list | tuple) for item in samples):
            samples += [item for item in value if isinstance(item, list | tuple)]
        return list_of(union(*map(type_of_value, samples)))
    return ANY


_PLANNED = frozenset({BOOLEAN, INTEGER, STRING, MAP, LIST})


def seen_by_neo4j(found: Type) -> Type:
    """Return the type that Neo4j's check assigns to a parameter: its kind, except for floats and null, without list items."""
    return Type(found.kinds) if found.kinds and found.kinds <= _PLANNED else ANY


def null_sum(left: Type, right: Type) -> Type:
    """Return the type of a sum with null: null + x is null, also for a list."""
    return union(left, right) if LIST in left.kinds | right.kinds else NULL


def _numeric(left: Type, right: Type) -> Type:
    kinds = {FLOAT} if FLOAT in left.kinds | right.kinds else set()
    both_whole = INTEGER in left.kinds and INTEGER in right.kinds
    return of(*kinds, *({INTEGER} if both_whole else ()))


def _joined(left: Type, right: Type) -> Type:
    parts = []
    for side in (left, right):
        if LIST in side.kinds:
            parts.append(side.items)
        rest = side.kinds - {LIST}
        if rest:
            parts.append(Type(frozenset(rest)))
    return list_of(union(*parts))


_Kinds = frozenset[str]
_N: _Kinds = frozenset({INTEGER, FLOAT})
_S: _Kinds = frozenset({STRING})
_L: _Kinds = frozenset({LIST})
_T: _Kinds = frozenset({TEMPORAL})
_D: _Kinds = frozenset({DURATION})
_Result = Callable[[Type, Type], Type]


def _always(*kinds: str) -> _Result:
    return lambda left, right: of(*kinds)


ARITHMETIC: dict[str, tuple[tuple[_Kinds, _Kinds, _Result], ...]] = {
    "+": (
        (_N, _N, _numeric),
        (_S, _S | _N, _always(STRING)),
        (_N, _S, _always(STRING)),
        (_L, EVERY, _joined),
        (EVERY, _L, _joined),
        (_T, _D, _always(TEMPORAL)),
        (_D, _T, _always(TEMPORAL)),
        (_D, _D, _always(DURATION)),
    ),
    "||": ((_S, _S, _always(STRING)), (_L, _L, _joined)),
    "-": ((_N, _N, _numeric), (_T, _D, _always(TEMPORAL)), (_D, _D, _always(DURATION))),
    "*": ((_N, _N, _numeric), (_N, _D, _always(DURATION)), (_D, _N, _always(DURATION))),
    "/": ((_N, _N, _numeric), (_D, _N, _always(DURATION))),
    "%": ((_N, _N, _numeric),),
    "^": ((_N, _N, _always(FLOAT)),),
}
"""Operator -> types of its sides, and type of the result."""


_SPELLINGS = {
    "Any": ANY,
    "Number": NUMBER,
    "List": ANY_LIST,
    "Entity": of(NODE, RELATIONSHIP),
    "Scalar": of(BOOLEAN, INTEGER, FLOAT, STRING, TEMPORAL, DURATION, POINT),
}


@dataclass(frozen=True, slots=True)
class Signature:
    """Signature of a function; `result` is a type or a keyword of signatures.txt."""

    name: str
    arguments: tuple[Type, ...]
    required: int
    variadic: bool
    result: Type | str
    aggregate: bool

    def returns(self, given: tuple[Type, ...]) -> Type:
        """Return the type of a call with these argument types."""
        if isinstance(self.result, Type):
            return self.result
        first = given[0] if given else ANY
        if self.result == "item":
            return first.items if first.holds(LIST) else ANY
        if self.result == "list":
            return list_of(first)
        if self.result == "all":
            return union(*given)
        if self.result == "avg":
            return of(FLOAT, *(first.kinds & {DURATION}))
        return first


def _type(text: str) -> Type:
    if text.startswith("List<"):
        return list_of(_type(text[5:-1]))
    parts = [_SPELLINGS.get(part) or of(part) for part in text.split("|")]
    return union(*parts)


def _read_signatures(table: str) -> dict[str, Signature]:
    """Read lines of a name, its arguments (`?` optional, `*` any number) and, after `->`, the result.

    The result is a type, `item` of the first argument, `same` as the first, `all` for the union of the arguments, or `list` of the first.
    """
    found: dict[str, Signature] = {}
    for line in table.splitlines():
        left, right = line.split("->")
        name, *arguments = left.split()
        result, *flags = right.split()
        found[name.lower()] = Signature(
            name,
            tuple(_type(a.rstrip("?*")) for a in arguments),
            sum(not a.endswith("?") for a in arguments),
            any(a.endswith("*") for a in arguments),
            result if result in ("item", "same", "all", "list", "avg") else _type(result),
            "aggregate" in flags,
        )
    return found


SIGNATURES = _read_signatures(Path(__file__).with_name("signatures.txt").read_text("utf-8"))
"""Signatures by lower-case name, because function names are case-insensitive."""


def is_aggregate(name: str) -> bool:
    """Return whether a function of this name computes one value from many rows."""
    signature = SIGNATURES.get(name.lower())
    return signature is not None and signature.aggregate
