"""Grammars and the queries made from rules: loaded once a process, when a file of the language is first met."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from tree_sitter import Language, Node, Parser, Query, QueryCursor

from repoquarry.languages.structure.rules import Grammar, Structure

DEFINITION, IMPORT, CALL, BRANCH, COMMENT, WRAPPER, ATTRIBUTE, PACKAGE, START = (
    *("definition", "import", "call", "branch", "comment", "wrapper", "attribute", "package", "start"),
)


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
            START: structure.starts,
        }
        patterns = (
            f"[{' '.join(f'({kind})' for kind in known)}] @{name}"
            for name, kinds in sought.items()
            if (known := [kind for kind in kinds if language.id_for_node_kind(kind, True) is not None])
        )
        _queries[key] = Query(language, "\n".join(patterns))
    return _queries[key]
