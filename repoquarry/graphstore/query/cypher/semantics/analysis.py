"""Semantic analysis of a parsed query: checks its clauses as Neo4j does and records columns, variables and types of expressions.

It runs between parsing and the rules of the engine's dialect, which read its types. Clauses are checked in order, each with the scope of
the previous one, as in Neo4j's own semantic check.
"""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.graphstore.query.cypher.semantics import scope as grouping
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.patterns import PatternChecker
from repoquarry.graphstore.query.cypher.semantics.scope import Analysis, PropertyTypes, Scope, storable_type
from repoquarry.graphstore.query.cypher.semantics.types import Type
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.visitor import free_variables, iterate_nodes

_Columns = dict[str, Type]
_HITS = types.list_of(types.of(types.MAP))


def analyse(
    query: ast.Query,
    text: str,
    parameters: Mapping[str, Type],
    property_types: PropertyTypes = storable_type,
    *,
    strict: bool = True,
) -> Analysis:
    """Check a query. With `strict` as Neo4j does; without, to learn more types and raise nothing new.

    Raises: QueryRefusedError with the place.
    """
    findings = Analysis(text, parameters, property_types, strict)
    findings.columns = tuple(_QueryChecker(findings).query(query, {}, "RETURN") or ())
    return findings


class _QueryChecker(PatternChecker):
    def query(self, query: ast.Query, outer: Scope, ending: str) -> _Columns | None:
        """Check a query inside `outer`, whose variables stay in scope, and return its columns.

        `ending` is the required last clause: RETURN, or none for EXISTS and COUNT.
        """
        first: _Columns | None = None
        for part in query.parts:
            columns = self.single_query(part, outer, ending)
            if first is None:
                first = columns
            elif columns is None or set(columns) != set(first):
                raise self.findings.error(
                    part, "union_columns", "All sub queries in an UNION must have the same return column names"
                )
            else:
                first = {name: types.union(found, columns[name]) for name, found in first.items()}
        return first

    def single_query(
        self, part: ast.SingleQuery, outer: Scope, ending: str, start: Scope | None = None
    ) -> _Columns | None:
        """Check one arm of a UNION; `start` is in scope besides `outer`, up to the next WITH."""
        scope = {**outer, **(start or {})}
        columns: _Columns | None = None
        for clause in part.clauses:
            if isinstance(clause, ast.Match):
                scope = self._match(clause, scope)
            elif isinstance(clause, ast.Unwind):
                scope = self._unwind(clause, scope, outer)
            elif isinstance(clause, ast.CallSubquery):
                scope = self._call(clause, scope)
            elif isinstance(clause, ast.Projection):
                columns = self._projection(clause, scope, outer, ending)
                scope = {**outer, **columns}
        last = part.clauses[-1]
        returns = isinstance(last, ast.Projection) and last.is_return
        if not returns and ending != "ANY":
            raise self.findings.error(
                last, "no_return", "The query does not end with RETURN, so it would return nothing: add a RETURN"
            )
        return columns if returns else None

    def _match(self, clause: ast.Match, scope: Scope) -> Scope:
        inner = self.check_patterns(clause.patterns, scope)
        for path in clause.patterns:
            grouping.forbid(path, self.findings)
        grouping.forbid(clause.where, self.findings)
        self.condition(clause.where, inner)
        self.check_lengths(clause)
        self.findings.introduced[id(clause)] = tuple(name for name in inner if name not in scope)
        return inner

    def _unwind(self, clause: ast.Unwind, scope: Scope, outer: Scope) -> Scope:
        grouping.forbid(clause.source, self.findings)
        if (search := clause.search) is not None:
            by_words = search.count is None
            self.expected_type(search.query, {}, types.of(types.STRING, *(() if by_words else (types.LIST,))))
            if search.count is not None:
                self.expected_type(search.count, {}, types.of(types.INTEGER))
            self.findings.types[id(clause.source)] = _HITS
            self._declare(clause, clause.variable, scope, outer)
            return {**scope, clause.variable: types.of(types.MAP)}
        found = self.type_of(clause.source, scope)
        self._declare(clause, clause.variable, scope, outer)
        item = found.items if found.holds(types.LIST) else found
        if found.holds(types.LIST) and found.kinds != {types.LIST}:
            item = types.ANY
        return {**scope, clause.variable: item}

    def _declare(self, node: ast.Node, name: str, scope: Scope, outer: Scope) -> None:
        self.findings.names.add(name)
        if name in outer:
            raise self._shadowed(node, name, "")
        if name in scope:
            raise self.findings.error(node, "already_declared", f"Variable `{name}` already declared")

    def _call(self, clause: ast.CallSubquery, scope: Scope) -> Scope:
        if clause.imports is None:
            columns = self._importing_call(clause, scope)
        else:
            names = tuple(scope) if clause.import_all else clause.imports
            for name in names:
                if name not in scope:
                    raise self.findings.error(clause, "undefined_variable", f"Variable `{name}` not defined")
            columns = self.query(clause.query, {name: scope[name] for name in names}, "CALL") or {}
        for name in columns:
            if name in scope:
                raise self.findings.error(
                    clause, "already_declared", f"Variable `{name}` already declared in outer scope"
                )
        return {**scope, **columns}

    def _importing_call(self, clause: ast.CallSubquery, scope: Scope) -> _Columns:
        """The older form: a leading WITH of plain variables imports them."""
        results = []
        for part in clause.query.parts:
            first = part.clauses[0]
            start: Scope = {}
            rest = part
            if isinstance(first, ast.Projection) and not first.is_return:
                self._check_importing(first)
                names = list(scope) if first.star else []
                names += [i.expression.name for i in first.items if isinstance(i.expression, ast.Variable)]
                for item in first.items:
                    self.type_of(item.expression, scope)
                start = {name: scope[name] for name in names}
                if len(part.clauses) == 1:
                    raise self.findings.error(part, "no_return", "The subquery imports variables and returns nothing")
                rest = ast.SingleQuery(part.clauses[1:], start=part.clauses[1].start, end=part.end)
            results.append(self.single_query(rest, {}, "CALL", start) or {})
        if any(set(columns) != set(results[0]) for columns in results):
            raise self.findings.error(
                clause, "union_columns", "All sub queries in an UNION must have the same return column names"
            )
        return {name: types.union(*(columns[name] for columns in results)) for name in results[0]}

    def _check_importing(self, clause: ast.Projection) -> None:
        plain = all(isinstance(i.expression, ast.Variable) and i.alias is None for i in clause.items)
        if not plain or clause.distinct or clause.order or clause.skip or clause.limit or clause.where:
            raise self.findings.error(
                clause,
                "importing_with",
                "Importing WITH should consist only of simple references to outside variables: no aliases, "
                "expressions, DISTINCT, ORDER BY, SKIP, LIMIT or WHERE",
            )

    def _projection(self, clause: ast.Projection, scope: Scope, outer: Scope, ending: str) -> _Columns:
        columns: _Columns = {}
        if clause.star:
            columns.update((name, scope[name]) for name in sorted(scope) if name not in outer or not clause.is_return)
            if not scope and clause.is_return:
                raise self.findings.error(
                    clause, "nothing_in_scope", "RETURN * is not allowed when there are no variables in scope"
                )
        self.findings.stars[id(clause)] = tuple(columns)
        keys = tuple(i.expression for i in clause.items if not grouping.has_aggregation(i.expression))
        keys += tuple(ast.Variable(name) for name in columns)
        aggregates = len(keys) < len(clause.items) + len(columns)
        for item in clause.items:
            name = self._column(clause, item, ending)
            found = self.type_of(item.expression, scope)
            if aggregates and grouping.has_aggregation(item.expression):
                grouping.check_item(item.expression, keys, self.findings)
            same_again = clause.star and isinstance(item.expression, ast.Variable) and item.expression.name == name
            if name in columns and not same_again:
                raise self.findings.error(
                    item, "duplicate_column", "Multiple result columns with the same name are not supported"
                )
            if name in outer and not (isinstance(item.expression, ast.Variable) and item.expression.name == name):
                raise self._shadowed(item, name, ending)
            columns[name] = found
            self.findings.names.add(name)
        if ending == "CALL" and clause.is_return:
            for name in columns:
                if name in outer:
                    raise self._shadowed(clause, name, ending)
        self._after(clause, scope, outer, columns, aggregates)
        return columns

    def _shadowed(self, node: ast.Node, name: str, ending: str) -> Exception:
        if ending == "CALL":
            return self.findings.error(node, "already_declared", f"Variable `{name}` already declared in outer scope")
        return self.findings.error(
            node,
            "shadowing",
            f"The variable `{name}` is shadowing a variable with the same name from the outer scope and needs to be "
            "renamed",
        )

    def _column(self, clause: ast.Projection, item: ast.Item, ending: str) -> str:
        if item.name is not None:
            return item.name
        if not clause.is_return:
            raise self.findings.error(item, "no_alias", "Expression in WITH must be aliased (use AS)")
        if ending == "CALL":
            raise self.findings.error(item, "no_alias", "Expression in CALL { RETURN ... } must be aliased (use AS)")
        return self.findings.text[item.start : item.end]

    def _after(self, clause: ast.Projection, scope: Scope, outer: Scope, columns: _Columns, aggregates: bool) -> None:
        """ORDER BY, SKIP, LIMIT and WHERE, which see the projected names and, without grouping, the old ones."""
        for bound, word in ((clause.skip, "SKIP"), (clause.limit, "LIMIT")):
            self._bound(bound, word)
        grouped = aggregates or clause.distinct
        sight = {**outer, **columns} if grouped else {**scope, **columns}
        items = {i.expression: self._column(clause, i, "RETURN") for i in clause.items} if grouped else {}
        grouping.forbid(clause.where, self.findings)
        for node in (*(sort.expression for sort in clause.order), clause.where):
            if node is None:
                continue
            seen = grouping.with_aliases(node, items) if grouped else node
            self.findings.kept.append(seen)
            found = next(grouping.aggregations(seen), None)
            if found is not None:
                raise self.findings.error(
                    found,
                    "misplaced_aggregation",
                    "An aggregation in ORDER BY also needs to be a projected item of its own",
                )
            if grouped:
                self._check_hidden(seen, scope, sight)
            if node is clause.where:
                self.condition(seen, sight)
            else:
                self.type_of(seen, sight)
            if grouped:  # the node as written, for the dialects
                self.type_of(node, {**scope, **columns})

    def _check_hidden(self, node: ast.Expression, scope: Scope, sight: Scope) -> None:
        for part in free_variables(node):
            if part.name in scope and part.name not in sight:
                raise self.findings.error(
                    part,
                    "hidden_variable",
                    "In a WITH/RETURN with DISTINCT or an aggregation, it is not possible to access variables "
                    f"declared before the WITH/RETURN: {part.name}",
                )

    def _bound(self, node: ast.Expression | None, word: str) -> None:
        if node is None:
            return
        if isinstance(node, ast.Literal):
            value = node.value
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise self.findings.error(
                    node, "bad_bound", f"Invalid input for {word}: it must be a non-negative integer"
                )
        part = next((part for part in iterate_nodes(node) if isinstance(part, ast.Variable)), None)
        if part is not None:
            raise self.findings.error(
                part, "bad_bound", f"It is not allowed to refer to variables in {word}: use a number or a parameter"
            )
        self.expected_type(node, {}, types.of(types.INTEGER))

    def check_Subquery(self, node: ast.Subquery, scope: Scope) -> Type:
        columns = self.query(node.query, scope, "RETURN" if node.kind == "COLLECT" else "ANY")
        if node.kind == "EXISTS":
            return types.of(types.BOOLEAN)
        if node.kind == "COUNT":
            return types.of(types.INTEGER)
        if columns is None or len(columns) != 1:
            raise self.findings.error(node, "collect_columns", "COLLECT { } must end with a single return column")
        return types.list_of(next(iter(columns.values())))
