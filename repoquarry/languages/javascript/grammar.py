"""Grammars of JavaScript and TypeScript."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Tree

JAVASCRIPT, TYPESCRIPT = "javascript", "typescript"
#: suffix -> grammars that are tried in order: the first without a syntax error counts, otherwise the first of all
GRAMMARS: dict[str, tuple[str, ...]] = {
    ".js": ("javascript", "tsx"),  # Flow's annotations are read as those of TypeScript
    ".jsx": ("javascript", "tsx"),
    ".mjs": ("javascript", "tsx"),
    ".cjs": ("javascript", "tsx"),
    ".ts": ("typescript",),
    ".mts": ("typescript",),
    ".cts": ("typescript",),
    ".tsx": ("tsx",),
}
_SOURCES = {
    "javascript": tree_sitter_javascript.language,
    "typescript": tree_sitter_typescript.language_typescript,
    "tsx": tree_sitter_typescript.language_tsx,
}
#: kinds of nodes that are functions as values
FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function", "function"))
#: larger files with an error are not tried with another grammar
_LARGE = 400_000


@dataclass(frozen=True, slots=True)
class Grammar:
    """One grammar; node kinds are compared by name, which `kinds` gives for their numbers without making a new text each time."""

    parser: Parser
    kinds: Mapping[int, str]
    comments: frozenset[int]
    """Numbers of the kinds of comments."""


@cache
def grammar(name: str) -> Grammar:
    """A grammar by its name in `GRAMMARS`. One parser a process: workers are processes, and a parse is never interleaved."""
    language = Language(_SOURCES[name]())
    kinds: dict[int, str] = defaultdict(lambda: "ERROR")
    kinds |= {number: language.node_kind_for_id(number) or "" for number in range(language.node_kind_count)}
    comments = frozenset(number for number, kind in kinds.items() if kind in ("comment", "html_comment"))
    return Grammar(Parser(language), kinds, comments)


def parse(suffix: str, source: bytes) -> tuple[Tree, Grammar]:
    """Return the syntax tree of UTF-8 source, and the grammar that read it."""
    first: tuple[Tree, Grammar] | None = None
    for name in GRAMMARS[suffix]:
        found = grammar(name)
        tree = found.parser.parse(source)
        if not tree.root_node.has_error:
            return tree, found
        first = first or (tree, found)
        if len(source) > _LARGE:
            break
    assert first is not None  # noqa: S101 - every suffix has a grammar
    return first


def chain(node: Node, kind: str, field: str) -> Iterator[Node]:
    """`node` and the node in its `field`, as long as that is of the same kind: left-nested operators and call chains."""
    here: Node | None = node
    while here is not None and here.type == kind:
        yield here
        here = here.child_by_field_name(field)
