"""What the settings allow workspaces: looked at before anything is served, and before a task is taken."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from repoquarry.agent.errors import TaskRejectedError
from repoquarry.agent.isolation.groups import unusable
from repoquarry.agent.isolation.proxy import parse_host
from repoquarry.agent.isolation.registry import choose_isolation
from repoquarry.agent.settings import WorkspaceSettings

_log = logging.getLogger(__name__)


def check_workspaces(settings: WorkspaceSettings) -> None:
    """Whether commands can run as the settings ask, before anything is served. Does nothing when no task gets a workspace.

    Raises: IsolationUnavailableError, UnknownNameError, TaskRejectedError for a setting that cannot be used.
    """
    if settings.root is None:
        return
    for path in settings.readable:
        if not Path(path).is_absolute() or not Path(path).exists():
            raise TaskRejectedError(f"agent.workspace.readable names {path!r}, which is no absolute path that exists")
    for name in ("install_hosts", "grantable_hosts"):
        for host in getattr(settings, name):
            try:
                parse_host(host)
            except ValueError as error:
                raise TaskRejectedError(f"agent.workspace.{name}: {error}") from error
    if settings.control_group and (reason := unusable(settings.control_group)):
        raise TaskRejectedError(f"agent.workspace.control_group names {settings.control_group!r}: {reason}")
    isolation = choose_isolation(settings.isolation, settings.container_image)
    _log.info("commands_isolated variant=%s holds=%s", isolation.name, isolation.holds)


def check_hosts(hosts: Sequence[str], settings: WorkspaceSettings) -> None:
    """Whether a task may be granted these hosts. Raises: TaskRejectedError, IsolationUnavailableError."""
    if not hosts:
        return
    allowed = {parse_host(host) for host in settings.grantable_hosts}
    for host in hosts:
        try:
            asked = parse_host(host)
        except ValueError as error:
            raise TaskRejectedError(str(error)) from error
        if asked not in allowed:
            raise TaskRejectedError(
                f"no task may be granted {host!r}; agent.workspace.grantable_hosts lists those that one may"
            )
    isolation = choose_isolation(settings.isolation, settings.container_image)
    if isolation.holds and not isolation.grants_network:
        raise TaskRejectedError(f"commands are isolated by {isolation.name} here, which can grant no network")
