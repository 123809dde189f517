"""`repoquarry ask`: a question or a task for the agent, followed until its answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.query import read_text
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import Failure, RequestError

if TYPE_CHECKING:
    from google.protobuf.struct_pb2 import Struct

    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import ApprovalRequested, Task, TaskAnswer, TaskEvent, TaskPlace

_MAX_ARGUMENTS = 200


@with_session
def command(
    session: Session,
    text: Annotated[str | None, typer.Argument(help="The question; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the question from this file.")] = None,
    repository: Annotated[list[str] | None, typer.Option("--repository", "-r", help="Only in these.")] = None,
    policy: Annotated[str, typer.Option("--policy", help="How the agent decides: `deterministic` or `chat`.")] = "",
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
        _follow(session, api, task, quiet=quiet)
        task = api.tasks.get_task(GetTaskRequest(name=task.name)).task
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(task))
    elif task.HasField("answer"):
        _print(task.answer)
    if not task.HasField("answer"):
        reason, message = task.error.reason or "CANCELLED", task.error.message or f"{task.name} was cancelled"
        raise RequestError(Failure(reason, message, task.error.metadata))


def _follow(session: Session, api: Api, task: Task, *, quiet: bool) -> None:
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
            print(f"{task.name} goes on at the server", file=sys.stderr)
        else:
            api.tasks.cancel_task(CancelTaskRequest(name=task.name))
        raise


def _decide(asked: ApprovalRequested) -> bool:
    """Ask the person at the terminal; without one nothing is approved."""
    if not sys.stdin.isatty():
        print(f"not approved, because nobody can be asked: {asked.effect}", file=sys.stderr)
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
        case "selection":
            line = f"   kept {event.selection.tokens_after} of {event.selection.tokens_before} tokens"
        case "budget_reached":
            line = f"the budget of {event.budget_reached.limit:g} {event.budget_reached.budget} is used up"
        case "model_retried":
            line = f"   the model failed ({event.model_retried.error}); trying again"
        case _:
            return
    print(line, file=sys.stderr, flush=True)


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


def _print(answer: TaskAnswer) -> None:
    from repoquarry.server.cli.text import basis_lines, short

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
    used = f"{answer.steps} steps, {answer.read_tokens} tokens read"
    if answer.input_tokens or answer.output_tokens:
        used += f", {answer.input_tokens} tokens in and {answer.output_tokens} out"
    print(f"\n{used}{'; a budget ran out: this is what was found until then' if answer.partial else ''}")
    print("\n".join(basis_lines(answer.basis)))
