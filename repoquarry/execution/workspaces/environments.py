"""Environment of a workspace: provisioned for a folder and mounted for its commands."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from repoquarry.execution.isolation.registry import choose_isolation
from repoquarry.execution.provision.provisioning_run import open_cache, provision
from repoquarry.execution.provision.report import ProvisioningRequest, ProvisioningResult, ProvisioningStep
from repoquarry.execution.settings import ExecutionSettings
from repoquarry.execution.workspaces.workspace import Workspace


def provision_workspace(
    workspace: Workspace,
    tree: Path,
    settings: ExecutionSettings,
    *,
    date: datetime | None,
    tests: bool,
    language: str = "",
    cancelled: Callable[[], bool],
    report: Callable[[ProvisioningStep], None] = lambda _: None,
) -> ProvisioningResult:
    """Provision a folder, and mount its environment for the commands of the workspace.

    Raises: EnvironmentUnavailableError, TaskCancelledError.
    """
    isolation = choose_isolation(settings.workspace.isolation, settings.workspace.container_image)
    cache = open_cache(settings)
    request = ProvisioningRequest(tree, workspace.root, date, tests, language=language)
    found = provision(request, cache, settings, isolation, report, cancelled)
    if found.environment is not None and found.commands is not None:
        cache.hold(found.environment, workspace.root)
        workspace.environment = found.commands
    return found
