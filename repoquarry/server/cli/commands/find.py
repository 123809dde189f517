"""Commands `search`, `locate` (rank code for a task), `choose` (rank repositories), `explore` (source, callers), `context` (overview)."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import typer

from repoquarry import v1 as pb
from repoquarry.graphstore.search.requests import SearchMode, WithTests
from repoquarry.operations.render import Table, format_hit, format_match, place_table
from repoquarry.server.cli.output import AMBIGUOUS_EXIT_CODE, print_tables
from repoquarry.server.cli.session import (
    FILE,
    REPOSITORIES,
    CliSession,
    argument,
    flag,
    limit_option,
    option,
    read_text,
    repositories,
    with_session,
)
from repoquarry.server.errors import EXIT_CODES, invalid_field
from repoquarry.server.text_format import fit_text, format_basis, short, terminal_width


@with_session
def search_command(
    session: CliSession,
    query: str = argument(..., "Search text or pattern."),
    mode: SearchMode = option(SearchMode.HYBRID, "--mode", "-m", "Search mode."),
    repository: list[str] | None = REPOSITORIES,
    label: list[str] | None = option(None, "--label", "Only these labels: Module, Document, Class or Function."),
    kind: list[str] | None = option(None, "--kind", "Only these kinds, such as `method`."),
    language: list[str] | None = option(None, "--language", "Only these languages."),
    path: list[str] | None = option(None, "--path", "Only paths that match this glob."),
    tests: WithTests = option(WithTests.INCLUDE, "--tests", "Treatment of tests."),
    limit: int = limit_option(10, 200),
    page_token: str = option("", "--page-token", "Token of the previous page; continues after it."),
) -> None:
    """Search code and documents by keyword, meaning, both, exact text or regular expression."""
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
        session.render(api.code.search(request), _print_search)


@with_session
def explore_command(
    session: CliSession,
    target: list[str] = argument(
        ..., "Name, path, path:line, id, or a question in natural language.", metavar="SYMBOL|QUESTION"
    ),
    max_chars: int = option(6_000, "--max-chars", "Maximum number of characters.", min=500),
    session_id: str = option(
        "", "--session", "Session id on a server (--server); nothing is shown twice in a session."
    ),
    repository: list[str] | None = REPOSITORIES,
) -> None:
    """Print source, callers, callees, tests and documentation for a name or a question, within a limit of characters.

    Where several things have the name, list them and exit with code 10; with code 3 where nothing has the name.
    """
    if session_id and not session.remote:
        raise invalid_field("--session", "a local store remembers no session; give --server as well")
    request = pb.ExploreRequest(
        target=" ".join(target), repositories=repository, max_chars=max_chars, session=session_id
    )
    with session.api() as api:
        answer = api.code.explore(request)
        session.render(answer, _print_pack)
    if answer.candidates or answer.unknown:
        raise typer.Exit(AMBIGUOUS_EXIT_CODE if answer.candidates else EXIT_CODES["NOT_FOUND"])


def _print_pack(pack: pb.ExploreResponse) -> None:
    print(fit_text(pack.text, terminal_width()), *format_basis(pack.basis)[1:], sep="\n")


def _print_search(page: pb.SearchResponse) -> None:
    hits = [(format_hit(hit.entity, hit.snippet, hit.snippet_line),) for hit in page.hits]
    notes = [] if hits else ["no matches"]
    if page.next_page_token:
        total = f" of {page.total}" if page.HasField("total") else ""
        notes.append(f"{len(page.hits)}{total} hits; more with --page-token {page.next_page_token}")
    print_tables([*(Table((), (hit,)) for hit in hits), Table((), (), notes=tuple(notes))], page.basis)


@with_session
def locate_command(
    session: CliSession,
    text: list[str] | None = argument(None, "Task, issue or stack trace; `-` or nothing reads it from stdin."),
    file: Path | None = FILE,
    repository: list[str] | None = REPOSITORIES,
    files: int = option(10, "--files", "Maximum number of files.", min=1, max=100),
    definitions: int = option(20, "--definitions", "Maximum number of definitions.", min=1, max=100),
    explain: bool = flag("--explain", "Print every feature of each place with its weight instead of the reasons."),
) -> None:
    """Rank the files and definitions that matter for a task or an issue. With `--json`: `files` and `definitions`."""
    request = pb.LocateRequest(
        text=read_text(" ".join(text) if text else None, file, "text"),
        repositories=repository,
        max_files=files,
        max_definitions=definitions,
        explain=explain,
    )
    with session.api() as api:
        answer = api.code.locate(request)
    if session.as_json:
        session.print_json(
            {
                "files": [_as_json(place) for place in answer.files],
                "definitions": [_as_json(place) for place in answer.definitions],
                "basis": answer.basis,
            }
        )
        return
    ranked = ("files", answer.files), ("definitions", answer.definitions)
    tables = [
        place_table(noun, ((one.entity, one.score, _format_features(one) or one.reasons) for one in places))
        for noun, places in ranked
    ]
    print_tables(tables, answer.basis)


def _format_features(found: pb.RankedPlace) -> list[str]:
    """Format the features that are not 0, the largest share of the score first."""
    shares = sorted(found.features, key=lambda one: -abs(one.value * one.weight))
    text = ", ".join(f"{one.name} {one.value:.2f} x {one.weight:g}" for one in shares if one.value)
    return [text] if text else []


def _as_json(found: pb.RankedPlace) -> dict[str, Any]:
    entity = found.entity
    features = {one.name: {"value": one.value, "weight": one.weight} for one in found.features}
    return {
        "repository": short(entity.repository),
        "path": entity.path,
        "qualname": entity.qualname,
        "label": entity.label,
        "start_line": entity.start_line,
        "end_line": entity.end_line,
        "score": found.score,
        "reasons": list(found.reasons),
        **({"features": features} if features else {}),
    }


@with_session
def choose_command(
    session: CliSession,
    text: str | None = argument(None, "The task; `-` or nothing reads it from stdin."),
    file: Path | None = FILE,
    limit: int = limit_option(3, 100),
    online: bool = flag("--online", "Search the host of agent.search instead; judge and check its repositories."),
) -> None:
    """Rank the indexed repositories for a task in natural language, with reasons, and list others that can be indexed."""
    query = read_text(text, file, "text")
    if online:
        _choose_online(session, query)
        return
    request = pb.FindRepositoriesRequest(query=query, page_size=limit)
    with session.api() as api:
        found = api.repositories.find_repositories(request)
    if session.as_json:
        matches, offers = list(found.matches), list(found.offers)
        session.print_json({"matches": matches, "offers": offers, "offers_missing": found.offers_missing})
        return
    if not found.matches:
        print("no matching repositories")
    for number, match in enumerate(found.matches, 1):
        text = format_match(number, match.repository.name, match.score, match.repository.summary, match.reasons)
        print(fit_text(text, terminal_width()))
    for offer in found.offers:
        print(f"not indexed: {offer.name}: {offer.description}\n     repoquarry index {shlex.quote(offer.address)}")
    if found.offers_missing:
        print(f"catalog lookup failed: {found.offers_missing}", file=sys.stderr)


def _choose_online(session: CliSession, task: str) -> None:
    """Search with this process's own settings; nothing is indexed and no server is involved."""
    from repoquarry.server.repository_search import search_repositories

    settings = session.settings
    if not settings.agent.search.token:
        raise invalid_field("--online", "set agent.search.token to a token of the host")
    found = search_repositories(settings.agent, settings.ingest, task)
    if session.as_json:
        session.print_json(found)
        return
    for one in found["repositories"]:
        verdict = "can solve the task" if one["can_solve_task"] else "cannot solve the task"
        print(f"{one['rank']}. {one['name']}  {one['stars']} stars, {one['license'] or 'no license'}  {verdict}")
        print(f"     {one['reason']}")
    print(found["recommendation"])


@with_session
def context_command(
    session: CliSession,
    repository: str = argument(..., "Id of the repository.", autocompletion=repositories),
    tokens: int = option(0, "--tokens", "-t", "Maximum number of tokens; 0 means the setting.", min=0, max=200_000),
    task: str = option("", "--task", "Task that selects the content."),
) -> None:
    """Print the overview text of a repository within a token budget. The basis goes to stderr."""
    with session.api() as api:
        answer = api.code.build_context(pb.BuildContextRequest(repository=repository, max_tokens=tokens, task=task))
    session.render(answer, _print_context)


def _print_context(answer: pb.BuildContextResponse) -> None:
    print(fit_text(answer.text, terminal_width()))
    blocks = ", ".join(f"{block.name} {block.tokens}" for block in answer.blocks)
    print(f"{answer.tokens} tokens ({blocks})", *format_basis(answer.basis), sep="\n", file=sys.stderr)
