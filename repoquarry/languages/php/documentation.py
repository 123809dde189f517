"""Types in comments of PHP: `@param`, `@return`, `@var` and `@property`, as the tree of `declared_types` has them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.syntax import named_type, text_of
from repoquarry.languages.declared_types.types import UNION
from repoquarry.languages.structural.rules import words

_TAG: Final = re.compile(
    r"@(?:phpstan-|psalm-)?(?P<tag>param|return|var|property(?:-read|-write)?)\s+"
    r"(?P<type>(?:[^\s<({]|<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>|\([^()]*\)|\{[^{}]*\}|\s*\|\s*)+)(?:\s+(?:\.\.\.)?&?(?P<name>\$\w+))?"
)
_TOKEN: Final = re.compile(r"[\\\w$-]+|[<>,|&?()\[\]{}:]")
_PLAIN: Final = words(
    "array iterable mixed object callable null false true void never int integer float string bool boolean resource double "
    "scalar numeric-string non-empty-string class-string positive-int array-key"
)
_LISTS: Final = frozenset({"array", "list", "iterable", "non-empty-array", "non-empty-list"})
_ITERATED: Final = frozenset(
    {"Generator", "Iterator", "IteratorAggregate", "Traversable", "ArrayIterator", "Collection"}
)


@dataclass(frozen=True)
class Documentation:
    """Types that a comment gives."""

    parameters: dict[str, Node] = field(default_factory=dict)
    result: Node | None = None
    variable: Node | None = None
    """Type of what follows, without a name."""
    variables: list[tuple[str, Node]] = field(default_factory=list)
    """Variables with their types."""
    properties: dict[str, Node] = field(default_factory=dict)


def read_documentation(node: Syntax) -> Documentation:
    """Return the types in the comment before a node."""
    before = node.prev_named_sibling
    while before is not None and before.type == "attribute_list":
        before = before.prev_named_sibling
    if before is None or before.type != "comment" or not text_of(before).startswith("/**"):
        return Documentation()
    parameters: dict[str, Node] = {}
    properties: dict[str, Node] = {}
    variables: list[tuple[str, Node]] = []
    result = variable = None
    for match in _TAG.finditer(text_of(before)):
        type_, name = read_type(match["type"]), match["name"] or ""
        if type_ is None:
            continue
        if match["tag"] == "param":
            parameters[name] = type_
        elif match["tag"] == "return":
            result = type_
        elif match["tag"] == "var":
            variable = type_
            if name:
                variables.append((name, type_))
        else:
            properties[name] = type_
    return Documentation(parameters, result, variable, variables, properties)


def read_type(text: str) -> Node | None:
    """Return a documented type; None for one that says nothing of members."""
    tokens = _TOKEN.findall(text)
    return _union(tokens)


def _union(tokens: list[str]) -> Node | None:
    parts = [_single(tokens)]
    while tokens and tokens[0] in "|&":
        tokens.pop(0)
        parts.append(_single(tokens))
    known = [one for one in parts if one is not None]
    return known[0] if len(known) == 1 else named_type(UNION, *known) if known else None


def _single(tokens: list[str]) -> Node | None:
    if tokens and tokens[0] == "?":
        tokens.pop(0)
    name = tokens.pop(0) if tokens else ""
    found: Node | None = None
    arguments: list[Node | None] = []
    if name == "(":
        found = _union(tokens)
        _skip(tokens, ")")
    if tokens and tokens[0] == "<":
        tokens.pop(0)
        arguments.append(_union(tokens))
        while tokens and tokens[0] == ",":
            tokens.pop(0)
            arguments.append(_union(tokens))
        _skip(tokens, ">")
    elif tokens and tokens[0] == "{":
        while tokens and tokens.pop(0) != "}":
            pass
    if (name in _LISTS or name.rpartition("\\")[2] in _ITERATED) and arguments:
        # Of a key and an element, and what else a generator has, the second is the element.
        element = arguments[min(1, len(arguments) - 1)]
        found = named_type("[]", element) if element is not None else None
    elif name == "$this":
        found = named_type("static")
    elif name.lower() not in _PLAIN and re.fullmatch(r"\\?[A-Za-z_][\\\w]*", name):
        found = [tree.NAMED, name.split("\\"), []]
    while tokens[:2] == ["[", "]"]:
        del tokens[:2]
        found = named_type("[]", found) if found is not None else None
    return found


def _skip(tokens: list[str], closing: str) -> None:
    while tokens and tokens.pop(0) != closing:
        pass
