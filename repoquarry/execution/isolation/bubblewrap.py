"""Variant `bubblewrap`: Linux namespaces."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from repoquarry.execution.isolation.confinement import (
    LAUNCH_FOLDER,
    PROXY_PORT,
    SYSTEM,
    SYSTEM_FILES,
    Confinement,
    Isolation,
    LaunchSpec,
    base_interpreter,
    launcher,
    process_limits,
)
from repoquarry.execution.isolation.registry import try_variant

_FAMILIES = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink: all of them in the command's own, empty network
_PROXY = "/run/repoquarry/proxy"
_SCRATCH_BYTES = 64 * 1024 * 1024


class Bubblewrap:
    """Shows the command a tree of mounts that holds what the confinement names and nothing else."""

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
        # inside a user namespace the kernel counts the processes of that namespace alone; root is exempt and watched
        orders: dict[str, object] = {
            "limits": process_limits(confinement.limits, processes=confinement.limits.processes),
            "families": _FAMILIES,
        }
        if confinement.proxy is not None:
            orders |= {"proxy": _PROXY, "proxy_port": PROXY_PORT}
        wrapper = [shutil.which("bwrap") or "bwrap", *_namespaces(), *_mounts(confinement), "--chdir", str(folder)]
        return LaunchSpec((*wrapper, "--", *launcher(confinement, orders, command)), environment)


def create(_: str) -> Isolation:
    return Bubblewrap()


def _namespaces() -> Iterator[str]:
    yield from ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
    yield from ("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--cap-drop", "ALL")
    yield from ("--hostname", "workspace")


def _mounts(confinement: Confinement) -> Iterator[str]:
    for path in SYSTEM:
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        else:
            yield from ("--ro-bind-try", path, path)
    for path in SYSTEM_FILES:
        yield from ("--ro-bind-try", path, path)
    scratch = ("--size", str(_SCRATCH_BYTES), "--perms", "1777", "--tmpfs")
    yield from ("--proc", "/proc", "--dev", "/dev", *scratch, "/dev/shm", *scratch, "/tmp")  # noqa: S108  inside
    for folder in (LAUNCH_FOLDER, *confinement.visible):
        yield from ("--ro-bind", str(folder), str(folder))
    for folder in (confinement.workspace, *confinement.writable):
        yield from ("--bind", str(folder), str(folder))
    if confinement.proxy is not None:
        yield from ("--ro-bind", str(confinement.proxy), _PROXY)
    # the root and /dev are made of memory that no limit would count; /proc/sys would let root's commands set the kernel
    yield from ("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/")
