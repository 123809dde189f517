"""Reading tokens one after another: what the parsers of expressions, patterns and clauses share."""

from __future__ import annotations

from repoquarry.graphstore.cypher.syntax.tokens import Kind, Source, Token, refuse
from repoquarry.graphstore.errors import QueryRefusedError

_MAX_DEPTH = 120
"""Deepest recursion of the parser: brackets and what nests without brackets (NOT, CASE)."""


class Cursor:
    """A place in the token list."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        return self.source.tokens[self.at]

    def ahead(self, count: int = 1) -> Token:
        """The token `count` places on, or the end."""
        tokens = self.source.tokens
        return tokens[min(self.at + count, len(tokens) - 1)]

    def advance(self) -> Token:
        token = self.source.tokens[self.at]
        if token.kind is not Kind.END:
            self.at += 1
        return token

    def is_symbol(self, *symbols: str) -> bool:
        token = self.source.tokens[self.at]
        return token.kind is Kind.SYMBOL and token.text in symbols

    def is_word(self, *words: str) -> bool:
        token = self.source.tokens[self.at]
        return token.kind is Kind.NAME and token.upper in words

    def are_words(self, *words: str) -> bool:
        """Whether the next tokens are these keywords, in order."""
        return all(self.ahead(i).kind is Kind.NAME and self.ahead(i).upper == word for i, word in enumerate(words))

    def take_symbol(self, symbol: str) -> bool:
        if self.is_symbol(symbol):
            self.at += 1
            return True
        return False

    def take_word(self, word: str) -> bool:
        if self.is_word(word):
            self.at += 1
            return True
        return False

    def need_symbol(self, symbol: str) -> Token:
        if not self.is_symbol(symbol):
            raise self.unexpected(f"'{symbol}'")
        return self.advance()

    def need_word(self, word: str) -> Token:
        if not self.is_word(word):
            raise self.unexpected(word)
        return self.advance()

    def is_name(self) -> bool:
        return self.token.kind in (Kind.NAME, Kind.QUOTED_NAME)

    def need_name(self, what: str) -> str:
        if not self.is_name():
            raise self.unexpected(what)
        return self.advance().text

    @property
    def last_end(self) -> int:
        """Offset behind the token read last."""
        return self.source.tokens[self.at - 1].end if self.at else 0

    def closing(self) -> int:
        """Index of the token that closes the bracket at the cursor."""
        return self.source.partner[self.at]

    def unexpected(self, wanted: str) -> QueryRefusedError:
        token = self.token
        found = "the end of the query" if token.kind is Kind.END else f"'{self.source.text[token.start : token.end]}'"
        return self.refuse(token.start, "syntax", f"Expected {wanted} but found {found[:60]}")

    def refuse(self, offset: int, reason: str, message: str) -> QueryRefusedError:
        return refuse(self.source.text, offset, reason, message)

    def descend(self) -> None:
        """Called at the start of every recursive rule; undone by `ascend`."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.refuse(self.token.start, "too_deeply_nested", f"More than {_MAX_DEPTH} nested expressions")

    def ascend(self) -> None:
        self.depth -= 1
