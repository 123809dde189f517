"""Entry points that provision a repository or folder in the language detected from its manifests; limits and progress of the run."""

from __future__ import annotations

import hashlib
import importlib
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import platformdirs

from repoquarry.execution.errors import EnvironmentUnavailableError, TaskCancelledError, UnknownNameError
from repoquarry.execution.isolation.confinement import Isolation
from repoquarry.execution.isolation.registry import choose_isolation
from repoquarry.execution.provision.command_runner import CommandRunner, with_local_wheels
from repoquarry.execution.provision.environment_cache import CachedEnvironment, EnvironmentCache
from repoquarry.execution.provision.report import (
    ProvisioningRequest,
    ProvisioningResult,
    ProvisioningState,
    ProvisioningStep,
    Repair,
)
from repoquarry.execution.settings import EnvironmentSettings, ExecutionSettings
from repoquarry.processes.bounded_calls import BoundedCallError, call_bounded
from repoquarry.processes.scratch import ScratchFolder
from repoquarry.processes.workers import StoppedError

if TYPE_CHECKING:
    from repoquarry.execution.workspaces.workspace import Workspace

_Found = TypeVar("_Found")
_READER_BYTES: Final = 2 << 30
"""Private memory of the readers of a repository's files."""
_UNREACHED: Final = re.compile(
    r"dns error|name resolution|EAI_AGAIN|ENOTFOUND|ENETUNREACH|EPERM|EACCES|Operation not permitted|Permission denied|"
    r"[Cc]onnection (?:refused|failed)|client error \(Connect\)"
)


@dataclass
class ProvisioningRun:
    """State of one provisioning, shared by all languages."""

    request: ProvisioningRequest
    cache: EnvironmentCache
    agent: ExecutionSettings
    isolation: Isolation
    report: Callable[[ProvisioningStep], None]
    cancelled: Callable[[], bool]
    started: float = field(default_factory=time.monotonic)
    attempts: int = 0
    _seen: set[str] = field(default_factory=set)

    @property
    def settings(self) -> EnvironmentSettings:
        return self.agent.environment

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def may_continue(self) -> bool:
        """Return whether the limits of time and attempts allow another attempt."""
        in_time = not self.settings.seconds or self.seconds < self.settings.seconds
        return in_time and self.attempts <= self.settings.attempts

    def read_files(self, function: Callable[..., _Found], arguments: Mapping[str, object]) -> _Found:
        """Call a reader of the repository's files in a process with limits. Raises: EnvironmentUnavailableError, TaskCancelledError."""
        try:
            return call_bounded(
                function,
                arguments,
                memory_bytes=_READER_BYTES,
                seconds=self.settings.command_seconds,
                stopped=self.cancelled,
            )
        except BoundedCallError as error:
            raise EnvironmentUnavailableError(
                f"the files of {self.request.tree.name} cannot be read: {error}"
            ) from error
        except StoppedError as error:
            raise TaskCancelledError("the provisioning was cancelled") from error

    def runner(self) -> CommandRunner:
        """Build the runner of isolated commands."""
        left = (lambda: self.settings.seconds - self.seconds) if self.settings.seconds else None
        return CommandRunner(
            self.request.workspace, self.agent.workspace, self.settings, self.isolation, self.cancelled, left
        )

    def choice(self, *further: object) -> tuple[object, ...]:
        """Return the parts of the request that belong to the key of its environment."""
        return (*further, self.request.tests, str(self.request.date))

    def attempt(self, plan: object) -> None:
        """Count an attempt at a plan. Raises: TaskCancelledError."""
        if self.cancelled():
            raise TaskCancelledError("the provisioning was cancelled")
        self.attempts += 1
        self.mark(plan)

    def mark(self, plan: object) -> None:
        self._seen.add(repr(plan))

    def was_seen(self, plan: object) -> bool:
        return repr(plan) in self._seen

    def report_progress(self, stage: str, text: str, *repairs: Repair) -> None:
        self.report(ProvisioningStep(stage, text, repairs))

    def report_repair(self, repair: Repair) -> None:
        """Report an attempted repair."""
        self.report_progress("repair", f"{repair.change}: {repair.reason}", repair)

    def finish(self, folder: Path, record: Mapping[str, Any]) -> CachedEnvironment:
        """Publish the environment."""
        return self.cache.finish(folder, {**record, "repository": self.request.tree.name})

    def add_remedy(self, problems: tuple[str, ...]) -> tuple[str, ...]:
        """Add a remedy if the isolation blocks the network of installations."""
        shut = self.isolation.holds and not self.isolation.grants_network
        if not shut or not any(_UNREACHED.search(problem) for problem in problems):
            return problems
        remedy = (
            f"the isolation {self.isolation.name} gives installations no network; install bubblewrap, "
            "or set agent.environment.index and find_links to folders of this machine"
        )
        return (remedy, *problems)

    def report_end(
        self, stored: CachedEnvironment | None, missing: Sequence[str], repairs: Sequence[Repair]
    ) -> ProvisioningState:
        """Compute and report the final state."""
        state = ProvisioningState.PARTIAL if missing else ProvisioningState.READY
        state = state if stored else ProvisioningState.FAILED
        self.report_progress("done", f"{state} after {self.seconds:.1f} s, {len(repairs)} repairs")
        return state


