"""Scopes of queries: of the product's own ones in `shipped_scopes.json`, so that no command compiles them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.graphstore.graph_engine import WHOLE, QueryScope
from repoquarry.graphstore.model.values import Value

SCOPES: Final = Path(__file__).with_suffix(".json")
"""Table of the scope analyses by digest of the query; `scripts/generate_scopes.py` writes it."""
_SHARED: Final = "package:"
"""Prefix of the ids of nodes that belong to no repository."""


@dataclass
class Anchors:
    """Repositories and nodes that anchor the patterns of a query, as literals and as names of parameters."""

    repositories: set[str] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)
    repository_parameters: set[str] = field(default_factory=set)
    node_parameters: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class ScopeAnalysis:
    """Location of a query's matches by its text; `scope` adds the values of its parameters."""

    anchors: Anchors | None = None
    """Repositories and nodes at which every pattern is anchored; None if a pattern has no anchor."""

    directory: bool = False
    """True if only repositories and packages are matched, which have a separate graph."""

    links: int = 0
    """Number of steps that follow a link between repositories."""

    def scope(self, parameters: Mapping[str, Value]) -> QueryScope:
        """Return the scope with these parameters."""
        if self.directory:
            return QueryScope(directory=True)
        named = self._named(parameters)
        return WHOLE if named is None else QueryScope(named, self.links)

    def sources(self, parameters: Mapping[str, Value]) -> frozenset[str] | None:
        """Return the repositories of everything matched with these parameters; None if it may be in any."""
        return None if self.links else self._named(parameters)

    def _named(self, parameters: Mapping[str, Value]) -> frozenset[str] | None:
        """Return the repositories that anchor the patterns; None if one has no anchor."""
        if self.anchors is None:
            return None
        named = {*self.anchors.repositories, *_texts(parameters, self.anchors.repository_parameters)}
        nodes = {*self.anchors.nodes, *_texts(parameters, self.anchors.node_parameters)}
        if "" in named or any(node.startswith(_SHARED) for node in nodes):
            return None
        return frozenset(named | {node.partition(":")[0] for node in nodes})


def _texts(parameters: Mapping[str, Value], names: Iterable[str]) -> Iterable[str]:
    """Yield the strings in the parameters, single, in lists or as ids of maps; nothing else can equal an id."""
    for name in names:
        yield from _texts_of(parameters.get(name))


def _texts_of(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts_of(value.get("id"))
    elif isinstance(value, list):
        for item in value:
            yield from _texts_of(item)


def digest_query(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def find_shipped_scope(text: str) -> ScopeAnalysis | None:
    """Return the stored analysis of one of the product's own queries; None for any other text."""
    return _load().get(digest_query(text))


@cache
def _load() -> Mapping[str, ScopeAnalysis]:
    return msgspec.json.decode(SCOPES.read_bytes(), type=dict[str, ScopeAnalysis])
