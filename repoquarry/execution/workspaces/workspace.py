"""`Workspace`: folder of one task, in which tools edit files, copy repository trees, install packages and run sandboxed commands.

A workspace is created when its task starts, reopened when the task resumes after a restart, and removed some time after the task ends.
Every path is resolved before use, symbolic links included, and rejected if it leaves the workspace. Commands run isolated.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from repoquarry.execution.errors import OutsideWorkspaceError, TaskRejectedError, ToolError
from repoquarry.execution.isolation.commands import CommandOutcome, command_variables, folder_bytes, run_bounded
from repoquarry.execution.isolation.confinement import PROXY_PORT, Confinement, Environment, Isolation
from repoquarry.execution.isolation.proxy import open_network
from repoquarry.execution.isolation.registry import choose_isolation
from repoquarry.execution.provision.python.installer import find_uv
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.files import (
    INPUTS,
    LOGS,
    OUTPUTS,
    checked_path,
    clear_privileged_bits,
    copy_tree,
    open_regular,
    write_regular,
)
from repoquarry.languages.language import InstallRequest, InstallStep, NotInstallableError, PackageInstaller, is_folder
from repoquarry.languages.registry import all_languages


class SkippedEntry(Protocol):
    """Entry of the revision that is missing in its tree."""

    @property
    def path(self) -> str: ...
    @property
    def reason(self) -> str: ...


class SharedTree(Protocol):
    """Complete tree of one indexed revision, shared and immutable."""

    @property
    def root(self) -> Path: ...
    @property
    def commit(self) -> str: ...
    @property
    def files(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def left_out(self) -> Sequence[SkippedEntry]: ...


class TreeProvider(Protocol):
    """Provider of trees of indexed revisions."""

    def open(self, repository: str, cancelled: Callable[[], bool]) -> AbstractContextManager[SharedTree]:
        """Open the tree while the block runs. Raises: ToolError if the source no longer has the indexed revision."""
        ...


_DEFAULT = "python"


@dataclass(frozen=True)
class Installation:
    """Commands of one installation."""

    language: str
    installing: PackageInstaller
    steps: tuple[InstallStep, ...]


def languages_with_packages() -> dict[str, PackageInstaller]:
    """Return the languages with an installer; languages that share one are listed under the first name."""
    found: dict[str, PackageInstaller] = {}
    for language in all_languages():
        if language.installing is not None and language.installing not in found.values():
            found[language.name] = language.installing
    return found


def plan_installation(
    requirements: Sequence[str],
    *,
    root: Path,
    locate: Callable[[str], Path],
    folder: str = ".",
    language: str = "",
    is_layered: bool = False,
) -> Installation:
    """Plan the commands that install requirements for the code in `folder`.

    Raises: OutsideWorkspaceError; ToolError for invalid requirements, languages without packages, and failures of the language.
    """
    for one in requirements:
        if not one.strip() or one.startswith("-"):
            raise ToolError(f"{one!r} is not a requirement; options are not allowed")
    place = locate(folder)
    folders = tuple(str(locate(one)) for one in requirements if is_folder(one))
    files = {one: _files(Path(one)) for one in (*folders, str(place))}
    known = languages_with_packages()
    name = language or _language_of([files[one] for one in folders] or [files[str(place)]], known)
    if name not in known:
        raise ToolError(f"packages of {name!r} cannot be installed here; known: {', '.join(known)}")
    packages = tuple(one for one in requirements if not is_folder(one))
    try:
        steps = known[name].steps(InstallRequest(packages, folders, str(place), str(root), files, is_layered))
    except NotInstallableError as error:
        raise ToolError(str(error)) from error
    return Installation(name, known[name], steps)


def _files(folder: Path) -> frozenset[str]:
    try:
        return frozenset(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return frozenset()


def _language_of(files: Sequence[frozenset[str]], known: dict[str, PackageInstaller]) -> str:
    """Detect the language by the manifests; Python if there are none.

    Raises: ToolError if the manifests are ambiguous.
    """
    fitting = [name for name, one in known.items() if any(one.manifests & names for names in files)]
    if len(fitting) > 1:
        raise ToolError(f"ambiguous manifests of {' and '.join(fitting)}; name the language of the packages")
    return fitting[0] if fitting else _DEFAULT


_ENVIRONMENT_FOLDER = ".venv"
_log = logging.getLogger(__name__)


def workspace_folder(root: Path, name: str) -> Path:
    """Return the folder of a task's workspace."""
    return root / f"task-{name}"


