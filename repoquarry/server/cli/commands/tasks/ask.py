"""`repoquarry ask`: a question or a task for the agent, followed until its answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from repoquarry.server.cli.commands.reading.query import read_text
from repoquarry.server.cli.completion import one_of, repositories
from repoquarry.server.cli.following import POLICIES, check_answered, follow, print_answer
from repoquarry.server.cli.session import Session, with_session


@with_session
def command(
    session: Session,
    text: Annotated[str | None, typer.Argument(help="The question; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the question from this file.")] = None,
    repository: Annotated[
        list[str] | None, typer.Option("--repository", "-r", help="Only in these.", autocompletion=repositories)
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            help="How the agent decides: `deterministic` or `chat`.",
            autocompletion=one_of(POLICIES),
        ),
    ] = "",
    steps: Annotated[int, typer.Option("--steps", min=0, help="Most tool calls; 0: the setting.")] = 0,
    tokens: Annotated[int, typer.Option("--tokens", min=0, help="Most tokens; 0: the setting.")] = 0,
    seconds: Annotated[float, typer.Option("--seconds", min=0, help="Most seconds; 0: the setting.")] = 0.0,
    workspace: Annotated[bool, typer.Option("--workspace", help="Let it write files and run commands.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve its commands without asking.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not show its steps on stderr.")] = False,
) -> None:
    """Give the agent a question or a task, and print its answer with places and reasons."""
    from repoquarry.v1.task_service_pb2 import CreateTaskRequest, GetTaskRequest, TaskBudget, TaskSpec

    spec = TaskSpec(
        text=read_text(text, file, "text"),
        repositories=repository,
        policy=policy,
        budget=TaskBudget(steps=steps, tokens=tokens, seconds=seconds),
        workspace=workspace,
        auto_approve=yes,
    )
    with session.api() as api:
        task = api.tasks.create_task(CreateTaskRequest(spec=spec)).task
        follow(session, api, task, quiet=quiet)
        task = api.tasks.get_task(GetTaskRequest(name=task.name)).task
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(task))
    elif task.HasField("answer"):
        print_answer(task.answer)
    check_answered(task)
