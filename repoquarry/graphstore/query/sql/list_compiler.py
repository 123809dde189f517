"""Compiler of comprehensions, quantifiers and reduce: by a lambda, or by a subquery where the body needs rows of its own."""

from __future__ import annotations

from collections.abc import Callable

from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes
from repoquarry.graphstore.query.sql.compiler_parts import Compiler
from repoquarry.graphstore.query.sql.errors import RowsNeededError, UnsupportedError
from repoquarry.graphstore.query.sql.select_builder import Scope, Select, Value, all_names
from repoquarry.graphstore.query.sql.sql_types import BOOLEAN, INTEGER, NULL, SqlType, convert, list_of, sql_name, unify

_Build = Callable[[Scope], Value]
_QUANTIFIED = {
    "any": "CASE list_max(list_append({m}, 0)) WHEN 2 THEN TRUE WHEN 0 THEN FALSE END",
    "none": "CASE list_max(list_append({m}, 0)) WHEN 2 THEN FALSE WHEN 0 THEN TRUE END",
    "all": "CASE list_min(list_append({m}, 2)) WHEN 2 THEN TRUE WHEN 0 THEN FALSE END",
    "single": "CASE WHEN len(list_filter({m}, lambda q: q = 2)) > 1 THEN FALSE WHEN list_contains({m}, 1) THEN NULL "
    "ELSE len(list_filter({m}, lambda q: q = 2)) = 1 END",
}
"""Value by a list of 2 (true), 1 (null) and 0 (false)."""


