"""Operations that find code: evidence for a name or question, text search, constants, Cypher, duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field

from repoquarry.code.constants import find_values
from repoquarry.code.duplicates import DuplicateRequest, find_duplicates
from repoquarry.code.excerpts.evidence_pack import DEFAULT_CHARS, MIN_CHARS, PROVENANCE_CHARS, EvidenceRequest
from repoquarry.code.excerpts.text_view import TextView, ViewKind
from repoquarry.execution.errors import ToolArgumentsError
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value, count_noun, get_int, get_str
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest, SearchHit, SearchMode, SearchRequest
from repoquarry.graphstore.search.retrieval import search
from repoquarry.operations.base import Operation, OperationScope, RepositoryId, short_names
from repoquarry.operations.render import Table, duplicate_table, format_hit, place_table
from repoquarry.operations.result import OperationResult, Place

_MAX_REASONS: Final = 4
_MAX_FILES: Final = 10
_MAX_DEFINITIONS: Final = 25


class ExploreCall(Operation, frozen=True):
    name = "explore"
    summary = "Start here: source, callers, callees, tests and docs of a name, or places for a question."
    own_limit = "max_chars"

    target: Annotated[str, Meta(description="name, path, path:line or id, e.g. `Session.get`; or a question")]
    repository: RepositoryId = ""
    max_chars: Annotated[int, Meta(description="limit of the answer", ge=MIN_CHARS, le=24_000)] = DEFAULT_CHARS
    session: Annotated[str, Meta(description="id of your choice; nothing is shown twice in a session")] = ""

    def run(self, scope: OperationScope) -> OperationResult:
        request = EvidenceRequest(self.target, scope.chosen(self.repository), self.max_chars - PROVENANCE_CHARS)
        pack = scope.sessions.build_pack(scope.reader, request, scope.client, self.session)
        found = pack.subject[0].title if pack.subject else count_noun(len(pack.candidates) or len(pack.places), "place")
        return OperationResult(TextView(ViewKind.DOCUMENT, pack.text), found, tuple(map(Place.of, pack.places)))

    def relevant_names(self, result: OperationResult) -> set[str]:
        """Return the name of the target: an evidence pack is about nothing else."""
        return short_names(self.target)


class SearchCall(Operation, frozen=True):
    name = "search"
    summary = "Find code and prose by words, exact text or regex; `task` ranks places for an issue."

    text: Annotated[str, Meta(description="words, exact text, regular expression or task, by `mode`")]
    mode: Annotated[Literal["hybrid", "exact", "regex", "task"], Meta(description="how to compare")] = "hybrid"
    repository: RepositoryId = ""
    path: Annotated[str, Meta(description="glob, e.g. `src/**/*.py`")] = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=50)] = 15

    def run(self, scope: OperationScope) -> OperationResult:
        if self.mode == "task":
            return _locate_places(scope, self.text, self.repository)
        request = SearchRequest(
            text=self.text,
            mode=SearchMode(self.mode),
            repositories=scope.chosen(self.repository),
            path_globs=(self.path,) if self.path else (),
            page_size=self.limit,
        )
        page = search(scope.reader.store, request, scope.cancelled)
        places = tuple(Place(h.repository, h.path, h.qualname, h.start_line, h.end_line, h.score) for h in page.hits)
        summary = f"{len(page.hits)}{'' if page.total is None else f' of {page.total}'} hits"
        hits = [(format_hit(hit, *_read_snippet(hit)),) for hit in page.hits]
        notes = () if hits else ("no matches",)
        return OperationResult.of_tables((Table((), hits, notes=notes),), summary, places)


def _read_snippet(hit: SearchHit) -> tuple[str, int]:
    return (hit.snippet.text, hit.snippet.line) if hit.snippet else ("", 0)


def _locate_places(scope: OperationScope, text: str, repository: str) -> OperationResult:
    request = LocateRequest(text, scope.chosen(repository), max_files=_MAX_FILES, max_definitions=_MAX_DEFINITIONS)
    answer = locate(scope.reader.store, request)
    located = {place.id: place for place in (*answer.definitions, *answer.files)}
    places = tuple(
        Place(one.repository, one.path, one.qualname, one.start_line, one.end_line, one.score, "", one.reasons)
        for one in located.values()
    )
    tables = [
        place_table(noun, ((item, item.score, item.reasons) for item in items), _MAX_REASONS)
        for noun, items in (("definitions", answer.definitions), ("files", answer.files))
    ]
    summary = f"{count_noun(len(answer.definitions), 'definition')} and {count_noun(len(answer.files), 'file')}"
    return OperationResult.of_tables(tables, summary, places)


class ConstantsCall(Operation, frozen=True):
    name = "constants"
    summary = "Find constants, defaults and keys of configuration files with their values."

    text: Annotated[str, Meta(description="words, e.g. `retry timeout`")]
    repository: RepositoryId = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=100)] = 15

    def run(self, scope: OperationScope) -> OperationResult:
        found = find_values(scope.reader, self.text, scope.chosen(self.repository))
        shown = found[: self.limit]
        rows = [(item.repository, f"{item.path}:{item.line}", f"{item.name} = {item.value}") for item in shown]
        notes = () if rows else ("no constants",)
        table = Table(("REPOSITORY", "PLACE", "CONSTANT"), rows, notes=notes)
        return OperationResult.of_tables((table,), f"{len(shown)} of {len(found)} constants")


class CypherCall(Operation, frozen=True):
    name = "cypher"
    summary = "Query the graph; repoquarry://schema lists labels and properties."

    query: Annotated[
        str, Meta(description="one reading statement, e.g. `MATCH (f:Function) RETURN f.name LIMIT 5`")
    ] = ""
    named: Annotated[str, Meta(description="named query instead, from repoquarry://queries")] = ""
    parameters: Annotated[dict[str, Any], Meta(description="values of its `$` parameters")] = field(
        default_factory=dict
    )

    def run(self, scope: OperationScope) -> OperationResult:
        if bool(self.query) == bool(self.named):
            raise ToolArgumentsError("cypher needs either `query` or `named`")
        if not self.named:
            return _query_graph(scope, self.query, self.parameters)
        query = scope.reader.store.query_library().require(self.named)
        return _query_graph(scope, query.text, query.bind(self.parameters))

    def relevant_names(self, result: OperationResult) -> None:
        return None


def _query_graph(scope: OperationScope, query: str, parameters: Mapping[str, Value]) -> OperationResult:
    store = scope.reader.store
    limits = replace(store.settings.limits, rows=scope.query_rows, seconds=scope.query_seconds)
    result = store.query(query, parameters, limits, scope.cancelled, scope.client)
    cut = f"cut by the limit on {result.truncated}" if result.truncated else ""
    rows = [(" | ".join(map(_format_value, row)),) for row in result.rows]
    notes = (f"[{cut}]",) if cut else ()
    table = Table((" | ".join(result.columns),), rows, "\n".join(result.warnings), notes)
    places = tuple(place for row in result.rows for place in _places(row))
    summary = ", ".join(filter(None, (count_noun(len(rows), "row"), cut)))
    return OperationResult.of_tables((table,), summary, places)


def _format_value(value: Value) -> str:
    if isinstance(value, Node):
        return f"({':'.join(value.labels)} {value.id})"
    if isinstance(value, Relationship):
        return f"[{value.start_id} {value.type} {value.end_id}]"
    if isinstance(value, Path):
        return " - ".join(_format_value(node) for node in value.nodes)
    if isinstance(value, list):
        return "[" + ", ".join(_format_value(item) for item in value) + "]"
    return "null" if value is None else str(value)


def _places(values: Iterable[Value]) -> list[Place]:
    found = []
    for value in values:
        if isinstance(value, Node) and isinstance(path := value.properties.get("path"), str):
            read = value.properties.get
            lines = get_int(read("start_line")), get_int(read("end_line"))
            found.append(Place(get_str(read("repository")), path, get_str(read("qualname")), *lines))
    return found


class DuplicatesCall(Operation, frozen=True):
    name = "duplicates"
    summary = "Find copies of a function, or code that repositories share."
    rare = True

    target: Annotated[str, Meta(description="function, as in `view`; empty for the longest shared code")] = ""
    repository: RepositoryId = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=200)] = 20

    def run(self, scope: OperationScope) -> OperationResult:
        target = scope.resolve(self.target, self.repository) if self.target else None
        functions = tuple(target.require("Function")) if target else None
        scope.chosen(self.repository)
        request = DuplicateRequest(scope.repositories, functions, self.repository, limit=self.limit)
        report = find_duplicates(scope.reader, request)
        places = tuple(Place.of(item) for group in report.groups for item in group.definitions)
        counted = count_noun(len(report.groups), "group")
        summary = "; ".join((f"{counted} of functions with the same code", *report.notes))
        return OperationResult.of_tables((duplicate_table(report.groups),), summary, places)
