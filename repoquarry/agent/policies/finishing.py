"""The tool `finish`, by which a chat model ends a task: the answer with its places, read by the policy and run by nobody."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from repoquarry.agent.decisions import ToolCall, ToolResult
from repoquarry.agent.errors import ToolArgumentsError
from repoquarry.agent.policies.chat_model import Reply
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind


class NamedPlace(msgspec.Struct, frozen=True):
    """A place as a model names it."""

    path: Annotated[str, Meta(description="path of the file, relative to the repository's root")]
    repository: Annotated[str, Meta(description="repository id")] = ""
    qualname: Annotated[str, Meta(description="dotted name inside the file; empty for the whole file")] = ""
    start_line: Annotated[int, Meta(description="first line, 1-based; 0 when qualname says it", ge=0)] = 0
    end_line: Annotated[int, Meta(description="last line, inclusive", ge=0)] = 0
    why: Annotated[str, Meta(description="one sentence: why it answers the task")] = ""


class FinishArguments(Arguments, frozen=True):
    """The answer."""

    text: Annotated[str, Meta(description="the answer in Markdown")]
    places: Annotated[list[NamedPlace], Meta(description="places that answer the task, the best first")] = []  # noqa: RUF012  copied by msgspec


def _never_run(context: ToolContext, arguments: FinishArguments) -> ToolResult:
    """`finish` is read by the policy; the graph never calls it."""
    return ToolResult(ToolView(ViewKind.ROWS, arguments.text), "finished")


FINISH = Tool("finish", "Give the answer and end the task.", FinishArguments, _never_run)


def finish_call(reply: Reply) -> ToolCall | None:
    """The call of `finish` in a reply; None without one."""
    return next((call for call in reply.calls if call.tool == FINISH.name), None)


def finish_arguments(call: ToolCall) -> FinishArguments:
    """What `finish` was called with. Raises: ToolArgumentsError."""
    if call.problem:
        raise ToolArgumentsError(call.problem)
    given = FINISH.parse(call.arguments)
    if not isinstance(given, FinishArguments):
        raise ToolArgumentsError(f"{FINISH.name} takes {FINISH.arguments.__name__}")
    return given
