"""kglite 0.21, the embedded engine: what it answers as Neo4j does, what is rewritten for it, what is refused."""

from __future__ import annotations

from graphstore.cypher.dialect import Dialect
from graphstore.cypher.dialects.shared import SHARED_RULES
from graphstore.cypher.functions import SIGNATURES

DIALECT = Dialect(
    name="kglite",
    rules=SHARED_RULES,
    functions=frozenset(SIGNATURES),
    missing_functions={},
)
