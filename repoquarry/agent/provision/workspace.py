"""Provisions a folder of a task's workspace, and lets the task's commands run in what was made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from repoquarry.agent.isolation.registry import choose_isolation
from repoquarry.agent.provision.folder import open_cache
from repoquarry.agent.provision.installer import find_uv
from repoquarry.agent.provision.provisioning import Request, provision
from repoquarry.agent.provision.report import Progress, Provisioned
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.workspace import Workspace
from repoquarry.agent.workspaces.environment import Environment


def provision_workspace(
    workspace: Workspace,
    tree: Path,
    settings: AgentSettings,
    *,
    date: datetime | None,
    tests: bool,
    cancelled: Callable[[], bool],
    report: Callable[[Progress], None] = lambda _: None,
) -> Provisioned:
    """Provision a folder, and make its environment that of the workspace's commands.

    Raises: EnvironmentUnavailableError, TaskCancelledError.
    """
    isolation = choose_isolation(settings.workspace.isolation, settings.workspace.container_image)
    cache = open_cache(settings)
    request = Request(tree, workspace.root, date, tests)
    found = provision(request, cache, settings, isolation, report, cancelled)
    if found.environment is not None and found.layer is not None:
        cache.hold(found.environment, workspace.root)
        workspace.environment = _environment(found.environment.path, found.layer)
    return found


def _environment(shared: Path, layer: Path) -> Environment:
    """What commands get: the workspace's own layer is first, the shared environment and its interpreter are read."""
    interpreter = (layer / "bin" / "python").resolve()
    return Environment(
        shared,
        (interpreter.parents[1], find_uv()),
        (layer / "bin", shared / "bin"),
        {"VIRTUAL_ENV": str(layer)},
    )
