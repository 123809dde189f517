"""Tool `run_command`: a shell command in the workspace, bounded and approved."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.tools.commands.command_view import show_outcome


class RunCommandArguments(Arguments, frozen=True):
    """What, where and for how long."""

    command: Annotated[str, Meta(description="shell command; the workspace's virtual environment is first on its path")]
    folder: Annotated[str, Meta(description="folder of the workspace to run it in")] = "."
    seconds: Annotated[float, Meta(description="time limit; 0 for the service's own, which it cannot exceed", ge=0)] = (
        0.0
    )


def run(context: ToolContext, arguments: RunCommandArguments) -> ToolResult:
    outcome = context.folder().run(arguments.command, arguments.folder, arguments.seconds)
    return show_outcome(context, f"$ {arguments.command}", outcome)


TOOL = Tool(
    "run_command",
    "Run a shell command in the workspace; a person may have to approve it first.",
    RunCommandArguments,
    run,
    Effect.EXECUTES,
)
