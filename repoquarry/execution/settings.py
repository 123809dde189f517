"""Settings of workspaces, sandboxed commands and environments; protocol for settings of callers such as `AgentSettings`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class WorkspaceSettings:
    """Limits of a task's workspace and of every command that runs in it."""

    root: Path | None = None
    """Folder in which workspaces are made, one a task, on a file system for this use alone. None: a server gives no task a
    workspace, and a command on the local store makes them in the folder `workspaces` of the store."""
    command_seconds: float = 600.0
    """Wall-clock time of one command. 0 means no limit."""
    install_seconds: float = 600.0
    """Wall-clock time of one installation. 0 means no limit."""
    memory_bytes: int = 4 * 1024 * 1024 * 1024
    """Private memory that each process of a command may write, and memory that all of them hold together. 0 means no limit."""
    output_bytes: int = 1024 * 1024
    """Output of one command that is kept, head and tail; a command that writes more is not stopped. 0 keeps all."""
    file_bytes: int = 256 * 1024 * 1024
    """Size of any one file that a command or a tool writes. 0 means no limit."""
    disk_bytes: int = 8 * 1024 * 1024 * 1024
    """Size of the whole workspace; a command that passes it is stopped. 0 means no limit."""
    processes: int = 512
    """Processes of one command; for an ordinary user its threads count as well. 0 means no limit."""
    isolation: str = "auto"
    """How commands are kept from the rest of the machine: `bubblewrap`, `landlock`, `container`, `none` (not at all),
    or `auto`: the first but `none` that works here. The service does not start when `root` is set and none works."""
    container_image: str = ""
    """Image of the isolation `container`; pulled by the operator. Empty: that variant is not used."""
    control_group: str = ""
    """Absolute path of a control group (version 2) with `memory` and `pids` that is delegated to the service. Each command gets one of its
    own below it, where the kernel counts the memory and the processes of all its processes together. Empty: they are watched alone."""
    readable: tuple[str, ...] = ()
    """Absolute paths of folders that commands may read besides the workspace and the system: provisioned environments."""
    install_hosts: tuple[str, ...] = (
        "pypi.org",
        "files.pythonhosted.org",
        "registry.npmjs.org",
        "repo.maven.apache.org",
    )
    """Hosts that installations reach through the proxy, `name` or `name:port`, over HTTPS; other commands have no network.
    Empty: none. Only the isolation `bubblewrap` has the proxy; with `none` every command has the whole network."""
    grantable_hosts: tuple[str, ...] = ()
    """Hosts that a task may be granted for all its commands, `name` or `name:port`, through the same proxy, which `bubblewrap`
    alone has. Empty: none may be granted."""
    input_bytes: int = 1024 * 1024 * 1024
    """Size of all files together that are uploaded for one task. 0 means no limit."""
    uploads_bytes: int = 8 * 1024 * 1024 * 1024
    """Disk space of all uploaded files that wait to be used. 0 means no limit."""
    upload_hours: float = 24.0
    """How long an uploaded file is kept when no unfinished task needs it. 0 keeps it for ever."""
    tree_bytes: int = 8 * 1024 * 1024 * 1024
    """Disk space of the whole trees of repositories that are kept for the next task. 0 means no limit."""
    keep_hours: float = 168.0
    """How long the workspace of an ended task is kept for its owner. 0 keeps it until it is deleted."""
    pass_environment: tuple[str, ...] = ("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE")
    """Environment variables that commands get; all others are withheld, whatever they are called."""


@dataclass(frozen=True)
class EnvironmentSettings:
    """How environments for repositories are made, and how many are kept."""

    root: Path | None = None
    """Folder of the environments, which all tasks share read-only. None: `.environments` in the workspace root, and for the command
    `repoquarry provision` on this machine the user's cache folder."""
    cache_bytes: int = 32 * 1024 * 1024 * 1024
    """Size of all environments together; the longest unused are removed when it is passed. 0 means no limit."""
    keep_hours: float = 720.0
    """Time for which an environment is kept after its last use; one in use stays. 0 means no limit."""
    interpreters: tuple[str, ...] = ()
    """Further Python interpreters, as paths or patterns of paths (`/opt/python/*/bin/python3`). Those of PATH, pyenv and uv are found."""
    index: str = ""
    """Address of the package index. Empty: the one that uv takes by itself. Its host has to be in `agent.workspace.install_hosts`."""
    find_links: tuple[str, ...] = ()
    """Folders, or addresses of pages, with further wheels. Empty: the folders in pip's configuration on this machine (`PIP_FIND_LINKS`,
    `find-links` in its files)."""
    nodes: tuple[str, ...] = ()
    """Further programs of Node.js with npm next to them, as paths or patterns of paths. Those of PATH and nvm are found."""
    npm_registry: str = ""
    """Address of the registry for npm. Empty: npm's own. Its host has to be in `agent.workspace.install_hosts`."""
    npm_scripts: bool = False
    """True if install scripts of npm's packages run, isolated as all installations are, with the network to the hosts of those."""
    accelerator: bool = False
    """True if packages with an accelerator's libraries may be installed, which take several gigabytes. Where not, builds for processors
    are taken from `find_links`."""
    attempts: int = 30
    """Repairs of one provisioning. At least 1."""
    seconds: float = 1800.0
    """Wall-clock time of one provisioning; it ends with the best attempt until then. 0 means no limit."""
    command_seconds: float = 900.0
    """Wall-clock time of one of its commands. 0 means no limit."""
    memory_bytes: int = 12 * 1024 * 1024 * 1024
    """Private memory that each process of a command may write, and memory that all of them hold together. 0 means no limit."""
    file_bytes: int = 4 * 1024 * 1024 * 1024
    """Size of any one file that is installed. 0 means no limit."""
    disk_bytes: int = 16 * 1024 * 1024 * 1024
    """Size of one environment, and of the folder in which it is built. 0 means no limit."""


class ExecutionSettings(Protocol):
    """Settings that provisioning needs of its caller; `AgentSettings` fulfils it."""

    @property
    def workspace(self) -> WorkspaceSettings:
        """Where and how commands run."""

    @property
    def environment(self) -> EnvironmentSettings:
        """How environments for repositories are made."""
