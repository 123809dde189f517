"""Compiler of MATCH: joins over the tables of relationships, with searches of paths where their length varies.

Relationships of one MATCH are distinct. A node is an id; its table is joined where a property is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.ast import Direction
from repoquarry.graphstore.query.cypher.syntax.visitor import (
    free_variables,
    iterate_nodes,
    reverse_path,
    split_conjunction,
    used_names,
)
from repoquarry.graphstore.query.sql.compiler_parts import Compiler
from repoquarry.graphstore.query.sql.errors import UnsupportedError
from repoquarry.graphstore.query.sql.expression_compiler import label_set
from repoquarry.graphstore.query.sql.path_search import PathSearch
from repoquarry.graphstore.query.sql.select_builder import (
    ALL_LABELS,
    ALL_TYPES,
    EntityTable,
    Scope,
    Select,
    Value,
    names_test,
)
from repoquarry.graphstore.query.sql.sql_types import NODE, NULL, PATH, RELATIONSHIP, list_of


@dataclass
class _Match:
    """State of one MATCH; all values of `select` are replaced when it is nested."""

    select: Select
    variables: dict[str, Value]
    outer: frozenset[str]
    """Variables that were bound before."""
    conditions: list[ast.Expression]
    """Conjuncts of WHERE that are not yet applied."""
    ends_only: bool = False
    """True if a row per distinct end suffices."""
    inline: list[tuple[ast.Expression, frozenset[str]]] = field(default_factory=list)
    used: list[Value] = field(default_factory=list)
    """Relationships, and lists of relationships, that are distinct from each other."""
    trail: list[Value] = field(default_factory=list)
    """Nodes, and lists of nodes, of the current path."""
    steps: list[Value] = field(default_factory=list)
    """Relationships, and lists of relationships, of the current path."""

    def scope(self) -> Scope:
        return Scope(self.variables, self.select)


class PatternCompiler:
    def __init__(self, main: Compiler) -> None:
        self._main = main

    def match(
        self, clause: ast.Match, scope: Scope, select: Select, *, ends_only: bool = False
    ) -> tuple[Scope, Select]:
        """Add a MATCH to a SELECT; return the scope behind it, and the SELECT that contains it now."""
        state = _Match(select, dict(scope.variables), frozenset(scope.variables), split_conjunction(clause.where))
        first = clause.patterns[0]
        state.ends_only = ends_only and len(clause.patterns) == 1 and len(first.elements) == 3 and not first.variable
        for pattern in clause.patterns:
            self._path(pattern, state)
            self._apply_ready(state)
        self._require_distinct(state)
        for condition in (*state.conditions, *(condition for condition, _ in state.inline)):
            state.select.require(self._main.expressions.condition(condition, state.scope()))
        return Scope(state.variables, state.select, scope.subject), state.select

    def _apply_ready(self, state: _Match) -> None:
        """Apply the conditions whose variables are bound."""
        bound = frozenset(state.variables)
        rest = []
        for condition in state.conditions:
            if _free_names(condition) <= bound:
                state.select.require(self._main.expressions.condition(condition, state.scope()))
            else:
                rest.append(condition)
        state.conditions = rest
        for condition, names in state.inline:
            if names <= bound:
                state.select.require(self._main.expressions.condition(condition, state.scope()))
        state.inline = [(condition, names) for condition, names in state.inline if not names <= bound]

    def _require_distinct(self, state: _Match) -> None:
        for place, one in enumerate(state.used):
            for other in state.used[:place]:
                if not (one.names & other.names):
                    continue
                if one.type.is_list and other.type.is_list:
                    state.select.require(f"NOT list_has_any({one.sql}, {other.sql})")
                elif one.type.is_list or other.type.is_list:
                    items, item = (one, other) if one.type.is_list else (other, one)
                    state.select.require(f"NOT list_contains({items.sql}, {item.sql})")
                else:
                    state.select.require(f"{one.sql} <> {other.sql}")

    # -- paths

    def _path(self, path: ast.PathPattern, state: _Match) -> None:
        state.trail, state.steps = [], []
        if path.shortest:
            self._shortest(path, state)
            return
        is_reversed = self._is_better_reversed(path, state)
        chosen = reverse_path(path) if is_reversed else path
        first, elements = chosen.elements[0], chosen.elements
        assert isinstance(first, ast.NodePattern)  # noqa: S101 - elements alternate
        started = None
        if len(elements) > 1 and not self._is_bound(first, state) and _is_single(elements[1]):
            started = self._scan(elements[1], state)  # type: ignore[arg-type]  # elements alternate
        inferred = _end_labels(elements[1], at_start=True) if len(elements) > 1 else ALL_LABELS
        node = self._node(first, state, f"{started.alias}.a" if started else None, inferred)
        state.trail.append(node)
        for step, end in zip(elements[1::2], elements[2::2], strict=True):
            node = self._step(step, end, node, started, state, is_reversed=is_reversed)  # type: ignore[arg-type]
            started = None
        if path.variable:
            state.variables[path.variable] = self._path_value(state, is_reversed=is_reversed)

    def _path_value(self, state: _Match, *, is_reversed: bool) -> Value:
        def joined(values: Sequence[Value]) -> str:
            parts = [value.sql if value.type.is_list else f"[{value.sql}]" for value in values]
            whole = " || ".join(parts) or "[]::BIGINT[]"
            return f"list_reverse({whole})" if is_reversed else whole

        nodes = [value for value in state.trail if value.sql]
        sql = f"{{'ns': {joined(nodes)}, 'rs': {joined(state.steps)}}}"
        return Value(sql, PATH, owner=state.select, nullable=False)

    def _is_better_reversed(self, path: ast.PathPattern, state: _Match) -> bool:
        if all(_is_single(step) for step in path.steps):
            return False
        return self._anchor(path.nodes[-1], state) > self._anchor(path.nodes[0], state)

    def _anchor(self, node: ast.NodePattern, state: _Match) -> tuple[bool, bool, bool]:
        """Return how well a node is known."""
        tested = any(
            node.variable in used_names(condition)
            and not isinstance(condition, ast.Unary)
            and len(_free_names(condition)) == 1
            for condition in state.conditions
        )
        is_tested = node.properties is not None or node.where is not None or bool(node.variable and tested)
        return self._is_bound(node, state), is_tested, node.labels is not None

    def _is_bound(self, node: ast.NodePattern, state: _Match) -> bool:
        return node.variable is not None and node.variable in state.variables

    # -- nodes

    def _node(self, pattern: ast.NodePattern, state: _Match, end: str | None, inferred: frozenset[str]) -> Value:
        """Bind a node; `end` is the id where a relationship ends."""
        wanted = label_set(pattern.labels, ALL_LABELS)
        if self._is_bound(pattern, state):
            value = self._bound_node(pattern, state, end, wanted, inferred)
        elif end is None:
            table = state.select.scan("node", wanted & inferred)
            value = Value(table.id, NODE, wanted & inferred, state.select, nullable=False)
        else:
            value = Value(end, NODE, wanted & inferred, state.select, nullable=False)
            if not wanted >= inferred:
                state.select.require(names_test(end, "node", wanted))
        if pattern.variable:
            state.variables[pattern.variable] = value
        self._properties(pattern, value, state)
        return value

    def _bound_node(
        self, pattern: ast.NodePattern, state: _Match, end: str | None, wanted: frozenset[str], inferred: frozenset[str]
    ) -> Value:
        value = state.variables[pattern.variable or ""]
        if value.type not in (NODE, NULL):
            raise UnsupportedError(f"a pattern over `{pattern.variable}`, which may be no node", pattern)
        names = value.names or ALL_LABELS
        if end is not None:
            state.select.require(f"{value.sql} = {end}")
        elif value.nullable:
            state.select.require(f"{value.sql} IS NOT NULL")
        if not wanted >= names & inferred:
            state.select.require(names_test(value.sql, "node", wanted))
        # A table that another SELECT joins must not lose the rows that this pattern does not match.
        is_own = value.owner is state.select
        return replace(value, type=NODE, names=names & wanted & inferred if is_own else names)

    def _properties(self, pattern: ast.NodePattern | ast.RelationshipPattern, value: Value, state: _Match) -> None:
        expressions = self._main.expressions
        for key, found in self._entries(pattern.properties, state):
            state.select.require(expressions.comparison("=", expressions.property(value, key), found))
        if pattern.where is not None:
            for condition in split_conjunction(pattern.where):
                state.inline.append((condition, _free_names(condition)))

    def _entries(self, properties: ast.Expression | None, state: _Match) -> list[tuple[str, Value]]:
        if properties is None:
            return []
        if isinstance(properties, ast.MapLiteral):
            return [(key, self._main.expressions.compile(value, state.scope())) for key, value in properties.entries]
        if isinstance(properties, ast.Parameter) and isinstance(given := self._main.parameters[properties.name], dict):
            return [(key, self._main.literal(value)) for key, value in given.items()]
        raise UnsupportedError("the properties of a pattern are a map or a parameter", properties)

    # -- relationships

    def _scan(self, step: ast.RelationshipPattern, state: _Match) -> EntityTable:
        return state.select.scan("relationship", label_set(step.types, ALL_TYPES), step.direction)

    def _step(
        self,
        step: ast.RelationshipPattern,
        end: ast.NodePattern,
        start: Value,
        started: EntityTable | None,
        state: _Match,
        *,
        is_reversed: bool,
    ) -> Value:
        if step.group is not None:
            raise UnsupportedError("a quantified path group of this form", step)
        if step.length is not None:
            return self._trails(step, end, start, state, is_reversed=is_reversed)
        old = state.variables.get(step.variable) if step.variable else None
        table = started or self._scan(step, state)
        if started is None:
            state.select.require(f"{table.alias}.a = {start.sql}")
        value = Value(table.id, RELATIONSHIP, table.names, state.select, nullable=False)
        if old is not None:
            if old.type not in (RELATIONSHIP, NULL):
                raise UnsupportedError(f"a pattern over `{step.variable}`, which may be no relationship", step)
            state.select.require(f"{table.id} = {old.sql}")
        elif step.variable:
            state.variables[step.variable] = value
        self._properties(step, value, state)
        state.used.append(value)
        state.steps.append(value)
        node = self._node(end, state, f"{table.alias}.b", _end_labels(step, at_start=False))
        state.trail.append(node)
        return node

    def _trails(
        self, step: ast.RelationshipPattern, end: ast.NodePattern, start: Value, state: _Match, *, is_reversed: bool
    ) -> Value:
        """Bind the ends of all trails from a node: paths without a repeated relationship."""
        if step.variable and step.variable in state.variables:
            raise UnsupportedError("a variable-length relationship that is bound already", step)
        low, high = self._bounds(step)
        self._apply_ready(state)
        names = label_set(step.types, ALL_TYPES)
        only_ends = state.ends_only and not step.variable and low <= 1 and step.direction is not Direction.BOTH
        key = self._main.add_search(PathSearch(self._edges(step, state), low, high, distinct=only_ends))
        extra = f"unnest({'cy_reachable' if only_ends else 'cy_trails'}('{key}', {start.sql}))"
        column = self._nest(state, extra)
        target = column if only_ends else f"struct_extract({column}, 'b')"
        if not only_ends:
            items = Value(f"struct_extract({column}, 'rs')", list_of(RELATIONSHIP), names, state.select, nullable=False)
            nodes = Value(f"struct_extract({column}, 'ns')", list_of(NODE), ALL_LABELS, state.select, nullable=False)
            state.used.append(items)
            state.steps.append(items)
            state.trail.append(nodes)
            if step.variable:
                sql = f"list_reverse({items.sql})" if is_reversed else items.sql
                state.variables[step.variable] = replace(items, sql=sql)
        inferred = _end_labels(step, at_start=False) if low > 0 else ALL_LABELS
        return self._node(end, state, target, inferred)

    def _bounds(self, step: ast.RelationshipPattern) -> tuple[int, int]:
        length = step.length
        low = 1 if length is None or length.low is None else length.low
        high = self._main.path_hops if length is None or length.high is None else length.high
        return low, high

    def _edges(self, step: ast.RelationshipPattern, state: _Match) -> str:
        """Return a SELECT of the relationships that a search may use."""
        names = label_set(step.types, ALL_TYPES)
        if step.properties is None and step.where is None:
            plain = EntityTable("r", "relationship", names, step.direction)
            return f"SELECT r.rid, r.a, r.b FROM {plain.sql()}"
        select = self._main.new_select()
        table = select.scan("relationship", names, step.direction)
        value = Value(table.id, RELATIONSHIP, names, select, nullable=False)
        inner = _Match(select, {}, frozenset(), [])
        step, condition = self._edge_condition(step, state)
        if any(isinstance(part, ast.Variable) for part in _parts(step.properties)):
            raise UnsupportedError("a variable-length relationship with properties of other variables", step)
        self._properties(replace(step, where=None), value, inner)
        if condition is not None:
            name, test = condition
            select.require(self._main.expressions.condition(test, Scope({name: value}, select)))
        return f"SELECT {table.alias}.rid, {table.alias}.a, {table.alias}.b{select.body()}"

    def _edge_condition(
        self, step: ast.RelationshipPattern, state: _Match
    ) -> tuple[ast.RelationshipPattern, tuple[str, ast.Expression] | None]:
        """Return the name and test of each relationship; a test of other variables is a condition on the whole list."""
        where = step.where
        if not isinstance(where, ast.Quantifier) or where.kind != "all" or where.where is None:
            if where is not None:
                raise UnsupportedError("a condition inside of this variable-length relationship", step)
            return step, None
        names = frozenset(v.name for v in free_variables(where.where))
        if names <= {where.variable}:
            return replace(step, where=None), (where.variable, where.where)
        state.inline.append((where, names - {where.variable} | {step.variable or ""}))
        return replace(step, where=None), None

    def _nest(self, state: _Match, extra: str) -> str:
        """Nest the SELECT so far below a column that yields several rows; return that column."""
        old = state.select
        named = {name: value for name, value in state.variables.items() if value.owner is old}
        lists = [state.used, state.trail, state.steps]
        values = [*named.values(), *(value for values in lists for value in values if value.owner is old)]
        select, moved, column = old.seal(values, extra)
        by_sql = {value.sql: new.sql for value, new in zip(values, moved, strict=True)}

        def move(value: Value) -> Value:
            return replace(value, sql=by_sql[value.sql], owner=select) if value.owner is old else value

        state.variables = {name: move(value) for name, value in state.variables.items()}
        state.used, state.trail, state.steps = ([move(value) for value in values] for values in lists)
        state.select = select
        return column

    def _shortest(self, path: ast.PathPattern, state: _Match) -> None:
        """Bind the shortest path, or all shortest ones, between two nodes."""
        start, step, end = path.elements
        assert isinstance(step, ast.RelationshipPattern)  # noqa: S101 - elements alternate
        if step.length is None or not isinstance(start, ast.NodePattern) or not isinstance(end, ast.NodePattern):
            raise UnsupportedError("a shortest path of this form", path)
        if step.variable and step.variable in state.variables:
            raise UnsupportedError("a variable-length relationship that is bound already", step)
        first = self._node(start, state, None, ALL_LABELS)
        state.trail.append(first)
        last = self._node(end, state, None, ALL_LABELS)
        self._apply_ready(state)
        low, high = self._bounds(step)
        _, count, *groups = path.shortest.split() if path.is_counted else ("", "0")
        is_one = path.shortest != "allShortestPaths"
        search = PathSearch(self._edges(step, state), low, high, is_one, int(count), bool(groups))
        key = self._main.add_search(search)
        column = self._nest(state, f"unnest(cy_shortest('{key}', {first.sql}, {last.sql}))")
        steps = Value(
            f"struct_extract({column}, 'rs')",
            list_of(RELATIONSHIP),
            label_set(step.types, ALL_TYPES),
            state.select,
            nullable=False,
        )
        if step.variable:
            state.variables[step.variable] = steps
        if path.variable:
            state.variables[path.variable] = Value(column, PATH, owner=state.select, nullable=False)


def _is_single(step: ast.Node) -> bool:
    return isinstance(step, ast.RelationshipPattern) and step.length is None and step.group is None


def _parts(*nodes: ast.Expression | None) -> list[ast.Node]:
    return [part for node in nodes if node is not None for part in iterate_nodes(node)]


def _free_names(condition: ast.Expression) -> frozenset[str]:
    """Return all names that a condition mentions, those that it introduces itself excepted."""
    if any(
        isinstance(p, ast.Subquery | ast.PatternPredicate | ast.PatternComprehension) for p in iterate_nodes(condition)
    ):
        return frozenset({" late"})
    return frozenset(variable.name for variable in free_variables(condition))


def _end_labels(step: ast.Node, *, at_start: bool) -> frozenset[str]:
    """Return the labels that the schema allows where a relationship begins or ends."""
    if not isinstance(step, ast.RelationshipPattern) or step.group is not None:
        return ALL_LABELS
    if step.length is not None and step.length.low == 0:
        return ALL_LABELS
    found: set[str] = set()
    for name in label_set(step.types, ALL_TYPES):
        kind = RELATIONSHIP_TYPES[name]
        if step.direction is not Direction.IN:
            found.update(kind.start if at_start else kind.end)
        if step.direction is not Direction.OUT:
            found.update(kind.end if at_start else kind.start)
    return frozenset(found)
