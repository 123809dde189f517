"""Tool `provision`: makes the environment in which a repository's code can be imported; the task's later commands run in it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import EnvironmentUnavailableError, ToolError
from repoquarry.execution.provision.report import ProvisioningResult
from repoquarry.execution.workspaces.environments import provision_workspace

_NAMED = 20


class ProvisionArguments(Arguments, frozen=True):
    """For which repository."""

    repository: Annotated[str, Meta(description="repository id; it is checked out when its folder is not there yet")]
    folder: Annotated[str, Meta(description="folder of the workspace with its files; empty for one named like it")] = ""
    date: Annotated[str, Meta(description="take versions of this day, YYYY-MM-DD; empty for the newest")] = ""
    language: Annotated[str, Meta(description="`python` or `javascript`; empty lets its manifests decide")] = ""
    tests: Annotated[bool, Meta(description="install what its own tests need too")] = False


def run(context: ToolContext, arguments: ProvisionArguments) -> ToolResult:
    (repository,) = context.chosen(arguments.repository)
    workspace = context.folder()
    folder = arguments.folder or repository
    if not workspace.locate(folder).is_dir():
        if context.trees is None:
            raise ToolError("there are no trees of repositories here; give a folder of the workspace")
        with context.trees.open(repository, context.cancelled) as tree:
            workspace.put_tree(tree, folder)
    try:
        found = provision_workspace(
            workspace,
            workspace.locate(folder),
            context.settings,
            date=_day(arguments.date),
            tests=arguments.tests,
            language=arguments.language,
            cancelled=context.cancelled,
        )
    except EnvironmentUnavailableError as error:  # another repository may need what is here
        raise ToolError(f"no environment can be made for {repository}: {error}") from error
    summary = f"{found.state}: {found.runtime}, {len(found.lock)} packages, {len(found.repairs)} repairs"
    if found.environment is None:
        raise ToolError(f"no environment could be made for {repository}: {'; '.join(found.missing)}")
    if found.missing:
        summary += f"; missing: {'; '.join(found.missing)[:500]}"
    return ToolResult(ToolView(ViewKind.ROWS, "\n".join(_lines(found)), summary), summary, records=(found,))


def _day(text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise ToolError(f"{text!r} is no day; write YYYY-MM-DD") from error


def _lines(found: ProvisioningResult) -> list[str]:
    good = sum(item.works for item in found.tried)
    lines = [f"interpreter: {found.interpreter_reason}", f"imports: {good} of {len(found.tried)} succeed"]
    lines += [f"repaired: {one.change}, because {one.reason}" for one in found.repairs[:_NAMED]]
    lines += [f"missing: {line}" for line in found.missing[:_NAMED]]
    return [*lines, f"packages: {', '.join(found.lock)}"]


TOOL = Tool(
    "provision",
    "Install what a repository needs into an environment for it, check it by importing, and run later commands in it.",
    ProvisionArguments,
    run,
    Effect.EXECUTES,
)
"""Approved like every tool that executes: builds of packages run."""
