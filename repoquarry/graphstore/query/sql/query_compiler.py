"""Compiler of a whole query: its clauses become SELECTs, each the FROM of the next WITH."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from repoquarry.graphstore.model.values import Value as CypherValue
from repoquarry.graphstore.query.cypher.semantics.scope import has_aggregation
from repoquarry.graphstore.query.cypher.semantics.types import is_aggregate
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, replace_expressions, split_conjunction
from repoquarry.graphstore.query.sql import sql_types as types
from repoquarry.graphstore.query.sql.aggregation import aggregate
from repoquarry.graphstore.query.sql.compiler_parts import Rows
from repoquarry.graphstore.query.sql.dynamic_values import encode as encode_value
from repoquarry.graphstore.query.sql.errors import UnsupportedError
from repoquarry.graphstore.query.sql.expression_compiler import ExpressionCompiler
from repoquarry.graphstore.query.sql.function_compiler import FunctionCompiler
from repoquarry.graphstore.query.sql.list_compiler import ListCompiler
from repoquarry.graphstore.query.sql.path_search import PathSearch
from repoquarry.graphstore.query.sql.pattern_compiler import PatternCompiler
from repoquarry.graphstore.query.sql.select_builder import Scope, Select, Value, all_names
from repoquarry.graphstore.query.sql.sql_types import (
    INTEGER,
    NULL,
    SqlType,
    convert,
    encode,
    list_of,
    map_of,
    sql_name,
    unify,
)
from repoquarry.graphstore.query.sql.subquery_compiler import SubqueryCompiler


@dataclass(frozen=True)
class CompiledQuery:
    """SQL of a query. `columns` are the names and types of the result."""

    sql: str
    parameters: Mapping[str, Any]
    columns: tuple[tuple[str, SqlType], ...]
    searches: Mapping[str, PathSearch]
    """Searches of paths that the SQL calls, by their keys."""


class QueryCompiler:
    """Compiler of one query; its parts compile expressions, functions, lists, patterns and subqueries."""

    def __init__(self, parameters: Mapping[str, CypherValue], path_hops: int = 15, prefix: str = "") -> None:
        self.parameters, self.path_hops = parameters, path_hops
        self.expressions = ExpressionCompiler(self)
        self.functions = FunctionCompiler(self)
        self.lists = ListCompiler(self)
        self.patterns = PatternCompiler(self)
        self.subqueries = SubqueryCompiler(self)
        self._prefix = prefix
        self._names = 0
        self._bound: dict[str, Any] = {}
        self._searches: dict[str, PathSearch] = {}

    def compile(self, tree: ast.Query, text: str) -> CompiledQuery:
        """Compile a query that passed the checks. Raises: UnsupportedError."""
        self._text = text
        rows = self.query(tree, Scope({}, None))
        columns = tuple((name, value.type) for name, value in rows.columns.items())
        shown = ", ".join(f"q.{value.sql}" for value in rows.columns.values())
        order = f" ORDER BY q.{rows.order}" if rows.order else ""
        return CompiledQuery(f"SELECT {shown or '1'} FROM ({rows.sql}) q{order}", self._bound, columns, self._searches)

    # -- names, parameters, searches

    def new_name(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def new_select(self) -> Select:
        return Select(self.new_name)

    def add_search(self, search: PathSearch) -> str:
        key = f"{self._prefix}{len(self._searches)}"
        self._searches[key] = search
        return key

    def parameter(self, value: Any, kind: str = "") -> str:
        """Bind a value, and return its place in the SQL."""
        name = f"p{len(self._bound)}"
        self._bound[name] = value
        return f"${name}::{kind}" if kind else f"${name}"

    def literal(self, value: CypherValue) -> Value:
        """Compile a value that is known."""
        if value is None:
            return Value("NULL", NULL)
        if isinstance(value, bool):
            return Value("TRUE" if value else "FALSE", types.BOOLEAN, nullable=False)
        if isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                raise UnsupportedError("an integer of more than 64 bits")
            return Value(f"{value}::BIGINT" if value >= 0 else f"({value})::BIGINT", INTEGER, nullable=False)
        kind = _type_of(value)
        if kind == types.STRING:
            return Value(self.parameter(value, "VARCHAR"), kind, nullable=False)
        if kind.is_list and not value:
            return Value("[]::BIGINT[]", kind, nullable=False)
        return Value(self.parameter(_bindable(value, kind), sql_name(kind)), kind, nullable=False)

    # -- clauses

    def query(self, tree: ast.Query, outer: Scope, *, ends_only: bool = False) -> Rows:
        """Compile the arms of a query inside of `outer`, whose variables it may use."""
        parts = [self._single(part, outer, ends_only=ends_only) for part in tree.parts]
        if len(parts) == 1:
            return parts[0]
        merged = {
            name: Value(self.new_name("c"), unify(part.columns[name].type for part in parts), _union_names(parts, name))
            for name in parts[0].columns
        }
        arms = []
        for part in parts:
            alias = self.new_name("u")
            shown = [
                f"{convert(f'{alias}.{part.columns[name].sql}', part.columns[name].type, value.type)} AS {value.sql}"
                for name, value in merged.items()
            ]
            arms.append(f"SELECT {', '.join(shown) or '1 AS one'} FROM ({part.sql}) {alias}")
        return Rows((" UNION ALL " if tree.keep_duplicates else " UNION ").join(arms), merged)

    def _single(self, part: ast.SingleQuery, outer: Scope, *, ends_only: bool) -> Rows:
        select = self.new_select()
        scope = Scope(outer.variables, select, outer.subject)
        for place, clause in enumerate(part.clauses):
            match clause:
                case ast.Match():
                    few = _needs_ends_only(part.clauses[place + 1 :], ends_only=ends_only)
                    scope, select = self._match(clause, scope, select, ends_only=few)
                case ast.Unwind():
                    scope = self._unwind(clause, scope, select)
                case ast.CallSubquery():
                    scope = self._call(clause, scope, select)
                case ast.Projection():
                    rows = self._projection(clause, scope, select)
                    if clause.is_return:
                        return rows
                    scope, select = self._from_rows(rows, outer)
        return Rows(f"SELECT 1 AS one{select.body()}", {})

    def _from_rows(self, rows: Rows, outer: Scope) -> tuple[Scope, Select]:
        """Start the next part of a query over the rows of a WITH."""
        select, alias = self.new_select(), self.new_name("w")
        select.add(f"({rows.sql}) {alias}")
        select.order = f"{alias}.{rows.order}" if rows.order else ""
        variables = {
            name: replace(value, sql=f"{alias}.{value.sql}", owner=select) for name, value in rows.columns.items()
        }
        return Scope({**outer.variables, **variables}, select, outer.subject), select

    def _match(self, clause: ast.Match, scope: Scope, select: Select, *, ends_only: bool) -> tuple[Scope, Select]:
        if not clause.optional:
            return self.patterns.match(clause, scope, select, ends_only=ends_only)
        nested = self.new_select()
        inner, nested = self.patterns.match(clause, scope.inside(nested), nested, ends_only=ends_only)
        alias = self.new_name("o")
        made = {name: value for name, value in inner.variables.items() if name not in scope.variables}
        columns = {name: self.new_name("c") for name in made}
        shown = ", ".join([f"{made[name].sql} AS {column}" for name, column in columns.items()] + ["1 AS one"])
        source = f"LATERAL (SELECT {shown}{nested.body()}) {alias}"
        select.bind_conditions()
        select.add_optional(source)
        found = {
            name: Value(f"{alias}.{columns[name]}", value.type, value.names, select) for name, value in made.items()
        }
        return scope.with_variables(**found), select

    def _unwind(self, clause: ast.Unwind, scope: Scope, select: Select) -> Scope:
        items = self.expressions.as_list(self.expressions.compile(clause.source, scope))
        alias = self.new_name("u")
        kind = items.type.items if items.type.is_list else NULL
        source = items.sql if items.type.is_list else "[]::BIGINT[]"
        is_first = select.is_empty
        select.bind_conditions()
        unnested = f"(SELECT unnest({source}) AS x, generate_subscripts({source}, 1) AS i) {alias}"
        select.add(unnested if is_first else f"LATERAL {unnested}")
        if is_first:  # The rows keep the order of the list, such as that of the hits of a search.
            select.order = f"{alias}.i"
        item = Value(f"{alias}.x", kind, items.names or all_names(kind), select)
        return scope.with_variables(**{clause.variable: item})

    def _call(self, clause: ast.CallSubquery, scope: Scope, select: Select) -> Scope:
        if clause.imports is None:
            rows = self._importing_call(clause.query, scope)
        else:
            names = scope.variables if clause.import_all else clause.imports
            imported = {name: scope.variables[name] for name in names}
            rows = self.query(clause.query, Scope(imported, select, scope.subject))
        alias = self.new_name("s")
        is_first = select.is_empty
        select.bind_conditions()
        select.add(f"{'' if is_first else 'LATERAL '}({rows.sql}) {alias}")
        if is_first and rows.order:
            select.order = f"{alias}.{rows.order}"
        made = {
            name: replace(v, sql=f"{alias}.{v.sql}", owner=select, nullable=True) for name, v in rows.columns.items()
        }
        return scope.with_variables(**made)

    def _importing_call(self, query: ast.Query, scope: Scope) -> Rows:
        """Compile the older form of CALL, whose arms import by a leading WITH."""
        arms, imported = [], dict[str, Value]()
        for part in query.parts:
            first = part.clauses[0]
            if isinstance(first, ast.Projection) and not first.is_return:
                names = [i.expression.name for i in first.items if isinstance(i.expression, ast.Variable)]
                imported |= {name: scope.variables[name] for name in (scope.variables if first.star else names)}
                part = ast.SingleQuery(part.clauses[1:])
            arms.append(part)
        return self.query(ast.Query(tuple(arms), query.keep_duplicates), Scope(imported, scope.select, scope.subject))

    # -- WITH and RETURN

    def _projection(self, clause: ast.Projection, scope: Scope, select: Select) -> Rows:
        items = self._items(clause, scope)
        is_grouped = any(has_aggregation(expression) for _, expression in items)
        order = [(sort.expression, sort.descending) for sort in clause.order]
        where = clause.where
        if is_grouped:
            scope, select, items, order, where = self._grouped(items, order, where, scope, select)
        if clause.distinct:
            order = [(_renamed(expression, items), falling) for expression, falling in order]
            where = None if where is None else _renamed(where, items)
            scope, select = self._distinct(items, scope, select)
            items = [(name, ast.Variable(name)) for name, _ in items]
        return self._projected(clause, items, order, where, scope, select)

    def _items(self, clause: ast.Projection, scope: Scope) -> list[tuple[str, ast.Expression]]:
        items: list[tuple[str, ast.Expression]] = []
        if clause.star:
            items += [(name, ast.Variable(name)) for name in sorted(scope.variables)]
        for item in clause.items:
            name = item.name if item.name is not None else self._text[item.start : item.end]
            if (name, item.expression) not in items:
                items.append((name, item.expression))
        return items

    def _projected(
        self,
        clause: ast.Projection,
        items: Sequence[tuple[str, ast.Expression]],
        order: Sequence[tuple[ast.Expression, bool]],
        where: ast.Expression | None,
        scope: Scope,
        select: Select,
    ) -> Rows:
        """Compile the SELECT of items with ORDER BY, SKIP, LIMIT and WHERE."""
        values = {name: self.expressions.entity(expression, scope) for name, expression in items}
        values = {name: self._owned(value, select) for name, value in values.items()}
        sight = Scope({**scope.variables, **values}, select, scope.subject)
        is_cut = clause.limit is not None or clause.skip is not None
        hidden = ""
        if where is not None and not is_cut:
            for condition in split_conjunction(where):
                select.require(self.expressions.condition(condition, sight))
        elif where is not None:
            hidden = self.expressions.condition(where, sight)
        sorts = [self._sort(expression, sight, falling) for expression, falling in order]
        if not sorts and select.order:
            sorts = [f"{select.order} ASC"]
        columns = {name: replace(value, sql=self.new_name("c")) for name, value in values.items()}
        shown = [f"{values[name].sql} AS {column.sql}" for name, column in columns.items()]
        number = ""
        if sorts:
            number = self.new_name("c")
            shown.append(f"row_number() OVER (ORDER BY {', '.join(sorts)}) AS {number}")
        if hidden:
            shown.append(f"{hidden} AS kept")
        sql = f"SELECT {', '.join(shown) or '1 AS one'}{select.body()}"
        if is_cut:
            sql = self._cut(sql, clause, number)
        if hidden:
            sql = f"SELECT * FROM ({sql}) WHERE kept"
        return Rows(sql, columns, number)

    def _cut(self, sql: str, clause: ast.Projection, number: str) -> str:
        alone = Scope({}, None)
        text = f"SELECT * FROM ({sql}) k" + (f" ORDER BY {number}" if number else "")
        if clause.limit is not None:
            text += f" LIMIT {self._count(clause.limit, alone)}"
        if clause.skip is not None:
            text += f" OFFSET {self._count(clause.skip, alone)}"
        return text

    def _count(self, node: ast.Expression, scope: Scope) -> str:
        known = self.parameters[node.name] if isinstance(node, ast.Parameter) else None
        known = node.value if isinstance(node, ast.Literal) else known
        if isinstance(known, int) and not isinstance(known, bool) and known >= 0:
            return str(known)  # A correlated subquery takes constants only.
        value = self.expressions.compile(node, scope)
        if value.type != INTEGER or isinstance(known, int):
            raise UnsupportedError("SKIP and LIMIT take an integer that is not negative", node)
        return f"(SELECT {value.sql})"

    def _owned(self, value: Value, select: Select) -> Value:
        return value if value.owner is not None or not value.type.is_entity else replace(value, owner=select)

    def _sort(self, expression: ast.Expression, scope: Scope, falling: bool) -> str:
        value = self.expressions.compile(expression, scope)
        if value.type == NULL:
            return "NULL"
        is_simple = value.type.is_plain and not value.type.is_entity
        sql = value.sql if is_simple else f"cy_order({encode(value.sql, value.type)})"
        return f"{sql} {'DESC NULLS FIRST' if falling else 'ASC NULLS LAST'}"

    def _distinct(
        self, items: Sequence[tuple[str, ast.Expression]], scope: Scope, select: Select
    ) -> tuple[Scope, Select]:
        """Nest a SELECT DISTINCT; the items are its columns."""
        values = {name: self.expressions.entity(expression, scope) for name, expression in items}
        columns = {name: replace(value, sql=self.new_name("c"), nullable=True) for name, value in values.items()}
        shown = ", ".join(f"{_canonical(values[name])} AS {column.sql}" for name, column in columns.items())
        rows = Rows(f"SELECT DISTINCT {shown}{select.body()}", columns)
        outer = Scope({name: v for name, v in scope.variables.items() if v.owner is not select}, None, scope.subject)
        return self._from_rows(rows, outer)

    def _grouped(
        self,
        items: Sequence[tuple[str, ast.Expression]],
        order: Sequence[tuple[ast.Expression, bool]],
        where: ast.Expression | None,
        scope: Scope,
        select: Select,
    ) -> tuple[
        Scope, Select, list[tuple[str, ast.Expression]], list[tuple[ast.Expression, bool]], ast.Expression | None
    ]:
        """Nest the groups of an aggregation: keys and aggregates become variables of the items.

        The arguments are columns of a subquery, since SQL takes an aggregate over outer columns for one of the outer query.
        """
        keys = list(dict.fromkeys(e for _, e in items if not has_aggregation(e)))
        calls = list(dict.fromkeys(part for _, e in items for part in _aggregates(e)))
        inside: list[str] = []
        alias = self.new_name("g")
        names: dict[ast.Expression, str] = {}
        columns: dict[str, Value] = {}
        grouped: list[str] = []
        for place, key in enumerate(keys):
            value = self.expressions.entity(key, scope)
            source, column = self.new_name("c"), self.new_name("c")
            inside.append(f"{_canonical(value)} AS {source}")
            grouped.append(f"{alias}.{source}")
            names[key] = f" key{place}"
            columns[f" key{place}"] = replace(value, sql=column, nullable=True)
        shown = [f"{source} AS {column.sql}" for source, column in zip(grouped, columns.values(), strict=True)]
        for place, call in enumerate(calls):
            value, aggregated = self._aggregate(call, alias, inside, scope, select)
            column = self.new_name("c")
            shown.append(f"{aggregated} AS {column}")
            names[call] = f" all{place}"
            columns[f" all{place}"] = replace(value, sql=column)
        by = f" GROUP BY {', '.join(grouped)}" if grouped else ""
        sql = f"SELECT {', '.join(shown)} FROM (SELECT {', '.join(inside) or '1 AS one'}{select.body()}) {alias}{by}"
        outer = Scope({name: v for name, v in scope.variables.items() if v.owner is not select}, None, scope.subject)
        inner, nested = self._from_rows(Rows(sql, columns), outer)

        found = [(name, replace_expressions(e, lambda part: _named(part, names))) for name, e in items]
        new_order = [(_resolved(e, found, names), falling) for e, falling in order]
        return inner, nested, found, new_order, None if where is None else _resolved(where, found, names)

    def _aggregate(
        self, call: ast.Expression, alias: str, inside: list[str], scope: Scope, select: Select
    ) -> tuple[Value, str]:
        """Add the arguments of an aggregation to the inner columns; return its type and SQL."""
        if isinstance(call, ast.CountStar):
            return Value("", INTEGER, nullable=False), "count(*)"
        assert isinstance(call, ast.Call)  # noqa: S101 - the only other aggregation
        arguments = []
        for argument in call.arguments:
            value = self.expressions.entity(argument, scope)
            column = self.new_name("c")
            inside.append(f"{value.sql if value.type != NULL else 'NULL::BIGINT'} AS {column}")
            arguments.append(replace(value, sql=f"{alias}.{column}"))
        order = ""
        if select.order and call.name.lower() == "collect" and not call.distinct:
            column = self.new_name("c")
            inside.append(f"{select.order} AS {column}")
            order = f"{alias}.{column}"
        return aggregate(call, arguments, order)


def _aggregates(node: ast.Node) -> Iterable[ast.Expression]:
    """Yield the aggregations of an expression; those of its subqueries are their own."""
    for part in iterate_nodes_outside(node):
        if isinstance(part, ast.CountStar) or (isinstance(part, ast.Call) and is_aggregate(part.name)):
            yield part


def iterate_nodes_outside(node: ast.Node) -> Iterable[ast.Node]:
    """Yield the nodes of an expression, without those of subqueries."""
    skipped = {
        id(inner)
        for part in iterate_nodes(node)
        if isinstance(part, ast.Subquery | ast.PatternComprehension | ast.PatternPredicate)
        for inner in iterate_nodes(part)
    }
    return [part for part in iterate_nodes(node) if id(part) not in skipped]


def _named(part: ast.Expression, names: Mapping[ast.Expression, str]) -> ast.Expression | None:
    return ast.Variable(names[part]) if part in names else None


def _renamed(expression: ast.Expression, items: Sequence[tuple[str, ast.Expression]]) -> ast.Expression:
    """Replace projected expressions by their names."""
    by_expression = {item: name for name, item in reversed(items)}
    return replace_expressions(expression, lambda part: _named(part, by_expression))


def _resolved(
    expression: ast.Expression, items: Sequence[tuple[str, ast.Expression]], names: Mapping[ast.Expression, str]
) -> ast.Expression:
    """Replace keys and aggregations by their columns, and names of items by the items."""
    by_name = dict(items)
    found = replace_expressions(expression, lambda part: _named(part, names))
    return replace_expressions(found, lambda part: by_name.get(part.name) if isinstance(part, ast.Variable) else None)


def _canonical(value: Value) -> str:
    if value.type == NULL:
        return "NULL::BIGINT"
    return f"cy_canonical({value.sql})" if value.type.is_dynamic else value.sql


def _union_names(parts: Sequence[Rows], name: str) -> frozenset[str]:
    return frozenset().union(*(part.columns[name].names for part in parts))


def _needs_ends_only(rest: Sequence[ast.Clause], *, ends_only: bool) -> bool:
    """Return whether the number of equal rows of a MATCH does not matter for what follows."""
    for clause in rest:
        if isinstance(clause, ast.Projection):
            calls = [part for item in clause.items for part in _aggregates(item.expression)]
            if not calls:
                return clause.distinct
            return all(
                isinstance(call, ast.Call) and (call.distinct or call.name.lower() in ("min", "max")) for call in calls
            )
        if isinstance(clause, ast.CallSubquery):
            return False
    return ends_only


def _type_of(value: Any) -> SqlType:
    """Return the type of a parameter's value."""
    if isinstance(value, list | tuple):
        return list_of(unify(map(_type_of, value)))
    if isinstance(value, dict):
        if not types.are_field_names(value):
            return types.ANY
        return map_of((key, _type_of(item)) for key, item in value.items())
    kinds: dict[type, SqlType] = {bool: types.BOOLEAN, int: INTEGER, float: types.FLOAT, str: types.STRING}
    if value is not None and type(value) not in kinds:
        raise UnsupportedError(f"a parameter of the type {type(value).__name__}")
    return NULL if value is None else kinds[type(value)]


def _bindable(value: Any, kind: SqlType) -> Any:
    """Return a value as the type that it is bound with."""
    if kind.is_dynamic:
        return encode_value(value)
    if value is not None and kind.is_list:
        return [_bindable(item, kind.items) for item in value]
    if value is not None and kind.kind == "map":
        return {key: _bindable(value[key], item) for key, item in kind.fields}
    return value
