"""One side of a comparison: the definitions and edges of a stored repository, under keys that do not name the repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.comparison.bodies import token_hash
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node
from repoquarry.graphstore.store import Store

EDGE_KINDS: Final = ("CALLS", "IMPORTS", "INHERITS")
Edge = tuple[str, str, str]
"""Relationship type, key of the start, key of the end."""


@dataclass(frozen=True)
class Side:
    """What is compared of one repository. A key is a node's id without the repository in front of it."""

    repository: str
    definitions: Mapping[str, Node]
    edges: Mapping[Edge, float]
    """Confidence of each edge."""
    body: Callable[[Node], str]
    """Hash of a definition's body; empty where it is too short or its text is not stored."""


def read_side(store: Store, repository: str, *, edges: bool = True) -> Side:
    """A stored repository as a side of a comparison. Raises: NotFoundError."""
    store.repository(repository)
    prefix = len(repository) + 1
    rows = store.named("definitions_of", repository=repository).rows
    nodes = {row[0].id[prefix:]: row[0] for row in rows if isinstance(row[0], Node)}
    found: dict[Edge, float] = {}
    if edges:
        for kind, start, end, confidence in store.named("edges_of", repository=repository).rows:
            sure = float(confidence) if isinstance(confidence, int | float) else 1.0
            found[str(kind), str(start)[prefix:], str(end)[prefix:]] = sure
    return Side(repository, nodes, found, _bodies(store, repository))


def _bodies(store: Store, repository: str) -> Callable[[Node], str]:
    """Reads each file once, and only those that are asked for."""
    texts: dict[str, list[str]] = {}

    def body(node: Node) -> str:
        path = str(node.properties["path"])
        if path not in texts:
            try:
                texts[path] = store.source_text(repository, path).splitlines()
            except NotFoundError:
                texts[path] = []
        first, last = node.properties["start_line"], node.properties["end_line"]
        if not isinstance(first, int) or not isinstance(last, int):
            return ""
        return token_hash("\n".join(texts[path][first - 1 : last]), str(node.properties["name"]))

    return body
