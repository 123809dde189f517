"""Agent tools that find code: evidence for a name or question, text search, constants, Cypher, duplicates; recall of earlier results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.errors import ToolArgumentsError
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import RepositoryId, Tool, ToolContext, heading, rows
from repoquarry.code.constants import find_values
from repoquarry.code.duplicates import DuplicateGroup, DuplicateRequest, find_duplicates
from repoquarry.code.excerpts.evidence_pack import DEFAULT_CHARS, MIN_CHARS, PROVENANCE_CHARS, EvidenceRequest
from repoquarry.code.excerpts.text_view import TextView, ViewKind
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value, count_noun, get_int, get_str
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocatedPlace, LocateRequest, SearchHit, SearchMode, SearchRequest
from repoquarry.graphstore.search.retrieval import search
from repoquarry.graphstore.search.text_analysis import score_texts

_PASSAGE_LINES: Final = 40
_MAX_COPIES_SHOWN: Final = 6
_MAX_FILES: Final = 10
_MAX_DEFINITIONS: Final = 25


class ExploreCall(Tool, frozen=True):
    name = "explore"
    summary = "Start here: source, callers, callees, tests and docs of a name, or places for a question."

    target: Annotated[str, Meta(description="name, path, path:line or id, e.g. `Session.get`; or a question")]
    repository: RepositoryId = ""
    max_chars: Annotated[int, Meta(description="limit of the answer", ge=MIN_CHARS, le=24_000)] = DEFAULT_CHARS
    session: Annotated[str, Meta(description="id of your choice; nothing is shown twice in a session")] = ""

    def run(self, context: ToolContext) -> ToolResult:
        request = EvidenceRequest(self.target, context.chosen(self.repository), self.max_chars - PROVENANCE_CHARS)
        pack = context.sessions.build_pack(context.reader, request, context.client, self.session)
        found = pack.subject[0].title if pack.subject else count_noun(len(pack.candidates) or len(pack.places), "place")
        return ToolResult(TextView(ViewKind.DOCUMENT, pack.text), found, tuple(map(Place.of, pack.places)))


class SearchCall(Tool, frozen=True):
    name = "search"
    summary = "Find code and prose by words, exact text or regex; `task` ranks places for an issue."

    text: Annotated[str, Meta(description="words, exact text, regular expression or task, by `mode`")]
    mode: Annotated[Literal["hybrid", "exact", "regex", "task"], Meta(description="how to compare")] = "hybrid"
    repository: RepositoryId = ""
    path: Annotated[str, Meta(description="glob, e.g. `src/**/*.py`")] = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=50)] = 15

    def run(self, context: ToolContext) -> ToolResult:
        if self.mode == "task":
            return _locate_places(context, self.text, self.repository)
        request = SearchRequest(
            text=self.text,
            mode=SearchMode(self.mode),
            repositories=context.chosen(self.repository),
            path_globs=(self.path,) if self.path else (),
            page_size=self.limit,
        )
        page = search(context.reader.store, request, context.cancelled)
        places = tuple(Place(h.repository, h.path, h.qualname, h.start_line, h.end_line, h.score) for h in page.hits)
        summary = f"{len(page.hits)}{'' if page.total is None else f' of {page.total}'} hits"
        return ToolResult(rows(f"search {self.mode}: {self.text}", map(_format_hit, page.hits)), summary, places)


def _format_hit(hit: SearchHit) -> str:
    where = f"{hit.repository} {hit.path}:{hit.start_line}-{hit.end_line} {hit.qualname or hit.kind}  [{hit.score:.2f}]"
    if hit.snippet is None:
        return where
    shown = "\n".join(f"    {hit.snippet.line + n} {line}" for n, line in enumerate(hit.snippet.text.split("\n")[:5]))
    return f"{where}\n{shown}"


def _locate_places(context: ToolContext, text: str, repository: str) -> ToolResult:
    request = LocateRequest(text, context.chosen(repository), max_files=_MAX_FILES, max_definitions=_MAX_DEFINITIONS)
    answer = locate(context.reader.store, request)
    located = {place.id: place for place in (*answer.definitions, *answer.files)}
    places = tuple(
        Place(one.repository, one.path, one.qualname, one.start_line, one.end_line, one.score, "", one.reasons)
        for one in located.values()
    )
    lines = ["definitions:", *map(_format_place, answer.definitions), "files:", *map(_format_place, answer.files)]
    summary = f"{count_noun(len(answer.definitions), 'definition')} and {count_noun(len(answer.files), 'file')}"
    return ToolResult(rows(f"places for: {text[:200]}", lines), summary, places)


def _format_place(place: LocatedPlace) -> str:
    where = f"{place.repository} {place.path}:{place.start_line}-{place.end_line} {place.qualname}".rstrip()
    return f"  {where}  [{place.score:.2f}] {', '.join(place.reasons)}"


class ConstantsCall(Tool, frozen=True):
    name = "constants"
    summary = "Find constants, defaults and keys of configuration files with their values."

    text: Annotated[str, Meta(description="words, e.g. `retry timeout`")]
    repository: RepositoryId = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=100)] = 15

    def run(self, context: ToolContext) -> ToolResult:
        found = find_values(context.reader, self.text, context.chosen(self.repository))
        shown = found[: self.limit]
        lines = [f"{item.repository} {item.path}:{item.line} {item.name} = {item.value}" for item in shown]
        return ToolResult(rows(f"constants for: {self.text[:200]}", lines), f"{len(shown)} of {len(found)} constants")


class CypherCall(Tool, frozen=True):
    name = "cypher"
    summary = "Query the graph; repoquarry://schema lists labels and properties."

    query: Annotated[
        str, Meta(description="one reading statement, e.g. `MATCH (f:Function) RETURN f.name LIMIT 5`")
    ] = ""
    named: Annotated[str, Meta(description="named query instead, from repoquarry://queries")] = ""
    parameters: Annotated[dict[str, Any], Meta(description="values of its `$` parameters")] = field(
        default_factory=dict
    )

    def run(self, context: ToolContext) -> ToolResult:
        if bool(self.query) == bool(self.named):
            raise ToolArgumentsError("cypher needs either `query` or `named`")
        if not self.named:
            return _query_graph(context, self.query, self.parameters)
        query = context.reader.store.query_library().require(self.named)
        return _query_graph(context, query.text, query.bind(self.parameters))


def _query_graph(context: ToolContext, query: str, parameters: Mapping[str, Value]) -> ToolResult:
    store, settings = context.reader.store, context.settings
    limits = replace(store.settings.limits, rows=settings.query_rows, seconds=settings.query_seconds)
    result = store.query(query, parameters, limits, context.cancelled, context.client)
    lines = [" | ".join(map(_format_value, row)) for row in result.rows]
    cut = f"cut by the limit on {result.truncated}" if result.truncated else ""
    title = "\n".join([*result.warnings, " | ".join(result.columns)])
    view = rows(title, [*lines, f"[{cut}]"] if cut else lines)
    places = tuple(place for row in result.rows for place in _places(row))
    return ToolResult(view, ", ".join(filter(None, (count_noun(len(result.rows), "row"), cut))), places)


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


class DuplicatesCall(Tool, frozen=True):
    name = "duplicates"
    summary = "Find copies of a function, or code that repositories share."
    rare = True

    target: Annotated[str, Meta(description="function, as in `view`; empty for the longest shared code")] = ""
    repository: RepositoryId = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=200)] = 20

    def run(self, context: ToolContext) -> ToolResult:
        target = context.resolve(self.target, self.repository) if self.target else None
        functions = tuple(target.require("Function")) if target else None
        context.chosen(self.repository)
        request = DuplicateRequest(context.repositories, functions, self.repository, limit=self.limit)
        report = find_duplicates(context.reader, request)
        lines = [line for group in report.groups for line in _format_group(group)]
        places = tuple(Place.of(item) for group in report.groups for item in group.definitions)
        summary = "; ".join(
            (f"{count_noun(len(report.groups), 'group')} of functions with the same code", *report.notes)
        )
        title = f"code that {self.repository or 'one repository'} and others have"
        if target:
            title = heading(f"same code as {target.name}", target)
        return ToolResult(rows(f"{title}\n{summary}", lines), summary, places)


def _format_group(group: DuplicateGroup) -> list[str]:
    shown = [f"  {item.repository} {item.where()} {item.title}" for item in group.definitions[:_MAX_COPIES_SHOWN]]
    more = group.copies - len(shown)
    return [group.heading(), *shown, *([f"  and {more} more"] if more else [])]


class RecallCall(Tool, frozen=True):
    name = "recall"
    summary = "Find in what earlier calls of this task brought, after they were folded out of the conversation."
    of_task = True

    text: Annotated[str, Meta(description="words that what is looked for holds")]
    passages: Annotated[int, Meta(description="passages of at most 40 lines", ge=1, le=20)] = 4

    def run(self, context: ToolContext) -> ToolResult:
        passages = []
        for number, item in enumerate(context.folded, 1):
            lines = item.text.splitlines()
            for start in range(0, max(len(lines), 1), _PASSAGE_LINES):
                body = "\n".join(lines[start : start + _PASSAGE_LINES])
                passages.append((f"call {number}, {item.call.tool}, lines {start + 1}-{start + _PASSAGE_LINES}", body))
        scores = score_texts([body for _, body in passages], self.text)
        best = sorted(range(len(passages)), key=lambda number: (-scores[number], number))[: self.passages]
        found = [number for number in sorted(best) if scores[number] > 0]
        text = "\n\n".join(f"[{passages[number][0]}]\n{passages[number][1]}" for number in found)
        summary = f"{len(found)} of {len(passages)} passages of {len(context.folded)} folded calls"
        return ToolResult(TextView(ViewKind.DOCUMENT, text or "(nothing)", summary), summary)


TOOLS: Final = (RecallCall, ExploreCall, SearchCall, ConstantsCall, CypherCall, DuplicatesCall)
