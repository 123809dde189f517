"""`repoquarry duplicates`: functions that say the same, between repositories or of one function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from repoquarry.v1.code_service_pb2 import Duplicate, FindDuplicatesResponse


@with_session
def command(
    session: Session,
    repository: Annotated[
        str,
        typer.Argument(
            help="Only what this repository has too; with --of, where that function is.", autocompletion=repositories
        ),
    ] = "",
    of: Annotated[str, typer.Option("--of", help="A function whose copies are wanted, by any of its names.")] = "",
    lines: Annotated[int, typer.Option("--lines", min=1, help="Without --of: fewest lines of the longest copy.")] = 10,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="Groups of copies to tell.")] = 50,
) -> None:
    """Find functions whose text is the same but for comments, documentation, layout and their own name, the longest first. Versions of one
    repository are no duplicates."""
    from repoquarry.v1.code_service_pb2 import FindDuplicatesRequest

    request = FindDuplicatesRequest(repository=repository, symbol=of, min_lines=lines, page_size=limit)
    with session.api() as api:
        answer = api.code.find_duplicates(request)
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(answer))
    else:
        _print(answer)


def _print(answer: FindDuplicatesResponse) -> None:
    from repoquarry.server.text import basis_lines, columns

    rows = [row for duplicate in answer.duplicates for row in _rows(duplicate)]
    if rows:
        print(columns(("LINES", "COPIES", "REPOSITORY", "PLACE", "NAME"), rows, right=(0, 1)))
    else:
        print("no duplicates")
    if answer.next_page_token:
        print(f"the first {len(answer.duplicates)} groups; more with --limit")
    print("\n".join(basis_lines(answer.basis)))


def _rows(duplicate: Duplicate) -> Iterator[tuple[str, str, str, str, str]]:
    """A line for each copy that is told; how many there are stands in the first."""
    from repoquarry.server.text import place, short, title

    head = str(duplicate.lines), str(duplicate.copies)
    for found in duplicate.definitions:
        yield *head, short(found.repository), place(found), title(found)
        head = "", ""
