"""Clauses of reading Cypher; whatever is not reading is recognised and refused by name.

The gate accepts what this parser knows and nothing else, so a clause that a later engine adds is refused until
someone has looked at it.
"""

from __future__ import annotations

from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.patterns import PatternParser
from repoquarry.graphstore.cypher.syntax.tokens import Kind, scan
from repoquarry.graphstore.cypher.syntax.walk import depth
from repoquarry.graphstore.errors import QueryRefusedError

_WRITES = ("CREATE", "MERGE", "DELETE", "DETACH", "NODETACH", "SET", "REMOVE", "INSERT", "FOREACH")
_SCHEMA = ("DROP", "ALTER", "RENAME")
_SCHEMA_OBJECTS = ("INDEX", "CONSTRAINT", "DATABASE", "USER", "ROLE", "ALIAS", "FULLTEXT", "VECTOR", "RANGE", "TEXT",
                   "POINT", "LOOKUP", "UNIQUE", "COMPOSITE", "SERVER")  # fmt: skip
_ADMINISTRATION = ("SHOW", "TERMINATE", "GRANT", "DENY", "REVOKE", "START", "STOP", "ENABLE", "REALLOCATE",
                   "DEALLOCATE", "DRYRUN")  # fmt: skip
_OPTIONS = ("EXPLAIN", "PROFILE", "CYPHER")
MAX_TREE_DEPTH = 160
"""Deepest tree that the checks, which recurse, are given."""

_READ_ONLY = "only reading queries pass"


def parse(text: str) -> ast.Query:
    """The tree of a reading query.

    Raises: QueryRefusedError with the place, `syntax` or the reason why such a clause never passes.
    """
    query = _QueryParser(scan(text)).whole_query()
    if depth(query) > MAX_TREE_DEPTH:
        raise QueryRefusedError(
            f"The query's expressions nest more than {MAX_TREE_DEPTH} deep (long chains of operators count too): "
            "use lists, such as x IN [...], and parameters",
            reason="too_deeply_nested",
            line=1,
            column=1,
        )
    return query


