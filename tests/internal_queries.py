"""The product's own queries, all of them by name."""

from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.query import query_library

_FILES = {path.stem for path in query_library.INTERNAL_QUERIES.glob("*.cypher")}
_RELATIONS = {query_library.relation_query(kind, outgoing=way) for kind in RELATIONSHIP_TYPES for way in (True, False)}
QUERIES = {name: query_library.load_internal_query(name) for name in sorted(_FILES | _RELATIONS)}
