"""Runner of sandboxed install commands and import probes; finders of source files, pip wheel folders and Debian packages."""

from __future__ import annotations

import configparser
import contextlib
import functools
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Final, TypeVar

from repoquarry.execution.errors import ToolError
from repoquarry.execution.isolation.commands import CommandOutcome, command_variables, run_bounded
from repoquarry.execution.isolation.confinement import Confinement, Isolation
from repoquarry.execution.isolation.proxy import open_network
from repoquarry.execution.settings import EnvironmentSettings, ExecutionSettings, WorkspaceSettings

SKIPPED: Final = frozenset(
    (
        *("node_modules", "site-packages", "dist", "build", "__pycache__", "venv", "env"),
        *("third_party", "vendor", "_vendor", "egg-info"),
    )
)
ASIDE: Final = re.compile(
    r"^(tests?|testing|docs?|docsrc|examples?|demos?|samples?|benchmarks?|tutorials?|notebooks?|recipes|scripts?|tools|contrib|studies|paper|"
    r"tasks|ci|\.\w+|utils_dev|dev|devtools|extras?|misc|templates?|cookiecutter.*|integration.*|perf|profiling|fixtures|stubs|typings|"
    r"tests?_.*|.*_tests?|conftest\.py|setup\.py|noxfile\.py|tasks\.py|fabfile\.py|versioneer\.py|runtests\.py|bootstrap\.py|ez_setup\.py|"
    r"distribute_setup\.py|test_.*\.py|.*_test\.py)$",
    re.IGNORECASE,
)
"""Folders and files below the root that are not part of the product: tests, documentation, tools."""


def list_sources(root: Path, suffixes: tuple[str, ...], *, max_bytes: int) -> Iterator[str]:
    """Yield source files, relative to the root; hidden, built and third-party folders, links and large files are skipped."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED and not name.startswith(".") and not name.endswith(".egg-info")
        )
        for path in (os.path.join(folder, name) for name in sorted(names) if name.endswith(suffixes)):
            if not os.path.islink(path) and os.path.getsize(path) <= max_bytes:
                yield os.path.relpath(path, root).replace(os.sep, "/")


_LIBRARY: Final = re.compile(
    r"((?:lib)?[\w+-]+\.so(?:\.[\d.]+)?): cannot open shared object file|(lib\w+)[\w ]* (?:not found|library not found)"
)


@functools.cache
def _packages() -> Mapping[str, str]:
    text = resources.files(__package__).joinpath("system.toml").read_text(encoding="utf-8")
    found: Mapping[str, str] = tomllib.loads(text)["system"]
    return found


def package_of(file: str) -> str:
    """Return the Debian package of a shared library, header or program; empty if unknown."""
    return _packages().get(file, "")


def missing_library(error: str) -> tuple[str, str]:
    """Find the missing shared library in an error, and the matching text; both empty if there is none."""
    match = _LIBRARY.search(error)
    return (match[1] or match[2], match[0]) if match else ("", "")


_Settings = TypeVar("_Settings", bound=ExecutionSettings)
_FILES: Final = ("/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")
_SECTIONS: Final = ("global", "install")


def with_local_wheels(settings: _Settings, environment: Mapping[str, str] = os.environ) -> _Settings:
    """Return the settings with pip's wheel folders as `find_links`, unless the settings name folders."""
    if settings.environment.find_links:
        return settings
    found = tuple(dict.fromkeys(_folders(environment)))
    changed: _Settings = replace(settings, environment=replace(settings.environment, find_links=found))  # type: ignore[type-var]
    return changed


def _folders(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield pip's wheel folders by its variable and files. Addresses of pages are skipped: their hosts are not allowed."""
    for text in (environment.get("PIP_FIND_LINKS", ""), *_configured(environment)):
        for word in text.split():
            path = Path(word.removeprefix("file://")).expanduser()
            if path.is_absolute() and path.is_dir():
                yield str(path)


def _configured(environment: Mapping[str, str]) -> Iterator[str]:
    for name in (*_FILES, environment.get("PIP_CONFIG_FILE", "")):
        parser = configparser.RawConfigParser()
        with contextlib.suppress(configparser.Error, UnicodeDecodeError):  # pip itself complains of it
            parser.read(Path(name).expanduser() if name else [], encoding="utf-8")
        for section in _SECTIONS:
            yield parser.get(section, "find-links", fallback="")


_HEADLESS: Final = {"MPLBACKEND": "agg", "QT_QPA_PLATFORM": "offscreen"}
_MIN_SECONDS: Final = 120.0
"""Time limit of a command after the time of the provisioning is used up, so that the best attempt can be restored."""


@dataclass(frozen=True)
class CommandAccess:
    """Access of one command besides the workspace and the system."""

    writable: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    network: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)


