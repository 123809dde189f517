"""Parser of read-only Cypher queries: turns text into a syntax tree of clauses and path patterns, or refuses it with the position.

The gate accepts only what this parser supports, so a clause that a later engine adds is refused until it has been reviewed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.expressions import ExpressionParser
from repoquarry.graphstore.query.cypher.syntax.tokenizer import TokenizedQuery, TokenKind, tokenize
from repoquarry.graphstore.query.cypher.syntax.visitor import depth, free_variables, iterate_nodes

_SHORTEST_PATH_FUNCTIONS = {"SHORTESTPATH": "shortestPath", "ALLSHORTESTPATHS": "allShortestPaths"}
_SELECTORS = ("SHORTEST", "ALL", "ANY")
_SELECTOR_UNITS = ("PATH", "PATHS", "GROUP", "GROUPS")
_SELECTOR = re.compile(
    r"(?P<all>ALL SHORTEST)(?: PATHS?)?"
    r"|(?:ANY SHORTEST|ANY(?: (?P<any>[1-9]\d{0,8}))?|SHORTEST (?P<paths>[1-9]\d{0,8}))(?: PATHS?)?"
    r"|SHORTEST(?: (?P<groups>[1-9]\d{0,8}))?(?: PATHS?)? (?P<unit>GROUPS?)"
)
_INSTEAD = {
    "db.labels": "; the labels are MATCH (n) RETURN DISTINCT labels(n), and in the schema (GetSchema)",
    "db.relationshiptypes": "; the types are MATCH ()-[r]->() RETURN DISTINCT type(r), and in the schema (GetSchema)",
    "db.propertykeys": "; the properties are in the schema (GetSchema)",
    "db.schema": "; docs/reference/schema.md and the RPC GetSchema describe the schema",
    "db.index": "; search by db.index.vector.queryNodes or db.index.fulltext.queryNodes",
    "gds.pagerank": "; Module.importance and Module.dependency hold the ranks",
    "gds.": "; export the graph for other algorithms (repoquarry export)",
    "apoc.path": "; use variable-length paths, such as -[:CALLS*1..3]->",
    "apoc.": "; use Cypher without APOC",
}
"""Replacements of procedures, by the beginning of their names."""
_ANY_NODE = ast.NodePattern()
_MAX_UNION_PARTS = 100
"""Engines recurse into UNION; one of 400 parts overflows the stack of the embedded engine."""
_Element = ast.NodePattern | ast.RelationshipPattern


class PatternParser(ExpressionParser):
    """Parser of patterns in MATCH, in pattern predicates and in pattern comprehensions."""

    def __init__(self, source: TokenizedQuery) -> None:
        super().__init__(source)
        self._selected: list[ast.PathPattern] = []

    def starts_pattern(self) -> bool:
        """Return whether the bracket at the cursor opens a node followed by a relationship."""
        if not self.is_symbol("("):
            return False
        tokens, at = self.source.tokens, self.source.partner[self.at] + 1
        symbols = [t.text if t.kind is TokenKind.SYMBOL else "" for t in tokens[at : at + 4]] + [""] * 4
        if symbols[0] == "<" and symbols[1] == "-":
            return symbols[2] in ("-", "[")
        if symbols[0] == "<" or symbols[0] != "-":
            return False
        if symbols[1] == "-":
            return symbols[2] in ("(", ">")
        if symbols[1] != "[":
            return False
        closing = self.source.partner[at + 1] + 1
        return tokens[closing].kind is TokenKind.SYMBOL and tokens[closing].text == "-"

    def patterns(self) -> tuple[ast.PathPattern, ...]:
        """Parse comma-separated path patterns."""
        found = [self.path_pattern(in_match=True)]
        while self.take_symbol(","):
            found.append(self.path_pattern(in_match=True))
        return tuple(found)

    def path_pattern(self, *, in_match: bool = False) -> ast.PathPattern:
        start = self.token.start
        variable = None
        if self.is_name() and self.ahead().text == "=" and self.ahead().kind is TokenKind.SYMBOL:
            variable = self.advance().text
            self.advance()
        if self.is_word(*_SELECTORS):
            shortest = self._selector()
            elements = self._selected_elements(shortest)
            path = ast.PathPattern(elements, variable, shortest, start=start, end=self.last_end)
            self._selected.append(path)
            return path
        if self.is_word(*_SHORTEST_PATH_FUNCTIONS) and self.ahead().text == "(":
            shortest = _SHORTEST_PATH_FUNCTIONS[self.advance().upper]
            self.need_symbol("(")
            elements = self._elements("inside shortestPath")
            self.need_symbol(")")
            return ast.PathPattern(elements, variable, shortest, start=start, end=self.last_end)
        elements = self._elements() if in_match else self._elements("outside MATCH")
        return ast.PathPattern(elements, variable, start=start, end=self.last_end)

    def _selector(self) -> str:
        """Parse a path selector into the value of `PathPattern.shortest`."""
        start, words = self.token.start, []
        while self.is_word(*_SELECTORS, *_SELECTOR_UNITS) or self.token.kind is TokenKind.INTEGER:
            words.append(self.advance().text.upper())
        found = _SELECTOR.fullmatch(" ".join(words))
        if found is None or not self.is_symbol("("):
            raise self.refuse(
                start, "path_selector",
                f"The path selector {' '.join(words)} is not portable: write SHORTEST 2, SHORTEST 2 GROUPS, ALL SHORTEST or ANY before a "
                "pattern",
            )  # fmt: skip
        count = found["any"] or found["paths"] or found["groups"] or "1"
        if count != "1":
            return f"SHORTEST {count}{' GROUPS' if found['unit'] else ''}"
        return "allShortestPaths" if found["all"] or found["unit"] else "shortestPath"

    def _selected_elements(self, shortest: str) -> tuple[_Element, ...]:
        """Parse the pattern behind a selector; the quantifier of a single shortest path becomes the `*` of the functions."""
        start = self.token.start
        elements = self._elements("behind a path selector")
        step = elements[1] if len(elements) == 3 else None
        counted = shortest.startswith("SHORTEST")
        plain = isinstance(step, ast.RelationshipPattern) and (counted or step.where is None)
        if not isinstance(step, ast.RelationshipPattern) or step.length is None or not plain:
            raise self.refuse(
                start,
                "path_selector",
                "A path selector needs one relationship with a quantifier: SHORTEST 1 (a)-[:CALLS]->+(b)",
            )
        length = replace(step.length, quantifier=counted)
        return (elements[0], replace(step, length=length), elements[2])

    def _elements(self, forbidden: str = "") -> tuple[_Element, ...]:
        """Parse alternating nodes and relationships; `forbidden` describes where groups are not allowed."""
        elements: list[_Element] = [] if self._at_group() else [self._node()]
        while self.is_symbol("-", "<", "("):
            if not self.is_symbol("("):
                elements.append(self._relationship())
                if self._at_group():
                    raise self._misplaced_group("behind a relationship")
                elements.append(self._node())
                continue
            if not self._at_group() or forbidden:
                raise self._misplaced_group(forbidden or "without its second bracket")
            if not elements:
                elements.append(_ANY_NODE)
            elements.append(self._group())
            if self.is_symbol("-", "<"):
                raise self._misplaced_group("before a relationship")
            elements.append(_ANY_NODE if self._at_group() or not self.is_symbol("(") else self._node())
        return tuple(elements)

    def _at_group(self) -> bool:
        return self.is_symbol("(") and self.ahead().text == "(" and self.ahead().kind is TokenKind.SYMBOL

    def _group(self) -> ast.RelationshipPattern:
        """Parse `((a)-[:CALLS]->(b) WHERE condition){1,3}`."""
        start = self.need_symbol("(").start
        elements = self._elements("inside another one")
        where = self.expression() if self.take_word("WHERE") else None
        self.need_symbol(")")
        group = ast.PathGroup(elements, where, start=start, end=self.last_end)
        length = self._quantifier_length(None)
        if length is None:
            raise self._misplaced_group("without a quantifier such as {1,3} behind it")
        return ast.RelationshipPattern(
            None, None, None, None, ast.Direction.BOTH, length, group, start=start, end=self.last_end
        )

    def _misplaced_group(self, where: str) -> QueryRefusedError:
        return self.refuse(
            self.token.start, "quantified_path_pattern",
            f"A quantified path group may not stand {where}: write (x) ((a)-[:CALLS]->(b)){{1,3}} (y) in a MATCH, or a "
            "variable-length relationship such as -[:CALLS*1..3]->",
        )  # fmt: skip

    def _node(self) -> ast.NodePattern:
        start = self.token.start
        if self._at_group():
            raise self._misplaced_group("inside another one")
        self.need_symbol("(")
        variable = self.advance().text if self.is_name() and not self._at_where() else None
        labels = self.label_expression() if self.is_symbol(":") or self.is_word("IS") else None
        properties = self._properties()
        where = self.expression() if self.take_word("WHERE") else None
        self.need_symbol(")")
        return ast.NodePattern(variable, labels, properties, where, start=start, end=self.last_end)

    def _at_where(self) -> bool:
        """Return whether the word WHERE starts a condition here and is not a variable's name."""
        following = self.ahead()
        return self.is_word("WHERE") and not (
            following.kind is TokenKind.SYMBOL and following.text in (")", ":", "{", "]")
        )

    def _properties(self) -> ast.Expression | None:
        if self.is_symbol("{"):
            return self.map_literal()
        if self.is_symbol("$"):
            start = self.advance().start
            return self._parameter(start)
        return None

    def _relationship(self) -> ast.RelationshipPattern:
        start = self.token.start
        left = self.take_symbol("<")
        self.need_symbol("-")
        variable, labels, length, properties, where = None, None, None, None, None
        if self.take_symbol("["):
            variable = self.advance().text if self.is_name() and not self._at_where() else None
            labels = self.label_expression() if self.is_symbol(":") or self.is_word("IS") else None
            length = self._length() if self.is_symbol("*") else None
            properties = self._properties()
            where = self.expression() if self.take_word("WHERE") else None
            self.need_symbol("]")
        self.need_symbol("-")
        right = self.take_symbol(">")
        length = self._quantifier_length(length)
        direction = ast.Direction.BOTH if left == right else ast.Direction.IN if left else ast.Direction.OUT
        return ast.RelationshipPattern(
            variable, labels, properties, where, direction, length, start=start, end=self.last_end
        )

    def _length(self) -> ast.Length:
        start = self.need_symbol("*").start
        low = high = None
        if self.token.kind is TokenKind.INTEGER:
            low = self._integer(negative=False)
            high = low
        if self.take_symbol(".."):
            high = self._integer(negative=False) if self.token.kind is TokenKind.INTEGER else None
        return ast.Length(low, high, start=start, end=self.last_end)

    def _quantifier_length(self, written: ast.Length | None) -> ast.Length | None:
        start = self.token.start
        if not self.is_symbol("+", "*", "{"):
            return written
        if written is not None:
            raise self.unexpected("a node")
        low, high = 0, None
        if self.take_symbol("+"):
            low = 1
        elif not self.take_symbol("*"):
            self.need_symbol("{")
            given = self._integer(negative=False) if self.token.kind is TokenKind.INTEGER else None
            low = given or 0
            high = given
            if self.take_symbol(","):
                high = self._integer(negative=False) if self.token.kind is TokenKind.INTEGER else None
            elif given is None:
                raise self.unexpected("a number")
            self.need_symbol("}")
        return ast.Length(low, high, quantifier=True, start=start, end=self.last_end)

    def label_expression(self) -> ast.LabelExpression:
        """Parse `:A`, `:A:B`, `:A|B`, `:A&!B`, `:%`, or the same after IS."""
        if not self.take_word("IS"):
            self.need_symbol(":")
        return self._label_or()

    def _label_or(self) -> ast.LabelExpression:
        start = self.token.start
        left = self._label_and()
        while self.is_symbol("|") and self.at not in self._bars:
            self.advance()
            colon = self.take_symbol(":")
            left = ast.LabelOr(left, self._label_and(), colon, start=start, end=self.last_end)
        return left

    def _label_and(self) -> ast.LabelExpression:
        start = self.token.start
        left = self._label_unary()
        while self.is_symbol("&", ":"):
            colon = self.advance().text == ":"
            left = ast.LabelAnd(left, self._label_unary(), colon, start=start, end=self.last_end)
        return left

    def _label_unary(self) -> ast.LabelExpression:
        self.descend()
        start = self.token.start
        if self.take_symbol("!"):
            result: ast.LabelExpression = ast.LabelNot(self._label_unary(), start=start, end=self.last_end)
        elif self.take_symbol("("):
            result = self._label_or()
            self.need_symbol(")")
        elif self.take_symbol("%"):
            result = ast.LabelWildcard(start=start, end=self.last_end)
        elif self.is_symbol("$"):
            raise self.refuse(
                start, "dynamic_label", "Labels and types made at run time are not portable: write them out"
            )
        else:
            result = ast.LabelName(self.need_name("a label"), start=start, end=self.last_end)
        self.ascend()
        return result


