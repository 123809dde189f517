"""Value types before execution: literals, operators, signatures of functions.

Source: `SHOW FUNCTIONS` of Neo4j 5.26, and the arguments that its semantic check accepts. Functions that inspect the server or files
(`file`, `linenumber`, `graph.*`) are omitted on purpose: they are unknown here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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

    def contains(self, *kinds: str) -> bool:
        """Return whether one of the kinds may occur at any depth of lists; a map may contain anything."""
        if self.holds(*kinds) or self.holds(MAP):
            return True
        return self.holds(LIST) and self.items.contains(*kinds)

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

# Name, then arguments (`?` optional, `*` any number), then result: a type, `item` of the first argument, `same` as the
# first, `all` for the union of the arguments, `list` of the first.
_TABLE = """
abs Number -> same
acos Number -> Float
asin Number -> Float
atan Number -> Float
atan2 Number Number -> Float
btrim String String? -> String
ceil Number -> Float
char_length String -> Integer
character_length String -> Integer
coalesce Any* -> all
cos Number -> Float
cot Number -> Float
degrees Number -> Float
e -> Float
elementId Entity -> String
endNode Relationship -> Node
exists Any -> Boolean
exp Number -> Float
floor Number -> Float
haversin Number -> Float
head List -> item
id Entity -> Integer
isEmpty String|Map|List -> Boolean
isNaN Number -> Boolean
keys Entity|Map -> List<String>
labels Node -> List<String>
last List -> item
left String Integer -> String
length Path -> Integer
log Number -> Float
log10 Number -> Float
lower String -> String
ltrim String String? -> String
nodes Path -> List<Node>
normalize String String? -> String
nullIf Any Any -> same
pi -> Float
point Map -> Point
point.distance Point Point -> Float
point.withinBBox Point Point Point -> Boolean
properties Entity|Map -> Map
radians Number -> Float
rand -> Float
randomUUID -> String
range Integer Integer Integer? -> List<Integer>
relationships Path -> List<Relationship>
replace String String String -> String
reverse String|List -> same
right String Integer -> String
round Number Number? String? -> Float
rtrim String String? -> String
sign Number -> Integer
sin Number -> Float
size String|List -> Integer
split String String|List -> List<String>
sqrt Number -> Float
startNode Relationship -> Node
substring String Integer Integer? -> String
tail List -> same
tan Number -> Float
timestamp -> Integer
toBoolean Boolean|String|Integer -> Boolean
toBooleanList List -> List<Boolean>
toBooleanOrNull Any -> Boolean
toFloat String|Integer|Float -> Float
toFloatList List -> List<Float>
toFloatOrNull Any -> Float
toInteger Boolean|String|Integer|Float -> Integer
toIntegerList List -> List<Integer>
toIntegerOrNull Any -> Integer
toLower String -> String
toString Scalar -> String
toStringList List -> List<String>
toStringOrNull Any -> String
toUpper String -> String
trim String -> String
type Relationship -> String
upper String -> String
valueType Any -> String
vector.similarity.cosine List List -> Float
vector.similarity.euclidean List List -> Float
date Any? -> Temporal
date.realtime Any? -> Temporal
date.statement Any? -> Temporal
date.transaction Any? -> Temporal
date.truncate Any Any? Any? -> Temporal
datetime Any? -> Temporal
datetime.fromepoch Number Number -> Temporal
datetime.fromepochmillis Number -> Temporal
datetime.realtime Any? -> Temporal
datetime.statement Any? -> Temporal
datetime.transaction Any? -> Temporal
datetime.truncate Any Any? Any? -> Temporal
duration Any -> Duration
duration.between Any Any -> Duration
duration.inDays Any Any -> Duration
duration.inMonths Any Any -> Duration
duration.inSeconds Any Any -> Duration
localdatetime Any? -> Temporal
localdatetime.realtime Any? -> Temporal
localdatetime.statement Any? -> Temporal
localdatetime.transaction Any? -> Temporal
localdatetime.truncate Any Any? Any? -> Temporal
localtime Any? -> Temporal
localtime.realtime Any? -> Temporal
localtime.statement Any? -> Temporal
localtime.transaction Any? -> Temporal
localtime.truncate Any Any? Any? -> Temporal
time Any? -> Temporal
time.realtime Any? -> Temporal
time.statement Any? -> Temporal
time.transaction Any? -> Temporal
time.truncate Any Any? Any? -> Temporal
"""
_AGGREGATES = """
avg Number|Duration -> avg
collect Any -> list
count Any -> Integer
max Any -> same
min Any -> same
percentileCont Number Number -> Float
percentileDisc Number Number -> same
stdev Number -> Float
stdevp Number -> Float
sum Number|Duration -> same
"""


@dataclass(frozen=True, slots=True)
class Signature:
    """Signature of a function; `result` is a type or one of the keywords explained at the table."""

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


def _signatures(table: str, aggregate: bool) -> dict[str, Signature]:
    found: dict[str, Signature] = {}
    for line in table.strip().splitlines():
        left, right = line.split("->")
        name, *arguments = left.split()
        result = right.strip()
        signature = Signature(
            name,
            tuple(_type(a.rstrip("?*")) for a in arguments),
            sum(not a.endswith("?") for a in arguments),
            any(a.endswith("*") for a in arguments),
            result if result in ("item", "same", "all", "list", "avg") else _type(result),
            aggregate,
        )
        found[name.lower()] = signature
    return found


SIGNATURES: dict[str, Signature] = {**_signatures(_TABLE, False), **_signatures(_AGGREGATES, True)}
"""Signatures by lower-case name, because function names are case-insensitive."""


def is_aggregate(name: str) -> bool:
    """Return whether a function of this name computes one value from many rows."""
    signature = SIGNATURES.get(name.lower())
    return signature is not None and signature.aggregate
