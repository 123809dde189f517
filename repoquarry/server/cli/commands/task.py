"""`repoquarry task`: a piece of work with files that go in and files that come out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.commands.query import read_text
from repoquarry.server.cli.completion import one_of, repositories
from repoquarry.server.cli.following import POLICIES, check_answered, follow, print_answer
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.cli.transfer import fetch, send

if TYPE_CHECKING:
    from repoquarry.v1.task_service_pb2 import Task, TaskCheck


@with_session
def command(
    session: Session,
    text: Annotated[str | None, typer.Argument(help="The task; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the task from this file.")] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", "-i", metavar="FILE[=PATH]", help="Send this file; it lies at inputs/PATH."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write what the task produced below this folder.")
    ] = None,
    repository: Annotated[
        list[str] | None, typer.Option("--repository", "-r", help="Only in these.", autocompletion=repositories)
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy", help="How the agent decides: `deterministic` or `chat`.", autocompletion=one_of(POLICIES)
        ),
    ] = "",
    expect: Annotated[
        list[str] | None,
        typer.Option(
            "--expect",
            metavar="FILE[=REGEX]",
            help="The task is done when this file of its workspace, such as outputs/a.txt, is not empty, and matches.",
        ),
    ] = None,
    expect_command: Annotated[
        list[str] | None, typer.Option("--expect-command", help="The task is done when this command succeeds in it.")
    ] = None,
    network: Annotated[
        list[str] | None, typer.Option("--network", metavar="HOST", help="Let its commands reach this host.")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", min=0, help="Most tool calls; 0: the setting.")] = 0,
    tokens: Annotated[int, typer.Option("--tokens", min=0, help="Most tokens; 0: the setting.")] = 0,
    seconds: Annotated[float, typer.Option("--seconds", min=0, help="Most seconds; 0: the setting.")] = 0.0,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve its commands without asking.")] = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="Only create the task on the server, and print its name.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not show its steps on stderr.")] = False,
) -> None:
    """Give the agent work to do with files: send them, follow the work, and get back what it produced."""
    from repoquarry.v1.task_service_pb2 import CreateTaskRequest, GetTaskRequest, TaskBudget, TaskCheck, TaskSpec

    if detach and not session.remote:
        raise typer.BadParameter("--detach needs --server: a task of this process ends with it")
    asked = read_text(text, file, "text")
    with session.api() as api:
        spec = TaskSpec(
            text=asked,
            repositories=repository,
            policy=policy,
            budget=TaskBudget(steps=steps, tokens=tokens, seconds=seconds),
            workspace=True,
            auto_approve=yes,
            inputs=[send(api, item) for item in inputs or ()],
            network_hosts=network,
            checks=[*map(_check, expect or ()), *(TaskCheck(command=item) for item in expect_command or ())],
        )
        task = api.tasks.create_task(CreateTaskRequest(spec=spec)).task
        if not quiet or detach:
            print(task.name, file=sys.stdout if detach else sys.stderr)
        if detach:
            return
        follow(session, api, task, quiet=quiet)
        task = api.tasks.get_task(GetTaskRequest(name=task.name)).task
        fetched = fetch(api, task.name, output) if output is not None and task.HasField("answer") else []
    _report(session, task, fetched)
    check_answered(task)


def _check(item: str) -> TaskCheck:
    from repoquarry.v1.task_service_pb2 import TaskCheck

    path, _, pattern = item.partition("=")
    return TaskCheck(path=path, not_empty=True, pattern=pattern)


def _report(session: Session, task: Task, fetched: list[Path]) -> None:
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(task))
    elif task.HasField("answer"):
        print_answer(task.answer)
    for path in fetched:
        print(f"wrote {path}", file=sys.stderr)
