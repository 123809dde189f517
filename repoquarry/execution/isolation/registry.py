"""Choice of an isolation variant, and checks of the settings that isolate commands."""

from __future__ import annotations

import functools
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from repoquarry.execution.errors import IsolationUnavailableError, TaskRejectedError, UnknownNameError
from repoquarry.execution.isolation.confinement import Isolation, unusable
from repoquarry.execution.isolation.proxy import parse_host
from repoquarry.execution.isolation.variants import VARIANTS
from repoquarry.execution.settings import WorkspaceSettings

AUTO: Final = "auto"


def load_variant(name: str, image: str = "") -> Isolation:
    """A variant by name, whether it works here or not. Raises: UnknownNameError."""
    if name not in VARIANTS:
        raise UnknownNameError("isolation", name, (AUTO, *VARIANTS))
    return VARIANTS[name](image)


@functools.cache
def choose_isolation(name: str, image: str = "") -> Isolation:
    """The variant of that name, or for `auto` the first that holds and works here; tried once for each process.

    Raises: UnknownNameError; IsolationUnavailableError, which says why each fails.
    """
    names = [key for key in VARIANTS if key != "none"] if name == AUTO else [name]
    failures = []
    for key in names:
        variant = load_variant(key, image)
        if not (failure := variant.unavailable()):
            return variant
        failures.append(f"{key}: {failure}")
    raise IsolationUnavailableError(
        f"commands cannot be isolated here ({'; '.join(failures)}); mend one of these, set agent.workspace.isolation "
        "to none to run commands without isolation, or leave agent.workspace.root unset"
    )


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