def digest_of(files: Iterable[Path]) -> str:
    """Compute the digest of the rules; other rules may lead to a better environment for an equal request."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()


LANGUAGES: Final[Mapping[str, str]] = {
    "python": "repoquarry.execution.provision.python.provisioning",
    "javascript": "repoquarry.execution.provision.javascript.provisioning",
}
_PYTHON: Final = ("pyproject.toml", "setup.cfg", "*requirements*.txt", "environment*.y*ml", "Pipfile", "*.py")


def check_language(name: str) -> None:
    """Check that a language is empty or in the table. Raises: UnknownNameError."""
    if name and name not in LANGUAGES:
        raise UnknownNameError("language that is provisioned", name, LANGUAGES)


def provision(
    request: ProvisioningRequest,
    settings: ExecutionSettings,
    report: Callable[[ProvisioningStep], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ProvisioningResult:
    """Provision a repository for the requested language, else for that of its manifests.

    Raises: UnknownNameError; IsolationUnavailableError; EnvironmentUnavailableError if this machine cannot provision environments;
    TaskCancelledError.
    """
    check_language(request.language)
    isolation = choose_isolation(settings.workspace.isolation, settings.workspace.container_image)
    module = cast(Any, importlib.import_module(LANGUAGES[request.language or language_of(request.tree)]))
    run = ProvisioningRun(request, open_cache(settings), with_local_wheels(settings), isolation, report, cancelled)
    return cast(ProvisioningResult, module.provision(run))


def language_of(tree: Path) -> str:
    """Detect the language: JavaScript for a package.json without any file of Python at the root, else Python."""
    if (tree / "package.json").is_file() and not any(next(tree.glob(pattern), None) for pattern in _PYTHON):
        return "javascript"
    return "python"


_LEFT: Final = (".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", ".pytest_cache")
_ENVIRONMENTS: Final = ".environments"


def environments_root(settings: ExecutionSettings) -> Path:
    """Return the folder of the shared environments. Raises: EnvironmentUnavailableError without a home directory."""
    if settings.environment.root is not None:
        return settings.environment.root
    if settings.workspace.root is not None:
        return settings.workspace.root / _ENVIRONMENTS
    try:
        return Path(platformdirs.user_cache_dir("repoquarry")) / "environments"
    except RuntimeError as exc:
        message = f"no folder for environments: {exc}; set agent.environment.root, or HOME"
        raise EnvironmentUnavailableError(message) from exc


def open_cache(settings: ExecutionSettings) -> EnvironmentCache:
    environment = settings.environment
    return EnvironmentCache(environments_root(settings), environment.cache_bytes, environment.keep_hours)


@contextmanager
def provision_folder(
    folder: Path,
    settings: ExecutionSettings,
    *,
    date: datetime | None,
    tests: bool = False,
    name: str = "",
    language: str = "",
    report: Callable[[ProvisioningStep], None],
    cancelled: Callable[[], bool],
) -> Iterator[tuple[ProvisioningResult, Path]]:
    """Provision a folder. Yields the result and the scratch workspace, which is removed after the block.

    `name`: folder name of the copy; empty for that of the folder.

    Raises: IsolationUnavailableError, EnvironmentUnavailableError, TaskCancelledError.
    """
    with ScratchFolder("provision", open_cache(settings).root) as workspace:
        tree = workspace / (name or folder.resolve().name)
        shutil.copytree(
            folder, tree, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT), ignore_dangling_symlinks=True
        )
        request = ProvisioningRequest(tree, workspace, date, tests, language=language)
        yield provision(request, settings, report, cancelled), workspace


def provision_workspace(
    workspace: Workspace,
    tree: Path,
    settings: ExecutionSettings,
    *,
    date: datetime | None,
    tests: bool,
    language: str = "",
    cancelled: Callable[[], bool],
) -> ProvisioningResult:
    """Provision a folder of a task's workspace, and mount its environment for the commands. Raises: as `provision`."""
    request = ProvisioningRequest(tree, workspace.root, date, tests, language=language)
    found = provision(request, settings, cancelled=cancelled)
    if found.environment is not None and found.commands is not None:
        open_cache(settings).hold(found.environment, workspace.root)
        workspace.environment = found.commands
    return found
