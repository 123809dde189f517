"""Gate for untrusted Cypher queries: checks a query, and refuses it or rewrites it for an engine; lists the names that it refers to.

Steps: parse, check like Neo4j, apply the engine's dialect (pass, rewrite, refuse), render. No query is executed here. Results are cached
by text, dialect, path limit and the types of the parameters, because tools repeat the same queries.

A short query is checked in milliseconds in this process, one query of a client at a time. A long one can take seconds and block other
threads of this process; it is checked in a child that is killed at the deadline.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from repoquarry.graphstore.errors import EngineUnavailableError, QueryCancelledError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import Check, RewriteContext, load_dialect
from repoquarry.graphstore.query.cypher.regex_backtracking import StepBudget
from repoquarry.graphstore.query.cypher.rewrites.regex_match import translate_pattern_parameters
from repoquarry.graphstore.query.cypher.scope_analysis import analyze_scope
from repoquarry.graphstore.query.cypher.semantics.analysis import analyse
from repoquarry.graphstore.query.cypher.semantics.schema_checks import check_parameters, schema_types, warnings
from repoquarry.graphstore.query.cypher.semantics.types import Type, type_of_value
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.render import render
from repoquarry.graphstore.query.cypher.syntax.tokenizer import check_length
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, label_names, plain_names
from repoquarry.graphstore.query.query_scheduler import Lane, QueryScheduler, SchedulerSettings
from repoquarry.graphstore.query.shipped_scopes import ScopeAnalysis
from repoquarry.processes.workers import (
    ExitCause,
    FramedChild,
    StoppedError,
    open_worker_pipes,
    read_frame,
    write_frame,
)

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
    items += [
        item if item.name is not None else replace(item, alias=text[item.start : item.end])
        for item in last.items
        if item.alias is not None or item.name not in starred
    ]
    return replace(part, clauses=(*part.clauses[:-1], replace(last, star=False, items=tuple(items))))


SHORT_CHARACTERS = 2_000
"""Maximum length of queries that are checked in this process: the most expensive known one takes a tenth of a second."""

_MAX_SECONDS = 10.0
"""Maximum duration of a check, whatever the query's limit: several times that of the most expensive query of full length.

It excludes the child's start and the wait for a turn, which alone would be longer on a busy machine.
"""

_START_SECONDS = 60.0
_ENTRY = f"{__name__}:main"
_MEMORY_BYTES = 1 << 30
"""Private memory of the child: several times the need of the most expensive query of full length."""
_READY = b"ready"


class QueryGate:
    """Gate of one store. Thread-safe; long queries of one client are checked one after the other."""

    def __init__(self) -> None:
        # The callers' threads limit the queue, so that none is rejected here.
        turns = SchedulerSettings(slow_places=2, waiting=1_000)
        self._turns, self._child_turns = QueryScheduler(turns), QueryScheduler(turns)
        self._guard = threading.Lock()
        self._children: set[FramedChild] = set()
        self._idle: list[FramedChild] = []
        self._closed = False

    def check(
        self,
        query: str,
        parameters: Mapping[str, Value],
        engine: str,
        *,
        path_hops: int,
        seconds: float,
        cancelled: Callable[[], bool],
        client: str = "",
    ) -> GatedQuery:
        """Run `admit` within `seconds` (0: no limit of its own). Raises: as `admit`; QueryLimitError, QueryCancelledError."""
        check_length(query)
        if len(query) <= SHORT_CHARACTERS:
            with self._turns.turn(client, Lane.SLOW, cancelled):
                return admit(query, parameters, engine, path_hops=path_hops)
        deadline = time.monotonic() + (seconds or float("inf"))
        with self._turns.turn(client, Lane.SLOW, cancelled):
            check_parameters(parameters, finite=load_dialect(engine).finite_only)
            request = pickle.dumps((query, parameter_kinds(parameters), engine, path_hops))
        try:
            with self._child_turns.turn(client, Lane.SLOW, lambda: cancelled() or time.monotonic() > deadline):
                reply = self._ask(request, deadline, cancelled)
        except QueryCancelledError:
            if cancelled():
                raise
            raise _too_long() from None
        if isinstance(reply, QueryRefusedError):
            raise reply
        with self._turns.turn(client, Lane.SLOW, cancelled):
            return bind_parameters(reply, parameters, query)

    def close(self) -> None:
        """Terminate the children."""
        with self._guard:
            self._closed = True
            children = list(self._children)
        for child in children:
            child.end()

    def _ask(self, request: bytes, deadline: float, cancelled: Callable[[], bool]) -> PreparedQuery | QueryRefusedError:
        with self._guard:
            if self._closed:
                raise EngineUnavailableError("the store is closed")
            is_new = not self._idle
            child = FramedChild(_ENTRY, memory_bytes=_MEMORY_BYTES) if is_new else self._idle.pop()
            self._children.add(child)
        try:
            if is_new:
                child.receive(min(deadline, time.monotonic() + _START_SECONDS), cancelled)
            ends = min(deadline, time.monotonic() + _MAX_SECONDS)
            child.send(request, ends, cancelled)
            answer = child.receive(ends, cancelled)
        except BaseException as exc:
            with self._guard:
                self._children.discard(child)
            exited = child.await_exit() if isinstance(exc, EOFError | BrokenPipeError) else child.end()
            if isinstance(exc, TimeoutError):
                raise _too_long() from None
            if isinstance(exc, StoppedError):
                raise QueryCancelledError("the query was cancelled while it was checked") from None
            if not isinstance(exc, EOFError | OSError):
                raise
            if exited.cause is ExitCause.ALLOCATION:
                raise QueryLimitError(
                    f"checking the query needs more than {_MEMORY_BYTES // 2**20} MiB; shorten it",
                    limit="memory_bytes",
                ) from None
            raise EngineUnavailableError(f"the process that checks long queries {exited.describe()}") from exc
        with self._guard:
            self._idle.append(child)
        passed, found = pickle.loads(answer)  # noqa: S301 - written by our own child, below
        if passed:
            checked: PreparedQuery = found
            return checked
        message, reason, line, column = found
        return QueryRefusedError(message, reason=reason, line=line, column=column)


def _too_long() -> QueryLimitError:
    return QueryLimitError("checking the query exceeded its time limit; shorten it", limit="seconds")


def main() -> None:
    """Check one query after another until the input ends. Called in the child."""
    requests, answers = open_worker_pipes()
    write_frame(answers, _READY)
    while (request := read_frame(requests)) is not None:
        query, kinds, engine, path_hops = pickle.loads(request)  # noqa: S301 - written by our parent, above
        try:
            reply: object = (True, prepare(query, kinds, engine, path_hops))
        except QueryRefusedError as exc:
            reply = (False, (str(exc), exc.reason, exc.line, exc.column))
        write_frame(answers, pickle.dumps(reply))