class CommandRunner:
    """Runner of isolated commands in one workspace, under the limits of environments."""

    def __init__(
        self,
        workspace: Path,
        settings: WorkspaceSettings,
        limits: EnvironmentSettings,
        isolation: Isolation,
        cancelled: Callable[[], bool],
        left: Callable[[], float] | None = None,
    ) -> None:
        """`left` returns the remaining seconds for all commands together; None means no limit."""
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

    def run(
        self, command: Sequence[str], access: CommandAccess, folder: Path | None = None, seconds: float = 0.0
    ) -> CommandOutcome:
        """Run one command. Raises: ToolError if the command cannot be started."""
        readable = tuple(dict.fromkeys((*self._visible, *access.readable)))
        variables = command_variables(self._pass, self.workspace)
        with open_network(self._hosts if access.network else (), self._isolation) as (proxy, proxy_variables):
            try:
                return run_bounded(
                    command,
                    folder or self.workspace,
                    {**variables, **_HEADLESS, **access.variables, **proxy_variables},
                    self._limits,
                    seconds=self.bound(seconds),
                    cancelled=self._cancelled,
                    isolation=self._isolation,
                    confinement=Confinement(self.workspace, readable, proxy=proxy, writable=access.writable),
                )
            except OSError as error:
                raise ToolError(f"the command {command[0]} could not be started: {error.strerror}") from error

    def bound(self, seconds: float) -> float:
        """Compute the time limit of a command: the least of its own, the settings' and the remaining time; 0 means no limit."""
        bounds = [bound for bound in (seconds, self._seconds) if bound]
        if self._left is not None:
            bounds.append(max(self._left(), _MIN_SECONDS))
        return min(bounds, default=0.0)


_MAX_ROUNDS: Final = 12
"""Maximum number of processes of a probe: a module may terminate its process, the remaining modules run in a new one."""


def run_probe(
    runner: CommandRunner,
    program: Sequence[str],
    asked: Mapping[str, object],
    access: CommandAccess,
    folder: Path | None = None,
    seconds: float = 0.0,
) -> dict[str, dict[str, str]]:
    """Run a probe script on modules, each with its argument. Returns the answer by module; some are missing after too many processes.

    The script gets the modules as a JSON file, and writes a JSON line before each module and an answer with `error` after it.
    """
    found: dict[str, dict[str, str]] = {}
    for _ in range(_MAX_ROUNDS):
        left = {module: argument for module, argument in asked.items() if module not in found}
        if not left:
            break
        found |= _run_round(runner, program, left, access, folder, seconds)
    return found


def _run_round(
    runner: CommandRunner,
    program: Sequence[str],
    left: Mapping[str, object],
    access: CommandAccess,
    folder: Path | None,
    seconds: float,
) -> dict[str, dict[str, str]]:
    files = runner.workspace / ".home" / "check"
    files.mkdir(parents=True, exist_ok=True)
    asked, answers = files / "asked.json", files / "answers.jsonl"
    asked.write_text(json.dumps(list(left.items())), encoding="utf-8")
    answers.unlink(missing_ok=True)
    outcome = runner.run([*program, str(asked), str(answers)], access, folder or files, seconds)
    lines = answers.read_text(encoding="utf-8", errors="replace").splitlines() if answers.exists() else []
    rows = [row for line in lines if (row := _parse_row(line)).get("module") in left]
    found = {row["module"]: row for row in rows if "error" in row}
    last = rows[-1]["module"] if rows else next(iter(left))
    if last not in found:
        said = outcome.stopped or f"the process ended with code {outcome.exit_code}"
        found[last] = {"error": f"{said} while it was imported", "trace": outcome.output[-4000:]}
    return found


def _parse_row(line: str) -> dict[str, str]:
    """Parse a line of a probe; empty if the process was killed while it wrote the line."""
    with contextlib.suppress(ValueError):
        if isinstance(row := json.loads(line), dict):
            return {key: str(value) for key, value in row.items()}
    return {}
