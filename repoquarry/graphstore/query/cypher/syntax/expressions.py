"""Parser of Cypher expressions to syntax trees, by precedence climbing.

It is hand-written because no grammar on PyPI accepts Neo4j 5: `antlr4-cypher` 0.1.2 supports openCypher 9 (no `EXISTS {}`, `COUNT {}`,
label expressions, `CALL {}`) and needs 60 to 150 ms for a first query and 20 ms later; this parser needs well under a millisecond.
"""

from __future__ import annotations

from abc import abstractmethod

from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.tokenizer import TokenCursor, TokenizedQuery, TokenKind

# Levels of precedence, loosest first; NOT is between AND and the comparisons.
_OR, _XOR, _AND, _NOT, _COMPARE, _TEST, _ADD, _MULTIPLY, _POWER = range(1, 10)
_COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")
_SYMBOL_LEVELS = {
    "+": _ADD,
    "-": _ADD,
    "||": _ADD,
    "*": _MULTIPLY,
    "/": _MULTIPLY,
    "%": _MULTIPLY,
    "^": _POWER,
    "=~": _TEST,
    "::": _TEST,
    **dict.fromkeys(_COMPARISONS, _COMPARE),
}
_WORD_LEVELS = {
    "OR": _OR,
    "XOR": _XOR,
    "AND": _AND,
    "STARTS": _TEST,
    "ENDS": _TEST,
    "CONTAINS": _TEST,
    "IN": _TEST,
    "IS": _TEST,
}
_CONSTANTS: dict[str, bool | float | None] = {
    "NULL": None,
    "TRUE": True,
    "FALSE": False,
    "NAN": float("nan"),
    "INF": float("inf"),
    "INFINITY": float("inf"),
}
_MAX_INTEGER = 2**63 - 1


