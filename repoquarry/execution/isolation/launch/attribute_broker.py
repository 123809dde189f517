"""Broker that makes a sandboxed command's chmod and utime calls below allowed folders (seccomp user notification).

Landlock does not cover these calls. The filter passes them to the supervising process, which opens the file before it checks the
location, so that a concurrent rename by the command cannot redirect the change.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from repoquarry.execution.isolation.launch.syscalls import MEDIATED, syscall_number

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV, _SEND
_CURRENT_FOLDER = -100
_NO_FOLLOW = 0x100
_NOW, _OMIT = 0x3FFFFFFF, 0x3FFFFFFE
_NAMES: Final[Mapping[int, str]] = {syscall_number(name): name for name in MEDIATED if syscall_number(name) >= 0}


@dataclass(frozen=True)
class _Change:
    """Change of a file: its new mode, or its new access and modification times in nanoseconds."""

    folder: int
    path: bytes
    follow: bool
    mode: int | None = None
    times: tuple[int | None, int | None] | None = None
    """A None in the pair keeps that time; None for the pair sets both to the present."""


def handle_notification(listener: int, roots: tuple[str, ...]) -> None:
    """Receive one pending call, apply its change below one of the roots, and let the command continue."""
    request = bytearray(80)
    try:
        fcntl.ioctl(listener, _RECEIVE, request)
    except OSError:  # The caller was killed meanwhile.
        return
    identity, process, _, call = struct.unpack_from("=QIIi", request)
    arguments = struct.unpack_from("=6Q", request, 32)
    try:
        _apply(process, _read_change(process, _NAMES[call], arguments), roots)
        code = 0
    except OSError as error:
        code = error.errno or errno.EPERM
    with contextlib.suppress(OSError):
        fcntl.ioctl(listener, _SEND, bytearray(struct.pack("=QqiI", identity, 0, -code, 0)))


def _read_change(process: int, name: str, arguments: tuple[int, ...]) -> _Change:
    first, second, third, fourth = arguments[:4]
    if name == "fchmod":
        return _Change(_signed(first), b"", True, second & 0o7777)
    if name == "chmod":
        return _Change(_CURRENT_FOLDER, _text(process, first), True, second & 0o7777)
    if name.startswith("fchmodat"):
        follow = name == "fchmodat" or not fourth & _NO_FOLLOW
        return _Change(_signed(first), _text(process, second), follow, third & 0o7777)
    if name in ("utime", "utimes"):
        times = _times(process, second, name)
        return _Change(_CURRENT_FOLDER, _text(process, first), True, None, times)
    follow = name != "utimensat" or not fourth & _NO_FOLLOW
    return _Change(_signed(first), _text(process, second), follow, None, _times(process, third, name))


def _apply(process: int, change: _Change, roots: tuple[str, ...]) -> None:
    path = os.fsdecode(change.path)
    place = f"/proc/{process}/cwd" if change.folder == _CURRENT_FOLDER else f"/proc/{process}/fd/{change.folder}"
    target = os.path.join(place, path) if path else place  # An absolute path replaces `place`.
    if change.follow or not path:
        opened, name = os.open(target, os.O_PATH | os.O_CLOEXEC), None
    else:
        folder, name = os.path.split(target)
        opened = os.open(folder, os.O_PATH | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        real = os.readlink(f"/proc/self/fd/{opened}")
        if name in ("", ".", "..") or not any(real == root or real.startswith(root + "/") for root in roots):
            raise PermissionError(errno.EPERM, "outside the workspace")
        _change(opened, name, change)
    finally:
        os.close(opened)


def _change(opened: int, name: str | None, change: _Change) -> None:
    whole = f"/proc/self/fd/{opened}"
    if change.mode is not None:
        # Opened again without following links: the name may have become a link, which has no mode.
        inner = opened if name is None else os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=opened)
        try:
            os.chmod(f"/proc/self/fd/{inner}", change.mode & 0o1777)  # Never a set-uid program of the service's user.
        finally:
            if inner != opened:
                os.close(inner)
        return
    at = name if name is not None else whole
    where, follow = (opened, False) if name is not None else (None, True)
    if change.times is None:
        os.utime(at, None, dir_fd=where, follow_symlinks=follow)
        return
    known = os.stat(at, dir_fd=where, follow_symlinks=follow)
    access, modified = change.times
    both = (known.st_atime_ns if access is None else access, known.st_mtime_ns if modified is None else modified)
    os.utime(at, ns=both, dir_fd=where, follow_symlinks=follow)


def _times(process: int, address: int, name: str) -> tuple[int | None, int | None] | None:
    if not address:
        return None
    if name == "utime":
        access, modified = struct.unpack("=2q", _memory(process, address, 16))
        return access * 10**9, modified * 10**9
    one, one_part, two, two_part = struct.unpack("=4q", _memory(process, address, 32))
    if name != "utimensat":
        return one * 10**9 + one_part * 1000, two * 10**9 + two_part * 1000
    if one_part == two_part == _NOW:
        return None
    return _moment(one, one_part), _moment(two, two_part)


def _moment(seconds: int, part: int) -> int | None:
    if part == _OMIT:
        return None
    return time.time_ns() if part == _NOW else seconds * 10**9 + part


def _text(process: int, address: int) -> bytes:
    if not address:
        return b""
    found = b""
    while b"\0" not in found and len(found) < 4096:
        start = address + len(found)
        found += _memory(process, start, 4096 - start % 4096)  # Never across a page: the next may be missing.
    if b"\0" not in found:
        raise OSError(errno.ENAMETOOLONG, "path too long")
    return found[: found.index(b"\0")]


def _memory(process: int, address: int, size: int) -> bytes:
    memory = os.open(f"/proc/{process}/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(memory, size, address)
    except OverflowError as error:
        raise OSError(errno.EFAULT, "bad address") from error
    finally:
        os.close(memory)


def _signed(word: int) -> int:
    low = word & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low
