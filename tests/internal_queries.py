"""The product's own queries, all of them by name."""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.query.query_library import (
    INTERNAL_QUERIES,
    LibraryQuery,
    load_internal_query,
    relation_query,
)

_NAMES = {path.stem for path in INTERNAL_QUERIES.glob("*.cypher")} | {
    relation_query(kind, outgoing=outgoing) for kind in RELATIONSHIP_TYPES for outgoing in (True, False)
}
QUERIES: Mapping[str, LibraryQuery] = {name: load_internal_query(name) for name in sorted(_NAMES)}