class ExpressionParser(TokenCursor):
    """Parser of expressions; subclasses parse the patterns and subqueries inside them."""

    def __init__(self, source: TokenizedQuery) -> None:
        super().__init__(source)
        self._bars: set[int] = set()  # Tokens `|` that separate a comprehension's parts, not two labels.

    @abstractmethod
    def path_pattern(self) -> ast.PathPattern: ...

    @abstractmethod
    def label_expression(self) -> ast.LabelExpression: ...

    @abstractmethod
    def subquery_body(self) -> ast.Query: ...

    @abstractmethod
    def starts_pattern(self) -> bool: ...

    def expression(self, level: int = _OR) -> ast.Expression:
        """Parse an expression whose operators bind at least as tightly as `level`."""
        self.descend()
        start = self.token.start
        ceiling = _POWER
        if self.is_word("NOT"):
            if level > _NOT:
                raise self.unexpected("an expression")
            self.advance()
            operand = self.expression(_NOT)
            left: ast.Expression = ast.Unary("NOT", operand, start=start, end=self.last_end)
            ceiling = _AND
        else:
            left = self._signed()
        while level <= (found := self._operator_level()) <= ceiling:
            left = self._operation(left, found, start)
            ceiling = found if found != _TEST else _COMPARE  # Tests such as IS NULL do not chain.
        self.ascend()
        return left

    def _operator_level(self) -> int:
        token = self.token
        if token.kind is TokenKind.SYMBOL:
            return _SYMBOL_LEVELS.get(token.text, 0)
        return _WORD_LEVELS.get(token.upper, 0) if token.kind is TokenKind.NAME else 0

    def _operation(self, left: ast.Expression, level: int, start: int) -> ast.Expression:
        if level == _COMPARE:
            rest = []
            while self.is_symbol(*_COMPARISONS):
                operator = self.advance().text
                rest.append((operator, self.expression(_TEST)))
            return ast.Comparison(left, tuple(rest), start=start, end=self.last_end)
        if level == _TEST:
            return self._test(left, start)
        operator = self.advance().upper
        right = self.expression(level + 1)
        return ast.Binary(operator, left, right, start=start, end=self.last_end)

    def _test(self, left: ast.Expression, start: int) -> ast.Expression:
        if self.is_word("IS") or self.is_symbol("::"):
            return self._is_test(left, start)
        operator = self.advance().upper
        if operator in ("STARTS", "ENDS"):
            self.need_word("WITH")
            operator += " WITH"
        right = self.expression(_ADD)
        return ast.Binary(operator, left, right, start=start, end=self.last_end)

    def _is_test(self, left: ast.Expression, start: int) -> ast.Expression:
        negated = False
        if self.take_word("IS"):
            negated = self.take_word("NOT")
            if self.take_word("NULL"):
                return ast.IsNull(left, negated, start=start, end=self.last_end)
            if self.is_word("NFC", "NFD", "NFKC", "NFKD", "NORMALIZED"):
                form = self.advance().upper if not self.is_word("NORMALIZED") else "NFC"
                self.need_word("NORMALIZED")
                return ast.IsNormalized(left, form, negated, start=start, end=self.last_end)
            if not self.take_word("TYPED") and not self.take_symbol("::"):
                raise self.unexpected("NULL, NORMALIZED, TYPED or '::'")
        else:
            self.need_symbol("::")
        return ast.IsTyped(left, self._type_name(), negated, start=start, end=self.last_end)

    def _type_name(self) -> str:
        words: list[str] = []
        open_angles = 0
        while True:
            if self.is_symbol("<"):
                open_angles += 1
            elif self.is_symbol(">"):
                open_angles -= 1
            elif not (self.is_symbol("|") and self.at not in self._bars) and not self._is_type_word(words):
                break
            words.append(self.advance().upper)
            if open_angles == 0 and words[-1] == ">":
                continue
        if not words or open_angles:
            raise self.unexpected("a type")
        return " ".join(words).replace(" < ", "<").replace(" >", ">")

    def _is_type_word(self, words: list[str]) -> bool:
        token = self.token
        if token.kind is not TokenKind.NAME or token.upper in ("AND", "OR", "XOR", "AS", "THEN", "WHERE", "RETURN"):
            return False
        expected_first = not words or words[-1] in ("<", "|")
        return expected_first or token.upper in (
            "NOT", "NULL", "INTEGER", "FLOAT", "STRING", "WITH", "WITHOUT", "LOCAL", "ZONED", "TIME", "DATETIME",
            "TIMEZONE", "TIMESTAMP", "VALUE", "LIST", "ARRAY",
        )  # fmt: skip

    def _signed(self) -> ast.Expression:
        start = self.token.start
        if not self.is_symbol("-", "+"):
            return self._postfix(self._primary())
        operator = self.advance().text
        if operator == "-" and self.token.kind is TokenKind.INTEGER:
            number = self._integer(negative=True)
            literal = ast.Literal(number, start=start, end=self.last_end)
            return self._postfix(literal)
        negative = self.is_symbol("-") and self.ahead().kind in (
            TokenKind.INTEGER,
            TokenKind.FLOAT,
        )  # A sign before a signed number.
        operand = self._signed() if negative else self._postfix(self._primary())
        if operator == "-" and isinstance(operand, ast.Literal) and isinstance(operand.value, float):
            return ast.Literal(-operand.value, start=start, end=self.last_end)
        return ast.Unary(operator, operand, start=start, end=self.last_end)

    def _postfix(self, subject: ast.Expression) -> ast.Expression:
        start = subject.start
        while True:
            if self.take_symbol("."):
                key = self.need_name("a property name")
                subject = ast.Property(subject, key, start=start, end=self.last_end)
            elif self.is_symbol("["):
                subject = self._index(subject, start)
            elif self.is_symbol(":"):
                labels = self.label_expression()
                subject = ast.HasLabels(subject, labels, start=start, end=self.last_end)
            else:
                return subject

    def _index(self, subject: ast.Expression, start: int) -> ast.Expression:
        self.need_symbol("[")
        low = None if self.is_symbol("..") else self.expression()
        if self.take_symbol("]"):
            if low is None:
                raise self.unexpected("an index")
            return ast.Index(subject, low, start=start, end=self.last_end)
        self.need_symbol("..")
        high = None if self.is_symbol("]") else self.expression()
        self.need_symbol("]")
        if low is None and high is None:
            raise self.refuse(start, "syntax", "A slice needs a start or an end")
        return ast.Slice(subject, low, high, start=start, end=self.last_end)

    def _primary(self) -> ast.Expression:
        token = self.token
        start = token.start
        if token.kind is TokenKind.INTEGER:
            return ast.Literal(self._integer(negative=False), start=start, end=self.last_end)
        if token.kind is TokenKind.FLOAT:
            return ast.Literal(float(self.advance().text), start=start, end=self.last_end)
        if token.kind is TokenKind.STRING:
            return ast.Literal(self.advance().text, start=start, end=self.last_end)
        if token.kind is TokenKind.SYMBOL:
            return self._bracketed()
        if token.kind is TokenKind.NAME:
            return self._worded()
        if token.kind is TokenKind.QUOTED_NAME:
            return self._named()
        raise self.unexpected("an expression")

    def _integer(self, *, negative: bool) -> int:
        token = self.advance()
        text = token.text.lower()
        value = int(text, 16) if text.startswith("0x") else int(text, 8) if text.startswith("0o") else int(text)
        if value > _MAX_INTEGER + negative:
            raise self.refuse(token.start, "integer_too_large", f"The integer {token.text[:40]} does not fit 64 bits")
        return -value if negative else value

    def _bracketed(self) -> ast.Expression:
        start = self.token.start
        if self.is_symbol("("):
            if self.starts_pattern():
                pattern = self.path_pattern()
                return ast.PatternPredicate(pattern, start=start, end=self.last_end)
            self.advance()
            inner = self.expression()
            self.need_symbol(")")
            return inner
        if self.is_symbol("["):
            return self._list()
        if self.is_symbol("{"):
            return self.map_literal()
        if self.take_symbol("$"):
            return self._parameter(start)
        raise self.unexpected("an expression")

    def _parameter(self, start: int) -> ast.Parameter:
        if self.token.kind not in (TokenKind.NAME, TokenKind.QUOTED_NAME, TokenKind.INTEGER):
            raise self.unexpected("a parameter name")
        return ast.Parameter(self.advance().text, start=start, end=self.last_end)

    def map_literal(self) -> ast.MapLiteral:
        start = self.need_symbol("{").start
        entries: list[tuple[str, ast.Expression]] = []
        while not self.is_symbol("}"):
            if entries:
                self.need_symbol(",")
            key = self.need_name("a key")
            self.need_symbol(":")
            entries.append((key, self.expression()))
        self.need_symbol("}")
        return ast.MapLiteral(tuple(entries), start=start, end=self.last_end)

    def _list(self) -> ast.Expression:
        start = self.token.start
        closing = self.closing()
        self.need_symbol("[")
        if self.is_name() and self.ahead().upper == "IN" and self.ahead().kind is TokenKind.NAME:
            return self._list_comprehension(start, closing)
        if self.starts_pattern() or (self.is_name() and self.ahead().text == "=" and self.ahead(2).text == "("):
            comprehension = self._pattern_comprehension(start, closing)
            if comprehension is not None:
                return comprehension
        items: list[ast.Expression] = []
        while not self.is_symbol("]"):
            if items:
                self.need_symbol(",")
            items.append(self.expression())
        self.need_symbol("]")
        return ast.ListLiteral(tuple(items), start=start, end=self.last_end)

    def _separator(self, closing: int) -> int | None:
        """Return the index of the last `|` directly inside the bracket closed at `closing`."""
        found, index = None, self.at
        while index < closing:
            token = self.source.tokens[index]
            if token.kind is TokenKind.SYMBOL and token.text == "|":
                found = index
            index = self.source.partner.get(index, index) + 1
        return found

    def _list_comprehension(self, start: int, closing: int) -> ast.Expression:
        separator = self._separator(closing)
        if separator is not None:
            self._bars.add(separator)
        variable = self.advance().text
        self.need_word("IN")
        source = self.expression()
        where = self.expression() if self.take_word("WHERE") else None
        result = self.expression() if self.take_symbol("|") else None
        self.need_symbol("]")
        return ast.ListComprehension(variable, source, where, result, start=start, end=self.last_end)

    def _pattern_comprehension(self, start: int, closing: int) -> ast.Expression | None:
        separator = self._separator(closing)
        if separator is None:
            return None
        self._bars.add(separator)
        pattern = self.path_pattern()
        where = self.expression() if self.take_word("WHERE") else None
        self.need_symbol("|")
        result = self.expression()
        self.need_symbol("]")
        return ast.PatternComprehension(pattern, where, result, start=start, end=self.last_end)

    def _worded(self) -> ast.Expression:
        token, following = self.token, self.ahead()
        opens = following.kind is TokenKind.SYMBOL and following.text
        if token.upper in _CONSTANTS and opens != "(":
            self.advance()
            return ast.Literal(_CONSTANTS[token.upper], start=token.start, end=self.last_end)
        if token.upper == "CASE" and opens not in (".", ",", ")", "]") and following.kind is not TokenKind.END:
            return self._case()
        if opens == "{" and token.upper in ("EXISTS", "COUNT", "COLLECT"):
            self.advance()
            query = self.subquery_body()
            return ast.Subquery(token.upper, query, start=token.start, end=self.last_end)
        if opens == "(":
            return self._special_call() or self._named()
        return self._named()

    def _special_call(self) -> ast.Expression | None:
        start, word = self.token.start, self.token.upper
        if word in ("SHORTESTPATH", "ALLSHORTESTPATHS"):
            return ast.PatternPredicate(self.path_pattern(), start=start, end=self.last_end)
        inner = self.ahead(2)
        if word in ("ALL", "ANY", "NONE", "SINGLE") and self.ahead(3).upper == "IN":
            return self._quantifier(start)
        if word == "REDUCE":
            return self._reduce(start)
        if word == "COUNT" and inner.text == "*" and inner.kind is TokenKind.SYMBOL:
            self.at += 3
            self.need_symbol(")")
            return ast.CountStar(start=start, end=self.last_end)
        if word == "TRIM" and any(
            t.upper == "FROM" and t.kind is TokenKind.NAME for t in self.source.tokens[self.at : self._call_end()]
        ):
            return self._trim(start)
        return None

    def _call_end(self) -> int:
        return self.source.partner[self.at + 1]

    def _quantifier(self, start: int) -> ast.Quantifier:
        kind = self.advance().text.lower()
        self.need_symbol("(")
        variable = self.need_name("a variable")
        self.need_word("IN")
        source = self.expression()
        where = self.expression() if self.take_word("WHERE") else None
        self.need_symbol(")")
        return ast.Quantifier(kind, variable, source, where, start=start, end=self.last_end)

    def _reduce(self, start: int) -> ast.Reduce:
        closing = self._call_end()
        self.advance()
        self.need_symbol("(")
        separator = self._separator(closing)
        if separator is not None:
            self._bars.add(separator)
        accumulator = self.need_name("a variable")
        self.need_symbol("=")
        initial = self.expression()
        self.need_symbol(",")
        variable = self.need_name("a variable")
        self.need_word("IN")
        source = self.expression()
        self.need_symbol("|")
        result = self.expression()
        self.need_symbol(")")
        return ast.Reduce(accumulator, initial, variable, source, result, start=start, end=self.last_end)

    def _trim(self, start: int) -> ast.Call:
        self.at += 2
        names = {"LEADING": "ltrim", "TRAILING": "rtrim", "BOTH": "btrim"}
        name = names[self.advance().upper] if self.is_word(*names) else "btrim"
        characters = () if self.is_word("FROM") else (self.expression(),)
        self.need_word("FROM")
        source = self.expression()
        self.need_symbol(")")
        return ast.Call(name, (source, *characters), start=start, end=self.last_end)

    def _case(self) -> ast.Case:
        self.descend()
        start = self.need_word("CASE").start
        subject = None if self.is_word("WHEN") else self.expression()
        whens: list[ast.When] = []
        while self.is_word("WHEN"):
            begin = self.advance().start
            tests = [self._case_test(subject)]
            while subject is not None and self.take_symbol(","):
                tests.append(self._case_test(subject))
            self.need_word("THEN")
            result = self.expression()
            whens.append(ast.When(tuple(tests), result, start=begin, end=self.last_end))
        if not whens:
            raise self.unexpected("WHEN")
        default = self.expression() if self.take_word("ELSE") else None
        self.need_word("END")
        self.ascend()
        return ast.Case(subject, tuple(whens), default, start=start, end=self.last_end)

    def _case_test(self, subject: ast.Expression | None) -> ast.Expression:
        if subject is None:
            return self.expression()
        start = self.token.start
        stand_in = ast.CaseSubject(start=start, end=start)
        level = self._operator_level()
        if level == _COMPARE and self.is_symbol(*_COMPARISONS):
            operator = self.advance().text
            return ast.Comparison(stand_in, ((operator, self.expression(_TEST)),), start=start, end=self.last_end)
        if level == _TEST:
            return self._test(stand_in, start)
        return ast.Comparison(stand_in, (("=", self.expression()),), start=start, end=self.last_end)

    def _named(self) -> ast.Expression:
        """Parse a variable, a map projection of it, or a function with or without a namespace."""
        start = self.token.start
        length = 1
        while self.ahead(length).text == "." and self.ahead(length + 1).kind in (TokenKind.NAME, TokenKind.QUOTED_NAME):
            length += 2
        behind = self.ahead(length)
        if behind.kind is TokenKind.SYMBOL and behind.text == "(":
            return self._call(start, length)
        name = self.need_name("an expression")
        if self.is_symbol("{"):
            return self._map_projection(ast.Variable(name, start=start, end=self.last_end))
        return ast.Variable(name, start=start, end=self.last_end)

    def _call(self, start: int, length: int) -> ast.Call:
        name = "".join(self.advance().text for _ in range(length))
        self.need_symbol("(")
        distinct = self.is_word("DISTINCT") and self.ahead().text not in (",", ")", ".") and self.take_word("DISTINCT")
        if not distinct and self.is_word("ALL") and self.ahead().kind in (TokenKind.NAME, TokenKind.QUOTED_NAME):
            self.advance()
        arguments: list[ast.Expression] = []
        while not self.is_symbol(")"):
            if arguments:
                self.need_symbol(",")
            arguments.append(self.expression())
        self.need_symbol(")")
        return ast.Call(name, tuple(arguments), bool(distinct), start=start, end=self.last_end)

    def _map_projection(self, subject: ast.Variable) -> ast.MapProjection:
        self.need_symbol("{")
        entries: list[tuple[str, ast.Expression | None]] = []
        first = True
        while not self.is_symbol("}"):
            if not first:
                self.need_symbol(",")
            first = False
            if self.take_symbol("."):
                entries.append(("*", None) if self.take_symbol("*") else (self.need_name("a property name"), None))
                continue
            begin = self.token.start
            name = self.need_name("an entry")
            if self.take_symbol(":"):
                entries.append((name, self.expression()))
            else:
                entries.append((name, ast.Variable(name, start=begin, end=self.last_end)))
        self.need_symbol("}")
        return ast.MapProjection(subject, tuple(entries), start=subject.start, end=self.last_end)
