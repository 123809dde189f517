"""Tokenizer of Cypher text, token cursor of the parsers, and hints on syntax errors from habits of SQL and other versions of Cypher.

Tokenization is the first step of the gate. It matches brackets, which makes the parser free of backtracking: the token after the partner
of `(` decides whether it opens a pattern or a parenthesized expression. It also limits nesting before any recursion starts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from repoquarry.graphstore.errors import QueryRefusedError

_AT: tuple[tuple[str, str], ...] = (
    (r"!=", "unequal is `<>`"),
    (r"=(?<===)", "equality is `=`"),
    (r"(?i:(?:NOT\s+)?I?LIKE)\b", "LIKE is STARTS WITH, ENDS WITH, CONTAINS, or =~ with a regular expression"),
    (r"(?i:GROUP\s+BY)\b", "the columns without an aggregation are the groups; leave GROUP BY out"),
    (r"(?i:HAVING)\b", "HAVING is WITH ... AS n WHERE n > 1"),
    (r"(?i:NOT\s+IN)\b", "write NOT x IN list"),
    (r"(?i:NOT\s+(CONTAINS|STARTS|ENDS))\b", "write NOT before the comparison: NOT x CONTAINS y"),
    (r"&&?", "and is AND"),
    (r"\|\|?", "or is OR"),
    (r"!", "not is NOT"),
    (r"(?i:LET)\b", "LET x = y is WITH *, y AS x"),
    (r"(?i:FILTER)\b", "FILTER is WITH * WHERE ..."),
    (r"(?i:FOR)\b", "FOR x IN list is UNWIND list AS x"),
    (r"(?i:OFFSET)\b", "OFFSET is SKIP, which comes before LIMIT"),
    (r"(?i:SELECT)\b", "a query begins with MATCH and ends with RETURN"),
    (r"(?i:JOIN|INNER|LEFT|OUTER)\b", "a join is a pattern, such as (a)-[:CALLS]->(b)"),
    (r"(?i:None|nil|undefined)\b", "the missing value is null: x IS NULL"),
    (r"(?i:LIMIT|SKIP|ORDER|WHERE|RETURN)\b", "remove the comma before it"),
)
"""Pattern of the text at the error, and the hint."""

_BEFORE: tuple[tuple[str, str], ...] = (
    (r"(?i:\bIN\s*)\([^()]*$", "a list has square brackets: x IN ['a', 'b']"),
    (r"\{\s*\w+\s*$", "a parameter is $name, not {name}"),
    (
        r"(?i:\b(filter|extract)\s*)\(\s*\w+\s+IN\b[^()]*$",
        "filter() and extract() are list comprehensions: [x IN list WHERE ... | ...]",
    ),
    (r",\s*(?i:LIMIT|SKIP|ORDER|WHERE|RETURN)\s*(?i:BY\s*)?$", "remove the comma before it"),
)
"""Pattern of the text before the error, and the hint."""


_READ_BEFORE = 200
"""Characters before the error that are searched, which bounds the search."""


def find_hint(text: str, offset: int) -> str:
    """Return the hint for a syntax error at an offset; empty if there is none."""
    before = text[max(0, offset - _READ_BEFORE) : offset]
    for pattern, hint in _BEFORE:
        if re.search(pattern, before):
            return hint
    for pattern, hint in _AT:
        if re.compile(pattern).match(text, offset):
            return hint
    return ""


MAX_QUERY_CHARACTERS = 65_536
"""Maximum length of a query text; long values belong into parameters."""

MAX_NESTING = 80
"""Maximum nesting of brackets, subqueries and CASE in a query."""


class TokenKind(Enum):
    NAME = "name"
    QUOTED_NAME = "quoted name"
    INTEGER = "integer"
    FLOAT = "float"
    STRING = "string"
    SYMBOL = "symbol"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """Token; `text` is the decoded value of a string or quoted name, `upper` its keyword form if unquoted."""

    kind: TokenKind
    text: str
    upper: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TokenizedQuery:
    """Text with its tokens; `partner` maps the index of an opening bracket's token to that of its closing one."""

    text: str
    tokens: tuple[Token, ...]
    partner: dict[int, int]


