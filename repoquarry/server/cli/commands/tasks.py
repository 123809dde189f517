"""Commands of the agent: `ask` (a question), `task` (a task with files and checks) and `files` (inputs and outputs of a task)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from repoquarry import v1 as pb
from repoquarry.client.files import OUTPUTS, FileSink, upload_parts
from repoquarry.graphstore.model.values import count_noun
from repoquarry.server.cli.session import (
    FILE,
    REPOSITORIES,
    CliSession,
    argument,
    flag,
    one_of,
    operation_error,
    option,
    read_text,
    with_session,
)
from repoquarry.server.errors import request_error
from repoquarry.server.text_format import (
    Columns,
    format_basis,
    format_records,
    format_size,
    format_time,
    short,
    terminal_width,
    wrap_text,
)

if TYPE_CHECKING:
    from google.protobuf.struct_pb2 import Struct

    from repoquarry.server.api import Api

POLICIES = ("deterministic", "chat")

_POLICY: Final = option(
    "", "--policy", "Policy of the agent: `deterministic` or `chat`.", autocompletion=one_of(POLICIES)
)
_STEPS: Final = option(0, "--steps", "Maximum number of tool calls; 0 means the setting.", min=0)
_TOKENS: Final = option(0, "--tokens", "Maximum number of tokens; 0 means the setting.", min=0)
_SECONDS: Final = option(0.0, "--seconds", "Maximum number of seconds; 0 means the setting.", min=0)
_YES: Final = flag("--yes", "-y", "Do not ask; commands are approved.")

_STEP_COLUMNS: Columns = {
    "STEP": lambda step: step.id,
    "NEXT": lambda step: ", ".join(step.next),
    "CALLS": lambda step: str(step.tool_calls),
    "TOKENS": lambda step: str(step.model_tokens),
    "MESSAGE": lambda step: step.message.split("\n")[0][:40],
}
_FILE_COLUMNS: Columns = {
    "FILE": lambda file: file.path,
    "BYTES": lambda file: f"{file.size:,}",
    "SHA-256": lambda file: file.sha256,
    "CHANGED": lambda file: format_time(file.modify_time.ToDatetime()),
}
_QUIET: Final = flag("--quiet", "-q", "Suppress the steps on stderr.")


@with_session
def ask_command(
    session: CliSession,
    text: str | None = argument(None, "Question; `-` or nothing reads it from stdin."),
    file: Path | None = FILE,
    repository: list[str] | None = REPOSITORIES,
    policy: str = _POLICY,
    steps: int = _STEPS,
    tokens: int = _TOKENS,
    seconds: float = _SECONDS,
    workspace: bool = flag("--workspace", "Allow the agent to write files and run commands."),
    yes: bool = _YES,
    quiet: bool = _QUIET,
    verbose: bool = flag("--verbose", "-v", "Print the steps and tokens of the answer as well."),
) -> None:
    """Ask the agent a question or give it a task, and print the answer with places and reasons."""
    spec = pb.TaskSpec(
        text=read_text(text, file, "text"),
        repositories=repository,
        policy=policy,
        budget=pb.TaskBudget(steps=steps, tokens=tokens, seconds=seconds),
        workspace=workspace,
        auto_approve=yes,
    )
    with _open(session, policy) as api:
        task = api.tasks.create_task(pb.CreateTaskRequest(spec=spec)).task
        task, _ = _run(session, api, task, None, quiet=quiet)
    session.render(task, lambda shown: print_task(shown, verbose=verbose))
    check_answered(task)


@with_session
def task_command(
    session: CliSession,
    text: str | None = argument(None, "Task; `-` or nothing reads it from stdin."),
    file: Path | None = FILE,
    inputs: list[str] | None = option(
        None, "--input", "-i", "File to upload; its path is inputs/PATH.", metavar="FILE[=PATH]"
    ),
    output: Path | None = option(None, "--output", "-o", "Output folder; for the files that the task produced."),
    repository: list[str] | None = REPOSITORIES,
    policy: str = _POLICY,
    expect: list[str] | None = option(
        None,
        "--expect",
        "Completion check: this file of the workspace, such as outputs/a.txt, is not empty and matches.",
        metavar="FILE[=REGEX]",
    ),
    expect_command: list[str] | None = option(
        None, "--expect-command", "Completion check: this command succeeds in the workspace."
    ),
    network: list[str] | None = option(None, "--network", "Host that commands may access.", metavar="HOST"),
    steps: int = _STEPS,
    tokens: int = _TOKENS,
    seconds: float = _SECONDS,
    yes: bool = _YES,
    detach: bool = flag("--detach", "Create the task on the server, print its name and exit."),
    resume: str = option("", "--resume", "Failed task that continues from its checkpoint.", metavar="TASK"),
    step: str = option("", "--from", "With --resume: step of an ended task to continue behind.", metavar="STEP"),
    show: str = option("", "--show", "Task whose answer and steps are printed.", metavar="TASK"),
    quiet: bool = _QUIET,
) -> None:
    """Give the agent a task with files: upload inputs, follow the work, and download outputs."""
    if detach and not session.remote:
        raise typer.BadParameter("--detach needs --server: a local task ends with this process")
    if show:
        with session.api() as api:
            _show_steps(session, api, _task_name(show))
        return
    if resume:
        with session.api() as api:
            task = api.tasks.resume_task(pb.ResumeTaskRequest(name=_task_name(resume), step=step)).task
            task, fetched = _run(session, api, task, output, quiet=quiet)
        _report(session, task, fetched)
        return
    spec = pb.TaskSpec(
        text=read_text(text, file, "text"),
        repositories=repository,
        policy=policy,
        budget=pb.TaskBudget(steps=steps, tokens=tokens, seconds=seconds),
        workspace=True,
        auto_approve=yes,
        network_hosts=network,
        checks=[*map(_check, expect or ()), *(pb.TaskCheck(command=item) for item in expect_command or ())],
    )
    with _open(session, policy) as api:
        spec.inputs.extend(send(api, item) for item in inputs or ())
        task = api.tasks.create_task(pb.CreateTaskRequest(spec=spec)).task
        if detach or not quiet:
            print(task.name, file=sys.stdout if detach else sys.stderr)
        if detach:
            return
        task, fetched = _run(session, api, task, output, quiet=quiet)
    _report(session, task, fetched)


def _open(session: CliSession, policy: str) -> AbstractContextManager[Api]:
    """Open the API; a local task with a model that can find repositories online needs no store before it."""
    settings = session.settings
    can_search = settings.agent.search.token or settings.agent.catalogue
    if policy == "chat" and can_search and not session.remote and not settings.store.folder.is_dir():
        from repoquarry.graphstore.store import Store

        Store.open(settings.store, writable=True).close()
    return session.api()


def _report(session: CliSession, task: pb.Task, fetched: list[Path]) -> None:
    """Print an ended task and the downloaded files. Raises: RequestError if the task has no answer."""
    session.render(task, print_task)
    for path in fetched:
        print(f"wrote {path}", file=sys.stderr)
    check_answered(task)


def _task_name(text: str) -> str:
    return text if "/" in text else f"tasks/{text}"


def _show_steps(session: CliSession, api: Api, name: str) -> None:
    task = api.tasks.get_task(pb.GetTaskRequest(name=name)).task
    steps = api.tasks.list_task_steps(pb.ListTaskStepsRequest(name=name)).steps
    if session.as_json:
        session.print_json({"task": task, "steps": list(steps)})
        return
    print_task(task)
    print(format_records("steps", _STEP_COLUMNS, steps, right=(2, 3)))


def _run(
    session: CliSession, api: Api, task: pb.Task, output: Path | None, *, quiet: bool
) -> tuple[pb.Task, list[Path]]:
    """Follow a task to its end. Returns the ended task and the downloaded files."""
    follow_task(session, api, task, quiet=quiet)
    task = api.tasks.get_task(pb.GetTaskRequest(name=task.name)).task
    return task, fetch(api, task.name, output) if output is not None and task.HasField("answer") else []


def _check(item: str) -> pb.TaskCheck:
    path, _, pattern = item.partition("=")
    return pb.TaskCheck(path=path, not_empty=True, pattern=pattern)


@with_session
def files_command(
    session: CliSession,
    task: str = argument(..., "Name of the task, `tasks/ID` or `ID`."),
    paths: list[str] | None = argument(None, "Files or folders of the workspace; defaults to the folder `outputs`."),
    everything: bool = flag("--all", "Include all files of the workspace."),
    output: Path | None = option(None, "--output", "-o", "Output folder; without it the files are listed."),
    delete: bool = flag("--delete", "Delete the workspace of the ended task."),
) -> None:
    """List or download the files of a task, or delete its workspace."""
    name = _task_name(task)
    with session.api() as api:
        if delete:
            api.tasks.delete_task_files(pb.DeleteTaskFilesRequest(name=name))
            print(f"deleted the workspace of {name}", file=sys.stderr)
        elif output is not None:
            for path in _list_paths(api, name, paths, everything=everything):
                print(f"wrote {fetch_file(api, name, path, output)}", file=sys.stderr)
        else:
            _list(session, api, name, paths or ["" if everything else "outputs"])


def _list_paths(api: Api, name: str, paths: list[str] | None, *, everything: bool) -> list[str]:
    """List the files at the paths: files, and all files below folders."""
    found = []
    for path in paths or ["" if everything else "outputs"]:
        request = pb.ListTaskFilesRequest(name=name, folder=path, max_files=10_000, without_checksums=True)
        inside = [item.path for item in api.tasks.list_task_files(request).files]
        found += inside or ([path] if paths else [])
    return found


def _list(session: CliSession, api: Api, name: str, folders: list[str]) -> None:
    pages = [api.tasks.list_task_files(pb.ListTaskFilesRequest(name=name, folder=folder)) for folder in folders]
    files = [item for page in pages for item in page.files]
    if session.as_json:
        session.print_json({"files": files, "truncated": any(page.truncated for page in pages)})
        return
    print(format_records("files", _FILE_COLUMNS, files, right=(1,)))
    for page in pages:
        _report_skipped(page.skipped)
    if any(page.truncated for page in pages):
        print("the list is truncated; name a folder", file=sys.stderr)


def _report_skipped(skipped: Iterable[pb.SkippedTaskFile]) -> None:
    for item in skipped:
        print(f"skipped: {item.path} ({item.reason})", file=sys.stderr)


_MAX_ARGUMENTS = 200
_TAIL_LINES = 3


def follow_task(session: CliSession, api: Api, task: pb.Task, *, quiet: bool) -> None:
    """Show the steps of a task and ask for approvals, until the task ends."""
    cancel = pb.CancelTaskRequest(name=task.name)
    with session.cancel_on_interrupt(task.name, lambda: api.tasks.cancel_task(cancel)):
        for part in api.tasks.stream_task_events(pb.StreamTaskEventsRequest(name=task.name)):
            if not quiet:
                _show(part.event)
            if part.event.WhichOneof("event") == "approval_requested":
                request = part.event.approval_requested
                granted = _decide(request)
                api.tasks.approve_task_action(
                    pb.ApproveTaskActionRequest(name=task.name, approval=request.approval, granted=granted)
                )


def _decide(asked: pb.ApprovalRequested) -> bool:
    """Ask for approval; nothing is approved without a terminal."""
    if not sys.stdin.isatty():
        print(f"not approved: no terminal for the prompt: {asked.effect}", file=sys.stderr)
        return False
    print(asked.effect, file=sys.stderr)
    return typer.confirm(f"Allow {asked.tool}?", err=True)


_LINES = {
    "selection": "   kept {0.tokens_after} of {0.tokens_before} tokens",
    "budget_reached": "limit of {0.limit:g} {0.budget} reached",
    "model_requested": "   waiting for {0.model} ({0.tokens} tokens)",
    "notice": "{0.text}",
    "model_retried": "   the model failed ({0.error}); trying again",
}
"""Templates of the lines of events."""


def _show(event: pb.TaskEvent) -> None:
    kind = event.WhichOneof("event") or ""
    found: Any = getattr(event, kind, None)
    line = _LINES.get(kind, "").format(found)
    match kind:
        case "plan":
            line = found.text if found.question == "chat" else ""
        case "tool_called":
            line = f"{found.step}. {found.tool}({_arguments(found.arguments)})"
        case "tool_returned":
            line = f"   {'failed: ' if found.failed else ''}{found.summary}"
        case "command_ended":
            line = _command_line(found)
        case "task_resumed":
            line = f"resumed after {count_noun(found.steps, 'step')}"
        case "checked":
            held = [check.held for check in found.checks]
            line = f"{sum(held)} of {len(held)} completion checks passed"
    if line:
        print(line, file=sys.stderr, flush=True)


def _command_line(ended: pb.CommandEnded) -> str:
    """Format the last lines of the output of a command."""
    lines = (ended.tail or ended.head).splitlines()[-_TAIL_LINES:]
    return "\n".join(f"   | {line}" for line in lines) or "   | (no output)"


def check_answered(task: pb.Task) -> None:
    """Require an answer and passed completion checks. Raises: RequestError."""
    if task.HasField("error") or not task.HasField("answer"):
        raise operation_error(task)


def _mentions(text: str, found: pb.TaskPlace) -> bool:
    """Return whether the text of the answer contains the place, by its name or its first line."""
    name = f"`{found.qualname}`" if found.qualname else found.path
    return name in text or f"{found.path}:{found.start_line}" in text


def _arguments(arguments: Struct) -> str:
    from google.protobuf.json_format import MessageToDict

    text = ", ".join(f"{name}={_argument(value)}" for name, value in MessageToDict(arguments).items())
    return text if len(text) <= _MAX_ARGUMENTS else text[:_MAX_ARGUMENTS] + "…"


def _argument(value: object) -> str:
    """Format an argument; `Struct` stores the integer 3 as 3.0."""
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else json.dumps(value, ensure_ascii=False)


def print_task(task: pb.Task, *, verbose: bool = True) -> None:
    """Print the answer of a task with places, files and basis; with `verbose` also the cost of an answer without a model."""
    if not task.HasField("answer"):
        return
    answer, width = task.answer, terminal_width()
    print(wrap_text(answer.text.rstrip(), width))
    further = [found for found in answer.places if not _mentions(answer.text, found)]
    if further:
        print("\nfurther places" if len(further) < len(answer.places) else "\nplaces")
    for number, found in enumerate(further, len(answer.places) - len(further) + 1):
        lines = f":{found.start_line}-{found.end_line}" if found.start_line else ""
        print(f"{number:>3}. {short(found.repository)}  {found.path}{lines}  {found.qualname}".rstrip())
        if found.why:
            print(wrap_text(f"     {found.why}", width))
    for item in answer.unresolved:
        if f"`{item.name}`" not in answer.text:
            print(f"{count_noun(item.sites, 'unresolved call')} of {item.name}: {', '.join(item.reasons)}")
    if answer.files:
        print("\nproduced")
    for produced in answer.files:
        print(f"     {produced.path}  {format_size(produced.size)}  sha256 {produced.sha256[:16]}…")
    for check in answer.checks:
        print(f"{'passed' if check.held else 'failed'}: {check.check}{f' ({check.why})' if check.why else ''}")
    print()
    if verbose or answer.input_tokens or answer.partial:
        print(_format_cost(answer))
    print("\n".join(format_basis(answer.basis)))


def _format_cost(answer: pb.TaskAnswer) -> str:
    used = f"{answer.steps} {'step' if answer.steps == 1 else 'steps'}, {answer.read_tokens} tokens read"
    if answer.input_tokens or answer.output_tokens:
        used += f", {answer.input_tokens} tokens in and {answer.output_tokens} out"
    if answer.cost:
        used += f", cost {answer.cost:.4f}" + (
            f" and {answer.unpriced_calls} unpriced requests" if answer.unpriced_calls else ""
        )
    return f"{used}{'; limit reached, results are partial' if answer.partial else ''}"


def send(api: Api, item: str) -> pb.TaskInput:
    """Upload `FILE` or `FILE=PATH`. Raises: RequestError."""
    name, separator, path = item.rpartition("=")
    file = Path(item if not separator or Path(item).exists() else name)
    parts = upload_parts(file)
    first = next(parts)  # An unreadable file must fail here, not inside the call.
    sent = api.tasks.upload_task_input(part for group in ((first,), parts) for part in group)
    return pb.TaskInput(upload=sent.upload, path=path if separator and file == Path(name) else sent.file_name)


def fetch(api: Api, task: str, folder: Path) -> list[Path]:
    """Download the outputs of a task. Raises: RequestError."""
    request = pb.ListTaskFilesRequest(name=task, folder=OUTPUTS, max_files=10_000, without_checksums=True)
    listed = api.tasks.list_task_files(request)
    fetched = [fetch_file(api, task, item.path, folder, OUTPUTS) for item in listed.files]
    _report_skipped(listed.skipped)
    if listed.truncated:
        raise request_error("FILE_LIMIT", f"only the first {len(fetched)} files were fetched; fetch folder by folder")
    return fetched


def fetch_file(api: Api, task: str, path: str, folder: Path, within: str = "") -> Path:
    """Download one file of a workspace. Raises: RequestError."""
    parts = iter(api.tasks.read_task_file(pb.ReadTaskFileRequest(name=task, path=path)))
    sink = FileSink(folder, next(parts).file, within)
    try:
        for part in parts:
            sink.take(part.data)
        return sink.finish()
    finally:
        sink.close()
