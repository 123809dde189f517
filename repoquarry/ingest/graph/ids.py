"""The ids of a repository's nodes, made of its own id, of paths and of keys: in one place, as the graph, its links and what is kept agree on them."""

from __future__ import annotations


def code_id(repository: str, path: str, key: str = "") -> str:
    """Of a file, and with the key of a definition of that."""
    return f"{repository}:{path}::{key}" if key else f"{repository}:{path}"


def folder_id(repository: str, path: str) -> str:
    """Of a folder; the root is `.`."""
    return f"{repository}:{path}"


def package_id(ecosystem: str, name: str) -> str:
    """Of a package, which all repositories share."""
    return f"package:{ecosystem}/{name}"
