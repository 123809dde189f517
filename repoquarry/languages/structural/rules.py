"""Rule tables that map syntax nodes of a language to definitions and imports, and the tree-sitter queries that find the nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as field_of_rules
from functools import cache
from importlib import import_module
from typing import Final

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree


def nothing(node: Node) -> str:
    """Return the empty text."""
    return ""


def no_texts(node: Node) -> tuple[str, ...]:
    """No texts."""
    return ()


def no_node(node: Node) -> Node | None:
    """No node."""
    return None


def never(node: Node) -> bool:
    """False."""
    return False


def text(node: Node) -> str:
    """Return the source text of a node, white space collapsed."""
    return " ".join((node.text or b"").decode("utf-8", "replace").split())


def words(written: str) -> frozenset[str]:
    """Return the set of the words in a text."""
    return frozenset(written.split())


def word(given: str) -> Callable[[Node], str]:
    """Always the same text."""
    return lambda node: given


def field(name: str) -> Callable[[Node], Node | None]:
    """Return the child in a field."""
    return lambda node: node.child_by_field_name(name)


def field_text(name: str) -> Callable[[Node], str]:
    """Return the source text of the child in a field; empty without one."""

    def read(node: Node) -> str:
        child = node.child_by_field_name(name)
        return text(child) if child is not None else ""

    return read


name_of = field_text("name")
find_name_node = field("name")
find_parameters = field("parameters")


def child_of(*types: str) -> Callable[[Node], Node | None]:
    """Return the first direct child of one of the types."""
    wanted = frozenset(types)
    return lambda node: first_child(node, wanted)


def first_child(node: Node, types: frozenset[str]) -> Node | None:
    """Return the first direct child of one of the types."""
    return next((child for child in node.children if child.type in types), None)


def has_word(within: str, *words: str) -> Callable[[Node], bool]:
    """Return whether a direct child of the type `within` is, or holds directly, one of the words."""
    wanted = frozenset(words)

    def holds(node: Node) -> bool:
        for child in node.children:
            if child.type == within and (text(child) in wanted or any(text(part) in wanted for part in child.children)):
                return True
        return False

    return holds


def lacks_body(node: Node) -> bool:
    """Return whether the field `body` is empty."""
    return node.child_by_field_name("body") is None


def texts_in(container: str, *left_out: str) -> Callable[[Node], tuple[str, ...]]:
    """Source texts of the named children of the first direct child of a type."""
    return lambda node: _texts(first_child(node, frozenset({container})), frozenset(left_out))


def texts_of(*types: str) -> Callable[[Node], tuple[str, ...]]:
    """Source texts of all named children in all direct children of some types."""
    wanted = frozenset(types)

    def read(node: Node) -> tuple[str, ...]:
        return tuple(part for child in node.children if child.type in wanted for part in _texts(child, frozenset()))

    return read


def _texts(node: Node | None, left_out: frozenset[str]) -> tuple[str, ...]:
    if node is None:
        return ()
    return tuple(text(child) for child in node.named_children if child.type not in left_out and child.type != "comment")


CLASS: Final = "class"
FUNCTION: Final = "function"
SCOPE: Final = "scope"
"""Not a definition, but its content belongs to its owner (a Rust `impl`)."""


@dataclass(frozen=True)
class GrammarModule:
    """A tree-sitter grammar by the module that carries it."""

    module: str
    function: str = "language"


@dataclass(frozen=True)
class RawImport:
    """One imported name, as written; see `repoquarry.languages.facts.Import`."""

    module: str
    how: str
    name: str = ""
    alias: str = ""
    level: int = 0
    runs: bool = False
    """True if it loads the file when the statement runs, which is later inside a function."""
    deferred: bool = False
    """True if it loads the file at the first use of a name, wherever it is written."""


@dataclass(frozen=True)
class DefinitionRule:
    """How one kind of syntax node becomes a definition. Texts are source text, byte offsets are of the file."""

    kind: str
    """CLASS, FUNCTION or SCOPE."""
    form: Callable[[Node], str] = nothing
    """The language's own word for it, such as `struct`; empty where `kind` says it all."""
    name: Callable[[Node], str] = name_of
    """Empty where the node does not define anything after all."""
    owner: Callable[[Node], str] = nothing
    """Dotted name of the class that it belongs to, where it is outside that class."""
    name_node: Callable[[Node], Node | None] = find_name_node
    """Where the name stands."""
    parameters: Callable[[Node], Node | None] = find_parameters
    """Where the signature begins; that of a class begins behind its name."""
    head: Callable[[Node], Node | None] = no_node
    """The node that directly holds the parameters, where it is not the definition's own."""
    returns: Callable[[Node], str] = nothing
    """The type of the result where it is written before the name."""
    bases: Callable[[Node], tuple[str, ...]] = no_texts
    decorators: Callable[[Node], Iterable[str]] = no_texts
    """Annotations and attributes that stand inside the node, as written."""
    is_abstract: Callable[[Node], bool] = never
    is_async: Callable[[Node], bool] = never
    ends: frozenset[str] = frozenset()
    """Types of direct children before which the signature ends, besides the field `body`."""


