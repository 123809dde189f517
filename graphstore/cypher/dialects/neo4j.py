"""Neo4j 5: the reference. Only what must be bounded is changed, only what a reading service must not offer refused."""

from __future__ import annotations

from graphstore.cypher.dialect import Dialect
from graphstore.cypher.dialects.shared import SHARED_RULES
from graphstore.cypher.functions import SIGNATURES

DIALECT = Dialect(
    name="neo4j",
    rules=SHARED_RULES,
    functions=frozenset(SIGNATURES),
    missing_functions={},
)
