"""Unprivileged user of the commands of a service that runs as root.

The kernel does not limit the number of root's processes, so a command gets a user of its own, who owns the folders that it writes.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from repoquarry.execution.isolation.confinement import base_interpreter
from repoquarry.processes.programs import run_program

_USERS: Final = range(1 << 30, 1 << 31)
"""Numbers that no account and no container has in practice."""

_KILL: Final = (
    "import os, sys; user = int(sys.argv[1]); os.setgroups([]); os.setresgid(user, user, user); "
    "os.setresuid(user, user, user); os.kill(-1, 9)"
)
_KILL_SECONDS: Final = 30.0


def is_unlimited() -> bool:
    """Return whether this process is the machine's root; the root of a user namespace is limited like any user."""
    if os.geteuid() != 0:
        return False
    try:
        first = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
    except OSError:  # A kernel without user namespaces.
        return True
    return first[:2] == ["0", "0"]


def assign_user(folders: Iterable[Path]) -> int:
    """Give folders with their contents to the user of their first, by default to a new one; return the user.

    No process of the user may run. Raises: OSError.
    """
    wanted = list(folders)
    owner = os.stat(wanted[0], follow_symlinks=False).st_uid
    user = owner if owner in _USERS else secrets.choice(_USERS)
    for folder in wanted:
        for _, below, names, descriptor in os.fwalk(folder):
            _own(descriptor, ".", user)
            for name in (*below, *names):
                _own(descriptor, name, user)
    return user


def _own(folder: int, name: str, user: int) -> None:
    if os.stat(name, dir_fd=folder, follow_symlinks=False).st_uid != user:
        os.chown(name, user, user, dir_fd=folder, follow_symlinks=False)


def kill_user(user: int) -> None:
    """Kill all processes of a user in one call, during which none can fork; failures are left to the killing of each."""
    with contextlib.suppress(OSError):
        run_program([base_interpreter(), "-I", "-S", "-c", _KILL, str(user)], seconds=_KILL_SECONDS)
