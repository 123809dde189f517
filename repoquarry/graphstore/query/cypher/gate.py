"""Admission of untrusted queries, and footprint of a query.

Steps: parse, check like Neo4j, apply the engine's dialect (pass, rewrite, refuse), render. No query is executed here. Results are cached
by text, dialect, path limit and the types of the parameters, because tools repeat the same queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import Check, RewriteContext, load_dialect
from repoquarry.graphstore.query.cypher.regex_backtracking import StepBudget
from repoquarry.graphstore.query.cypher.rewrites.regex_match import translate_pattern_parameters
from repoquarry.graphstore.query.cypher.scope_analysis import ScopeAnalysis, analyze_scope
from repoquarry.graphstore.query.cypher.semantics.analysis import analyse
from repoquarry.graphstore.query.cypher.semantics.schema_checks import check_parameters, schema_types, warnings
from repoquarry.graphstore.query.cypher.semantics.types import Type, type_of_value
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.render import render
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, label_names, plain_names

_FOLLOWS_CALLS = frozenset({"CALLS", "UNRESOLVED"})
_COUNTS_CALLS = frozenset({"calls_in", "calls_out"})


@dataclass(frozen=True)
class QueryFootprint:
    """Names that a query refers to. Values from parameters or from the graph appear only as their parameter or property."""

    labels: frozenset[str]
    relationship_types: frozenset[str]
    any_relationship: bool
    """True if the query follows relationships of any type."""

    literals: tuple[str, ...]
    """Distinct string literals in the order of the query."""

    parameters: frozenset[str]
    properties: frozenset[str]

    @property
    def calls(self) -> bool:
        """Return whether the query uses calls, so that an unresolved call may be missing from its answer."""
        return self.any_relationship or bool(
            self.relationship_types & _FOLLOWS_CALLS or self.properties & _COUNTS_CALLS
        )


def compute_footprint(query: ast.Query) -> QueryFootprint:
    """Compute the footprint of the query as written."""
    nodes = list(iterate_nodes(query))
    labels: set[str] = set()
    kinds: set[str] = set()
    any_relationship = False
    for node in nodes:
        if isinstance(node, ast.NodePattern | ast.HasLabels) and node.labels is not None:
            labels |= label_names(node.labels)
        elif isinstance(node, ast.RelationshipPattern) and node.group is None:
            any_relationship |= not plain_names(node.types)
            kinds |= label_names(node.types)
    return QueryFootprint(
        labels=frozenset(labels),
        relationship_types=frozenset(kinds),
        any_relationship=any_relationship,
        literals=tuple(
            dict.fromkeys(n.value for n in nodes if isinstance(n, ast.Literal) and isinstance(n.value, str))
        ),
        parameters=frozenset(node.name for node in nodes if isinstance(node, ast.Parameter)),
        properties=frozenset(node.key for node in nodes if isinstance(node, ast.Property)),
    )


_CACHED_QUERIES = 1024
DEFAULT_PATH_HOPS = 15


@dataclass(frozen=True)
class GatedQuery:
    """Admitted query. `text` and `parameters` go to the engine; `columns` are the result's columns in order.

    `cut_path_bound` is the limit added to unbounded paths, None if none was added.
    """

    text: str
    parameters: Mapping[str, Value]
    columns: tuple[str, ...]
    warnings: tuple[str, ...]
    rewrites: tuple[str, ...]
    cut_path_bound: int | None
    about: QueryFootprint
    reach: ScopeAnalysis
    searches: tuple[ast.Search, ...]
    """Searches whose hits are further parameters."""


def admit(
    query: str, parameters: Mapping[str, Value], engine: str, *, path_hops: int = DEFAULT_PATH_HOPS
) -> GatedQuery:
    """Check and rewrite a query for an engine; `engine` names the dialect.

    Raises: QueryRefusedError with a stable reason and the position; ValueError for an unknown dialect.
    """
    check_parameters(parameters, finite=load_dialect(engine).finite_only)
    return bind_parameters(prepare(query, parameter_kinds(parameters), engine, path_hops), parameters, query)


Kinds = tuple[tuple[str, Type], ...]


@dataclass(frozen=True)
class PreparedQuery:
    """Query without parameter values, and the checks of the values. Can be pickled."""

    query: GatedQuery
    patterns: Mapping[str, ast.Expression]
    """Regular expressions that are translated when their values are known."""
    checks: tuple[Check, ...]


def parameter_kinds(parameters: Mapping[str, Value]) -> Kinds:
    """Return the names and types of parameters."""
    return tuple(sorted(((name, type_of_value(value)) for name, value in parameters.items()), key=lambda k: k[0]))


def bind_parameters(found: PreparedQuery, parameters: Mapping[str, Value], query: str) -> GatedQuery:
    """Add the parameters to a query. Raises: QueryRefusedError."""
    budget = StepBudget()
    for judge in found.checks:
        judge(parameters, budget)
    added = translate_pattern_parameters(found.patterns, parameters, query) if found.patterns else {}
    return replace(found.query, parameters={**parameters, **added})


def prepare(text: str, kinds: Kinds, engine: str, path_hops: int) -> PreparedQuery:
    """Perform all steps that do not need parameter values. Raises: as `admit`."""
    try:
        return _gated(text, kinds, engine, path_hops)
    except RecursionError:
        raise QueryRefusedError(
            "The query, as this engine must be sent it, nests too deep: shorten chains of operators, or split it with WITH",
            reason="too_deeply_nested", line=1, column=1,
        ) from None  # fmt: skip


@lru_cache(maxsize=_CACHED_QUERIES)
def _gated(text: str, kinds: Kinds, engine: str, path_hops: int) -> PreparedQuery:
    dialect = load_dialect(engine)
    query = parse(text)
    parameters = dict(kinds)
    strict = analyse(query, text, parameters)
    known = analyse(query, text, parameters, schema_types, strict=False)
    context = RewriteContext(text, known, path_hops, query)
    expanded = dialect.apply(query, context, early=True)
    if expanded is not query:
        known = analyse(expanded, text, parameters, schema_types, strict=False)
    named = _name_columns(expanded, text, known.stars)
    context = replace(context, analysis=known, query=named)
    rewritten = dialect.apply(named, context)
    checked = GatedQuery(
        text=render(rewritten),
        parameters={},
        columns=strict.columns,
        warnings=warnings(query, text, known),
        rewrites=tuple(context.applied),
        cut_path_bound=context.cut_path_bound,
        about=compute_footprint(query),
        reach=analyze_scope(query),
        searches=tuple(node for node in iterate_nodes(query) if isinstance(node, ast.Search)),
    )
    return PreparedQuery(checked, context.patterns, tuple(context.checks))


def _name_columns(query: ast.Query, text: str, stars: Mapping[int, tuple[str, ...]]) -> ast.Query:
    """Name every result column, so that every engine names and orders them like Neo4j."""
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
