"""What a language says of its syntax nodes: the table from which its files are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from repoquarry.languages.structure import nodes

CLASS: Final = "class"
FUNCTION: Final = "function"
SCOPE: Final = "scope"
"""No definition, but what stands in it belongs to its owner (a Rust `impl`)."""


@dataclass(frozen=True)
class Grammar:
    """A tree-sitter grammar by the module that carries it."""

    module: str
    function: str = "language"


@dataclass(frozen=True)
class ImportSeen:
    """One imported name, as written; see `repoquarry.languages.facts.Import`."""

    module: str
    how: str
    name: str = ""
    alias: str = ""
    level: int = 0


@dataclass(frozen=True)
class Rule:
    """How one kind of syntax node becomes a definition. Texts are source text, byte offsets are of the file."""

    kind: str
    """CLASS, FUNCTION or SCOPE."""
    form: Callable[[Node], str] = nodes.nothing
    """The language's own word for it, such as `struct`; empty where `kind` says it all."""
    name: Callable[[Node], str] = nodes.name_of
    """Empty where the node is no definition after all."""
    owner: Callable[[Node], str] = nodes.nothing
    """Dotted name of the class that it belongs to, where it does not stand in that class."""
    name_node: Callable[[Node], Node | None] = nodes.name_node
    """Where the name stands."""
    parameters: Callable[[Node], Node | None] = nodes.parameters
    """Where the signature begins; that of a class begins behind its name."""
    head: Callable[[Node], Node | None] = nodes.no_node
    """The node that directly holds the parameters, where it is not the definition's own."""
    returns: Callable[[Node], str] = nodes.nothing
    """The type of the result where it is written before the name."""
    bases: Callable[[Node], tuple[str, ...]] = nodes.no_texts
    decorators: Callable[[Node], Iterable[str]] = nodes.no_texts
    """Annotations and attributes that stand inside the node, as written."""
    is_abstract: Callable[[Node], bool] = nodes.never
    is_async: Callable[[Node], bool] = nodes.never
    ends: frozenset[str] = frozenset()
    """Types of direct children before which the signature ends, besides the field `body`."""


@dataclass(frozen=True)
class Structure:
    """A language that is read by its structure."""

    language: str
    grammar: Grammar
    definitions: Mapping[str, Rule]
    """Syntax node -> rule."""
    imports: Mapping[str, Callable[[Node], Iterable[ImportSeen]]] = field(default_factory=dict)
    """Syntax node -> what it imports."""
    calls: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset({"comment"})
    line_comment: str = "//"
    wrappers: frozenset[str] = frozenset()
    """Nodes around a definition that begin before it and belong to it, such as a C++ `template<…>`."""
    attributes: frozenset[str] = frozenset()
    """Nodes beside a definition, before it, that belong to it, such as Rust's `#[test]`."""
    package: Mapping[str, Callable[[Node], str]] = field(default_factory=dict)
    """Syntax node -> dotted name of the package or namespace that the whole file belongs to."""
    starts: Mapping[str, Callable[[Node], str]] = field(default_factory=dict)
    """Syntax node at the level of the file -> what makes the file itself a program that is run, empty for other nodes of the type."""
    grammar_of: Callable[[str], Grammar] | None = None
    """The grammar of a path, where suffixes of one language have several."""
    is_stub: Callable[[str], bool] = lambda path: False
