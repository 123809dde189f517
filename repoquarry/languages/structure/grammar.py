"""Grammars and the queries made from rules: loaded once a process, when a file of the language is first met."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

from tree_sitter import Language, Node, Parser, Query, QueryCursor

from repoquarry.languages.structure.rules import Grammar, Structure

DEFINITION, IMPORT, CALL, BRANCH, COMMENT, WRAPPER, ATTRIBUTE, PACKAGE = (
    *("definition", "import", "call", "branch", "comment", "wrapper", "attribute", "package"),
)
_MAX_PARSE_ERRORS: Final = 20
"""More broken places than this are not listed one by one."""


@dataclass(frozen=True)
class Captured:
    """The nodes of a file that its language has rules for, by what they are."""

    root: Node
    nodes: dict[str, list[Node]]

    def of(self, *captures: str) -> list[Node]:
        """The nodes of some captures, in source order."""
        found = [node for capture in captures for node in self.nodes.get(capture, ())]
        return sorted(found, key=lambda node: node.start_byte)


def capture(structure: Structure, path: str, source: bytes) -> Captured:
    """Parse UTF-8 source and find all nodes that the rules speak of."""
    grammar = structure.grammar_of(path) if structure.grammar_of else structure.grammar
    root = Parser(_language(grammar)).parse(source).root_node
    return Captured(root, QueryCursor(_query(structure, grammar)).captures(root))


def broken_places(root: Node) -> list[tuple[int, str]]:
    """(1-based line, message) of what the grammar could not read, at most 20 places."""
    found: list[tuple[int, str]] = []
    pending = [root] if root.has_error else []
    while pending and len(found) < _MAX_PARSE_ERRORS:
        node = pending.pop()
        if node.is_missing:
            found.append((node.start_point.row + 1, f"syntax error: {node.type} expected"))
        elif node.is_error:
            found.append((node.start_point.row + 1, "syntax error"))
        else:
            pending.extend(child for child in reversed(node.children) if child.has_error)
    return sorted(found)


@cache
def _language(grammar: Grammar) -> Language:
    return Language(getattr(import_module(grammar.module), grammar.function)())


_queries: dict[tuple[str, Grammar], Query] = {}


def _query(structure: Structure, grammar: Grammar) -> Query:
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
        }
        patterns = (
            f"[{' '.join(f'({kind})' for kind in known)}] @{name}"
            for name, kinds in sought.items()
            if (known := [kind for kind in kinds if language.id_for_node_kind(kind, True) is not None])
        )
        _queries[key] = Query(language, "\n".join(patterns))
    return _queries[key]
