"""`repoquarry locate`: the files and definitions that matter for a task in words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from repoquarry.server.cli.commands.reading.query import read_text
from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session

if TYPE_CHECKING:
    from repoquarry.v1.code_service_pb2 import RankedPlace


@with_session
def command(
    session: Session,
    text: Annotated[
        str | None, typer.Argument(help="Task, issue or stack trace; `-` or nothing reads it from stdin.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the text from this file.")] = None,
    repository: Annotated[
        list[str] | None, typer.Option("--repository", "-r", help="Only in these.", autocompletion=repositories)
    ] = None,
    files: Annotated[int, typer.Option("--files", min=1, max=100, help="Files to name.")] = 10,
    definitions: Annotated[int, typer.Option("--definitions", min=1, max=100, help="Definitions to name.")] = 20,
) -> None:
    """Name the files and definitions that matter for a task or an issue. With `--json`: `files` and `definitions`, ranked."""
    from repoquarry.v1.code_service_pb2 import LocateRequest

    request = LocateRequest(
        text=read_text(text, file, "text"), repositories=repository, max_files=files, max_definitions=definitions
    )
    with session.api() as api:
        answer = api.code.locate(request)
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(
            {
                "files": [_as_json(place) for place in answer.files],
                "definitions": [_as_json(place) for place in answer.definitions],
                "basis": plain(answer.basis),
            }
        )
        return
    from repoquarry.server.text import basis_lines

    _print("files", answer.files)
    _print("definitions", answer.definitions)
    print("\n".join(basis_lines(answer.basis)))


def _as_json(found: RankedPlace) -> dict[str, Any]:
    from repoquarry.server.text import short

    entity = found.entity
    return {
        "repository": short(entity.repository),
        "path": entity.path,
        "qualname": entity.qualname,
        "label": entity.label,
        "start_line": entity.start_line,
        "end_line": entity.end_line,
        "score": found.score,
        "reasons": list(found.reasons),
    }


def _print(what: str, places: Iterable[RankedPlace]) -> None:
    from repoquarry.server.text import columns, place, short

    rows = [
        (
            str(number),
            short(found.entity.repository),
            place(found.entity) if found.entity.qualname else found.entity.path,
            found.entity.qualname,
            f"{found.score:.3g}",
            ", ".join(found.reasons),
        )
        for number, found in enumerate(places, 1)
    ]
    if rows:
        print(columns((what.upper(), "REPOSITORY", "PLACE", "NAME", "SCORE", "WHY"), rows, right=(0, 4)) + "\n")
    else:
        print(f"no {what} found\n")
