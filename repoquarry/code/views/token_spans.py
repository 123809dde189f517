"""Syntax highlighting: spans of keywords, strings, comments, numbers and defined names in source lines, from tree-sitter grammars.

Node kinds are recognized by the words that grammars share (`comment`, `string`, `…_definition`), so that every grammar needs one row only.
"""

from __future__ import annotations

import enum
import importlib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import Final, NamedTuple

from tree_sitter import Language, Node, Parser

from repoquarry.languages.registry import is_source, language_for

_GRAMMARS: Final = {
    "python": ("tree_sitter_python", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "ruby": ("tree_sitter_ruby", "language"),
    "rust": ("tree_sitter_rust", "language"),
}
"""Module and function of the grammar by language; files of other languages have no spans."""
_STRING_WORDS: Final = ("string", "char", "rune", "regex", "heredoc")
_EMBEDDED_WORDS: Final = ("interpolation", "substitution")
_NUMBER_WORDS: Final = ("integer", "float", "number", "boolean", "true", "false", "none", "null", "nil", "int_literal")
_DEFINITION_ENDS: Final = ("definition", "declaration", "_item", "type_spec", "class", "method", "module")
_MAX_CHARACTERS: Final = 2_000_000
"""Larger files have no spans."""


class TokenKind(enum.IntEnum):
    KEYWORD = 1
    STRING = 2
    COMMENT = 3
    NUMBER = 4
    DEFINITION = 5


class TokenSpan(NamedTuple):
    """Part of a line from the character `start` to before `end`, 0-based."""

    start: int
    end: int
    kind: TokenKind


def compute_token_spans(path: str, lines: Sequence[str], first: int, last: int) -> dict[int, list[TokenSpan]]:
    """Return the spans of the lines `first` to `last` (1-based) by line, ascending; a line without spans is missing."""
    name = language_for(path).name if is_source(path) else ""
    name = "tsx" if path.endswith(".tsx") else name
    source = "\n".join(lines)
    if name not in _GRAMMARS or path.endswith(".ipynb") or len(source) > _MAX_CHARACTERS:
        return {}
    root = _parser(name).parse(source.encode("utf-8", "replace")).root_node
    found: dict[int, list[TokenSpan]] = {}
    for node, kind in _tokens(root, first - 1, last - 1):
        (row, start), (end_row, end) = node.start_point, node.end_point
        for number in range(max(row, first - 1), min(end_row, last - 1, len(lines) - 1) + 1):
            line = lines[number]
            left = _column(line, start) if number == row else len(line) - len(line.lstrip())
            right = _column(line, end) if number == end_row else len(line)
            if left < right:
                found.setdefault(number + 1, []).append(TokenSpan(left, right, kind))
    return found


@cache
def _parser(name: str) -> Parser:
    module, function = _GRAMMARS[name]
    return Parser(Language(getattr(importlib.import_module(module), function)()))


def _column(line: str, offset: int) -> int:
    """Convert a byte offset of a line to characters."""
    return offset if line.isascii() else len(line.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore"))


def _tokens(root: Node, first: int, last: int) -> Iterator[tuple[Node, TokenKind]]:
    """Yield the tokens in the rows `first` to `last`, in their order."""
    waiting = [(root, False)]
    while waiting:
        node, is_text = waiting.pop()
        if node.end_point[0] < first or node.start_point[0] > last:
            continue
        is_text = (is_text or _has_word(node, _STRING_WORDS)) and not _has_word(node, _EMBEDDED_WORDS)
        kind = _classify(node, is_text=is_text)
        if kind is not None:
            yield node, kind
        elif node.child_count:
            before_end = takewhile(lambda child: child.start_point[0] <= last, node.children)
            waiting.extend(reversed([(child, is_text) for child in before_end]))


def _classify(node: Node, *, is_text: bool) -> TokenKind | None:
    if "comment" in node.type:
        return TokenKind.COMMENT
    if is_text and not any(_has_word(child, _EMBEDDED_WORDS) or child.child_count for child in node.children):
        return TokenKind.STRING
    if node.child_count:
        return None
    if not node.is_named:
        return TokenKind.KEYWORD if node.type.replace("_", "").replace(" ", "").isalpha() else None
    if any(word in node.type for word in _NUMBER_WORDS):
        return TokenKind.NUMBER
    parent = node.parent
    if parent is None or not parent.type.endswith(_DEFINITION_ENDS) or "parameter" in parent.type:
        return TokenKind.KEYWORD if node.type in ("this", "super", "modifier") else None
    return TokenKind.DEFINITION if parent.child_by_field_name("name") == node else None


def _has_word(node: Node, words: Sequence[str]) -> bool:
    return node.is_named and any(word in node.type for word in words)
