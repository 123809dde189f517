"""Isolation variants (bubblewrap, landlock, container, none), their choice, and checks of the settings that isolate commands."""

from __future__ import annotations

import csv
import functools
import io
import logging
import os
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import psutil

from repoquarry.execution.errors import IsolationUnavailableError, TaskRejectedError, UnknownNameError
from repoquarry.execution.isolation.command_user import assign_user, is_unlimited
from repoquarry.execution.isolation.confinement import (
    LAUNCH_FOLDER,
    PROXY_PORT,
    SYSTEM,
    SYSTEM_FILES,
    CommandLimits,
    Confinement,
    Isolation,
    LaunchSpec,
    base_interpreter,
    launcher,
    process_limits,
    unusable,
)
from repoquarry.execution.isolation.launch.syscalls import NEEDED_VERSION, version
from repoquarry.execution.isolation.proxy import parse_host
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.processes.programs import run_program
from repoquarry.processes.scratch import ScratchFolder

_TRIAL_SECONDS = 60


def try_variant(variant: Isolation) -> str:
    """Run a trial command in a variant. Returns why it fails; empty if it succeeds."""
    with ScratchFolder("trial") as workspace:
        launch = variant.launch(Confinement(workspace), ["/bin/sh", "-c", "exit 0"], workspace, {"PATH": os.defpath})
        try:
            ended = run_program(launch.command, environment=launch.environment, cwd=workspace, seconds=_TRIAL_SECONDS)
        except OSError as error:
            return f"a trial command failed: {error}"
        finally:
            launch.clean_up()
    said = (ended.errors.strip() or ended.output.strip()).decode("utf-8", "replace").splitlines()
    return "" if ended.code == 0 else f"a trial command failed: {said[-1] if said else ended.code}"


_FAMILIES = (1, 2, 10, 16)  # Unix, IPv4, IPv6, netlink: all in the command's own, empty network.
_PROXY = "/run/repoquarry/proxy"
_USER_NAMESPACE = ("--unshare-user", "--disable-userns")
_LAUNCH_CAPABILITIES = tuple(word for name in ("SETUID", "SETGID", "KILL") for word in ("--cap-add", f"CAP_{name}"))
"""Capabilities of the launch process of root, which gives them up for the command."""
_SCRATCH_BYTES = 64 * 1024 * 1024


