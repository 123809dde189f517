"""Landlock: which files this process and its children may use, from a list of folders.

Source: Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h of the kernel.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import Final

from repoquarry.agent.isolation.launch.kernel import PR_SET_NO_NEW_PRIVS, call, prctl

NEEDED_VERSION: Final = 6
"""First version that keeps signals and abstract sockets inside (Linux 6.12); below it a command could kill the service."""

_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_ALL_FILES = (1 << 16) - 1
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read file, read folder
_WRITE = _ALL_FILES & ~(1 << 6 | 1 << 11 | 1 << 15)  # no character and block devices, no ioctl on devices
_ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14  # what a rule for something not a folder may name
_ALL_TCP = 0b11
_ALL_SCOPES = 0b11  # abstract unix sockets, signals


def version() -> int:
    """Landlock's version in this kernel, 0 without Landlock."""
    try:
        return call("landlock_create_ruleset", None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def restrict(read: Iterable[str], write: Iterable[str]) -> None:
    """Allow reading below `read`, everything below `write`, and nothing else. Missing paths are passed over. Raises: OSError."""
    attributes = ctypes.create_string_buffer(struct.pack("=QQQ", _ALL_FILES, _ALL_TCP, _ALL_SCOPES), 24)
    ruleset = call("landlock_create_ruleset", ctypes.byref(attributes), 24, 0)
    for paths, access in ((read, _READ), (write, _WRITE)):
        for path in paths:
            _allow(ruleset, path, access)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        access &= _ON_FILES
    rule = ctypes.create_string_buffer(struct.pack("=Qi", access, place), 12)
    call("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(place)
