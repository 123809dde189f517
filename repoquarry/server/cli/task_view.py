"""Terminal view of a task: steps, approvals, answer, files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from repoquarry.client.files import OUTPUTS, FileSink, upload_parts
from repoquarry.server.cli.session import CliSession, operation_error
from repoquarry.server.errors import request_error

if TYPE_CHECKING:
    from google.protobuf.struct_pb2 import Struct

    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import (
        ApprovalRequested,
        CommandEnded,
        Task,
        TaskAnswer,
        TaskEvent,
        TaskInput,
        TaskPlace,
    )

POLICIES = ("deterministic", "chat")
_MAX_ARGUMENTS = 200
_TAIL_LINES = 3


def follow_task(session: CliSession, api: Api, task: Task, *, quiet: bool) -> None:
    """Show the steps of a task and ask for approvals, until the task ends."""
    from repoquarry.v1.task_service_pb2 import (
        ApproveTaskActionRequest,
        CancelTaskRequest,
        StreamTaskEventsRequest,
    )

    cancel = CancelTaskRequest(name=task.name)
    with session.cancel_on_interrupt(task.name, lambda: api.tasks.cancel_task(cancel)):
        for part in api.tasks.stream_task_events(StreamTaskEventsRequest(name=task.name)):
            if not quiet:
                _show(part.event)
            if part.event.WhichOneof("event") == "approval_requested":
                request = part.event.approval_requested
                granted = _decide(request)
                api.tasks.approve_task_action(
                    ApproveTaskActionRequest(name=task.name, approval=request.approval, granted=granted)
                )


def _decide(asked: ApprovalRequested) -> bool:
    """Ask for approval; nothing is approved without a terminal."""
    if not sys.stdin.isatty():
        print(f"not approved: no terminal for the prompt: {asked.effect}", file=sys.stderr)
        return False
    print(asked.effect, file=sys.stderr)
    return typer.confirm(f"Allow {asked.tool}?", err=True)


def _show(event: TaskEvent) -> None:
    line = ""
    match event.WhichOneof("event"):
        case "plan":
            line = event.plan.text
        case "tool_called":
            line = f"{event.tool_called.step}. {event.tool_called.tool}({_arguments(event.tool_called.arguments)})"
        case "tool_returned":
            line = f"   {'failed: ' if event.tool_returned.failed else ''}{event.tool_returned.summary}"
        case "command_ended":
            line = _command_line(event.command_ended)
        case "selection":
            line = f"   kept {event.selection.tokens_after} of {event.selection.tokens_before} tokens"
        case "task_resumed":
            line = f"resumed after {event.task_resumed.steps} steps"
        case "checked":
            held = [check.held for check in event.checked.checks]
            line = f"{sum(held)} of {len(held)} completion checks passed"
        case "budget_reached":
            line = f"limit of {event.budget_reached.limit:g} {event.budget_reached.budget} reached"
        case "model_retried":
            line = f"   the model failed ({event.model_retried.error}); trying again"
        case _:
            return
    print(line, file=sys.stderr, flush=True)


def _command_line(ended: CommandEnded) -> str:
    """Format the last lines of the output of a command."""
    lines = (ended.tail or ended.head).splitlines()[-_TAIL_LINES:]
    return "\n".join(f"   | {line}" for line in lines) or "   | (no output)"


def check_answered(task: Task) -> None:
    """Require an answer and passed completion checks. Raises: RequestError."""
    if task.HasField("error") or not task.HasField("answer"):
        raise operation_error(task)


def _mentions(text: str, found: TaskPlace) -> bool:
    """Return whether the text of the answer contains the place."""
    return f"{found.path}:{found.start_line}" in text if found.start_line else found.path in text


def _arguments(arguments: Struct) -> str:
    from google.protobuf.json_format import MessageToDict

    text = ", ".join(f"{name}={_argument(value)}" for name, value in MessageToDict(arguments).items())
    return text if len(text) <= _MAX_ARGUMENTS else text[:_MAX_ARGUMENTS] + "…"


def _argument(value: object) -> str:
    """Format an argument; `Struct` stores the integer 3 as 3.0."""
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else json.dumps(value, ensure_ascii=False)


def print_task(task: Task) -> None:
    """Print the answer of an ended task, if it has one."""
    if task.HasField("answer"):
        print_answer(task.answer)


def print_answer(answer: TaskAnswer) -> None:
    """Print an answer with places, files and cost."""
    from repoquarry.server.text_format import format_basis, short

    print(answer.text.rstrip())
    further = [found for found in answer.places if not _mentions(answer.text, found)]
    if further:
        print("\nfurther places" if len(further) < len(answer.places) else "\nplaces")
    for number, found in enumerate(further, len(answer.places) - len(further) + 1):
        lines = f":{found.start_line}-{found.end_line}" if found.start_line else ""
        print(f"{number:>3}. {short(found.repository)}  {found.path}{lines}  {found.qualname}".rstrip())
        if found.why:
            print(f"     {found.why}")
    for item in answer.unresolved:
        if f"`{item.name}`" in answer.text:
            continue
        print(f"{item.sites} calls of {item.name} could not be resolved: {', '.join(item.reasons)}")
    if answer.files:
        print("\nproduced")
    for produced in answer.files:
        print(f"     {produced.path}  {produced.size} bytes  sha256 {produced.sha256[:16]}…")
    for check in answer.checks:
        print(f"{'passed' if check.held else 'failed'}: {check.check}{f' ({check.why})' if check.why else ''}")
    used = f"{answer.steps} steps, {answer.read_tokens} tokens read"
    if answer.input_tokens or answer.output_tokens:
        used += f", {answer.input_tokens} tokens in and {answer.output_tokens} out"
    if answer.cost:
        used += f", cost {answer.cost:.4f}" + (
            f" and {answer.unpriced_calls} unpriced requests" if answer.unpriced_calls else ""
        )
    print(f"\n{used}{'; limit reached, results are partial' if answer.partial else ''}")
    print("\n".join(format_basis(answer.basis)))


def send(api: Api, item: str) -> TaskInput:
    """Upload `FILE` or `FILE=PATH`. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import TaskInput

    name, separator, path = item.rpartition("=")
    file = Path(item if not separator or Path(item).exists() else name)
    parts = upload_parts(file)
    first = next(parts)  # An unreadable file must fail here, not inside the call.
    sent = api.tasks.upload_task_input(part for group in ((first,), parts) for part in group)
    return TaskInput(upload=sent.upload, path=path if separator and file == Path(name) else sent.file_name)


def fetch(api: Api, task: str, folder: Path, within: str = OUTPUTS) -> list[Path]:
    """Download the files below a folder of a workspace. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    request = ListTaskFilesRequest(name=task, folder=within, max_files=10_000, without_checksums=True)
    listed = api.tasks.list_task_files(request)
    fetched = [fetch_file(api, task, item.path, folder, within) for item in listed.files]
    if listed.truncated:
        raise request_error("FILE_LIMIT", f"only the first {len(fetched)} files were fetched; fetch folder by folder")
    return fetched


def fetch_file(api: Api, task: str, path: str, folder: Path, within: str = "") -> Path:
    """Download one file of a workspace. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import ReadTaskFileRequest

    parts = iter(api.tasks.read_task_file(ReadTaskFileRequest(name=task, path=path)))
    sink = FileSink(folder, next(parts).file, within)
    try:
        for part in parts:
            sink.take(part.data)
        return sink.finish()
    finally:
        sink.close()
