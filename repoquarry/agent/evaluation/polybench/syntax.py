"""Syntax trees of the benchmark's four languages, by the suffix of a file."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import PurePosixPath

from tree_sitter import Language, Node, Parser, Tree

_GRAMMARS = {
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "python": ("tree_sitter_python", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
}
PUBLISHED_SUFFIXES = {
    ".java": "java",
    ".js": "javascript",
    ".jsx": "javascript",
    ".cjs": "javascript",
    ".py": "python",
    ".py-tpl": "python",
    ".pyi": "python",
    ".ts": "typescript",
}
"""What the benchmark's published code reads: TSX and ES modules by suffix are missing."""
SUFFIXES = PUBLISHED_SUFFIXES | {".mjs": "javascript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx"}


def grammar_of(path: str, *, published: bool) -> str:
    """The grammar that reads a file, empty where none does."""
    return (PUBLISHED_SUFFIXES if published else SUFFIXES).get(PurePosixPath(path).suffix, "")


def parse(grammar: str, source: bytes) -> Tree:
    """The syntax tree of a source file; broken places are error nodes in it."""
    return Parser(_language(grammar)).parse(source)


@cache
def _language(grammar: str) -> Language:
    module, name = _GRAMMARS[grammar]
    return Language(getattr(import_module(module), name)())


def text_of(node: Node) -> str:
    """The source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")
