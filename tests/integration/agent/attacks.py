"""Attacks of a command on the machine it runs on; copied into a workspace and run there by `test_escapes.py`.

Usage: attacks.py ATTACK... FACTS, where the facts are a JSON object about the host. Prints ESCAPED when the attack got what it wanted,
else HELD and the error; anything else means that the attack itself is broken. Several attacks run one after the other, each in a
process and a folder of its own, and each line of output begins with the name of its attack.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

Facts = dict[str, Any]
LIBC = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def text_of(path: str) -> None:
    with open(path, "rb") as file:
        assert file.read()


def through_link(target: str, inside: str = "") -> str:
    """Return a path through a symbolic link of the workspace."""
    os.symlink(target, "link")
    return os.path.join("link", inside) if inside else "link"


def hard_link(path: str) -> str:
    os.link(path, "hard")
    return "hard"


def create(path: str) -> None:
    with open(path, "x", encoding="utf-8") as file:
        file.write("x")


def connect(kind: socket.SocketKind, address: Any, family: int = socket.AF_UNIX) -> None:
    with socket.socket(family, kind) as sender:
        sender.settimeout(3)
        sender.connect(address)


def read_command(process: int) -> str:
    with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
        return file.read()


def read_environment_of_service(facts: Facts) -> None:
    with open(f"/proc/{facts['victim']}/environ", "rb") as file:
        assert b"SERVICE_SECRET" in file.read()


def list_processes(facts: Facts) -> None:
    if str(facts["victim"]) not in os.listdir("/proc") or "SERVICE" not in read_command(facts["victim"]):
        raise OSError("not to be seen")


def send_udp(facts: Facts) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(2)
        sender.sendto(b"x", ("127.0.0.1", facts["udp"]))
        sender.recv(10)


def kill_service(facts: Facts) -> None:
    os.kill(facts["victim"], 0)
    if "SERVICE" in read_command(facts["victim"]):
        os.kill(facts["victim"], signal.SIGTERM)


def limit_service(facts: Facts) -> None:
    limits = resource.prlimit(facts["victim"], resource.RLIMIT_NOFILE)
    resource.prlimit(facts["victim"], resource.RLIMIT_NOFILE, limits)


def gain_privileges_by_set_uid(facts: Facts) -> None:
    get_no_new_privileges = 39
    if LIBC.prctl(get_no_new_privileges, 0, 0, 0, 0) == 1:
        raise OSError("set-uid programs gain nothing")


def mount_over(facts: Facts) -> None:
    os.mkdir("over")
    checked(LIBC.mount(b"none", b"over", b"tmpfs", 0, None))
    checked(LIBC.umount2(b"over", 2))


SEIZE, NEW_USER = 0x4206, 0x10000000
LINES: dict[str, Callable[[Facts], object]] = {
    "read_outside": lambda facts: text_of(facts["secret"]),
    "read_hashed_passwords": lambda facts: text_of("/etc/shadow"),
    "read_through_symbolic_link": lambda facts: text_of(through_link(facts["folder"], "secret")),
    "read_through_hard_link": lambda facts: text_of(hard_link(facts["secret"])),
    "write_outside": lambda facts: create(os.path.join(facts["folder"], "new")),
    "write_through_symbolic_link": lambda facts: create(through_link(facts["folder"], "new")),
    "remove_outside": lambda facts: os.unlink(facts["spare"]),
    "move_in_from_outside": lambda facts: os.rename(facts["spare"], "moved"),
    "truncate_outside": lambda facts: os.truncate(facts["spare"], 0),
    "change_mode_outside": lambda facts: os.chmod(facts["spare"], 0o777),
    "change_mode_through_symbolic_link": lambda facts: os.chmod(through_link(facts["spare"]), 0o777),
    "change_mode_by_descriptor": lambda facts: os.chmod("s", 0o777, dir_fd=os.open(facts["folder"], os.O_PATH)),
    "change_times_outside": lambda facts: os.utime(facts["spare"], (1, 1)),
    "change_owner_outside": lambda facts: os.chown(facts["spare"], os.getuid(), os.getgid()),
    "set_attribute_outside": lambda facts: os.setxattr(facts["spare"], "user.note", b"x"),
    "change_kernel_setting": lambda facts: open("/proc/sys/kernel/core_pattern", "r+", encoding="ascii").close(),
    "connect_tcp": lambda facts: connect(socket.SOCK_STREAM, ("127.0.0.1", facts["tcp"]), socket.AF_INET),
    "connect_abstract_socket": lambda facts: connect(socket.SOCK_STREAM, "\0" + facts["abstract"]),
    "connect_path_socket": lambda facts: connect(socket.SOCK_STREAM, facts["path_socket"]),
    "send_to_path_socket_from_pair": lambda facts: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(
        b"x", facts["datagram_socket"]
    ),
    "ask_metadata_address": lambda facts: connect(socket.SOCK_STREAM, ("169.254.169.254", 80), socket.AF_INET),
    "slow_service": lambda facts: os.setpriority(os.PRIO_PROCESS, facts["victim"], 19),
    "trace_service": lambda facts: checked(LIBC.ptrace(SEIZE, facts["victim"], 0, 0)),
    "new_user_namespace": lambda facts: checked(LIBC.unshare(NEW_USER)),
}
"""Attacks of one line; the others are functions of their name."""


def stay_behind(facts: Facts) -> None:
    """Leave the session, the environment and the parent, and keep writing."""
    if os.fork():
        time.sleep(0.5)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    shell = "while :; do date +%N > alive; sleep 0.05; done"
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    os.execve("/bin/sh", ["/bin/sh", "-c", shell], {"PATH": os.defpath})


def fork_bomb(facts: Facts) -> None:
    for _ in range(150):
        if not os.fork():
            time.sleep(30)
            os._exit(0)
    time.sleep(2)


def fork_bomb_with_children(facts: Facts) -> None:
    """Every process makes two; bounded so that it harms nothing without a limit."""
    for _ in range(7):
        os.fork()
    time.sleep(2)


def fill_disk(facts: Facts) -> None:
    for number in range(40):
        with open(f"fill{number}", "wb") as file:
            file.write(b"x" * 1_000_000)
        time.sleep(0.02)
    time.sleep(1.5)


def fill_disk_with_deleted_files(facts: Facts) -> None:
    kept = []
    for number in range(40):
        file = open(f"fill{number}", "wb", buffering=0)  # noqa: SIM115  held open on purpose
        os.unlink(f"fill{number}")
        file.write(b"x" * 1_000_000)
        kept.append(file)
    time.sleep(2)


def hold_memory_in_many_processes(facts: Facts) -> None:
    for _ in range(6):
        if not os.fork():
            held = b"x" * 60_000_000
            time.sleep(10)
            os._exit(len(held) % 2)
    time.sleep(3)


def hold_memory_in_one_process(facts: Facts) -> None:
    try:
        held = b"x" * 400_000_000
    except MemoryError as error:
        raise OSError("no memory") from error
    assert held


def work_as_usual(facts: Facts) -> None:
    """No attack: what programs do every day has to work."""
    import subprocess
    import threading

    with open("a.txt", "w", encoding="utf-8") as file:
        file.write("x")
    os.chmod("a.txt", 0o750)
    os.utime("a.txt", (1_000_000, 2_000_000))
    shutil.copy2("a.txt", "b.txt")
    status = os.stat("b.txt")
    assert (status.st_mode & 0o777, status.st_mtime) == (0o750, 2_000_000), status
    with open("a.txt", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o640)
    assert os.stat("a.txt").st_mode & 0o777 == 0o640
    os.symlink("a.txt", "c")
    os.utime("c", (5, 5), follow_symlinks=False)
    assert os.stat("c").st_mtime == 2_000_000
    os.mkdir("d")
    os.rename("b.txt", "d/b.txt")
    thread = threading.Thread(target=lambda: os.link("d/b.txt", "e"))
    thread.start()
    thread.join()
    assert subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, check=True).stdout == b"42\n"
    one, other = socket.socketpair()
    one.sendall(b"x")
    assert other.recv(1) == b"x"


def run(name: str, facts: Facts) -> str:
    attack = LINES.get(name) or globals()[name]
    try:
        attack(facts)
    except OSError as error:
        return f"HELD {type(error).__name__} {error}"
    return "ESCAPED"


def run_apart(name: str, facts: Facts) -> None:
    child = os.fork()
    if not child:
        os.mkdir(name)
        os.chdir(name)
        print(name, run(name, facts), flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        print(name, "ended with", status, flush=True)


def main() -> None:
    *names, facts = sys.argv[1:]
    if len(names) == 1:
        print(run(names[0], json.loads(facts)))
    else:
        for name in names:
            run_apart(name, json.loads(facts))


if __name__ == "__main__":
    main()
