"""Runs the commands of a provisioning: isolated, with the network only where it is asked for and only to the hosts of the settings."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from repoquarry.agent.errors import ToolError
from repoquarry.agent.isolation.commands import Outcome, run_bounded
from repoquarry.agent.isolation.confinement import PROXY_PORT, Confinement, Isolation
from repoquarry.agent.isolation.proxy import open_proxy
from repoquarry.agent.settings import EnvironmentSettings, WorkspaceSettings

_LEAST_SECONDS: Final = 120.0
"""Time that a command has when all is used up, so that what was reached can be put back and finished."""


@dataclass(frozen=True)
class Access:
    """What one command sees besides the workspace and the system."""

    writable: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    network: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)


class Runner:
    """Commands in one workspace, under the limits of environments."""

    def __init__(
        self,
        workspace: Path,
        settings: WorkspaceSettings,
        limits: EnvironmentSettings,
        isolation: Isolation,
        cancelled: Callable[[], bool],
        left: Callable[[], float] | None = None,
    ) -> None:
        """`left` says how many seconds are left for all commands together; None is no limit."""
        self.workspace = workspace.resolve()
        self._isolation = isolation
        self._cancelled = cancelled
        self._left = left
        self._seconds = limits.command_seconds
        self._hosts = settings.install_hosts
        local = (limits.index.removeprefix("file://"), *limits.find_links)
        shown = (*settings.readable, *local)
        self._visible = tuple(Path(path).resolve() for path in shown if path.startswith("/"))
        self._pass = settings.pass_environment
        self._limits = replace(
            settings,
            memory_bytes=limits.memory_bytes,
            file_bytes=limits.file_bytes,
            disk_bytes=limits.disk_bytes,
        )

    def run(self, command: Sequence[str], access: Access, folder: Path | None = None, seconds: float = 0.0) -> Outcome:
        """Run one command to its end. Raises: ToolError when it cannot be started."""
        with contextlib.ExitStack() as stack:
            variables, proxy = {**self._variables(), **access.variables}, None
            if access.network and self._hosts and self._isolation.grants_network:
                proxy = stack.enter_context(open_proxy(self._hosts))
                address = f"http://127.0.0.1:{PROXY_PORT}"
                variables |= dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"), address)
            readable = tuple(dict.fromkeys((*self._visible, *access.readable)))
            try:
                return run_bounded(
                    command,
                    folder or self.workspace,
                    variables,
                    self._limits,
                    seconds=self.bound(seconds),
                    cancelled=self._cancelled,
                    isolation=self._isolation,
                    confinement=Confinement(self.workspace, readable, proxy=proxy, writable=access.writable),
                )
            except OSError as error:
                raise ToolError(f"the command {command[0]} could not be started: {error.strerror}") from error

    def bound(self, seconds: float) -> float:
        """Time of one command: its own, at most that of the settings, and at most what is left for all; 0 is no limit."""
        bounds = [bound for bound in (seconds, self._seconds) if bound]
        if self._left is not None:
            bounds.append(max(self._left(), _LEAST_SECONDS))
        return min(bounds, default=0.0)

    def _variables(self) -> dict[str, str]:
        """Only what is listed, with a home of the workspace's own."""
        kept = {name: os.environ[name] for name in self._pass if name in os.environ}
        home = self.workspace / ".home"
        (home / "tmp").mkdir(parents=True, exist_ok=True)
        # the shims of version managers need files that are not shown
        folders = [part for part in kept.get("PATH", os.defpath).split(os.pathsep) if not part.endswith("/shims")]
        return {
            **kept,
            "PATH": os.pathsep.join(folders),
            "HOME": str(home),
            "TMPDIR": str(home / "tmp"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPLBACKEND": "agg",
            "QT_QPA_PLATFORM": "offscreen",
        }