class Workspace:
    """Workspace of one task: files and commands confined to one folder by an isolation (docs/explanation/agent.md)."""

    environment: Environment | None = None
    """Provisioned environment of commands; None for that of the workspace itself."""

    def __init__(
        self,
        root: Path,
        settings: WorkspaceSettings,
        isolation: Isolation,
        cancelled: Callable[[], bool],
        hosts: Sequence[str] = (),
    ) -> None:
        self.root = root.resolve()
        self._settings = settings
        self._isolation = isolation
        self._cancelled = cancelled
        self._hosts = tuple(hosts)

    @classmethod
    def create(
        cls, settings: WorkspaceSettings, cancelled: Callable[[], bool], name: str = "", hosts: Sequence[str] = ()
    ) -> Workspace:
        """Open or create the workspace of a name; without a name, a new one. All commands can reach `hosts`.

        Raises: TaskRejectedError if the settings allow no workspace; IsolationUnavailableError.
        """
        if settings.root is None:
            raise TaskRejectedError("task workspaces are disabled; set agent.workspace.root")
        isolation = choose_isolation(settings.isolation, settings.container_image)
        settings.root.mkdir(parents=True, exist_ok=True)
        if name:
            folder = workspace_folder(settings.root, name)
            folder.mkdir(exist_ok=True)
        else:
            folder = Path(tempfile.mkdtemp(prefix="task-", dir=settings.root))
        folder.chmod(0o700)
        workspace = cls(folder, settings, isolation, cancelled, hosts)
        for part in (INPUTS, OUTPUTS):
            with contextlib.suppress(FileExistsError):
                (workspace.root / part).mkdir()
        return workspace

    @property
    def is_isolated(self) -> bool:
        """Return whether commands are kept from external files, processes and networks."""
        return self._isolation.holds

    def locate(self, path: str) -> Path:
        """Resolve a path inside the workspace. Raises: OutsideWorkspaceError."""
        if "\0" in path:
            raise OutsideWorkspaceError("a path cannot contain a null character")
        target = (self.root / path).resolve()
        if not target.is_relative_to(self.root):
            raise OutsideWorkspaceError(f"{path!r} leads out of the workspace; name a path relative to its root")
        return target

    def read(self, path: str) -> str:
        """Read the text of a file. Raises: OutsideWorkspaceError, ToolError."""
        with open_regular(self.root, str(self.locate(path).relative_to(self.root))) as (file, status):
            if status.st_size > self._settings.file_bytes > 0:
                raise ToolError(f"{path!r} is larger than {self._settings.file_bytes} bytes")
            return file.read().decode("utf-8", "replace")

    def write(self, path: str, text: str) -> int:
        """Write a file and its folders. Returns the size in bytes. Raises: OutsideWorkspaceError, ToolError."""
        data = text.encode("utf-8", "replace")
        if len(data) > self._settings.file_bytes > 0:
            raise ToolError(f"{len(data)} bytes exceed the maximum size of a file ({self._settings.file_bytes})")
        target = self.locate(path)
        if target == self.root:
            raise ToolError("the workspace itself is a folder; name a file inside it")
        self._make_sure_of_room(len(data))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_regular(target, data)
        except OSError as error:
            raise ToolError(f"{path!r} cannot be written: {error.strerror}") from error
        return len(data)

    def edit(self, path: str, old: str, new: str) -> int:
        """Replace the only occurrence of `old` in a file. Returns its line. Raises: OutsideWorkspaceError, ToolError."""
        text = self.read(path)
        found = text.count(old) if old else 0
        if found != 1:
            raise ToolError(f"the text to replace occurs {found} times in {path!r}; it has to occur exactly once")
        self.write(path, text.replace(old, new))
        return text[: text.index(old)].count("\n") + 1

    def put_input(self, path: str, source: Path) -> None:
        """Copy an uploaded file into the inputs, unless it exists. Raises: OutsideWorkspaceError, ToolError."""
        target = self.locate(f"{INPUTS}/{checked_path(path)}")
        if target.exists():
            return
        try:
            self._make_sure_of_room(source.stat().st_size)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, partial := target.with_name(f".{target.name}.part"))
            partial.rename(target)
        except OSError as error:
            raise ToolError(f"the input {path!r} cannot be put into the workspace: {error.strerror}") from error

    def put_tree(self, tree: SharedTree, folder: str) -> None:
        """Copy a tree into a missing or empty folder. Raises: OutsideWorkspaceError, ToolError."""
        target = self.locate(folder)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise ToolError(f"{folder!r} exists and is not empty; name another folder")
        self._make_sure_of_room(tree.bytes)
        try:
            copied = copy_tree(tree.root, target, self._cancelled)
        except OSError as error:
            raise ToolError(f"the tree cannot be written to {folder!r}: {error.strerror}") from error
        if not copied:
            shutil.rmtree(target, ignore_errors=True)
            raise ToolError("cancelled")

    def keep_log(self, text: str) -> str:
        """Write the output of a command to a new file. Returns its path; empty if the disk limit is reached."""
        folder = self.locate(LOGS)
        with contextlib.suppress(OSError, ToolError):
            folder.mkdir(exist_ok=True)
            path = f"{LOGS}/{sum(1 for _ in folder.iterdir()) + 1:04}.log"
            self.write(path, text)
            return path
        return ""

    def _make_sure_of_room(self, size: int) -> None:
        """Check that more bytes fit in the disk limit. Raises: ToolError."""
        limit = self._settings.disk_bytes
        try:
            used = folder_bytes(self.root) if limit else 0
        except OSError as error:
            raise ToolError(f"the size of the workspace cannot be measured: {error.strerror}") from error
        if limit and used + size > limit:
            raise ToolError(f"{size} more bytes exceed the workspace's limit of {limit} bytes (disk_bytes)")

    def run(self, command: str, folder: str = ".", seconds: float = 0.0) -> CommandOutcome:
        """Run a shell command in a folder of the workspace. Raises: OutsideWorkspaceError, ToolError."""
        limit = self._settings.command_seconds
        bound = min(seconds, limit) if seconds and limit else seconds or limit
        return self._run(["/bin/sh", "-c", command], folder, bound, self._hosts)

    def install(self, requirements: Sequence[str], folder: str = ".", language: str = "") -> CommandOutcome:
        """Install packages, or the requirements of folders: Python's into a virtual environment, npm's into `node_modules` of the folder.

        `folder`: code that needs the packages; `language`: empty lets the manifests decide.

        Raises: OutsideWorkspaceError, ToolError.
        """
        plan = plan_installation(
            requirements,
            root=self.root,
            locate=self.locate,
            folder=folder,
            language=language,
            is_layered=self.environment is not None,
        )
        outcome = CommandOutcome(0, "", 0.0)
        for step in plan.steps:
            if step.unless and Path(step.unless).exists():
                continue
            command = [self._program(step.command[0], plan.language), *step.command[1:]]
            hosts = (*self._settings.install_hosts, *self._hosts)
            outcome = self._run(command, step.folder, self._settings.install_seconds, hosts, plan.installing.proxied)
            if outcome.exit_code != 0 or outcome.stopped:
                if step.failure:
                    raise ToolError(f"{step.failure}: {outcome.output.strip() or outcome.stopped}")
                break
        return outcome

    def _program(self, name: str, language: str) -> str:
        """Find a program of an installation. Raises: ToolError if it is missing."""
        if "/" in name:
            return name
        if name == "python":
            return self._isolation.interpreter
        if name == "uv":
            return str(find_uv())
        found = shutil.which(name, path=self._environment()["PATH"])
        if found is None:
            raise ToolError(f"packages of {language} are installed by {name}, which is not on this machine's PATH")
        return found

    def _run(
        self,
        command: Sequence[str],
        folder: str,
        seconds: float,
        hosts: Sequence[str] = (),
        proxied: Mapping[str, str] = MappingProxyType({}),
    ) -> CommandOutcome:
        place = self.locate(folder)
        if not place.is_dir():
            raise ToolError(f"there is no folder {folder!r} in the workspace")
        readable = tuple(Path(path).resolve() for path in self._settings.readable)
        if self.environment is not None:
            readable += (self.environment.root, *self.environment.readable)
        with open_network(hosts, self._isolation) as (proxy, variables):
            if proxy is not None:
                variables |= {name: text.format(host="127.0.0.1", port=PROXY_PORT) for name, text in proxied.items()}
            try:
                return run_bounded(
                    command,
                    place,
                    {**self._environment(), **variables},
                    self._settings,
                    seconds=seconds,
                    cancelled=self._cancelled,
                    isolation=self._isolation,
                    confinement=Confinement(self.root, readable, proxy=proxy),
                )
            except (OSError, ValueError) as error:  # ValueError: a null character.
                raise ToolError(f"the command could not be started: {error}") from error
            finally:
                clear_privileged_bits(self.root)

    def _environment(self) -> dict[str, str]:
        """Return the variables of commands: programs of the environment first, the interpreter that every command sees last."""
        variables = command_variables(self._settings.pass_environment, self.root)
        own = self.root / _ENVIRONMENT_FOLDER
        programs = [own / "bin"]
        if self.environment is None:
            variables["VIRTUAL_ENV"] = str(own)
        else:
            programs = [*self.environment.programs, *programs]
            variables |= self.environment.variables
        interpreter = Path(self._isolation.interpreter)
        last = [interpreter.parent] if interpreter.is_absolute() else []
        return {**variables, "PATH": os.pathsep.join(map(str, [*programs, variables["PATH"], *last]))}
