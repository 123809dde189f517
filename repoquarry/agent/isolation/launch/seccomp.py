"""The filter of system calls: what no command of a task needs and an escape would.

A filter is a program of the classic packet filter over the call's number and its arguments. `FilterRules` says what differs between the
variants; the rest is refused to all. Source: include/uapi/linux/seccomp.h and filter.h of the kernel.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from repoquarry.agent.isolation.launch.kernel import MACHINES, PR_SET_NO_NEW_PRIVS, call, number, prctl

REFUSED: Final = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise", "process_mrelease"),
    *("mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick"),
    *("mount_setattr", "unshare", "setns", "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "userfaultfd"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "open_by_handle_at", "name_to_handle_at", "quotactl"),
    *("acct", "iopl", "ioperm", "migrate_pages", "move_pages"),
)
"""Calls answered with "not permitted": other processes' memory, mounts, namespaces, the kernel, and rings, which no filter sees into."""

ABSENT: Final = ("clone3", "memfd_create", "memfd_secret", "shmget")
"""Calls answered as if the kernel had none: the flags of `clone3` cannot be filtered, and the others take memory that no process shows."""

OWNERS: Final = ("chown", "fchown", "lchown", "fchownat", "file_setattr")
"""Calls that change a file's owner or flags, which Landlock lets pass everywhere."""

ATTRIBUTES: Final = (
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
)
"""Calls that change extended attributes, which Landlock lets pass everywhere; answered as where there are none, which programs expect."""

MEDIATED: Final = ("chmod", "fchmod", "fchmodat", "fchmodat2", "utime", "utimes", "futimesat", "utimensat")
"""Calls that change a file's mode or times, which Landlock lets pass everywhere; `mediation` makes them for the command."""

_BY_PROCESS: Final = {
    **dict.fromkeys(("prlimit64", "sched_setparam", "sched_setscheduler", "sched_setattr", "sched_setaffinity"), 0),
    **dict.fromkeys(("setpriority", "ioprio_set"), 1),
}
"""Calls that change another process of the same user, with the argument that names it; 0 is the caller itself."""

_NAMESPACES = 0x7E020000  # CLONE_NEW* in the flags of `clone`
_SET_FLAGS = (0x40086602, 0x401C5820)  # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR
_LOAD, _EQUAL, _ANY_BIT, _AND, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x54, 0x35, 0x06
_ALLOW, _NOTIFY, _KILL, _ERROR = 0x7FFF0000, 0x7FC00000, 0x80000000, 0x00050000
_X32 = 0x40000000
_NEW_LISTENER = 8

Instruction = tuple[int, int, int, int]
"""Code, jump if true, jump if false, operand."""


@dataclass(frozen=True)
class FilterRules:
    """What a variant's filter adds to what is refused to all."""

    socket_families: tuple[int, ...]
    """Families that `socket` may be asked for."""

    shared_processes: bool
    """Whether the command can name processes of the host and change files outside by their attributes."""


def install(rules: FilterRules) -> int:
    """Put the filter on this process for good. Returns the descriptor of its mediated calls, -1 without. Raises: OSError."""
    program = b"".join(struct.pack("=HBBI", *one) for one in build(rules))
    body = ctypes.create_string_buffer(program, len(program))
    address = ctypes.addressof(body)
    header = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, address))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    listener = call("seccomp", 1, _NEW_LISTENER if rules.shared_processes else 0, ctypes.byref(header))
    return listener if rules.shared_processes else -1


def build(rules: FilterRules) -> list[Instruction]:
    """The filter's instructions for this machine. Raises: OSError on a machine whose calls are not known."""
    number("socket")
    architecture = MACHINES[platform.machine()][1]
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    if platform.machine() == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]
    program += _answers(REFUSED, _ERROR | errno.EPERM) + _answers(ABSENT, _ERROR | errno.ENOSYS)
    program += _when("clone", [_argument(0), (_ANY_BIT, 0, 1, _NAMESPACES), (_RETURN, 0, 0, _ERROR | errno.EPERM)])
    program += _when("socket", _only(0, rules.socket_families))
    if rules.shared_processes:
        program += _answers(OWNERS, _ERROR | errno.EPERM) + _answers(MEDIATED, _NOTIFY)
        program += _answers(ATTRIBUTES, _ERROR | errno.EOPNOTSUPP)
        program += _answers(("connect",), _ERROR | errno.EACCES)
        # a pair of datagram sockets could send to any socket of the host that has a path
        program += _when("socketpair", [_argument(1), (_AND, 0, 0, 0xF), *_only(1, (1, 5))[1:]])
        for name, index in _BY_PROCESS.items():
            program += _when(name, _only(index, (0,)))
        program += _when("ioctl", _never(1, _SET_FLAGS))
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def _answers(names: Iterable[str], answer: int) -> list[Instruction]:
    numbers = [found for name in names if (found := number(name)) >= 0]
    return [one for found in numbers for one in ((_EQUAL, 0, 1, found), (_RETURN, 0, 0, answer))]


def _when(name: str, body: list[Instruction]) -> list[Instruction]:
    """The body for one call alone; a call that it does not answer is allowed."""
    return [(_EQUAL, 0, len(body) + 1, number(name)), *body, (_RETURN, 0, 0, _ALLOW)]


def _only(index: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(index), *tests, (_RETURN, 0, 0, _ERROR | errno.EACCES)]


def _never(index: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [one for value in values for one in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ERROR | errno.EPERM))]
    return [_argument(index), *tests]


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * index)  # the low half: both machines are little-endian
