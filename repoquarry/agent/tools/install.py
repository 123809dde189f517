"""Tool `install`: installs packages into the workspace's own virtual environment, approved first."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext, ToolResult
from repoquarry.agent.tools.command_view import show_outcome


class InstallArguments(Arguments, frozen=True):
    """What to install."""

    requirements: Annotated[
        list[str],
        Meta(
            description="requirements such as `requests>=2` or folders of the workspace such as `./repo`", min_length=1
        ),
    ]


def run(context: ToolContext, arguments: InstallArguments) -> ToolResult:
    outcome = context.folder().install(arguments.requirements)
    return show_outcome(context, f"install {' '.join(arguments.requirements)}", outcome)


TOOL = Tool(
    "install",
    "Install Python packages into the workspace's virtual environment; a person may have to approve it first.",
    InstallArguments,
    run,
    Effect.EXECUTES,
)
