"""`repoquarry context`: a repository's launchpad text."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session


@with_session
def command(
    session: Session,
    repository: Annotated[str, typer.Argument(help="Id of the repository.", autocompletion=repositories)],
    tokens: Annotated[int, typer.Option("--tokens", "-t", min=1, max=200_000, help="Budget in tokens.")] = 8_000,
    task: Annotated[str, typer.Option("--task", help="Choose what matters for this task.")] = "",
) -> None:
    """Print a repository's launchpad text within a budget of tokens. What it rests on goes to stderr."""
    from repoquarry.server.cli.plain import plain
    from repoquarry.server.text import basis_lines
    from repoquarry.v1.code_service_pb2 import BuildContextRequest

    with session.api() as api:
        answer = api.code.build_context(BuildContextRequest(repository=repository, max_tokens=tokens, task=task))
    if session.as_json:
        session.print_json(plain(answer))
        return
    print(answer.text)
    blocks = ", ".join(f"{block.name} {block.tokens}" for block in answer.blocks)
    print(f"{answer.tokens} tokens ({blocks})", *basis_lines(answer.basis), sep="\n", file=sys.stderr)