_TOKEN = re.compile(
    r"""
    (?P<space>(?:\s|//[^\n\r]*|/\*.*?\*/)+)
  | (?P<number>0[xX][0-9a-fA-F_]+|0o[0-7_]+|
        (?:[0-9][0-9_]*)?\.[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?|[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?)
  | (?P<name>[^\W\d]\w*)
  | (?P<quoted>`(?:[^`]|``)*`)
  | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<symbol><>|!=|<=|>=|=~|\.\.|::|\|\||\+=|[-+*/%^=<>()\[\]{},.:;|&!$?])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"\\": "\\", "'": "'", '"': '"', "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of `offset`, both 1-based."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def refuse(text: str, offset: int, reason: str, message: str) -> QueryRefusedError:
    """Return the error for a position in the query; the message contains the position."""
    line, column = position(text, offset)
    hint = find_hint(text, offset) if reason == "syntax" else ""
    message = f"{message}; {hint}" if hint else message
    return QueryRefusedError(f"{message} (line {line}, column {column})", reason=reason, line=line, column=column)


def check_length(text: str) -> None:
    """Check the length of a query. Raises: QueryRefusedError `query_too_long`."""
    if len(text) > MAX_QUERY_CHARACTERS:
        raise QueryRefusedError(
            f"The query has {len(text):,} characters; the limit is {MAX_QUERY_CHARACTERS:,}. Pass long values as "
            "parameters.",
            reason="query_too_long",
            line=1,
            column=1,
        )


def tokenize(text: str) -> TokenizedQuery:
    """Split a query into tokens. Raises: QueryRefusedError `query_too_long`, `too_deeply_nested`, `unicode_escape` or `syntax`."""
    check_length(text)
    tokens: list[Token] = []
    offset = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise _unreadable(text, offset)
        if match.lastgroup != "space":
            tokens.append(_token(text, match))
        offset = match.end()
    tokens.append(Token(TokenKind.END, "", "", len(text), len(text)))
    return TokenizedQuery(text, tuple(tokens), _partners(text, tokens))


def _token(text: str, match: re.Match[str]) -> Token:
    raw, start, end = match.group(), match.start(), match.end()
    group = match.lastgroup
    if group == "name":
        return Token(TokenKind.NAME, raw, raw.upper(), start, end)
    if group == "quoted":
        if "\\u" in raw:
            raise refuse(
                text, start, "unicode_escape", "Unicode escapes in names are refused: write the character itself"
            )
        return Token(TokenKind.QUOTED_NAME, raw[1:-1].replace("``", "`"), "", start, end)
    if group == "string":
        return Token(TokenKind.STRING, _unescape(text, raw[1:-1], start), "", start, end)
    if group == "number":
        if end < len(text) and (text[end].isalnum() or text[end] == "_"):
            raise refuse(text, start, "syntax", f"'{raw}{text[end]}' is not a number")
        is_integer = raw[:2].lower() in ("0x", "0o") or not any(c in raw for c in ".eE")
        return Token(TokenKind.INTEGER if is_integer else TokenKind.FLOAT, raw.replace("_", ""), "", start, end)
    return Token(TokenKind.SYMBOL, raw, raw, start, end)


def _unescape(text: str, body: str, start: int) -> str:
    def replace(match: re.Match[str]) -> str:
        code = match.group(1)
        if len(code) > 1:
            return chr(int(code[1:], 16))
        if code in ("u", "U"):
            raise refuse(text, start, "syntax", "A Unicode escape in a string is a backslash, u and four hex digits")
        return _ESCAPES.get(code, "\\" + code)  # As in Neo4j, '\d' retains its backslash.

    value = _ESCAPE.sub(replace, body) if "\\" in body else body
    try:  # Two escapes may together be one character outside the basic plane.
        return value.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise refuse(
            text, start, "syntax", "The string holds half of a surrogate pair, which is not a character"
        ) from None


def _unreadable(text: str, offset: int) -> QueryRefusedError:
    char = text[offset]
    if char == "\\":
        return refuse(
            text, offset, "unicode_escape", "Unicode escapes outside strings are refused: write the character itself"
        )
    if char in "'\"`":
        return refuse(text, offset, "syntax", f"The quote {char} is never closed")
    if text.startswith("/*", offset):
        return refuse(text, offset, "syntax", "The comment /* is never closed")
    return refuse(text, offset, "syntax", f"Unexpected character {char!r}")


def _partners(text: str, tokens: list[Token]) -> dict[int, int]:
    partner: dict[int, int] = {}
    open_brackets: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind is not TokenKind.SYMBOL:
            continue
        if token.text in _CLOSES:
            open_brackets.append(index)
            if len(open_brackets) > MAX_NESTING:
                raise refuse(text, token.start, "too_deeply_nested", f"More than {MAX_NESTING} nested brackets")
        elif token.text in (")", "]", "}"):
            if not open_brackets or _CLOSES[tokens[open_brackets[-1]].text] != token.text:
                raise refuse(text, token.start, "syntax", f"'{token.text}' closes nothing")
            partner[open_brackets.pop()] = index
    if open_brackets:
        opened = tokens[open_brackets[-1]]
        raise refuse(text, opened.start, "syntax", f"'{opened.text}' is never closed")
    return partner


_MAX_DEPTH = 120
"""Maximum recursion of the parser: brackets, and nesting without brackets (NOT, CASE)."""


class TokenCursor:
    """Cursor in the token list."""

    def __init__(self, source: TokenizedQuery) -> None:
        self.source = source
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        return self.source.tokens[self.at]

    def ahead(self, count: int = 1) -> Token:
        """Return the token `count` positions ahead, or the end."""
        tokens = self.source.tokens
        return tokens[min(self.at + count, len(tokens) - 1)]

    def advance(self) -> Token:
        token = self.source.tokens[self.at]
        if token.kind is not TokenKind.END:
            self.at += 1
        return token

    def is_symbol(self, *symbols: str) -> bool:
        token = self.source.tokens[self.at]
        return token.kind is TokenKind.SYMBOL and token.text in symbols

    def is_word(self, *words: str) -> bool:
        token = self.source.tokens[self.at]
        return token.kind is TokenKind.NAME and token.upper in words

    def are_words(self, *words: str) -> bool:
        """Return whether the next tokens are these keywords, in order."""
        return all(self.ahead(i).kind is TokenKind.NAME and self.ahead(i).upper == word for i, word in enumerate(words))

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
        return self.token.kind in (TokenKind.NAME, TokenKind.QUOTED_NAME)

    def need_name(self, what: str) -> str:
        if not self.is_name():
            raise self.unexpected(what)
        return self.advance().text

    @property
    def last_end(self) -> int:
        """Return the offset after the last token read."""
        return self.source.tokens[self.at - 1].end if self.at else 0

    def closing(self) -> int:
        """Return the index of the token that closes the bracket at the cursor."""
        return self.source.partner[self.at]

    def unexpected(self, wanted: str) -> QueryRefusedError:
        token = self.token
        found = (
            "the end of the query" if token.kind is TokenKind.END else f"'{self.source.text[token.start : token.end]}'"
        )
        return self.refuse(token.start, "syntax", f"Expected {wanted} but found {found[:60]}")

    def refuse(self, offset: int, reason: str, message: str) -> QueryRefusedError:
        return refuse(self.source.text, offset, reason, message)

    def descend(self) -> None:
        """Enter a recursive rule; undone by `ascend`."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.refuse(self.token.start, "too_deeply_nested", f"More than {_MAX_DEPTH} nested expressions")

    def ascend(self) -> None:
        self.depth -= 1
