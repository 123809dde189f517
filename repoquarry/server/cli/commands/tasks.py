"""Commands `ask`, `task` and `files`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from repoquarry.server.cli.completion import one_of
from repoquarry.server.cli.session import CliSession, RepositoriesOption, read_text, with_session
from repoquarry.server.cli.task_view import POLICIES, check_answered, fetch, fetch_file, follow_task, print_task, send

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import Task, TaskCheck, TaskSpec


_Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", "-i", metavar="FILE[=PATH]", help="File to upload; its path is inputs/PATH."),
]
_Policy = Annotated[
    str,
    typer.Option("--policy", help="Policy of the agent: `deterministic` or `chat`.", autocompletion=one_of(POLICIES)),
]
_Expected = Annotated[
    list[str] | None,
    typer.Option(
        "--expect",
        metavar="FILE[=REGEX]",
        help="Completion check: this file of the workspace, such as outputs/a.txt, is not empty and matches.",
    ),
]
_ExpectedCommands = Annotated[
    list[str] | None, typer.Option("--expect-command", help="Completion check: this command succeeds in the workspace.")
]
_Hosts = Annotated[list[str] | None, typer.Option("--network", metavar="HOST", help="Host that commands may access.")]
_Steps = Annotated[int, typer.Option("--steps", min=0, help="Maximum number of tool calls; 0 means the setting.")]
_Tokens = Annotated[int, typer.Option("--tokens", min=0, help="Maximum number of tokens; 0 means the setting.")]
_Seconds = Annotated[float, typer.Option("--seconds", min=0, help="Maximum number of seconds; 0 means the setting.")]
_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Approve commands without asking.")]
_Detach = Annotated[bool, typer.Option("--detach", help="Create the task on the server, print its name and exit.")]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Suppress the steps on stderr.")]


@with_session
def ask_command(
    session: CliSession,
    text: Annotated[str | None, typer.Argument(help="Question; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="File with the question.")] = None,
    repository: RepositoriesOption = None,
    policy: _Policy = "",
    steps: _Steps = 0,
    tokens: _Tokens = 0,
    seconds: _Seconds = 0.0,
    workspace: Annotated[
        bool, typer.Option("--workspace", help="Allow the agent to write files and run commands.")
    ] = False,
    yes: _Yes = False,
    quiet: _Quiet = False,
) -> None:
    """Ask the agent a question or give it a task, and print the answer with places and reasons."""
    from repoquarry.v1.task_service_pb2 import TaskBudget, TaskSpec

    spec = TaskSpec(
        text=read_text(text, file, "text"),
        repositories=repository,
        policy=policy,
        budget=TaskBudget(steps=steps, tokens=tokens, seconds=seconds),
        workspace=workspace,
        auto_approve=yes,
    )
    with session.api() as api:
        task, _ = _run(session, api, _create(api, spec, shown_on=None), None, quiet=quiet)
    session.render(task, print_task)
    check_answered(task)


@with_session
def task_command(
    session: CliSession,
    text: Annotated[str | None, typer.Argument(help="Task; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="File with the task.")] = None,
    inputs: _Inputs = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the files that the task produced.")
    ] = None,
    repository: RepositoriesOption = None,
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
    """Give the agent a task with files: upload inputs, follow the work, and download outputs."""
    from repoquarry.v1.task_service_pb2 import TaskBudget, TaskCheck, TaskSpec

    if detach and not session.remote:
        raise typer.BadParameter("--detach needs --server: a local task ends with this process")
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
        task, fetched = _run(session, api, task, output, quiet=quiet)
    session.render(task, print_task)
    for path in fetched:
        print(f"wrote {path}", file=sys.stderr)
    check_answered(task)


def _create(api: Api, spec: TaskSpec, shown_on: TextIO | None) -> Task:
    from repoquarry.v1.task_service_pb2 import CreateTaskRequest

    task = api.tasks.create_task(CreateTaskRequest(spec=spec)).task
    if shown_on is not None:
        print(task.name, file=shown_on)
    return task


def _run(session: CliSession, api: Api, task: Task, output: Path | None, *, quiet: bool) -> tuple[Task, list[Path]]:
    """Follow a task to its end. Returns the ended task and the downloaded files."""
    from repoquarry.v1.task_service_pb2 import GetTaskRequest

    follow_task(session, api, task, quiet=quiet)
    task = api.tasks.get_task(GetTaskRequest(name=task.name)).task
    return task, fetch(api, task.name, output) if output is not None and task.HasField("answer") else []


def _check(item: str) -> TaskCheck:
    from repoquarry.v1.task_service_pb2 import TaskCheck

    path, _, pattern = item.partition("=")
    return TaskCheck(path=path, not_empty=True, pattern=pattern)


@with_session
def files_command(
    session: CliSession,
    task: Annotated[str, typer.Argument(help="Name of the task, `tasks/ID` or `ID`.")],
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files or folders of the workspace; defaults to the folder `outputs`.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Include all files of the workspace.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the files; without it they are listed.")
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the workspace of the ended task.")] = False,
) -> None:
    """List or download the files of a task, or delete its workspace."""
    from repoquarry.v1.task_service_pb2 import DeleteTaskFilesRequest

    name = task if "/" in task else f"tasks/{task}"
    with session.api() as api:
        if delete:
            api.tasks.delete_task_files(DeleteTaskFilesRequest(name=name))
            print(f"deleted the workspace of {name}", file=sys.stderr)
        elif output is not None:
            for path in _list_paths(api, name, paths, everything=everything):
                print(f"wrote {fetch_file(api, name, path, output)}", file=sys.stderr)
        else:
            _list(session, api, name, paths or ["" if everything else "outputs"])


def _list_paths(api: Api, name: str, paths: list[str] | None, *, everything: bool) -> list[str]:
    """List the files at the paths: files, and all files below folders."""
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    found = []
    for path in paths or ["" if everything else "outputs"]:
        request = ListTaskFilesRequest(name=name, folder=path, max_files=10_000, without_checksums=True)
        inside = [item.path for item in api.tasks.list_task_files(request).files]
        found += inside or ([path] if paths else [])
    return found


def _list(session: CliSession, api: Api, name: str, folders: list[str]) -> None:
    from repoquarry.server.text_format import format_table
    from repoquarry.server.value_messages import to_dict
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
        print("the list is truncated; name a folder", file=sys.stderr)