class Bubblewrap:
    """Isolation by Linux namespaces: the command sees only mounts that the confinement names."""

    name = "bubblewrap"
    holds = True
    grants_network = True
    interpreter = base_interpreter()

    def unavailable(self) -> str:
        if shutil.which("bwrap") is None:
            return "the program bwrap is not on PATH; install the package bubblewrap"
        return try_variant(self)

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        # In a user namespace, and of a user of its own, the kernel counts only the processes of the command.
        orders: dict[str, object] = {
            "limits": process_limits(confinement.limits, processes=confinement.limits.processes),
            "families": _FAMILIES,
            "folder": str(folder),
        }
        privileges: tuple[str, ...] = _USER_NAMESPACE
        if is_unlimited():
            orders["user"] = assign_user((confinement.workspace, *confinement.writable))
            privileges = _LAUNCH_CAPABILITIES
        if confinement.proxy is not None:
            orders |= {"proxy": _PROXY, "proxy_port": PROXY_PORT}
        wrapper = [
            *(shutil.which("bwrap") or "bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
            *("--unshare-cgroup-try", "--die-with-parent", "--cap-drop", "ALL", *privileges),
            *("--hostname", "workspace", *_mounts(confinement), "--chdir", "/"),
        ]
        line = (*wrapper, "--", *launcher(confinement, orders, command))
        return LaunchSpec(line, environment, has_own_processes=True)


def _mounts(confinement: Confinement) -> Iterator[str]:
    for path in SYSTEM:
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        else:
            yield from ("--ro-bind-try", path, path)
    yield from _parents(SYSTEM_FILES)
    for path in SYSTEM_FILES:
        yield from ("--ro-bind-try", path, path)
    scratch = ("--size", str(_SCRATCH_BYTES), "--perms", "1777", "--tmpfs")
    yield from ("--proc", "/proc", "--dev", "/dev", *scratch, "/dev/shm", *scratch, "/tmp")  # noqa: S108  inside
    readable, writable = (LAUNCH_FOLDER, *confinement.visible), (confinement.workspace, *confinement.writable)
    yield from _parents((*readable, *writable))
    for folder in readable:
        yield from ("--ro-bind", str(folder), str(folder))
    for folder in writable:
        yield from ("--bind", str(folder), str(folder))
    if confinement.proxy is not None:
        yield from ("--ro-bind", str(confinement.proxy), _PROXY)
    # The root and /dev are in memory that no limit counts; /proc/sys would let root's commands configure the kernel.
    yield from ("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/")


def _parents(paths: Iterable[str | Path]) -> Iterator[str]:
    """Make the folders above some paths, which bubblewrap itself would close to all but root."""
    for folder in sorted({parent for path in paths for parent in Path(path).parents if parent != parent.parent}):
        yield from ("--perms", "755", "--dir", str(folder))


_KERNEL_FILES = tuple(
    f"/proc/{name}"
    for name in (
        *("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version"),
        "sys/vm/overcommit_memory",
    )
)
_HARDWARE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
_READ_DEVICES = ("/dev/random", "/dev/urandom")
_WRITE_DEVICES = ("/dev/full", "/dev/null", "/dev/zero")


class Landlock:
    """Isolation by Landlock and seccomp, without namespaces: the command shares the host's tree and process numbers."""

    name = "landlock"
    holds = True
    grants_network = False
    interpreter = base_interpreter()

    def unavailable(self) -> str:
        found = version()
        if found < NEEDED_VERSION:
            return f"the kernel's Landlock has version {found}, and {NEEDED_VERSION} is needed (Linux 6.12 with Landlock enabled)"
        return try_variant(self)

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        written = [str(path) for path in (confinement.workspace, *confinement.writable)]
        visible = [str(path) for path in confinement.visible]
        user = assign_user((confinement.workspace, *confinement.writable)) if is_unlimited() else 0
        processes = confinement.limits.processes
        orders = {
            "limits": process_limits(confinement.limits, processes=processes if user else _user_processes(processes)),
            "families": (),
            **({"user": user} if user else {}),
            "landlock": {
                "read": [*SYSTEM, *SYSTEM_FILES, *_KERNEL_FILES, *_HARDWARE, *_READ_DEVICES, *visible],
                "write": [*written, *_WRITE_DEVICES],
                "mediate": written,
            },
        }
        return LaunchSpec(launcher(confinement, orders, command), environment, user=user)


def _user_processes(allowed: int) -> int:
    """Return the process limit of the whole user, as the kernel counts here."""
    if not allowed:
        return 0
    found = (process.info for process in psutil.process_iter(["uids", "num_threads"]))
    own = (info for info in found if info["uids"] and info["uids"].real == os.getuid())
    return allowed + sum(info["num_threads"] or 1 for info in own)


_ENGINES = ("docker", "podman")
_ENGINE_ENVIRONMENT = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONFIG", "CONTAINER_HOST", "XDG_RUNTIME_DIR")
_ANSWER_SECONDS = 20


class Container:
    """Isolation by docker or podman: one container for each command, with the system of an image."""

    name = "container"
    holds = True
    grants_network = False
    interpreter = "python3"

    def __init__(self, image: str) -> None:
        self._image = image

    def unavailable(self) -> str:
        if not self._image:
            return "no image is named in the setting agent.workspace.container_image"
        engine = _engine()
        if engine is None:
            return "neither docker nor podman is on PATH"
        try:
            asked = run_program([engine, "image", "inspect", self._image], seconds=_ANSWER_SECONDS)
        except OSError as error:
            return f"{engine} does not answer: {error}"
        if asked.code != 0:
            return f"{engine} has no image {self._image!r}: {asked.errors.decode('utf-8', 'replace').strip()}"
        return try_variant(self)

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        engine = _engine() or _ENGINES[0]
        name = f"repoquarry-{uuid.uuid4().hex}"
        # the image's own PATH is kept behind the environment of the workspace
        inside = {key: value for key, value in environment.items() if key != "PATH"}
        wrapper = [
            *(engine, "run", "--rm", "--init", "--pull", "never", "--name", name, "--network", "none", "--read-only"),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", f"{os.getuid()}:{os.getgid()}"),
            *("--tmpfs", "/tmp:rw,size=64m,mode=1777", "--shm-size", "64m", "--ulimit", "core=0"),  # noqa: S108  inside
            *_container_limits(confinement.limits),
            *_container_mounts(confinement),
            *(part for key, value in inside.items() for part in ("--env", f"{key}={value}")),
            *("--workdir", str(folder), "--entrypoint", command[0], self._image, *command[1:]),
        ]
        outside = {key: os.environ[key] for key in _ENGINE_ENVIRONMENT if key in os.environ}
        return LaunchSpec(tuple(wrapper), outside, (engine, "rm", "--force", name))


def _engine() -> str | None:
    return next((found for name in _ENGINES if (found := shutil.which(name))), None)


def _container_limits(limits: CommandLimits) -> Iterator[str]:
    if limits.memory_bytes:  # An equal bound for memory and swap together allows no swap.
        yield from ("--memory", str(limits.memory_bytes), "--memory-swap", str(limits.memory_bytes))
    if limits.processes:
        yield from ("--pids-limit", str(limits.processes))
    if limits.file_bytes:
        yield from ("--ulimit", f"fsize={limits.file_bytes}")
    if limits.cpu_seconds:
        yield from ("--ulimit", f"cpu={limits.cpu_seconds}")


def _container_mounts(confinement: Confinement) -> Iterator[str]:
    for path in (confinement.workspace, *confinement.writable):
        yield from ("--mount", _record("type=bind", f"source={path}", f"target={path}"))
    for path in confinement.readable:
        yield from ("--mount", _record("type=bind", f"source={path}", f"target={path}", "readonly"))


def _record(*fields: str) -> str:
    """Format a mount as a CSV record, as engines parse it: a comma in a path would start another option."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(fields)
    return text.getvalue()


class Unconfined:
    """No isolation, limits only: the command runs as the service's user, with its files and network."""

    name = "none"
    holds = False
    grants_network = False
    interpreter = base_interpreter()

    def unavailable(self) -> str:
        return ""

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        orders = {"limits": process_limits(confinement.limits, processes=0)}
        return LaunchSpec(launcher(confinement, orders, command), environment)


VARIANTS: Final[Mapping[str, Callable[[str], Isolation]]] = {
    "bubblewrap": lambda _: Bubblewrap(),
    "landlock": lambda _: Landlock(),
    "container": Container,
    "none": lambda _: Unconfined(),
}
"""Name of a variant -> its constructor, which gets the name of the container image; `auto` tries them in this order."""
AUTO: Final = "auto"


def load_variant(name: str, image: str = "") -> Isolation:
    """Build a variant by name, whether it works here or not. Raises: UnknownNameError."""
    if name not in VARIANTS:
        raise UnknownNameError("isolation", name, (AUTO, *VARIANTS))
    return VARIANTS[name](image)


@functools.cache
def choose_isolation(name: str, image: str = "") -> Isolation:
    """Choose the variant of a name, or for `auto` the first that works here; each process tries once.

    Raises: UnknownNameError; IsolationUnavailableError, which states why each variant fails.
    """
    names = [key for key in VARIANTS if key != "none"] if name == AUTO else [name]
    failures = []
    for key in names:
        variant = load_variant(key, image)
        if not (failure := variant.unavailable()):
            return variant
        failures.append(f"{key}: {failure}")
    raise IsolationUnavailableError(
        f"commands cannot be isolated here ({'; '.join(failures)}); fix one of these, set agent.workspace.isolation "
        "to none to run commands without isolation, or leave agent.workspace.root unset"
    )


_log = logging.getLogger(__name__)


def check_readable_folders(settings: WorkspaceSettings) -> None:
    """Check that the readable folders exist: an isolation hides the others without a word. Raises: TaskRejectedError."""
    for path in settings.readable:
        if not Path(path).is_absolute() or not Path(path).exists():
            raise TaskRejectedError(f"agent.workspace.readable: {path!r} is not an existing absolute path")


def check_workspaces(settings: WorkspaceSettings) -> None:
    """Check before serving that commands can run by the settings. Does nothing if tasks get no workspace.

    Raises: IsolationUnavailableError, UnknownNameError, TaskRejectedError for a setting that cannot be used.
    """
    if settings.root is None:
        return
    check_readable_folders(settings)
    for name in ("install_hosts", "grantable_hosts"):
        for host in getattr(settings, name):
            _checked_host(host, f"agent.workspace.{name}: ")
    if settings.control_group and (reason := unusable(settings.control_group)):
        raise TaskRejectedError(f"agent.workspace.control_group names {settings.control_group!r}: {reason}")
    isolation = choose_isolation(settings.isolation, settings.container_image)
    level = logging.INFO if isolation.holds else logging.WARNING
    _log.log(level, "commands_isolated variant=%s holds=%s", isolation.name, isolation.holds)
    if isolation.name == "none" and is_unlimited() and not settings.control_group:
        _log.warning("commands_unlimited reason=root_without_control_group")


def check_hosts(hosts: Sequence[str], settings: WorkspaceSettings) -> None:
    """Check that a task may be granted hosts. Raises: TaskRejectedError, IsolationUnavailableError."""
    if not hosts:
        return
    allowed = {parse_host(host) for host in settings.grantable_hosts}
    for host in hosts:
        if _checked_host(host) not in allowed:
            raise TaskRejectedError(f"no task may be granted {host!r}; add it to agent.workspace.grantable_hosts")
    isolation = choose_isolation(settings.isolation, settings.container_image)
    if isolation.holds and not isolation.grants_network:
        raise TaskRejectedError(f"commands are isolated by {isolation.name} here, which can grant no network")


def _checked_host(text: str, prefix: str = "") -> tuple[str, int]:
    try:
        return parse_host(text)
    except ValueError as error:
        raise TaskRejectedError(f"{prefix}{error}") from error
