"""`repoquarry task`: a piece of work with files that go in and files that come out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from repoquarry.server.cli.commands.reading.query import read_text
from repoquarry.server.cli.completion import one_of, repositories
from repoquarry.server.cli.following import POLICIES, check_answered, follow, print_answer
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.cli.transfer import fetch, send

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import Task, TaskCheck, TaskSpec


_Text = Annotated[str | None, typer.Argument(help="The task; `-` or nothing reads it from stdin.")]
_File = Annotated[Path | None, typer.Option("--file", "-f", help="Read the task from this file.")]
_Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", "-i", metavar="FILE[=PATH]", help="Send this file; it lies at inputs/PATH."),
]
_Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write what the task produced below this folder.")]
_Repositories = Annotated[
    list[str] | None, typer.Option("--repository", "-r", help="Only in these.", autocompletion=repositories)
]
_Policy = Annotated[
    str,
    typer.Option("--policy", help="How the agent decides: `deterministic` or `chat`.", autocompletion=one_of(POLICIES)),
]
_Expected = Annotated[
    list[str] | None,
    typer.Option(
        "--expect",
        metavar="FILE[=REGEX]",
        help="The task is done when this file of its workspace, such as outputs/a.txt, is not empty, and matches.",
    ),
]
_ExpectedCommands = Annotated[
    list[str] | None, typer.Option("--expect-command", help="The task is done when this command succeeds in it.")
]
_Hosts = Annotated[
    list[str] | None, typer.Option("--network", metavar="HOST", help="Let its commands reach this host.")
]
_Steps = Annotated[int, typer.Option("--steps", min=0, help="Most tool calls; 0: the setting.")]
_Tokens = Annotated[int, typer.Option("--tokens", min=0, help="Most tokens; 0: the setting.")]
_Seconds = Annotated[float, typer.Option("--seconds", min=0, help="Most seconds; 0: the setting.")]
_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Approve its commands without asking.")]
_Detach = Annotated[bool, typer.Option("--detach", help="Only create the task on the server, and print its name.")]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Do not show its steps on stderr.")]


@with_session
def command(
    session: Session,
    text: _Text = None,
    file: _File = None,
    inputs: _Inputs = None,
    output: _Output = None,
    repository: _Repositories = None,
    policy: _Policy = "",
    expect: _Expected = None,
    expect_command: _ExpectedCommands = None,
    network: _Hosts = None,
    steps: _Steps = 0,
    tokens: _Tokens = 0,
    seconds: _Seconds = 0.0,
    yes: _Yes = False,
    detach: _Detach = False,
    quiet: _Quiet = False,
) -> None:
    """Give the agent work to do with files: send them, follow the work, and get back what it produced."""
    from repoquarry.v1.task_service_pb2 import TaskBudget, TaskCheck, TaskSpec

    if detach and not session.remote:
        raise typer.BadParameter("--detach needs --server: a task of this process ends with it")
    spec = TaskSpec(
        text=read_text(text, file, "text"),
        repositories=repository,
        policy=policy,
        budget=TaskBudget(steps=steps, tokens=tokens, seconds=seconds),
        workspace=True,
        auto_approve=yes,
        network_hosts=network,
        checks=[*map(_check, expect or ()), *(TaskCheck(command=item) for item in expect_command or ())],
    )
    with session.api() as api:
        spec.inputs.extend(send(api, item) for item in inputs or ())
        task = _create(api, spec, shown_on=sys.stdout if detach else None if quiet else sys.stderr)
        if detach:
            return
        task, fetched = _followed(session, api, task, output, quiet=quiet)
    _report(session, task, fetched)
    check_answered(task)


def _create(api: Api, spec: TaskSpec, shown_on: TextIO | None) -> Task:
    from repoquarry.v1.task_service_pb2 import CreateTaskRequest

    task = api.tasks.create_task(CreateTaskRequest(spec=spec)).task
    if shown_on is not None:
        print(task.name, file=shown_on)
    return task


def _followed(session: Session, api: Api, task: Task, output: Path | None, *, quiet: bool) -> tuple[Task, list[Path]]:
    """The task after its end, and the files that were fetched from it."""
    from repoquarry.v1.task_service_pb2 import GetTaskRequest

    follow(session, api, task, quiet=quiet)
    task = api.tasks.get_task(GetTaskRequest(name=task.name)).task
    return task, fetch(api, task.name, output) if output is not None and task.HasField("answer") else []


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
