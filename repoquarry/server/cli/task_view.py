"""A running task in the terminal: steps, approvals, answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from repoquarry.client.files import OUTPUTS, FileSink, upload_parts
from repoquarry.server.cli.session import CliSession
from repoquarry.server.errors import RequestError, ServerFailure, request_error

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
    """Show the task's steps and ask for its approvals. An interrupt cancels it where this process does the work."""
    from repoquarry.v1.task_service_pb2 import (
        ApproveTaskActionRequest,
        CancelTaskRequest,
        StreamTaskEventsRequest,
    )

    try:
        for part in api.tasks.stream_task_events(StreamTaskEventsRequest(name=task.name)):
            if not quiet:
                _show(part.event)
            if part.event.WhichOneof("event") == "approval_requested":
                asked = part.event.approval_requested
                api.tasks.approve_task_action(
                    ApproveTaskActionRequest(name=task.name, approval=asked.approval, granted=_decide(asked))
                )
    except KeyboardInterrupt:
        if session.remote:
            print(f"{task.name} continues on the server", file=sys.stderr)
        else:
            api.tasks.cancel_task(CancelTaskRequest(name=task.name))
        raise


def _decide(asked: ApprovalRequested) -> bool:
    """Ask the person at the terminal; without one nothing is approved."""
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
            line = f"{sum(held)} of {len(held)} completion checks hold"
        case "budget_reached":
            line = f"limit of {event.budget_reached.limit:g} {event.budget_reached.budget} reached"
        case "model_retried":
            line = f"   the model failed ({event.model_retried.error}); trying again"
        case _:
            return
    print(line, file=sys.stderr, flush=True)


def _command_line(ended: CommandEnded) -> str:
    """The last lines of a command's output; how it ended is told by what follows."""
    lines = (ended.tail or ended.head).splitlines()[-_TAIL_LINES:]
    return "\n".join(f"   | {line}" for line in lines) or "   | (no output)"


def check_answered(task: Task) -> None:
    """Raises: RequestError when the task ended without an answer, or its completion checks do not hold."""
    if task.HasField("error") or not task.HasField("answer"):
        reason, message = task.error.reason or "CANCELLED", task.error.message or f"{task.name} was cancelled"
        raise RequestError(ServerFailure(reason, message, task.error.metadata))


def _is_told(text: str, found: TaskPlace) -> bool:
    """Whether the answer's own text says where the place is."""
    return f"{found.path}:{found.start_line}" in text if found.start_line else found.path in text


def _arguments(arguments: Struct) -> str:
    from google.protobuf.json_format import MessageToDict

    text = ", ".join(f"{name}={_argument(value)}" for name, value in MessageToDict(arguments).items())
    return text if len(text) <= _MAX_ARGUMENTS else text[:_MAX_ARGUMENTS] + "…"


def _argument(value: object) -> str:
    """As it was given: `Struct` knows no integers and makes 3 into 3.0."""
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else json.dumps(value, ensure_ascii=False)


def print_answer(answer: TaskAnswer) -> None:
    """The answer with places, what was produced, and what it cost."""
    from repoquarry.server.text_format import format_basis, short

    print(answer.text.rstrip())
    told = [found for found in answer.places if not _is_told(answer.text, found)]
    if told:
        print("\nfurther places" if len(told) < len(answer.places) else "\nplaces")
    for number, found in enumerate(told, len(answer.places) - len(told) + 1):
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
        print(f"{'holds' if check.held else 'does not hold'}: {check.check}{f' ({check.why})' if check.why else ''}")
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
    first = next(parts)  # a file that cannot be read is found here, and not inside the call
    sent = api.tasks.upload_task_input(part for group in ((first,), parts) for part in group)
    return TaskInput(upload=sent.upload, path=path if separator and file == Path(name) else sent.file_name)


def fetch(api: Api, task: str, folder: Path, within: str = OUTPUTS) -> list[Path]:
    """Write the files below a folder of a task's workspace below `folder`. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    request = ListTaskFilesRequest(name=task, folder=within, max_files=10_000, without_checksums=True)
    listed = api.tasks.list_task_files(request)
    fetched = [fetch_file(api, task, item.path, folder, within) for item in listed.files]
    if listed.truncated:
        raise request_error("FILE_LIMIT", f"only the first {len(fetched)} files were fetched; fetch folder by folder")
    return fetched


def fetch_file(api: Api, task: str, path: str, folder: Path, within: str = "") -> Path:
    """Write one file of a task's workspace. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import ReadTaskFileRequest

    parts = iter(api.tasks.read_task_file(ReadTaskFileRequest(name=task, path=path)))
    sink = FileSink(folder, next(parts).file, within)
    try:
        for part in parts:
            sink.take(part.data)
        return sink.finish()
    finally:
        sink.close()
