"""Names, paths and `use` trees in the syntax of Rust."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import syntax

SLICE: Final = "__slice"
"""Arrays and slices among the stubs; two underscores, so that no program has it."""
_PATH = re.compile(r"\bpath\s*=\s*\"([^\"]+)\"")


def text_of(node: Syntax | None) -> str:
    """Return the source text of a node without the mark of a name; empty for none."""
    return syntax.text_of(node).removeprefix("r#")


def named(node: Syntax | None) -> list[Syntax]:
    """Named children without comments, lifetimes and `mut`."""
    return [child for child in syntax.named(node) if child.type not in ("mutable_specifier", "lifetime")]


def find_path(attributes: Iterable[str]) -> str:
    """Return the file that `#[path = ".."]` gives a module; empty for none."""
    return next((match[1] for one in attributes if (match := _PATH.search(one))), "")


def path_parts(node: Syntax) -> list[str]:
    """Return the names of a path, without type arguments; a path that begins with `::` has an empty first part."""
    if node.type in ("scoped_identifier", "scoped_type_identifier"):
        path, name = node.child_by_field_name("path"), text_of(node.child_by_field_name("name"))
        return [*(path_parts(path) if path is not None else [""]), name]
    if node.type in ("generic_type", "generic_type_with_turbofish", "qualified_type"):
        return path_parts(node.child_by_field_name("type") or node.named_children[0])
    if node.type == "generic_function":
        return path_parts(node.child_by_field_name("function") or node.named_children[0])
    if node.type in ("bracketed_type", "reference_type"):
        return path_parts(named(node)[-1]) if named(node) else [""]
    if node.type in ("array_type", "slice_type"):
        return [SLICE]
    return [text_of(node)]


def read_use(node: Syntax | None, prefix: list[str], imports: dict[str, list[str]], wildcards: list[list[str]]) -> None:
    """Add the names that a `use` tree binds, and the paths whose names are all imported."""
    if node is None:
        return
    path = node.child_by_field_name("path")
    if node.type == "scoped_use_list":
        read_use(
            node.child_by_field_name("list"),
            prefix + (path_parts(path) if path is not None else []),
            imports,
            wildcards,
        )
    elif node.type == "use_list":
        for child in named(node):
            read_use(child, prefix, imports, wildcards)
    elif node.type == "use_wildcard":
        wildcards.append(prefix + (path_parts(node.named_children[0]) if node.named_children else []))
    elif node.type == "use_as_clause" and path is not None:
        imports[text_of(node.child_by_field_name("alias"))] = _itself(prefix + path_parts(path))
    else:
        whole = _itself(prefix + path_parts(node))
        imports[whole[-1]] = whole


def _itself(path: list[str]) -> list[str]:
    return path[:-1] if path[-1] == "self" and len(path) > 1 else path
