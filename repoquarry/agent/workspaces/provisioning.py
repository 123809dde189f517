"""Provisions a folder of a task's workspace, and lets the task's commands run in what was made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from repoquarry.agent.isolation.registry import choose_isolation
from repoquarry.agent.provision.folder import open_cache
from repoquarry.agent.provision.registry import provision
from repoquarry.agent.provision.report import Progress, Provisioned
from repoquarry.agent.provision.request import Request
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.workspaces.workspace import Workspace


def provision_workspace(
    workspace: Workspace,
    tree: Path,
    settings: AgentSettings,
    *,
    date: datetime | None,
    tests: bool,
    language: str = "",
    cancelled: Callable[[], bool],
    report: Callable[[Progress], None] = lambda _: None,
) -> Provisioned:
    """Provision a folder, and make its environment that of the workspace's commands.

    Raises: EnvironmentUnavailableError, TaskCancelledError.
    """
    isolation = choose_isolation(settings.workspace.isolation, settings.workspace.container_image)
    cache = open_cache(settings)
    request = Request(tree, workspace.root, date, tests, language=language)
    found = provision(request, cache, settings, isolation, report, cancelled)
    if found.environment is not None and found.commands is not None:
        cache.hold(found.environment, workspace.root)
        workspace.environment = found.commands
    return found
