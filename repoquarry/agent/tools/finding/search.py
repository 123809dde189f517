"""Tool `search`: finds code and prose by words, meaning, exact text or expression."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.reading.records import PlaceHit
from repoquarry.graphstore.search import SearchHit, SearchMode, SearchRequest, WithTests
from repoquarry.graphstore.search import search as search_store


class SearchArguments(Arguments, frozen=True):
    """What to find and how."""

    text: Annotated[str, Meta(description="words, an exact text, or a regular expression, as `mode` says")]
    mode: Annotated[
        Literal["hybrid", "keyword", "semantic", "exact", "regex"], Meta(description="how texts are compared")
    ] = "hybrid"
    repository: Annotated[str, Meta(description="repository id; empty searches all of the task's")] = ""
    path: Annotated[str, Meta(description="glob that paths must fit, such as `src/**/*.py`; empty for all")] = ""
    labels: Annotated[
        list[Literal["Module", "Document", "Class", "Function"]], Meta(description="kinds of place; empty for all")
    ] = []  # noqa: RUF012  msgspec copies an empty list for every instance
    tests: Annotated[
        Literal["include", "exclude", "only"], Meta(description="whether code of tests is searched too, or alone")
    ] = "include"
    limit: Annotated[int, Meta(description="hits", ge=1, le=50)] = 15


def run(context: ToolContext, arguments: SearchArguments) -> ToolResult:
    request = SearchRequest(
        text=arguments.text,
        mode=SearchMode(arguments.mode),
        repositories=context.chosen(arguments.repository),
        labels=tuple(arguments.labels),
        path_globs=(arguments.path,) if arguments.path else (),
        tests=WithTests(arguments.tests),
        page_size=arguments.limit,
    )
    try:
        page = search_store(context.reader.store, request, context.cancelled)
    except GraphStoreError as error:
        raise ToolError(str(error)) from error
    known = {item.id: item for item in context.reader.definitions(hit.id for hit in page.hits)}
    hits = tuple(
        PlaceHit(
            hit.repository,
            hit.path,
            hit.score,
            known.get(hit.id),
            hit.start_line,
            hit.end_line,
            hit.snippet.text if hit.snippet else "",
            tuple(name for name, _ in sorted(hit.parts, key=lambda part: -part[1])),
        )
        for hit in page.hits
    )
    places = tuple(Place(h.repository, h.path, h.qualname, h.start_line, h.end_line, h.score) for h in page.hits)
    more = "" if page.total is None else f" of {page.total}"
    lines = [_line(hit) for hit in page.hits]
    return ToolResult(
        rows(f"search {arguments.mode}: {arguments.text}", lines), f"{len(hits)}{more} hits", places, hits
    )


def _line(hit: SearchHit) -> str:
    where = f"{hit.repository} {hit.path}:{hit.start_line}-{hit.end_line} {hit.qualname or hit.kind}  [{hit.score:.2f}]"
    if hit.snippet is None:
        return where
    shown = "\n".join(f"    {hit.snippet.line + n} {line}" for n, line in enumerate(hit.snippet.text.split("\n")[:5]))
    return f"{where}\n{shown}"


TOOL = Tool(
    "search",
    "Search code and prose: by words and meaning (hybrid), words alone, meaning alone, exact text, or regex.",
    SearchArguments,
    run,
)
