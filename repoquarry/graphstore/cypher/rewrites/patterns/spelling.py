"""Names that the engine does not read inside patterns, whatever their quotes: variables get plain names, columns keep theirs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.walk import rebuild, walk

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_foreign(name: str) -> bool:
    """Whether it is more than ASCII letters, digits and underscores, or begins with a digit."""
    return _PLAIN.fullmatch(name) is None


def has_foreign_variables(node: ast.Node, context: Context) -> bool:
    """The whole query, where a pattern names a variable so; subqueries share its names."""
    if node is not context.query:
        return False
    return any(_pattern_names(part) for part in walk(node))


def _pattern_names(node: ast.Node) -> list[str]:
    named = isinstance(node, ast.NodePattern | ast.RelationshipPattern | ast.PathPattern)
    name = getattr(node, "variable", None) if named else None
    return [name] if isinstance(name, str) and is_foreign(name) else []


def plain_variables(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """The query with a plain name for every such variable, wherever it stands; columns keep the names that were written."""
    found = dict.fromkeys(name for part in walk(node) for name in _pattern_names(part))
    names = {name: context.new_name() for name in found}

    def change(part: ast.Node) -> ast.Node:
        return _renamed(rebuild(part, change), names)

    return change(node)


def _renamed(node: ast.Node, names: Mapping[str, str]) -> ast.Node:
    match node:
        case ast.Variable() if node.name in names:
            return dataclasses.replace(node, name=names[node.name])
        case ast.Item() if node.alias is not None and node.alias in names:
            return dataclasses.replace(node, alias=names[node.alias])
        case ast.Reduce() if node.accumulator in names:
            node = dataclasses.replace(node, accumulator=names[node.accumulator])
        case ast.CallSubquery() if node.imports:
            return dataclasses.replace(node, imports=tuple(names.get(name, name) for name in node.imports))
    variable = getattr(node, "variable", None)
    if isinstance(variable, str) and variable in names and dataclasses.is_dataclass(node):
        return dataclasses.replace(node, variable=names[variable])  # type: ignore[call-arg]
    return node
