"""Neo4j's functions: how many arguments, of which types, and what comes back.

Source: `SHOW FUNCTIONS` of Neo4j 5.26, and which arguments its semantic check accepts. Functions that look at the
server or at files (`file`, `linenumber`, `graph.*`) are left out on purpose: they are unknown here.
"""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.semantics.types import Type

_SPELLINGS = {
    "Any": types.ANY,
    "Number": types.NUMBER,
    "List": types.ANY_LIST,
    "Entity": types.of(types.NODE, types.RELATIONSHIP),
    "Scalar": types.of(
        types.BOOLEAN, types.INTEGER, types.FLOAT, types.STRING, types.TEMPORAL, types.DURATION, types.POINT
    ),
}

# name, then its arguments (`?` may be left out, `*` any number), then what it returns: a type, `item` of the first
# argument, `same` as the first, `all` for the union of the arguments, `list` of the first.
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
    """A function; `result` is a type or one of the words explained at the table."""

    name: str
    arguments: tuple[Type, ...]
    required: int
    variadic: bool
    result: Type | str
    aggregate: bool

    def returns(self, given: tuple[Type, ...]) -> Type:
        """What a call with these argument types returns."""
        if isinstance(self.result, Type):
            return self.result
        first = given[0] if given else types.ANY
        if self.result == "item":
            return first.items if first.holds(types.LIST) else types.ANY
        if self.result == "list":
            return types.list_of(first)
        if self.result == "all":
            return types.union(*given)
        if self.result == "avg":
            return types.of(types.FLOAT, *(first.kinds & {types.DURATION}))
        return first


def _type(text: str) -> Type:
    if text.startswith("List<"):
        return types.list_of(_type(text[5:-1]))
    parts = [_SPELLINGS.get(part) or types.of(part) for part in text.split("|")]
    return types.union(*parts)


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
"""By lower-case name: functions are found whatever their case."""


def is_aggregate(name: str) -> bool:
    """Whether a function of this name computes one value of many rows."""
    signature = SIGNATURES.get(name.lower())
    return signature is not None and signature.aggregate
