"""Rewrite of calls of Neo4j's search procedures to subqueries over nodes that the service finds before the query runs.

`CALL db.index.vector.queryNodes(index, k, query) YIELD node, score` becomes `CALL () { UNWIND $found AS row MATCH (node {id: row.id})
RETURN node, row.score AS score }`. No engine runs a procedure for an untrusted query, and every later step sees clauses that it knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from repoquarry.graphstore.model.schema import SEARCH_INDEXES
from repoquarry.graphstore.query.cypher.syntax import ast

VECTOR_PROCEDURE: Final = "db.index.vector.querynodes"
ARGUMENT_COUNTS: Final = {VECTOR_PROCEDURE: 3, "db.index.fulltext.querynodes": 2}
"""Arguments of each search procedure, by its name in lower case."""


def build_search(procedure: str, arguments: Sequence[ast.Expression], start: int) -> ast.Search | str:
    """Return the search that a procedure call describes, or what is wrong with the call."""
    if procedure not in ARGUMENT_COUNTS:
        return f"{procedure} is not served; known: {', '.join(ARGUMENT_COUNTS)}"
    if len(arguments) != ARGUMENT_COUNTS[procedure]:
        return f"{procedure} takes {ARGUMENT_COUNTS[procedure]} arguments, found {len(arguments)}"
    index, query = arguments[0], arguments[-1]
    if not all(isinstance(argument, ast.Literal | ast.Parameter) for argument in arguments):
        return "the arguments of a search must be literals or parameters, since the service searches before the query"
    is_vector = procedure == VECTOR_PROCEDURE
    known = [name for name, labels in SEARCH_INDEXES.items() if (len(labels) == 1) == is_vector]
    if not isinstance(index, ast.Literal) or index.value not in known:
        return f"the first argument must name an index; known: {', '.join(known)}"
    return ast.Search(str(index.value), arguments[1] if is_vector else None, query, f"_search{start}")


def build_subquery(search: ast.Search, columns: Sequence[tuple[str, str]], where: ast.Expression | None) -> ast.Query:
    """Return the subquery with the yielded `columns`, as pairs of `node` or `score` and the variable."""
    row = f"{search.parameter}_row"
    variables = dict(columns)
    node = variables.get("node", f"{search.parameter}_node")
    labels: list[ast.LabelExpression] = [ast.LabelName(label) for label in SEARCH_INDEXES[search.index]]
    key = ast.MapLiteral((("id", ast.Property(ast.Variable(row), "id")),))
    pattern = ast.NodePattern(node, reduce(ast.LabelOr, labels), key)
    values = {"node": ast.Variable(node), "score": ast.Property(ast.Variable(row), "score")}
    items = tuple(ast.Item(values[name], variable) for name, variable in columns)
    clauses: list[ast.Clause] = [
        ast.Unwind(ast.Parameter(search.parameter), row, search),
        ast.Match((ast.PathPattern((pattern,)),)),
    ]
    if where is not None:
        clauses.append(ast.Projection(False, items, where=where))
        items = tuple(ast.Item(ast.Variable(variable), variable) for _, variable in columns)
    clauses.append(ast.Projection(True, items))
    return ast.Query((ast.SingleQuery(tuple(clauses)),))
