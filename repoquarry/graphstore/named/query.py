"""What a named query is; its tables are `repoquarry.graphstore.named.queries` and the modules that it collects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from repoquarry.graphstore.engine import Scope
from repoquarry.graphstore.model.values import Value


@dataclass(frozen=True)
class NamedQuery:
    """A question: its name, what it answers, its Cypher, and its parameters with their types; those with a default may be left out."""

    name: str
    answers: str
    text: str
    parameters: Mapping[str, type]
    defaults: Mapping[str, Value] = field(default_factory=dict)
    scope: Scope | None = None
    """Where its matches lie, for those that commands ask which ask nothing else: the parser that would tell is not loaded for them."""


def table(*queries: NamedQuery) -> Mapping[str, NamedQuery]:
    """The queries by name. Raises: ValueError when two have the same name."""
    named = {query.name: query for query in queries}
    if len(named) != len(queries):
        raise ValueError(f"two queries share a name among {sorted(query.name for query in queries)}")
    return named
