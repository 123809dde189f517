"""Table of named queries; binding of parameters.

Queries use portable Cypher only (docs/reference/cypher.md): optional filters are in WHERE, paths are bounded, and every ORDER BY ends in an id, so
that two engines give the same rows in the same order. Parameters are checked before an engine sees them.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.graph_engine import QueryScope
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.named.analysis import ANALYSIS_QUERIES
from repoquarry.graphstore.query.named.code import CODE_QUERIES, NamedQuery, table
from repoquarry.graphstore.query.named.relations import ACROSS_QUERIES, RELATION_QUERIES

QUERIES: Mapping[str, NamedQuery] = table(
    NamedQuery(
        "repository",
        "the Repository node",
        "MATCH (r:Repository {id: $repository}) RETURN r",
        {"repository": str},
        scope=QueryScope(directory=True),
    ),
    NamedQuery(
        "list_repositories",
        "all repositories with their size and commit",
        """
        MATCH (r:Repository)
        RETURN r.id AS repository, r.source AS source, r.source_kind AS source_kind, r.commit AS commit, r.files AS files,
               r.lines AS lines, r.languages AS languages, r.summary AS summary, r.revision AS revision
        ORDER BY repository
        """,
        {},
        scope=QueryScope(directory=True),
    ),
    *ACROSS_QUERIES,
    *ANALYSIS_QUERIES,
    *CODE_QUERIES,
    *RELATION_QUERIES,
)


def bind_named_query(name: str, parameters: Mapping[str, Value]) -> tuple[NamedQuery, dict[str, Value]]:
    """Return a named query and its complete parameters.

    Raises: NotFoundError for an unknown name, with similar ones; TypeError for a missing, unknown or wrongly typed parameter.
    """
    query = QUERIES.get(name)
    if query is None:
        near = ", ".join(difflib.get_close_matches(name, QUERIES, 5, cutoff=0.4)) or ", ".join(QUERIES)
        raise NotFoundError(f"no named query {name!r}; nearest: {near}", kind="query", value=name)
    values: dict[str, Value] = dict(query.defaults) | dict(parameters)
    if values.keys() != query.parameters.keys():
        missing, unknown = query.parameters.keys() - values.keys(), values.keys() - query.parameters.keys()
        raise TypeError(f"{name}: missing parameters {sorted(missing)}, unknown parameters {sorted(unknown)}")
    for key, kind in query.parameters.items():
        _check(name, key, values[key], kind)
    return query, values


def _check(query: str, parameter: str, value: Any, kind: type) -> None:
    if (kind is not bool and isinstance(value, bool)) or not isinstance(value, kind):
        raise TypeError(f"{query}: {parameter} must be {kind.__name__}, not {type(value).__name__}")
