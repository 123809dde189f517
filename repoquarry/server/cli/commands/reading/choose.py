"""`repoquarry choose`: which indexed repositories fit a task in words."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from repoquarry.server.cli.commands.reading.query import read_text
from repoquarry.server.cli.session import Session, with_session


@with_session
def command(
    session: Session,
    text: Annotated[str | None, typer.Argument(help="The task; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the task from this file.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100, help="Repositories to name.")] = 3,
) -> None:
    """Rank the indexed repositories for a task in words, say why each fits, and name others that may be indexed for it."""
    from repoquarry.v1.repository_service_pb2 import FindRepositoriesRequest

    request = FindRepositoriesRequest(query=read_text(text, file, "text"), page_size=limit)
    with session.api() as api:
        found = api.repositories.find_repositories(request)
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        shown = {
            "matches": [plain(match) for match in found.matches],
            "offers": [plain(offer) for offer in found.offers],
        }
        session.print_json({**shown, "offers_missing": found.offers_missing})
        return
    from repoquarry.server.text import short

    if not found.matches:
        print("no indexed repository fits")
    for number, match in enumerate(found.matches, 1):
        print(f"{number}. {short(match.repository.name)}  {match.score:.2f}  {match.repository.summary}".rstrip())
        for reason in match.reasons:
            print(f"     {reason}")
    for offer in found.offers:
        print(f"not indexed: {offer.name}: {offer.description}\n     repoquarry index {shlex.quote(offer.address)}")
    if found.offers_missing:
        print(f"other repositories could not be looked up: {found.offers_missing}", file=sys.stderr)
