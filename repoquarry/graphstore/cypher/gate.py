"""The gate before every engine: a query from outside comes in as text and leaves as text that is safe and exact.

parse -> check as Neo4j checks -> the engine's dialect table (pass, rewrite, refuse) -> render. Nothing here runs a
query. Results are cached by text, dialect, bound and the types of the parameters, because tools send the same
queries over and over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from repoquarry.graphstore.cypher import dialects
from repoquarry.graphstore.cypher.about import About, about
from repoquarry.graphstore.cypher.constructs import constructs
from repoquarry.graphstore.cypher.dialect import Check, Context
from repoquarry.graphstore.cypher.reach import Reach, reach
from repoquarry.graphstore.cypher.rewrites.values.matching import pattern_values
from repoquarry.graphstore.cypher.semantics.analysis import analyse
from repoquarry.graphstore.cypher.semantics.literals import type_of_value
from repoquarry.graphstore.cypher.semantics.names import schema_types, warnings
from repoquarry.graphstore.cypher.semantics.parameters import check_parameters
from repoquarry.graphstore.cypher.semantics.types import Type
from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.parser import parse
from repoquarry.graphstore.cypher.syntax.render import render
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value

_CACHED_QUERIES = 1024
DEFAULT_PATH_HOPS = 15


@dataclass(frozen=True)
class GatedQuery:
    """A query that passed. `text` and `parameters` go to the engine; `columns` name the result's columns in order.

    `cut_path_bound` is the bound that was put on paths written without one, None when there was none to put.
    """

    text: str
    parameters: Mapping[str, Value]
    columns: tuple[str, ...]
    warnings: tuple[str, ...]
    constructs: tuple[str, ...]
    rewrites: tuple[str, ...]
    cut_path_bound: int | None
    about: About
    reach: Reach


def check(
    query: str, parameters: Mapping[str, Value], engine: str, *, path_hops: int = DEFAULT_PATH_HOPS
) -> GatedQuery:
    """What to send to an engine for this query; `engine` names the dialect.

    Raises: QueryRefusedError with a stable reason and the place; ValueError for an unknown dialect.
    """
    check_parameters(parameters, finite=dialects.load(engine).finite_only)
    return bound(gated(query, kinds_of(parameters), engine, path_hops), parameters, query)


Kinds = tuple[tuple[str, Type], ...]


@dataclass(frozen=True)
class Unbound:
    """A query without its parameters, and what is done with their values each time. It can be pickled."""

    query: GatedQuery
    patterns: Mapping[str, ast.Expression]
    """Regular expressions that are translated when their values are known."""
    checks: tuple[Check, ...]


def kinds_of(parameters: Mapping[str, Value]) -> Kinds:
    """What the gate knows of parameters: their names and types."""
    return tuple(sorted(((name, type_of_value(value)) for name, value in parameters.items()), key=lambda k: k[0]))


def bound(found: Unbound, parameters: Mapping[str, Value], query: str) -> GatedQuery:
    """The query with its parameters. Raises: QueryRefusedError."""
    for judge in found.checks:
        judge(parameters)
    added = pattern_values(found.patterns, parameters, query) if found.patterns else {}
    return replace(found.query, parameters={**parameters, **added})


def gated(text: str, kinds: Kinds, engine: str, path_hops: int) -> Unbound:
    """Everything but the values of parameters. Raises: as `check`."""
    try:
        return _gated(text, kinds, engine, path_hops)
    except RecursionError:
        raise QueryRefusedError(
            "The query, as this engine must be sent it, nests too deep: shorten chains of operators, or split it with WITH",
            reason="too_deeply_nested", line=1, column=1,
        ) from None  # fmt: skip


@lru_cache(maxsize=_CACHED_QUERIES)
def _gated(text: str, kinds: Kinds, engine: str, path_hops: int) -> Unbound:
    dialect = dialects.load(engine)
    query = parse(text)
    parameters = dict(kinds)
    strict = analyse(query, text, parameters)
    known = analyse(query, text, parameters, schema_types, strict=False)
    named = _name_columns(query, text, known.stars)
    context = Context(text, known, path_hops, named)
    rewritten = dialect.apply(named, context)
    checked = GatedQuery(
        text=render(rewritten),
        parameters={},
        columns=strict.columns,
        warnings=warnings(query, text, known),
        constructs=constructs(query),
        rewrites=tuple(context.applied),
        cut_path_bound=context.cut_path_bound,
        about=about(query),
        reach=reach(query),
    )
    return Unbound(checked, context.patterns, tuple(context.checks))


def _name_columns(query: ast.Query, text: str, stars: Mapping[int, tuple[str, ...]]) -> ast.Query:
    """The query with a name for every result column, so that every engine names and orders them as Neo4j would."""
    return replace(query, parts=tuple(_named_part(part, text, stars) for part in query.parts))


def _named_part(part: ast.SingleQuery, text: str, stars: Mapping[int, tuple[str, ...]]) -> ast.SingleQuery:
    last = part.clauses[-1]
    if not isinstance(last, ast.Projection):
        return part
    starred = stars[id(last)] if last.star else ()
    items = [ast.Item(ast.Variable(name), None) for name in starred]
    for item in last.items:
        if item.alias is None and isinstance(item.expression, ast.Variable):
            if item.expression.name not in starred:
                items.append(item)
        else:
            items.append(item if item.alias is not None else replace(item, alias=text[item.start : item.end]))
    return replace(part, clauses=(*part.clauses[:-1], replace(last, star=False, items=tuple(items))))
