"""Neo4j 5: the reference. Only what must be bounded is changed, only what a reading service must not offer refused."""

from __future__ import annotations

from graphstore.cypher import ast, types
from graphstore.cypher.dialect import Context, Dialect, Rule
from graphstore.cypher.dialects.shared import SHARED_RULES
from graphstore.cypher.functions import SIGNATURES
from graphstore.cypher.rewrites.expressions import fresh_list


def _reverses_a_list(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "reverse":
        return False
    return context.analysis.type_of(node.arguments[0]).kinds == {types.LIST}


RULES = (
    Rule(
        construct="reverse() of a list",
        kind=ast.Call,
        applies=_reverses_a_list,
        why="Neo4j 5.26 fails on stored lists: `reverse([x IN list | x])`",
        example="MATCH ()-[r:CALLS]->() RETURN reverse(r.lines) AS x",
        change=fresh_list,
    ),
)

DIALECT = Dialect(
    name="neo4j",
    rules=(*SHARED_RULES, *RULES),
    functions=frozenset(SIGNATURES),
    missing_functions={},
)
