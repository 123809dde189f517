"""Variant `landlock`: Landlock and seccomp, without namespaces."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from repoquarry.execution.isolation.confinement import (
    SYSTEM,
    SYSTEM_FILES,
    Confinement,
    Isolation,
    LaunchSpec,
    base_interpreter,
    launcher,
    process_limits,
)
from repoquarry.execution.isolation.launch.syscalls import NEEDED_VERSION, version
from repoquarry.execution.isolation.registry import try_variant

_KERNEL_FILES = tuple(
    f"/proc/{name}"
    for name in (
        "cpuinfo",
        "filesystems",
        "loadavg",
        "meminfo",
        "stat",
        "uptime",
        "version",
        "sys/vm/overcommit_memory",
    )
)
_HARDWARE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
_READ_DEVICES = ("/dev/random", "/dev/urandom")
_WRITE_DEVICES = ("/dev/full", "/dev/null", "/dev/zero")


class Landlock:
    """Forbids what the confinement does not name; the command still shares the host's tree and its process numbers."""

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
        orders = {
            "limits": process_limits(confinement.limits, processes=_user_processes(confinement.limits.processes)),
            "families": (),
            "landlock": {
                "read": [*SYSTEM, *SYSTEM_FILES, *_KERNEL_FILES, *_HARDWARE, *_READ_DEVICES, *visible],
                "write": [*written, *_WRITE_DEVICES],
                "mediate": written,
            },
        }
        return LaunchSpec(launcher(confinement, orders, command), environment)


def create(_: str) -> Isolation:
    return Landlock()


def _user_processes(allowed: int) -> int:
    """Limit of the whole user, which is what the kernel counts here; it does not hold root, which is watched instead."""
    if not allowed or os.geteuid() == 0:
        return 0
    running = 0
    for process in psutil.process_iter(["uids", "num_threads"]):
        if process.info["uids"] and process.info["uids"].real == os.getuid():
            running += process.info["num_threads"] or 1
    return running + allowed
