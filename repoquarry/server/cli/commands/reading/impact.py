"""`repoquarry impact`: what a change reaches, and which tests to run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.commands.reading.query import read_text
from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import refuse

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.code_service_pb2 import AffectedDefinition, AnalyzeImpactResponse, TestFile

_TESTS_SHOWN = 3


@with_session
def command(
    session: Session,
    repository: Annotated[
        str, typer.Argument(help="A repository's id, or a folder that is indexed.", autocompletion=repositories)
    ] = ".",
    commits: Annotated[
        str,
        typer.Option("--range", metavar="A..B", help="Two commits of the indexed folder, one of them the indexed one."),
    ] = "",
    patch: Annotated[
        Path | None, typer.Option("--patch", help="A unified diff whose old side is indexed; `-` reads it from stdin.")
    ] = None,
    symbol: Annotated[list[str] | None, typer.Option("--symbol", help="Names of what was changed.")] = None,
    hops: Annotated[int, typer.Option("--hops", min=1, max=15, help="How far dependents are followed.")] = 6,
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", min=0.0, max=1.0, help="Least confidence of a path; 0 means 0.05.")
    ] = 0.0,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=5_000, help="Definitions, and files of tests, to name.")
    ] = 50,
) -> None:
    """Tell what a change reaches, here and in repositories that use this one, and which tests to run. Without an option that says what was
    changed: what differs now in the indexed folder."""
    from repoquarry.v1.code_service_pb2 import AnalyzeImpactRequest

    text = ""
    if patch is not None:
        text = read_text(None, None if str(patch) == "-" else patch, "patch")
    with session.api() as api:
        answer = api.code.analyze_impact(
            AnalyzeImpactRequest(
                repository=_repository(api, repository),
                range=commits,
                patch=text,
                symbols=symbol,
                max_hops=hops,
                min_confidence=min_confidence,
                max_affected=limit,
                max_test_files=limit,
            )
        )
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(answer))
    else:
        _print(answer)


def _repository(api: Api, wanted: str) -> str:
    """The id of a repository by its id, its folder or a folder in that. Raises: RequestError when none fits."""
    from repoquarry.server.text import short
    from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest

    sources: dict[str, str] = {}
    token = ""
    while True:
        page = api.repositories.list_repositories(ListRepositoriesRequest(page_size=500, page_token=token))
        sources.update({short(found.name): found.source for found in page.repositories})
        token = page.next_page_token
        if not token:
            break
    if wanted in sources:
        return wanted
    folder = Path(wanted).resolve()
    above = {str(path) for path in (folder, *folder.parents)}
    fitting = [id_ for id_, source in sources.items() if source in above]
    if not fitting:
        raise refuse(
            "REPOSITORY_NOT_FOUND",
            f"no repository {wanted!r} is stored, and no folder {folder} is indexed",
            repository=wanted,
        )
    return max(fitting, key=lambda id_: len(sources[id_]))


def _print(answer: AnalyzeImpactResponse) -> None:
    from repoquarry.server.text import basis_lines, columns, place, title

    if not answer.changed:
        print("nothing that is indexed was changed")
    else:
        print(columns(("CHANGED", "NAME"), [(place(item), title(item)) for item in answer.changed]))
    if answer.unknown_paths:
        print(f"not indexed: {', '.join(answer.unknown_paths)}")
    _table("AFFECTED", [_affected(item) for item in answer.affected], answer.affected_total)
    _table("TESTS", [_tests(file) for file in answer.test_files], answer.test_file_total)
    if answer.changed:
        print(f"\n{answer.test_file_total} of {answer.indexed_test_files} files of tests to run")
    print("\n".join(basis_lines(answer.basis)))


def _table(head: str, rows: Sequence[tuple[str, ...]], total: int) -> None:
    from repoquarry.server.text import columns

    if rows:
        print("\n" + columns((head, "REPOSITORY", "PLACE", "NAME", "HOW"), rows))
        if total > len(rows):
            print(f"{len(rows)} of {total}; more with --limit")


def _affected(item: AffectedDefinition) -> tuple[str, ...]:
    from repoquarry.server.text import place, short, title

    return f"{item.confidence:.2f}", short(item.entity.repository), place(item.entity), title(item.entity), item.how


def _tests(file: TestFile) -> tuple[str, ...]:
    from repoquarry.server.text import short, title

    names = ", ".join(title(test.entity) for test in file.tests[:_TESTS_SHOWN])
    more = f" and {len(file.tests) - _TESTS_SHOWN} more" if len(file.tests) > _TESTS_SHOWN else ""
    return f"{file.confidence:.2f}", short(file.entity.repository), file.entity.path, names + more, file.how
