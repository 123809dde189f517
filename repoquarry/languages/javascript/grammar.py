"""Tree-sitter parsers of JavaScript and TypeScript, and repairs of valid source that their grammars cannot parse.

A repair changes no position: the tree is one of the repaired source, and names are read from the source as written.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Tree

from repoquarry.languages.extraction import find_syntax_errors

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
#: larger files with an error are not tried with another grammar or repaired
_LARGE = 400_000
#: (what the grammars misread, the character by which its last one is replaced); None blanks all of it, empty makes one name of it
_REPAIRS: tuple[tuple[re.Pattern[bytes], bytes | None], ...] = (
    (re.compile(rb"(?<=\bexport)\s+type(?=\s*\*)"), None),
    # Variance of a type parameter.
    (re.compile(rb"(?<=[<,\s])(?:in\s+out|out|in)(?=\s+[A-Za-z_$][\w$]*\s*(?:extends\b|[=,>]))"), None),
    # `using` as a name, not as the keyword of a declaration.
    (re.compile(rb"(?<![\w$.#])using(?![\w$]|\s+[A-Za-z_$][\w$]*\s*(?:=|of\b))"), b"_"),
    # A call signature, or a member named `in`, behind a member without semicolon.
    (
        re.compile(
            rb"(?:(?<!=)>|[\w$\])}'\"])[ \t]*\n(?:[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)?[ \t]*\n)*[ \t]*[ \t](?=<[\w$\s]|in\??:)"
        ),
        b";",
    ),
    # A type that is named by its import: the name alone.
    (
        re.compile(
            rb"(?:(?<=[:<|&,(=\[])|(?<=\bextends)|(?<=\bkeyof)|(?<=\bas))\s*import\(\s*(['\"])[^'\"\n]*\1\s*\)\s*\.(?=\s*[A-Z_$])"
        ),
        None,
    ),
    # A type argument that is an import.
    (re.compile(rb"(?<=<)(?:typeof\s+)?import\(\s*(['\"])[^'\"\n]*\1\s*\)"), b""),
    # A character of an address in JSX, read as the beginning of an entity.
    (re.compile(rb'(?<==")[^"\n<>{}]*&[^"\n<>{}]*(?=")'), b""),
)


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
    grammars = list(map(grammar, GRAMMARS[suffix]))
    first = grammars[0].parser.parse(source)
    if not first.root_node.has_error or len(source) > _LARGE:
        return first, grammars[0]
    for found in grammars[1:]:
        tree = found.parser.parse(source)
        if not tree.root_node.has_error:
            return tree, found
    for found in grammars:
        tree = found.parser.parse(_repair(source))
        if not tree.root_node.has_error:
            return tree, found
    repaired = grammars[0].parser.parse(_repair(source))
    is_better = len(find_syntax_errors(repaired.root_node)) < len(find_syntax_errors(first.root_node))
    return repaired if is_better else first, grammars[0]


def _repair(source: bytes) -> bytes:
    """Return source of the same length in which the repairs are made."""
    for pattern, last in _REPAIRS:
        source = pattern.sub(partial(_replace, last), source)
    return source


def _replace(last: bytes | None, found: re.Match[bytes]) -> bytes:
    text = found[0]
    if last:
        return text[:-1] + last
    return re.sub(rb"[^\n]" if last is None else rb"[^\w\n]", b" " if last is None else b"_", text)


def chain(node: Node, kind: str, field: str) -> Iterator[Node]:
    """`node` and the node in its `field`, as long as that is of the same kind: left-nested operators and call chains."""
    here: Node | None = node
    while here is not None and here.type == kind:
        yield here
        here = here.child_by_field_name(field)
