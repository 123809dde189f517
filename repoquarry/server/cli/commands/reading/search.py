"""`repoquarry search`: ranked code and documents."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session

if TYPE_CHECKING:
    from repoquarry.v1.code_service_pb2 import SearchHit, SearchResponse


class Mode(enum.StrEnum):
    """How to compare."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    EXACT = "exact"
    REGEX = "regex"


class Tests(enum.StrEnum):
    """Whether tests are searched."""

    INCLUDE = "include"
    EXCLUDE = "exclude"
    ONLY = "only"


@with_session
def command(
    session: Session,
    query: Annotated[str, typer.Argument(help="What is looked for.")],
    mode: Annotated[Mode, typer.Option("--mode", "-m", help="How to compare.")] = Mode.HYBRID,
    repository: Annotated[
        list[str] | None, typer.Option("--repository", "-r", help="Only in these.", autocompletion=repositories)
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="Only Module, Document, Class or Function.")
    ] = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only these kinds, such as `method`.")] = None,
    language: Annotated[list[str] | None, typer.Option("--language", help="Only these languages.")] = None,
    path: Annotated[list[str] | None, typer.Option("--path", help="Only paths that fit this glob.")] = None,
    tests: Annotated[Tests, typer.Option("--tests", help="Whether tests are searched.")] = Tests.INCLUDE,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="Hits on a page.")] = 10,
    page_token: Annotated[str, typer.Option("--page-token", help="Go on behind an earlier page.")] = "",
) -> None:
    """Search code and documents by keyword, meaning, both, exact text or regular expression."""
    from repoquarry.v1 import code_service_pb2 as pb

    request = pb.SearchRequest(
        query=query,
        mode=pb.SearchMode.Value(f"SEARCH_MODE_{mode.name}"),
        repositories=repository,
        labels=label,
        kinds=kind,
        languages=language,
        path_globs=path,
        tests=pb.TestFilter.Value(f"TEST_FILTER_{tests.name}"),
        page_size=limit,
        page_token=page_token,
    )
    with session.api() as api:
        page = api.code.search(request)
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(page))
    else:
        _print(page)


def _print(page: SearchResponse) -> None:
    from repoquarry.server.text import basis_lines

    for hit in page.hits:
        print(_text(hit))
    if not page.hits:
        print("nothing fits")
    if page.next_page_token:
        total = f" of {page.total}" if page.HasField("total") else ""
        print(f"{len(page.hits)}{total} hits; more with --page-token {page.next_page_token}")
    print("\n".join(basis_lines(page.basis)))


def _text(hit: SearchHit) -> str:
    from repoquarry.server.text import place, short, title

    parts = ", ".join(f"{part.name} {part.value:.3g}" for part in hit.parts)
    kind = hit.entity.kind or hit.entity.label.lower()
    lines = [f"{short(hit.entity.repository)}  {place(hit.entity)}  {kind} {title(hit.entity)}"]
    lines.append(f"    score {hit.score:.3g}" + (f" ({parts})" if parts else ""))
    shown = hit.snippet.rstrip().split("\n") if hit.snippet else []
    lines += [f"    {hit.snippet_line + number:>5}  {line}" for number, line in enumerate(shown)]
    return "\n".join(lines) + "\n"
