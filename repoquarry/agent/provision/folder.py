"""Provisions a folder of this machine: a copy of it is built and imported in a scratch workspace, the folder itself is only read."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

import platformdirs

from repoquarry.agent.isolation.registry import choose_isolation
from repoquarry.agent.provision.cache import EnvironmentCache
from repoquarry.agent.provision.registry import provision
from repoquarry.agent.provision.report import Progress, Provisioned
from repoquarry.agent.provision.request import Request
from repoquarry.agent.settings import AgentSettings

_LEFT: Final = (".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", ".pytest_cache")
_ENVIRONMENTS: Final = ".environments"


def environments_root(settings: AgentSettings) -> Path:
    """Folder of the shared environments by the settings."""
    if settings.environment.root is not None:
        return settings.environment.root
    if settings.workspace.root is not None:
        return settings.workspace.root / _ENVIRONMENTS
    return Path(platformdirs.user_cache_dir("repoquarry")) / "environments"


def open_cache(settings: AgentSettings) -> EnvironmentCache:
    """The shared environments by the settings."""
    environment = settings.environment
    return EnvironmentCache(environments_root(settings), environment.cache_bytes, environment.keep_hours)


@contextmanager
def provisioned_folder(
    folder: Path,
    settings: AgentSettings,
    *,
    date: datetime | None,
    tests: bool = False,
    name: str = "",
    language: str = "",
    report: Callable[[Progress], None],
    cancelled: Callable[[], bool],
) -> Iterator[tuple[Provisioned, Path]]:
    """Provision a folder, and give the result and the scratch workspace, which is removed after the block.

    `name` is that of the copy, where the folder has another one than the repository.

    Raises: IsolationUnavailableError, EnvironmentUnavailableError, TaskCancelledError.
    """
    isolation = choose_isolation(settings.workspace.isolation, settings.workspace.container_image)
    cache = open_cache(settings)
    with tempfile.TemporaryDirectory(prefix=".provision-", dir=cache.root, ignore_cleanup_errors=True) as scratch:
        workspace = Path(scratch).resolve()
        tree = workspace / (name or folder.resolve().name)
        shutil.copytree(
            folder, tree, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT), ignore_dangling_symlinks=True
        )
        request = Request(tree, workspace, date, tests, language=language)
        yield provision(request, cache, settings, isolation, report, cancelled), workspace
