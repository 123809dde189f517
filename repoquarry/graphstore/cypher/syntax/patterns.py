"""Path patterns and label expressions of Cypher 5."""

from __future__ import annotations

from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.expressions import ExpressionParser
from repoquarry.graphstore.cypher.syntax.tokens import Kind
from repoquarry.graphstore.errors import QueryRefusedError

_SHORTEST = {"SHORTESTPATH": "shortestPath", "ALLSHORTESTPATHS": "allShortestPaths"}
_SELECTORS = ("SHORTEST", "ALL", "ANY")
_ANY_NODE = ast.NodePattern(None, None, None, None)
_Element = ast.NodePattern | ast.RelationshipPattern


class PatternParser(ExpressionParser):
    """Adds what stands in MATCH, in pattern predicates and in pattern comprehensions."""

    def starts_pattern(self) -> bool:
        """Whether the bracket at the cursor opens a node that a relationship follows."""
        if not self.is_symbol("("):
            return False
        tokens, at = self.source.tokens, self.source.partner[self.at] + 1
        symbols = [t.text if t.kind is Kind.SYMBOL else "" for t in tokens[at : at + 4]] + [""] * 4
        if symbols[0] == "<" and symbols[1] == "-":
            return symbols[2] in ("-", "[")
        if symbols[0] == "<" or symbols[0] != "-":
            return False
        if symbols[1] == "-":
            return symbols[2] in ("(", ">")
        if symbols[1] != "[":
            return False
        closing = self.source.partner[at + 1] + 1
        return tokens[closing].kind is Kind.SYMBOL and tokens[closing].text == "-"

    def patterns(self) -> tuple[ast.PathPattern, ...]:
        """Path patterns between commas."""
        found = [self.path_pattern(in_match=True)]
        while self.take_symbol(","):
            found.append(self.path_pattern(in_match=True))
        return tuple(found)

    def path_pattern(self, *, in_match: bool = False) -> ast.PathPattern:
        start = self.token.start
        variable = None
        if self.is_name() and self.ahead().text == "=" and self.ahead().kind is Kind.SYMBOL:
            variable = self.advance().text
            self.advance()
        if self.is_word(*_SELECTORS):
            raise self.refuse(
                self.token.start,
                "path_selector",
                f"Path selectors ({self.token.upper} ...) are not portable: write shortestPath((a)-[*]-(b)) or "
                "allShortestPaths(...)",
            )
        if self.is_word(*_SHORTEST) and self.ahead().text == "(":
            shortest = _SHORTEST[self.advance().upper]
            self.need_symbol("(")
            elements = self._elements("inside shortestPath")
            self.need_symbol(")")
            return ast.PathPattern(variable, shortest, elements, start=start, end=self.last_end)
        elements = self._elements() if in_match else self._elements("outside MATCH")
        return ast.PathPattern(variable, "", elements, start=start, end=self.last_end)

    def _elements(self, forbidden: str = "") -> tuple[_Element, ...]:
        """Nodes and relationships in turn, from a node to a node; `forbidden` says where groups may not stand."""
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
        return self.is_symbol("(") and self.ahead().text == "(" and self.ahead().kind is Kind.SYMBOL

    def _group(self) -> ast.RelationshipPattern:
        """`((a)-[:CALLS]->(b) WHERE condition){1,3}`"""
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
        """Whether the word WHERE here begins a condition rather than being a variable's name."""
        following = self.ahead()
        return self.is_word("WHERE") and not (following.kind is Kind.SYMBOL and following.text in (")", ":", "{", "]"))

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
        if self.token.kind is Kind.INTEGER:
            low = self._integer(negative=False)
            high = low
        if self.take_symbol(".."):
            high = self._integer(negative=False) if self.token.kind is Kind.INTEGER else None
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
            given = self._integer(negative=False) if self.token.kind is Kind.INTEGER else None
            low = given or 0
            high = given
            if self.take_symbol(","):
                high = self._integer(negative=False) if self.token.kind is Kind.INTEGER else None
            elif given is None:
                raise self.unexpected("a number")
            self.need_symbol("}")
        return ast.Length(low, high, quantifier=True, start=start, end=self.last_end)

    def label_expression(self) -> ast.LabelExpression:
        """`:A`, `:A:B`, `:A|B`, `:A&!B`, `:%`, or the same behind IS."""
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
