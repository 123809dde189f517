"""Syntax tree of a reading query.

Nodes are equal when they mean the same text: `start` and `end` (offsets in the query) take no part in comparison,
because the checks ask whether a projected expression is a grouping key, wherever it was written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A piece of the query, from offset `start` to `end`; -1 where a rewrite made it up."""

    start: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)


class Expression(Node):
    """Something with a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    value: bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    name: str


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    name: str


@dataclass(frozen=True, slots=True)
class Property(Expression):
    subject: Expression
    key: str


@dataclass(frozen=True, slots=True)
class Index(Expression):
    subject: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Slice(Expression):
    subject: Expression
    low: Expression | None
    high: Expression | None


@dataclass(frozen=True, slots=True)
class HasLabels(Expression):
    subject: Expression
    labels: LabelExpression


@dataclass(frozen=True, slots=True)
class Unary(Expression):
    """`operator` is NOT, - or +."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """An operator on two values other than a comparison: arithmetic, boolean, =~, IN, STARTS WITH, `||`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Expression):
    """`first op operand op operand ...`: a chain means the conjunction of its neighbours."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class IsNull(Expression):
    operand: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class IsTyped(Expression):
    operand: Expression
    type_name: str
    negated: bool


@dataclass(frozen=True, slots=True)
class IsNormalized(Expression):
    operand: Expression
    form: str
    negated: bool


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function call; `name` as written, with its namespace."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class CountStar(Expression):
    pass


@dataclass(frozen=True, slots=True)
class ListLiteral(Expression):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MapLiteral(Expression):
    entries: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class MapProjection(Expression):
    """`subject {.key, .*, name: value, variable}`: an entry's value is None for `.key`, its name `*` for `.*`."""

    subject: Variable
    entries: tuple[tuple[str, Expression | None], ...]


@dataclass(frozen=True, slots=True)
class ListComprehension(Expression):
    variable: str
    source: Expression
    where: Expression | None
    result: Expression | None


@dataclass(frozen=True, slots=True)
class PatternComprehension(Expression):
    pattern: PathPattern
    where: Expression | None
    result: Expression


@dataclass(frozen=True, slots=True)
class Quantifier(Expression):
    """`kind` is all, any, none or single."""

    kind: str
    variable: str
    source: Expression
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Reduce(Expression):
    accumulator: str
    initial: Expression
    variable: str
    source: Expression
    result: Expression


@dataclass(frozen=True, slots=True)
class When(Node):
    """`operands` are the tests of one WHEN; in a simple CASE each is a Comparison or IsNull on `CaseSubject`."""

    tests: tuple[Expression, ...]
    result: Expression


@dataclass(frozen=True, slots=True)
class CaseSubject(Expression):
    """Stands for the value of `CASE value` in the tests of its WHENs."""


@dataclass(frozen=True, slots=True)
class Case(Expression):
    subject: Expression | None
    whens: tuple[When, ...]
    default: Expression | None


@dataclass(frozen=True, slots=True)
class PatternPredicate(Expression):
    """A path pattern where a value stands: true when it has a match."""

    pattern: PathPattern


@dataclass(frozen=True, slots=True)
class Subquery(Expression):
    """`kind` is EXISTS, COUNT or COLLECT."""

    kind: str
    query: Query


class LabelExpression(Node):
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LabelName(LabelExpression):
    name: str


@dataclass(frozen=True, slots=True)
class LabelWildcard(LabelExpression):
    pass


@dataclass(frozen=True, slots=True)
class LabelNot(LabelExpression):
    operand: LabelExpression


@dataclass(frozen=True, slots=True)
class LabelAnd(LabelExpression):
    """`colon` is True for the older form `:A:B`."""

    left: LabelExpression
    right: LabelExpression
    colon: bool = False


@dataclass(frozen=True, slots=True)
class LabelOr(LabelExpression):
    """`colon` is True for the older form `:A|:B`."""

    left: LabelExpression
    right: LabelExpression
    colon: bool = False


class Direction(Enum):
    OUT = "out"
    IN = "in"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Length(Node):
    """`*low..high`; None where not written. `quantifier` is True for the form `{low,high}` behind the relationship."""

    low: int | None
    high: int | None
    quantifier: bool = False


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    variable: str | None
    labels: LabelExpression | None
    properties: Expression | None
    where: Expression | None


@dataclass(frozen=True, slots=True)
class PathGroup(Node):
    """What a quantified path group repeats: `((a)-[:CALLS]->(b) WHERE a <> b)`. Behind it its variables are lists."""

    elements: tuple[NodePattern | RelationshipPattern, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class RelationshipPattern(Node):
    """What stands between two nodes of a path. With a `group` nothing but that and the `length` is set."""

    variable: str | None
    types: LabelExpression | None
    properties: Expression | None
    where: Expression | None
    direction: Direction
    length: Length | None
    group: PathGroup | None = None


@dataclass(frozen=True, slots=True)
class PathPattern(Node):
    """`elements` alternate nodes and relationships; `shortest` is empty, shortestPath or allShortestPaths."""

    variable: str | None
    shortest: str
    elements: tuple[NodePattern | RelationshipPattern, ...]


class Clause(Node):
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Match(Clause):
    optional: bool
    patterns: tuple[PathPattern, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Unwind(Clause):
    source: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class Item(Node):
    """A projected expression, from `start` to `end` without its alias; `alias` is None where none was written."""

    expression: Expression
    alias: str | None


@dataclass(frozen=True, slots=True)
class Sort(Node):
    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Projection(Clause):
    """WITH or RETURN, with what belongs to it."""

    is_return: bool
    distinct: bool
    star: bool
    items: tuple[Item, ...]
    order: tuple[Sort, ...]
    skip: Expression | None
    limit: Expression | None
    where: Expression | None


@dataclass(frozen=True, slots=True)
class CallSubquery(Clause):
    """`CALL (imports) { query }`; `imports` is None for the older form that imports by a leading WITH."""

    query: Query
    imports: tuple[str, ...] | None
    import_all: bool = False


@dataclass(frozen=True, slots=True)
class SingleQuery(Node):
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Query(Node):
    """One query, or several joined by UNION; `keep_duplicates` says UNION ALL."""

    parts: tuple[SingleQuery, ...]
    keep_duplicates: bool = False