class _QueryParser(PatternParser):
    def whole_query(self) -> ast.Query:
        if self.is_word(*_OPTIONS):
            raise self.refuse(
                self.token.start, "query_option", f"{self.token.upper} is refused: send the query without it"
            )
        query = self.query()
        if self.take_symbol(";") and self.token.kind is not Kind.END:
            raise self.refuse(self.token.start, "several_statements", "One query at a time: send the rest separately")
        if self.token.kind is not Kind.END:
            raise self.not_a_clause()
        return query

    def query(self) -> ast.Query:
        """Single queries joined by UNION, up to the end or a closing brace."""
        self.descend()
        start = self.token.start
        parts = [self.single_query()]
        kinds: set[bool] = set()
        while self.is_word("UNION"):
            union = self.advance()
            keep = self.take_word("ALL")
            if not keep:
                self.take_word("DISTINCT")
            kinds.add(keep)
            if len(kinds) > 1:
                raise self.refuse(union.start, "syntax", "UNION and UNION ALL cannot be mixed in one query")
            parts.append(self.single_query())
        self.ascend()
        return ast.Query(tuple(parts), kinds == {True}, start=start, end=self.last_end)

    def single_query(self) -> ast.SingleQuery:
        start = self.token.start
        clauses: list[ast.Clause] = []
        while (clause := self.clause()) is not None:
            clauses.append(clause)
            if isinstance(clause, ast.Projection) and clause.is_return:
                break
        if not clauses:
            raise self.not_a_clause()
        return ast.SingleQuery(tuple(clauses), start=start, end=self.last_end)

    def clause(self) -> ast.Clause | None:
        """The next clause; None where none begins."""
        if self.is_word("MATCH") or self.are_words("OPTIONAL", "MATCH"):
            return self._match()
        if self.take_word("UNWIND"):
            return self._unwind()
        if self.is_word("WITH", "RETURN"):
            return self._projection()
        if self.is_word("CALL") or self.are_words("OPTIONAL", "CALL"):
            return self._call_clause()
        if self.token.kind is Kind.END or self.is_word("UNION") or self.is_symbol("}", ";"):
            return None
        raise self.not_a_clause()

    def not_a_clause(self) -> QueryRefusedError:
        """The error for what stands where a clause should begin."""
        token = self.token
        word = token.upper if token.kind is Kind.NAME else ""
        following = self.ahead()
        if word in _SCHEMA or (word == "CREATE" and following.kind is Kind.NAME and following.upper in _SCHEMA_OBJECTS):
            return self.refuse(token.start, "schema", f"{word} changes the schema or the server: {_READ_ONLY}")
        if word in _WRITES:
            return self.refuse(token.start, "writes", f"{word} writes: {_READ_ONLY}")
        if word == "LOAD":
            return self.refuse(token.start, "files", f"LOAD CSV reads files and addresses: {_READ_ONLY}, on the graph")
        if word in _ADMINISTRATION:
            return self.refuse(token.start, "administration", f"{word} looks at or changes the server: {_READ_ONLY}")
        if word == "USE":
            return self.refuse(token.start, "other_graph", "USE is refused: a query runs on the store's own graph")
        if word in _OPTIONS:
            return self.refuse(token.start, "query_option", f"{word} is refused: send the query without it")
        if word == "FINISH":
            return self.refuse(token.start, "finish", "FINISH returns nothing: end the query with RETURN")
        return self.unexpected("a clause (MATCH, OPTIONAL MATCH, UNWIND, WITH, CALL { }, RETURN)")

    def _match(self) -> ast.Match:
        start = self.token.start
        optional = self.take_word("OPTIONAL")
        self.need_word("MATCH")
        if self.is_word("REPEATABLE", "DIFFERENT") and self.ahead().kind is Kind.NAME:
            raise self.refuse(self.token.start, "match_mode", "Match modes are not portable: leave them out")
        patterns = self.patterns()
        if self.is_word("USING"):
            raise self.refuse(self.token.start, "planner_hint", "Planner hints are not portable: leave USING out")
        where = self.expression() if self.take_word("WHERE") else None
        return ast.Match(optional, patterns, where, start=start, end=self.last_end)

    def _unwind(self) -> ast.Unwind:
        start = self.source.tokens[self.at - 1].start
        source = self.expression()
        self.need_word("AS")
        variable = self.need_name("a variable")
        return ast.Unwind(source, variable, start=start, end=self.last_end)

    def _projection(self) -> ast.Projection:
        start = self.token.start
        is_return = self.advance().upper == "RETURN"
        distinct = self._distinct()
        star = self.take_symbol("*")
        items: list[ast.Item] = []
        if not star or self.take_symbol(","):
            items.append(self._item())
            while self.take_symbol(","):
                items.append(self._item())
        order = self._order()
        skip = self.expression() if self.take_word("SKIP") or self.take_word("OFFSET") else None
        limit = self.expression() if self.take_word("LIMIT") else None
        where = self.expression() if not is_return and self.take_word("WHERE") else None
        return ast.Projection(
            is_return, distinct, star, tuple(items), order, skip, limit, where, start=start, end=self.last_end
        )

    def _distinct(self) -> bool:
        following = self.ahead()
        is_variable = following.kind is Kind.END or (
            following.kind is Kind.SYMBOL and following.text in (",", ".", ")", "}", "+", "=", ";")
        )
        return not is_variable and self.take_word("DISTINCT")

    def _item(self) -> ast.Item:
        start = self.token.start
        expression = self.expression()
        end = self.last_end
        alias = self.need_name("a name") if self.take_word("AS") else None
        return ast.Item(expression, alias, start=start, end=end)

    def _order(self) -> tuple[ast.Sort, ...]:
        if not self.are_words("ORDER", "BY"):
            return ()
        self.at += 2
        sorts = [self._sort()]
        while self.take_symbol(","):
            sorts.append(self._sort())
        return tuple(sorts)

    def _sort(self) -> ast.Sort:
        expression = self.expression()
        descending = self.is_word("DESC", "DESCENDING")
        if self.is_word("ASC", "ASCENDING", "DESC", "DESCENDING"):
            self.advance()
        return ast.Sort(expression, descending, start=expression.start, end=self.last_end)

    def _call_clause(self) -> ast.CallSubquery:
        start = self.token.start
        if self.take_word("OPTIONAL"):
            raise self.refuse(start, "optional_call", "OPTIONAL CALL is not portable: use OPTIONAL MATCH inside")
        self.need_word("CALL")
        imports: tuple[str, ...] | None = None
        import_all = False
        if self.take_symbol("("):
            imports, import_all = self._imports()
        if not self.is_symbol("{"):
            raise self.refuse(
                start, "procedure", f"Procedures are refused, whatever they do: {_READ_ONLY}, on the graph itself"
            )
        self.advance()
        query = self.query()
        self.need_symbol("}")
        if self.is_word("IN"):
            raise self.refuse(self.token.start, "transactions", "CALL { } IN TRANSACTIONS is for writing and refused")
        return ast.CallSubquery(query, imports, import_all, start=start, end=self.last_end)

    def _imports(self) -> tuple[tuple[str, ...], bool]:
        if self.take_symbol("*"):
            self.need_symbol(")")
            return (), True
        names: list[str] = []
        while not self.is_symbol(")"):
            if names:
                self.need_symbol(",")
            names.append(self.need_name("a variable"))
        self.need_symbol(")")
        return tuple(names), False

    def subquery_body(self) -> ast.Query:
        """What stands in the braces of EXISTS, COUNT and COLLECT: a query, or a bare pattern with WHERE."""
        self.need_symbol("{")
        start = self.token.start
        if self.is_symbol("(") or (self.is_name() and self.ahead().text == "="):
            patterns = self.patterns()
            where = self.expression() if self.take_word("WHERE") else None
            match = ast.Match(False, patterns, where, start=start, end=self.last_end)
            query = ast.Query(
                (ast.SingleQuery((match,), start=start, end=self.last_end),), start=start, end=self.last_end
            )
        else:
            query = self.query()
        self.need_symbol("}")
        return query