_WRITES = ("CREATE", "MERGE", "DELETE", "DETACH", "NODETACH", "SET", "REMOVE", "INSERT", "FOREACH")
_SCHEMA = ("DROP", "ALTER", "RENAME")
_SCHEMA_OBJECTS = ("INDEX", "CONSTRAINT", "DATABASE", "USER", "ROLE", "ALIAS", "FULLTEXT", "VECTOR", "RANGE", "TEXT",
                   "POINT", "LOOKUP", "UNIQUE", "COMPOSITE", "SERVER")  # fmt: skip
_ADMINISTRATION = ("SHOW", "TERMINATE", "GRANT", "DENY", "REVOKE", "START", "STOP", "ENABLE", "REALLOCATE",
                   "DEALLOCATE", "DRYRUN")  # fmt: skip
_OPTIONS = ("EXPLAIN", "PROFILE", "CYPHER")
MAX_TREE_DEPTH = 160
"""Maximum depth of a tree for the recursive checks."""

_READ_ONLY = "only read-only queries are allowed"


def parse(text: str) -> ast.Query:
    """Parse a read-only query. Raises: QueryRefusedError with the position, `syntax` or the reason why such a clause is never allowed."""
    query = _QueryParser(tokenize(text)).whole_query()
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
        if self.take_symbol(";") and self.token.kind is not TokenKind.END:
            raise self.refuse(self.token.start, "several_statements", "One query at a time: send the rest separately")
        if self.token.kind is not TokenKind.END:
            raise self.not_a_clause()
        return query

    def query(self) -> ast.Query:
        """Parse single queries joined by UNION, up to the end or a closing brace."""
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
            if len(parts) == _MAX_UNION_PARTS:
                raise self.refuse(
                    union.start,
                    "too_deeply_nested",
                    f"more than {_MAX_UNION_PARTS} queries joined by UNION; UNWIND a list of values instead",
                )
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
        """Parse the next clause; None if none starts here."""
        if self.is_word("MATCH") or self.are_words("OPTIONAL", "MATCH"):
            return self._match()
        if self.take_word("UNWIND"):
            return self._unwind()
        if self.is_word("WITH", "RETURN"):
            return self._projection()
        if self.is_word("CALL") or self.are_words("OPTIONAL", "CALL"):
            return self._call_clause()
        if self.token.kind is TokenKind.END or self.is_word("UNION") or self.is_symbol("}", ";"):
            return None
        raise self.not_a_clause()

    def not_a_clause(self) -> QueryRefusedError:
        """Return the error for a token that starts no clause."""
        token = self.token
        word = token.upper if token.kind is TokenKind.NAME else ""
        following = self.ahead()
        if word in _SCHEMA or (
            word == "CREATE" and following.kind is TokenKind.NAME and following.upper in _SCHEMA_OBJECTS
        ):
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
        if self.is_word("REPEATABLE", "DIFFERENT") and self.ahead().kind is TokenKind.NAME:
            raise self.refuse(self.token.start, "match_mode", "Match modes are not portable: remove them")
        patterns = self.patterns()
        if self.is_word("USING"):
            raise self.refuse(self.token.start, "planner_hint", "Planner hints are not portable: remove USING")
        where = self.expression() if self.take_word("WHERE") else None
        if self._selected:
            self._check_selected(patterns, where)
        return ast.Match(patterns, where, optional, start=start, end=self.last_end)

    def _check_selected(self, patterns: tuple[ast.PathPattern, ...], where: ast.Expression | None) -> None:
        """Refuse other patterns, and conditions on a single shortest path, which shortestPath() tests while it searches."""
        path = self._selected.pop()
        names = {path.variable, path.elements[1].variable} - {None}
        reads_path = where is not None and any(
            isinstance(node, ast.Variable) and node.name in names for node in iterate_nodes(where)
        )
        if len(patterns) > 1 or (reads_path and not path.is_counted):
            problem = "next to other patterns" if len(patterns) > 1 else "with a condition on the path in its WHERE"
            raise self.refuse(
                path.start,
                "path_selector",
                f"A path selector {problem} is not portable: write MATCH ... WITH * WHERE ...",
            )

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
        return ast.Projection(
            is_return,
            tuple(items),
            distinct=distinct,
            star=star,
            order=_by_columns(self._order(), items),
            skip=self.expression() if self.take_word("SKIP") or self.take_word("OFFSET") else None,
            limit=self.expression() if self.take_word("LIMIT") else None,
            where=self.expression() if not is_return and self.take_word("WHERE") else None,
            start=start,
            end=self.last_end,
        )

    def _distinct(self) -> bool:
        following = self.ahead()
        is_variable = following.kind is TokenKind.END or (
            following.kind is TokenKind.SYMBOL and following.text in (",", ".", ")", "}", "+", "=", ";")
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
            name = "".join(token.text for token in self.source.tokens[self.at : self.at + 8]).partition("(")[0].lower()
            if name.startswith("db.index.") and name.endswith(".querynodes") and imports is None:
                return self._search(name, start)
            instead = next((text for prefix, text in _INSTEAD.items() if name.startswith(prefix)), "")
            raise self.refuse(start, "procedure", f"Procedures are refused: {_READ_ONLY}, on the graph itself{instead}")
        self.advance()
        query = self.query()
        self.need_symbol("}")
        if self.is_word("IN"):
            raise self.refuse(self.token.start, "transactions", "CALL { } IN TRANSACTIONS is for writing and refused")
        return ast.CallSubquery(query, imports, import_all, start=start, end=self.last_end)

    def _search(self, procedure: str, start: int) -> ast.CallSubquery:
        from repoquarry.graphstore.query.cypher.syntax.searches import build_search, build_subquery

        while not self.take_symbol("("):
            self.advance()
        arguments = [self.expression()]
        while self.take_symbol(","):
            arguments.append(self.expression())
        self.need_symbol(")")
        search = build_search(procedure, arguments, start)
        if isinstance(search, str):
            raise self.refuse(start, "procedure", search)
        self.need_word("YIELD")
        columns = [self._yielded()]
        while self.take_symbol(","):
            columns.append(self._yielded())
        where = self.expression() if self.take_word("WHERE") else None
        query = build_subquery(search, columns, where)
        return ast.CallSubquery(query, (), start=start, end=self.last_end)

    def _yielded(self) -> tuple[str, str]:
        """Parse a yielded column, and the variable that holds it."""
        at = self.token.start
        column = self.need_name("node or score")
        if column not in ("node", "score"):
            raise self.refuse(at, "procedure", f"a search yields node and score, not {column}")
        return column, self.need_name("a name") if self.take_word("AS") else column

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
        """Parse the body of EXISTS, COUNT and COLLECT: a query, or a bare pattern with WHERE."""
        self.need_symbol("{")
        start = self.token.start
        if self.is_symbol("(") or (self.is_name() and self.ahead().text == "="):
            patterns = self.patterns()
            where = self.expression() if self.take_word("WHERE") else None
            match = ast.Match(patterns, where, start=start, end=self.last_end)
            query = ast.Query(
                (ast.SingleQuery((match,), start=start, end=self.last_end),), start=start, end=self.last_end
            )
        else:
            query = self.query()
        self.need_symbol("}")
        return query


def _by_columns(order: tuple[ast.Sort, ...], items: Sequence[ast.Item]) -> tuple[ast.Sort, ...]:
    """Sort by the column in `a.name AS a ORDER BY a.name`, where the alias hides the variable of the expression."""
    aliases = {item.alias for item in items}
    columns = [(item.expression, item.alias) for item in items if item.alias is not None]

    def by_column(sort: ast.Sort) -> ast.Sort:
        alias = next((alias for expression, alias in columns if expression == sort.expression), None)
        if alias is None or not aliases & {variable.name for variable in free_variables(sort.expression)}:
            return sort
        return replace(sort, expression=ast.Variable(alias, start=sort.expression.start, end=sort.expression.end))

    return tuple(map(by_column, order))
