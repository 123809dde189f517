"""Compiler of EXISTS, COUNT and COLLECT, and of patterns as values."""

from __future__ import annotations

from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.sql.compiler_parts import Compiler
from repoquarry.graphstore.query.sql.errors import RowsNeededError, UnsupportedError
from repoquarry.graphstore.query.sql.select_builder import Scope, Value
from repoquarry.graphstore.query.sql.sql_types import BOOLEAN, INTEGER, list_of


class SubqueryCompiler:
    def __init__(self, main: Compiler) -> None:
        self._main = main

    def subquery(self, node: ast.Subquery, scope: Scope) -> Value:
        _require_rows(scope)
        found = self._main.query(node.query, scope, ends_only=node.kind == "EXISTS")
        if node.kind == "EXISTS":
            return Value(f"EXISTS (SELECT 1 FROM ({found.sql}) s)", BOOLEAN, nullable=False)
        if node.kind == "COUNT":
            return Value(f"(SELECT count(*) FROM ({found.sql}) s)", INTEGER, nullable=False)
        value = next(iter(found.columns.values()))
        order = f" ORDER BY s.{found.order}" if found.order else ""
        sql = f"(SELECT coalesce(list(s.{value.sql}{order}), []) FROM ({found.sql}) s)"
        return Value(sql, list_of(value.type), value.names, nullable=False)

    def pattern_predicate(self, node: ast.PatternPredicate, scope: Scope) -> Value:
        _require_rows(scope)
        if node.pattern.shortest:
            raise UnsupportedError("shortestPath(...) as an expression", node)
        select = self._main.new_select()
        _, select = self._main.patterns.match(ast.Match((node.pattern,)), scope.inside(select), select, ends_only=True)
        return Value(f"EXISTS (SELECT 1{select.body()})", BOOLEAN, nullable=False)

    def pattern_comprehension(self, node: ast.PatternComprehension, scope: Scope) -> Value:
        _require_rows(scope)
        select = self._main.new_select()
        inner, select = self._main.patterns.match(ast.Match((node.pattern,), node.where), scope.inside(select), select)
        result = self._main.expressions.compile(node.result, inner)
        sql = f"(SELECT coalesce(list({result.sql}), []){select.body()})"
        return Value(sql, list_of(result.type), result.names, nullable=False)


def _require_rows(scope: Scope) -> None:
    if scope.select is None:
        raise RowsNeededError
