"""Tool `install`: installs packages into the workspace as their language does, approved first."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.tools.commands.command_view import show_outcome


class InstallArguments(Arguments, frozen=True):
    """What to install."""

    requirements: Annotated[
        list[str],
        Meta(
            description="packages such as `requests>=2`, `left-pad@1` or `com.google.code.gson:gson:2.11.0`, or folders of the"
            " workspace such as `./repo`, which get what their manifests need",
            min_length=1,
        ),
    ]
    folder: Annotated[str, Meta(description="folder of the workspace whose code needs the packages")] = "."
    language: Annotated[
        str, Meta(description="`python`, `javascript` or `java`; empty lets the folder's manifests decide")
    ] = ""


def run(context: ToolContext, arguments: InstallArguments) -> ToolResult:
    outcome = context.folder().install(arguments.requirements, arguments.folder, arguments.language)
    return show_outcome(context, f"install {' '.join(arguments.requirements)}", outcome)


TOOL = Tool(
    "install",
    "Install packages into the workspace: Python's with pip, JavaScript's with npm, Java's with Maven or Gradle; a person may have to"
    " approve it first.",
    InstallArguments,
    run,
    Effect.EXECUTES,
)
