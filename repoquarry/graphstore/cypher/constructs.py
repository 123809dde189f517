"""The names of what a query uses, for the answer and the log."""

from __future__ import annotations

from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.walk import walk

_NAMES: dict[type[ast.Node], str] = {
    ast.Unwind: "UNWIND",
    ast.CallSubquery: "CALL { }",
    ast.Case: "CASE",
    ast.ListComprehension: "list comprehension",
    ast.PatternComprehension: "pattern comprehension",
    ast.Reduce: "reduce",
    ast.MapProjection: "map projection",
    ast.IsTyped: "type predicate",
    ast.IsNormalized: "normalisation predicate",
    ast.Slice: "list slice",
}


def constructs(query: ast.Query) -> tuple[str, ...]:
    """Each construct once, in the order of the text."""
    found: dict[str, None] = {}
    if len(query.parts) > 1:
        found["UNION ALL" if query.keep_duplicates else "UNION"] = None
    for node in walk(query):
        name = _NAMES.get(type(node)) or _named(node)
        if name:
            found[name] = None
    return tuple(found)


def _named(node: ast.Node) -> str | None:
    match node:
        case ast.Match():
            return "OPTIONAL MATCH" if node.optional else "MATCH"
        case ast.Projection():
            return "RETURN" if node.is_return else "WITH"
        case ast.Subquery():
            return f"{node.kind} {{ }}"
        case ast.Quantifier():
            return f"{node.kind}()"
        case ast.Call():
            return f"{node.name.lower()}()"
        case ast.CountStar():
            return "count(*)"
        case ast.PathPattern() if node.shortest:
            return node.shortest
        case ast.PathGroup():
            return "quantified path group"
        case ast.Length():
            return "quantified relationship" if node.quantifier else "variable-length path"
    return None