@dataclass(frozen=True)
class StructuralLanguage:
    """A language that is read by its structure."""

    language: str
    grammar: GrammarModule
    definitions: Mapping[str, DefinitionRule]
    """Syntax node -> rule."""
    imports: Mapping[str, Callable[[Node], Iterable[RawImport]]] = field_of_rules(default_factory=dict)
    """Syntax node -> what it imports."""
    calls: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset({"comment"})
    line_comment: str = "//"
    wrappers: frozenset[str] = frozenset()
    """Nodes around a definition that begin before it and belong to it, such as a C++ `template<…>`."""
    attributes: frozenset[str] = frozenset()
    """Nodes before a definition that belong to it, such as Rust's `#[test]`."""
    package: Mapping[str, Callable[[Node], str]] = field_of_rules(default_factory=dict)
    """Syntax node -> dotted name of the package or namespace that the whole file belongs to."""
    starts: Mapping[str, Callable[[Node], str]] = field_of_rules(default_factory=dict)
    """Syntax node at the level of the file -> what makes the file itself a program that is run, empty for other nodes of the type."""
    grammar_of: Callable[[str], GrammarModule] | None = None
    """The grammar of a path, where suffixes of one language have several."""
    is_stub: Callable[[str], bool] = lambda path: False
    exports: Callable[[str], bool] | None = None
    """Predicate that returns whether a name is offered to other packages; None where names do not decide it."""
    read: Callable[[bytes, Callable[[bytes], Tree]], Node] | None = None
    """`read(source, parse)`: the tree of a file whose text the grammar cannot read as it is; changes keep all positions."""
    lower: Callable[[Node, Mapping[int, int]], bytes] | None = None
    """`lower(root, definitions)`: `FileFacts.own` for call resolution; indexes of definitions by the id of their node. None for a
    language without calls."""


DEFINITION, IMPORT, CALL, BRANCH, COMMENT, WRAPPER, ATTRIBUTE, PACKAGE, START = (
    *("definition", "import", "call", "branch", "comment", "wrapper", "attribute", "package", "start"),
)


@dataclass(frozen=True)
class QueryCaptures:
    """The nodes of a file that its language has rules for, by kind."""

    root: Node
    nodes: dict[str, list[Node]]

    def of(self, *captures: str) -> list[Node]:
        """Return the nodes of some captures, in source order."""
        found = [node for capture in captures for node in self.nodes.get(capture, ())]
        return sorted(found, key=lambda node: node.start_byte)


def run_queries(structure: StructuralLanguage, path: str, source: bytes) -> QueryCaptures:
    """Parse UTF-8 source and find all nodes that the rules mention."""
    grammar = structure.grammar_of(path) if structure.grammar_of else structure.grammar
    parse = Parser(_language(grammar)).parse
    root = structure.read(source, parse) if structure.read is not None else parse(source).root_node
    return QueryCaptures(root, QueryCursor(_query(structure, grammar)).captures(root))


@cache
def _language(grammar: GrammarModule) -> Language:
    return Language(getattr(import_module(grammar.module), grammar.function)())


_queries: dict[tuple[str, GrammarModule], Query] = {}


def _query(structure: StructuralLanguage, grammar: GrammarModule) -> Query:
    """One pattern for each kind of node; kinds that this grammar of the language lacks are left away."""
    key = structure.language, grammar
    if key not in _queries:
        language = _language(grammar)
        sought = {
            DEFINITION: structure.definitions,
            IMPORT: structure.imports,
            CALL: structure.calls,
            BRANCH: structure.branches,
            COMMENT: structure.comments,
            WRAPPER: structure.wrappers,
            ATTRIBUTE: structure.attributes,
            PACKAGE: structure.package,
            START: structure.starts,
        }
        patterns = (
            f"[{' '.join(f'({kind})' for kind in known)}] @{name}"
            for name, kinds in sought.items()
            if (known := [kind for kind in kinds if language.id_for_node_kind(kind, True) is not None])
        )
        _queries[key] = Query(language, "\n".join(patterns))
    return _queries[key]