class ListCompiler:
    def __init__(self, main: Compiler) -> None:
        self._main = main

    def comprehension(self, node: ast.ListComprehension, scope: Scope) -> Value:
        if node.where is None and node.result is None:
            return self._main.expressions.compile(node.source, scope)
        source = self._source(node.source, scope)
        if source.type == NULL:
            return source
        result = node.result
        build = None if result is None else lambda inner: self._main.expressions.compile(result, inner)
        return self._transformed(source, node.variable, node.where, build, scope)

    def _source(self, node: ast.Expression, scope: Scope) -> Value:
        return self._main.expressions.as_list(self._main.expressions.compile(node, scope))

    def _transformed(
        self, source: Value, variable: str, where: ast.Expression | None, build: _Build | None, scope: Scope
    ) -> Value:
        try:
            return self._by_lambda(source, variable, where, build, scope)
        except RowsNeededError:
            if scope.select is None:
                raise
            return self._by_rows(source, variable, where, build, scope)

    def _by_lambda(
        self, source: Value, variable: str, where: ast.Expression | None, build: _Build | None, scope: Scope
    ) -> Value:
        name = self._main.new_name("x")
        item = Value(name, source.type.items, source.names or all_names(source.type.items))
        inner = Scope({**scope.variables, variable: item}, None, scope.subject)
        sql = source.sql
        if where is not None:
            sql = (
                f"list_filter({sql}, lambda {name}: coalesce({self._main.expressions.condition(where, inner)}, FALSE))"
            )
        if build is None:
            return Value(sql, source.type, source.names)
        result = build(inner)
        shown = f"NULL::{sql_name(NULL)}" if result.type == NULL else result.sql
        return Value(f"list_transform({sql}, lambda {name}: {shown})", list_of(result.type), result.names)

    def _by_rows(
        self, source: Value, variable: str, where: ast.Expression | None, build: _Build | None, scope: Scope
    ) -> Value:
        """Compile to a subquery over the items, whose properties can be read by joins."""
        select, inner = self._items(source, variable, scope)
        if where is not None:
            select.require(self._main.expressions.condition(where, inner))
        result = build(inner) if build is not None else inner.variables[variable]
        place = inner.variables[" place"].sql
        sql = f"(SELECT coalesce(list({result.sql} ORDER BY {place}), []){select.body()})"
        if source.nullable:
            sql = f"CASE WHEN {source.sql} IS NOT NULL THEN {sql} END"
        return Value(sql, list_of(result.type), result.names)

    def _items(self, source: Value, variable: str, scope: Scope) -> tuple[Select, Scope]:
        select = self._main.new_select()
        alias = self._main.new_name("u")
        select.add(f"(SELECT unnest({source.sql}) AS x, generate_subscripts({source.sql}, 1) AS i) {alias}")
        kind = source.type.items
        item = Value(f"{alias}.x", kind, source.names or all_names(kind), select)
        place = Value(f"{alias}.i", INTEGER, nullable=False)
        return select, Scope({**scope.variables, variable: item, " place": place}, select, scope.subject)

    def quantifier(self, node: ast.Quantifier, scope: Scope) -> Value:
        if node.where is None:
            raise UnsupportedError(f"{node.kind}() without WHERE", node)
        source = self._source(node.source, scope)
        if source.type == NULL:
            return Value("NULL::BOOLEAN", BOOLEAN)
        condition = node.where
        marks = self._transformed(source, node.variable, None, lambda inner: self._mark(condition, inner), scope)
        bound = self._main.expressions.bind([marks, source], lambda m, s: self._quantified(node.kind, m, s, source))
        return Value(bound, BOOLEAN)

    def _quantified(self, kind: str, marks: str, source: str, value: Value) -> str:
        found = _QUANTIFIED[kind].format(m=marks)
        return f"CASE WHEN {source} IS NOT NULL THEN {found} END" if value.nullable else found

    def _mark(self, node: ast.Expression, scope: Scope) -> Value:
        """Compile a condition to 2 (true), 1 (null) or 0 (false)."""
        return Value(
            f"CASE {self._main.expressions.condition(node, scope)} WHEN TRUE THEN 2 WHEN FALSE THEN 0 ELSE 1 END",
            INTEGER,
        )

    def reduction(self, node: ast.Reduce, scope: Scope) -> Value:
        """Compile to list_reduce over pairs of the accumulator and an item, whose types may differ."""
        expressions = self._main.expressions
        initial = expressions.compile(node.initial, scope)
        source = self._source(node.source, scope)
        if source.type == NULL:
            return Value("NULL", NULL)
        body, source = self._with_read_properties(node, source, scope)
        kind = initial.type
        for _ in range(3):
            result, text = self._reduced(node, body, initial, kind, source, scope)
            wider = unify((kind, result))
            if wider == kind:
                return Value(text, kind)
            kind = wider
        raise UnsupportedError("reduce() whose type changes", node)

    def _reduced(
        self, node: ast.Reduce, body: ast.Expression, initial: Value, kind: SqlType, source: Value, scope: Scope
    ) -> tuple[SqlType, str]:
        total, pair = self._main.new_name("t"), self._main.new_name("x")
        item = Value(f"{pair}.x", source.type.items, source.names or all_names(source.type.items))
        inner = Scope(
            {**scope.variables, node.accumulator: Value(f"{total}.t", kind), node.variable: item}, None, scope.subject
        )
        result = self._main.expressions.compile(body, inner)
        first = convert(initial.sql, initial.type, kind)
        whole, item_name = sql_name(kind), sql_name(source.type.items)
        nothing = f"NULL::{item_name}"
        try:
            step = convert(result.sql, result.type, kind)
        except TypeError:
            step = "NULL"
        item_pair = self._main.new_name("y")
        pairs = f"list_transform({source.sql}, lambda {item_pair}: {{'t': NULL::{whole}, 'x': {item_pair}}})"
        sql = (
            f"list_reduce({pairs}, lambda {total}, {pair}: {{'t': ({step})::{whole}, 'x': {nothing}}}, "
            f"{{'t': ({first})::{whole}, 'x': {nothing}}}).t"
        )
        if source.nullable:
            sql = f"CASE WHEN {source.sql} IS NOT NULL THEN {sql} END"
        return result.type, sql

    def _with_read_properties(self, node: ast.Reduce, source: Value, scope: Scope) -> tuple[ast.Expression, Value]:
        """Replace entities by maps of the properties that the body reads, since a lambda cannot join."""
        if not source.type.items.is_entity:
            return node.result, source
        read = [
            p
            for p in iterate_nodes(node.result)
            if isinstance(p, ast.Property) and p.subject == ast.Variable(node.variable)
        ]
        uses = [v for v in iterate_nodes(node.result) if v == ast.Variable(node.variable)]
        if not read or len(uses) != len(read) or scope.select is None:
            return node.result, source
        keys = dict.fromkeys(part.key for part in read)
        subject = ast.Variable(node.variable)
        entries = tuple((key, ast.Property(subject, key)) for key in keys)
        chosen = ast.MapLiteral(entries)
        build = lambda inner: self._main.expressions.compile(chosen, inner)  # noqa: E731
        return node.result, self._by_rows(source, node.variable, None, build, scope)
