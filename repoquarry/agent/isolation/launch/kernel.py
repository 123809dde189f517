"""System calls that Python's library does not offer: their numbers, and one way to make them.

Only the standard library is imported in this folder: its modules run under an interpreter that sees nothing else.
"""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Final

MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine to the column of `NUMBERS` and to the architecture's number in a seccomp filter."""

NUMBERS: Final[dict[str, tuple[int, int]]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chmod": (90, -1),
    "chown": (92, -1),
    "chroot": (161, 51),
    "clone": (56, 220),
    "clone3": (435, 435),
    "connect": (42, 203),
    "delete_module": (176, 106),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "file_setattr": (469, 469),
    "finit_module": (313, 273),
    "fremovexattr": (199, 16),
    "fsconfig": (431, 431),
    "fsetxattr": (190, 7),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "futimesat": (261, -1),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioperm": (173, -1),
    "iopl": (172, -1),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "lchown": (94, -1),
    "lremovexattr": (198, 15),
    "lsetxattr": (189, 6),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "prlimit64": (302, 261),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "removexattr": (197, 14),
    "removexattrat": (466, 466),
    "request_key": (249, 218),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "seccomp": (317, 277),
    "setns": (308, 268),
    "setpriority": (141, 140),
    "setxattr": (188, 5),
    "setxattrat": (463, 463),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "utime": (132, -1),
    "utimensat": (280, 88),
    "utimes": (235, -1),
}
"""Number on x86_64 and on aarch64, -1 where the architecture has no such call. Source: the kernel's syscall tables."""

PR_SET_PDEATHSIG: Final = 1
PR_CAPBSET_DROP: Final = 24
PR_SET_SECUREBITS: Final = 28
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long


def number(name: str) -> int:
    """Number of a system call on this machine, -1 when it has none. Raises: OSError on a machine that is not known."""
    machine = platform.machine()
    if machine not in MACHINES:
        raise OSError(f"system calls of {machine} are not known; known: {', '.join(MACHINES)}")
    return NUMBERS[name][MACHINES[machine][0]]


def call(name: str, *arguments: object) -> int:
    """Make a system call. Raises: OSError."""
    return _checked(name, _LIBC.syscall(ctypes.c_long(number(name)), *map(_word, arguments)))


def prctl(option: int, *arguments: int) -> int:
    """Change a property of this process. Raises: OSError."""
    words = [*arguments, 0, 0, 0, 0][:4]
    return _checked(f"prctl {option}", _LIBC.prctl(option, *map(ctypes.c_ulong, words)))


def drop_capabilities() -> None:
    """Give up every capability for good, also those that root would regain with its next program. Raises: OSError."""
    locked_noroot = 0b1111  # SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP and their locks
    if os.geteuid() == 0:
        prctl(PR_SET_SECUREBITS, locked_noroot)
        for capability in range(_last_capability() + 1):
            prctl(PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    _checked("capset", _LIBC.capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)())))


def _last_capability() -> int:
    with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:
        return int(file.read())


def _word(value: object) -> object:
    return ctypes.c_long(value) if isinstance(value, int) else value


def _checked(what: str, result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result
