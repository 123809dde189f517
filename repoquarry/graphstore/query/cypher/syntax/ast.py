"""Node classes of the syntax tree of a read-only Cypher query.

Nodes are equal if they have the same meaning: `start` and `end` (offsets in the query) are ignored, because checks compare projected
expressions with grouping keys elsewhere in the text.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from enum import Enum


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Node of the tree, from offset `start` to `end`; -1 if a rewrite created it."""

    start: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)


class Expression(Node):
    """Expression with a value."""

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
    """Operator on two values other than a comparison: arithmetic, Boolean, =~, IN, STARTS WITH, `||`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Expression):
    """Chain `first op operand op operand ...`: the conjunction of its adjacent comparisons."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.first, *(operand for _, operand in self.rest))


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
    """Function call; `name` as written, with its namespace."""

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
    """Placeholder for the value of `CASE value` in the tests of its WHENs."""


@dataclass(frozen=True, slots=True)
class Case(Expression):
    subject: Expression | None
    whens: tuple[When, ...]
    default: Expression | None


@dataclass(frozen=True, slots=True)
class PatternPredicate(Expression):
    """Path pattern as a value: true if it has a match."""

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
    """Length `*low..high`; None if omitted. `quantifier` is True for the form `{low,high}` after the relationship."""

    low: int | None
    high: int | None
    quantifier: bool = False


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    variable: str | None = None
    labels: LabelExpression | None = None
    properties: Expression | None = None
    where: Expression | None = None


@dataclass(frozen=True, slots=True)
class PathGroup(Node):
    """Repeated part of a quantified path group: `((a)-[:CALLS]->(b) WHERE a <> b)`. After it its variables are lists."""

    elements: tuple[NodePattern | RelationshipPattern, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class RelationshipPattern(Node):
    """Relationship between two nodes of a path. With a `group` only that and the `length` are set."""

    variable: str | None
    types: LabelExpression | None
    properties: Expression | None
    where: Expression | None
    direction: Direction
    length: Length | None
    group: PathGroup | None = None


@dataclass(frozen=True, slots=True)
class PathPattern(Node):
    """Path whose `elements` alternate nodes and relationships.

    `shortest` is empty, shortestPath, allShortestPaths or a counted selector: `SHORTEST 2`, `SHORTEST 2 GROUPS`.
    """

    elements: tuple[NodePattern | RelationshipPattern, ...]
    variable: str | None = None
    shortest: str = ""

    @property
    def nodes(self) -> tuple[NodePattern, ...]:
        return self.elements[::2]  # type: ignore[return-value]  # elements alternate

    @property
    def steps(self) -> tuple[RelationshipPattern, ...]:
        return self.elements[1::2]  # type: ignore[return-value]  # elements alternate

    @property
    def is_counted(self) -> bool:
        """Return whether a counted selector chooses its paths."""
        return self.shortest.startswith("SHORTEST")


class Clause(Node):
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Match(Clause):
    patterns: tuple[PathPattern, ...]
    where: Expression | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Search(Node):
    """Search of the service, whose hits are the parameter `parameter`: a list of maps of `id` and `score`, best first.

    `count` is the number of hits of a search by vectors; None searches by words. Both and `query` are literals or parameters.
    """

    index: str
    count: Expression | None
    query: Expression
    parameter: str


@dataclass(frozen=True, slots=True)
class Unwind(Clause):
    """UNWIND; with `search`, of the hits of a search procedure."""

    source: Expression
    variable: str
    search: Search | None = None


@dataclass(frozen=True, slots=True)
class Item(Node):
    """Projected expression, from `start` to `end` without its alias; `alias` is None if omitted."""

    expression: Expression
    alias: str | None

    @property
    def name(self) -> str | None:
        """Return the alias, or the name of a plain variable; None for another expression."""
        if self.alias is not None:
            return self.alias
        return self.expression.name if isinstance(self.expression, Variable) else None


@dataclass(frozen=True, slots=True)
class Sort(Node):
    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Projection(Clause):
    """WITH or RETURN, with its subclauses."""

    is_return: bool
    items: tuple[Item, ...] = ()
    _: KW_ONLY
    distinct: bool = False
    star: bool = False
    order: tuple[Sort, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    where: Expression | None = None


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
    """Query, or several joined by UNION; `keep_duplicates` means UNION ALL."""

    parts: tuple[SingleQuery, ...]
    keep_duplicates: bool = False
