"""System calls that confine the calling process, made by number through ctypes: prctl, Landlock, seccomp filter, capabilities.

This folder imports the standard library only: its modules run in an interpreter that sees nothing else.

Source: Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h of the kernel.

A filter is a program of the classic packet filter over the number and arguments of a call. `FilterRules` are the differences between
variants; what no rule denies is allowed. Source: include/uapi/linux/seccomp.h and filter.h of the kernel.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import stat
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine to the column of `NUMBERS` and to the architecture's number in a seccomp filter."""
NUMBERS: Final[dict[str, list[int]]] = json.loads(Path(__file__).with_name("syscalls.json").read_text(encoding="ascii"))
"""Numbers on x86_64 and on aarch64, -1 where the architecture has no such call. Source: the kernel's syscall tables."""
PR_SET_PDEATHSIG: Final = 1
PR_CAPBSET_DROP: Final = 24
PR_SET_SECUREBITS: Final = 28
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38
PR_CAP_AMBIENT: Final = 47
CAP_DAC_READ_SEARCH: Final = 2

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long


def syscall_number(name: str) -> int:
    """Return the number of a system call on this machine; -1 if there is none. Raises: OSError on an unknown machine."""
    machine = platform.machine()
    if machine not in MACHINES:
        raise OSError(f"unknown system calls of the machine {machine}; known: {', '.join(MACHINES)}")
    return NUMBERS[name][MACHINES[machine][0]]


def syscall(name: str, *arguments: object) -> int:
    """Make a system call. Raises: OSError."""
    words = (ctypes.c_long(value) if isinstance(value, int) else value for value in arguments)
    return _checked(name, _LIBC.syscall(ctypes.c_long(syscall_number(name)), *words))


def prctl(option: int, *arguments: int) -> int:
    """Change a property of this process. Raises: OSError."""
    words = [*arguments, 0, 0, 0, 0][:4]
    return _checked(f"prctl {option}", _LIBC.prctl(option, *map(ctypes.c_ulong, words)))


def become_user(user: int) -> None:
    """Become an ordinary user permanently, without capabilities. Raises: OSError."""
    _set_user(user)
    _set_capabilities(0)


def _set_user(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def drop_capabilities(user: int = 0) -> None:
    """Drop every capability permanently, including those that root would regain with its next program.

    With a `user`, become this user, who may search and read what root may: Landlock decides what that is. Raises: OSError.
    """
    locked_noroot = 0b1111  # SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP and their locks
    if os.geteuid() == 0:
        prctl(PR_SET_SECUREBITS, locked_noroot)
        with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:
            last = int(file.read())
        for capability in set(range(last + 1)) - ({CAP_DAC_READ_SEARCH} if user else set()):
            prctl(PR_CAPBSET_DROP, capability)
    if user:
        _set_user(user)  # Keeps the capabilities by SECBIT_NO_SETUID_FIXUP.
        _set_capabilities(1 << CAP_DAC_READ_SEARCH)
        prctl(PR_CAP_AMBIENT, 2, CAP_DAC_READ_SEARCH)
    else:
        _set_capabilities(0)


def _set_capabilities(kept: int) -> None:
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    sets = (ctypes.c_uint32 * 6)(kept, kept, kept)  # effective, permitted, inheritable
    _checked("capset", _LIBC.capset(ctypes.byref(header), ctypes.byref(sets)))


def _checked(what: str, result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


NEEDED_VERSION: Final = 6
"""First version that keeps signals and abstract sockets inside (Linux 6.12); below it a command could kill the service."""
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_ALL_FILES = (1 << 16) - 1
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read file, read folder
_WRITE = _ALL_FILES & ~(1 << 6 | 1 << 11 | 1 << 15)  # no character and block devices, no ioctl on devices
_ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14  # Rights that a rule for a file may name.
_ALL_TCP = 0b11
_ALL_SCOPES = 0b11  # abstract unix sockets, signals


def version() -> int:
    """Landlock's version in this kernel, 0 without Landlock."""
    try:
        return syscall("landlock_create_ruleset", None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def restrict(read: Iterable[str], write: Iterable[str]) -> None:
    """Allow reading below `read`, everything below `write`, and nothing else. Missing paths are skipped. Raises: OSError."""
    attributes = ctypes.create_string_buffer(struct.pack("=QQQ", _ALL_FILES, _ALL_TCP, _ALL_SCOPES), 24)
    ruleset = syscall("landlock_create_ruleset", ctypes.byref(attributes), 24, 0)
    for paths, access in ((read, _READ), (write, _WRITE)):
        for path in paths:
            _allow(ruleset, path, access)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    syscall("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        access &= _ON_FILES
    rule = ctypes.create_string_buffer(struct.pack("=Qi", access, place), 12)
    syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(place)


REFUSED: Final = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise", "process_mrelease"),
    *("mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick"),
    *("mount_setattr", "unshare", "setns", "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "userfaultfd"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "open_by_handle_at", "name_to_handle_at", "quotactl"),
    *("acct", "iopl", "ioperm", "migrate_pages", "move_pages"),
)
"""Calls answered with "not permitted": other processes' memory, mounts, namespaces, the kernel, and io_uring, whose operations no filter can see."""
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
"""Calls that change a file's mode or times, which Landlock lets pass everywhere; `attribute_broker` makes them for the command."""
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
    """System calls that a variant's filter refuses in addition to those refused to all."""

    socket_families: tuple[int, ...]
    """Families that `socket` may be asked for."""
    shared_processes: bool
    """True if the command can name processes of the host and change files outside by their attributes."""


def install(rules: FilterRules) -> int:
    """Install the filter in this process permanently. Returns the descriptor of its mediated calls, -1 without. Raises: OSError."""
    program = b"".join(struct.pack("=HBBI", *one) for one in build(rules))
    body = ctypes.create_string_buffer(program, len(program))
    address = ctypes.addressof(body)
    header = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, address))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    listener = syscall("seccomp", 1, _NEW_LISTENER if rules.shared_processes else 0, ctypes.byref(header))
    return listener if rules.shared_processes else -1


def build(rules: FilterRules) -> list[Instruction]:
    """Build the instructions of the filter for this machine. Raises: OSError on an unknown machine."""
    syscall_number("socket")
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
        # A pair of datagram sockets could send to any socket of the host that has a path.
        program += _when("socketpair", [_argument(1), (_AND, 0, 0, 0xF), *_only(1, (1, 5))[1:]])
        for name, index in _BY_PROCESS.items():
            program += _when(name, _only(index, (0,)))
        program += _when("ioctl", _never(1, _SET_FLAGS))
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def _answers(names: Iterable[str], answer: int) -> list[Instruction]:
    numbers = [found for name in names if (found := syscall_number(name)) >= 0]
    return [one for found in numbers for one in ((_EQUAL, 0, 1, found), (_RETURN, 0, 0, answer))]


def _when(name: str, body: list[Instruction]) -> list[Instruction]:
    """Build the body for one call; a call that the body does not answer is allowed."""
    return [(_EQUAL, 0, len(body) + 1, syscall_number(name)), *body, (_RETURN, 0, 0, _ALLOW)]


def _only(index: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(index), *tests, (_RETURN, 0, 0, _ERROR | errno.EACCES)]


def _never(index: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [one for value in values for one in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ERROR | errno.EPERM))]
    return [_argument(index), *tests]


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * index)  # the low half: both machines are little-endian
