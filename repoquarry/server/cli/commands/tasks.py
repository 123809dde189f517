"""`ask`, `task` and `files`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from repoquarry.server.cli.commands.query import read_text
from repoquarry.server.cli.completion import one_of, repositories
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.cli.task_view import POLICIES, check_answered, fetch, fetch_file, follow_task, print_answer, send

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import Task, TaskCheck, TaskSpec


@with_session
def ask_command(
    session: CliSession,
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
        follow_task(session, api, task, quiet=quiet)
        task = api.tasks.get_task(GetTaskRequest(name=task.name)).task
    if session.as_json:
        from repoquarry.server.cli.message_dict import to_dict

        session.print_json(to_dict(task))
    elif task.HasField("answer"):
        print_answer(task.answer)
    check_answered(task)


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
def task_command(
    session: CliSession,
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


def _followed(
    session: CliSession, api: Api, task: Task, output: Path | None, *, quiet: bool
) -> tuple[Task, list[Path]]:
    """The task after its end, and the files that were fetched from it."""
    from repoquarry.v1.task_service_pb2 import GetTaskRequest

    follow_task(session, api, task, quiet=quiet)
    task = api.tasks.get_task(GetTaskRequest(name=task.name)).task
    return task, fetch(api, task.name, output) if output is not None and task.HasField("answer") else []


def _check(item: str) -> TaskCheck:
    from repoquarry.v1.task_service_pb2 import TaskCheck

    path, _, pattern = item.partition("=")
    return TaskCheck(path=path, not_empty=True, pattern=pattern)


def _report(session: CliSession, task: Task, fetched: list[Path]) -> None:
    if session.as_json:
        from repoquarry.server.cli.message_dict import to_dict

        session.print_json(to_dict(task))
    elif task.HasField("answer"):
        print_answer(task.answer)
    for path in fetched:
        print(f"wrote {path}", file=sys.stderr)


@with_session
def files_command(
    session: CliSession,
    task: Annotated[str, typer.Argument(help="Name of the task, `tasks/ID` or `ID`.")],
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files or folders of its workspace; none: the folder `outputs`.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="The whole workspace.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the files below this folder instead of listing them.")
    ] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Remove the workspace of the task, which has to have ended.")
    ] = False,
) -> None:
    """List the files of a task, write them to a folder, or delete its workspace."""
    from repoquarry.v1.task_service_pb2 import DeleteTaskFilesRequest

    name = task if "/" in task else f"tasks/{task}"
    with session.api() as api:
        if delete:
            api.tasks.delete_task_files(DeleteTaskFilesRequest(name=name))
            print(f"the workspace of {name} is gone", file=sys.stderr)
        elif output is not None:
            for path in _named(api, name, paths, everything=everything):
                print(f"wrote {fetch_file(api, name, path, output)}", file=sys.stderr)
        else:
            _list(session, api, name, paths or ["" if everything else "outputs"])


def _named(api: Api, name: str, paths: list[str] | None, *, everything: bool) -> list[str]:
    """The files that are meant: those below the folders, and those that are files themselves."""
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    found = []
    for path in paths or ["" if everything else "outputs"]:
        request = ListTaskFilesRequest(name=name, folder=path, max_files=10_000, without_checksums=True)
        inside = [item.path for item in api.tasks.list_task_files(request).files]
        found += inside or ([path] if paths else [])
    return found


def _list(session: CliSession, api: Api, name: str, folders: list[str]) -> None:
    from repoquarry.server.cli.message_dict import to_dict
    from repoquarry.server.text_format import format_table
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    pages = [api.tasks.list_task_files(ListTaskFilesRequest(name=name, folder=folder)) for folder in folders]
    files = [item for page in pages for item in page.files]
    if session.as_json:
        session.print_json(
            {"files": [to_dict(item) for item in files], "truncated": any(page.truncated for page in pages)}
        )
        return
    rows = [(item.path, str(item.size), item.sha256, item.modify_time.ToJsonString()[:19]) for item in files]
    print(format_table(("FILE", "BYTES", "SHA-256", "CHANGED"), rows, right=(1,)) if rows else "no files")
    if any(page.truncated for page in pages):
        print("there are more files; name a folder", file=sys.stderr)
