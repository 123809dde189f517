"""`repoquarry delete`: remove repositories from the store."""

from __future__ import annotations

from typing import Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid


@with_session
def command(
    session: Session,
    repository: Annotated[list[str], typer.Argument(help="Ids of the repositories.", autocompletion=repositories)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete repositories: their graph, sources and indexes. What was indexed is not touched."""
    from repoquarry.v1.repository_service_pb2 import DeleteRepositoryRequest

    if not yes:
        _confirm(f"Delete {', '.join(repository)} from the store?", session)
    deleted = []
    with session.api(writable=True) as api:
        for id_ in repository:
            answer = api.repositories.delete_repository(DeleteRepositoryRequest(name=id_))
            deleted.append((id_, answer.nodes_deleted, answer.relationships_deleted))
            if not session.as_json:
                print(f"deleted {id_}: {answer.nodes_deleted} nodes, {answer.relationships_deleted} relationships")
    if session.as_json:
        session.print_json(
            {
                "deleted": [
                    {"repository": id_, "nodes_deleted": nodes, "relationships_deleted": relationships}
                    for id_, nodes, relationships in deleted
                ]
            }
        )


def _confirm(question: str, session: Session) -> None:
    """Raises: RequestError where nobody can be asked; typer.Abort on another answer than yes."""
    if session.as_json:
        raise invalid("--yes", "needed with --json, which asks nothing; nothing was deleted")
    try:
        is_sure = typer.confirm(question, err=True)
    except typer.Abort:
        raise invalid("--yes", "needed where nobody answers; nothing was deleted") from None
    if not is_sure:
        raise typer.Abort
