"""Main function of the launch process: confines a child, executes the command in it, and relays a loopback port to the proxy.

The command has an empty network, and programs reach a proxy over TCP only.

The module runs in a fresh interpreter and is never imported by the service, because code between fork and exec (`preexec_fn`) can
deadlock a process with threads. Arguments: the orders as JSON, then the command.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import resource
import select
import selectors
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from repoquarry.execution.isolation.launch import attribute_broker, syscalls
from repoquarry.execution.isolation.launch.syscalls import PR_SET_PDEATHSIG, prctl

_CHUNK = 65536


def start(path: str, port: int) -> None:
    """Listen on the port in a child process that ends with the command. Raises: OSError."""
    listener = socket.create_server(("127.0.0.1", port))
    if os.fork():
        listener.close()
        return
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):  # the service reads the command's output until every holder has closed it
        os.dup2(quiet, descriptor)
    while True:
        near, _ = listener.accept()
        threading.Thread(target=_carry, args=(near, path), daemon=True).start()


def _carry(near: socket.socket, path: str) -> None:
    with near, socket.socket(socket.AF_UNIX) as far:
        try:
            far.connect(path)
            relay(near, far)
        except OSError:  # One side closed the connection: close both.
            return


def relay(one: socket.socket, other: socket.socket) -> None:
    """Copy bytes in both directions until both sides have closed. Raises: OSError."""
    with selectors.DefaultSelector() as waiting:  # not select(), which fails where a service has over 1,024 descriptors
        waiting.register(one, selectors.EVENT_READ, other)
        waiting.register(other, selectors.EVENT_READ, one)
        while waiting.get_map():
            for key, _ in waiting.select():
                source, opposite = key.fileobj, key.data
                assert isinstance(source, socket.socket)  # noqa: S101 - registered just above
                data = source.recv(_CHUNK)
                if data:
                    opposite.sendall(data)
                else:
                    waiting.unregister(source)
                    opposite.shutdown(socket.SHUT_WR)


NOT_CONFINED = 125
"""Exit code when the confinement could not be set up; the command was not started."""
Orders = Mapping[str, Any]
"""`report`: descriptor for the number of processes left running, -1 for none; `limits` by the name after `RLIMIT_`. Absent if not used:
`user` that the command becomes; `folder` in which it starts;
`families` of sockets that the filter allows; `landlock` paths to `read`, `write` and `mediate`; `proxy` and `proxy_port`."""


def main(arguments: list[str]) -> NoReturn:
    """Run the command by the orders. Exits with its code, or with 128 plus the number of its signal."""
    orders, command = json.loads(arguments[0]), arguments[1:]
    if (report := orders["report"]) >= 0:
        os.set_inheritable(report, False)
    syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)  # Orphaned processes become children of this one.
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGTERM)
    with refusing():
        if "proxy" in orders:
            start(orders["proxy"], orders["proxy_port"])
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    child = os.fork()
    if not child:
        ours.close()
        os.setpgid(0, 0)  # The service kills the group of the command at once.
        with refusing():
            _confine(orders, theirs)
        _become(command)
    theirs.close()
    signal.signal(signal.SIGTERM, functools.partial(_end, orders))
    _, listeners, _, _ = socket.recv_fds(ours, 1, 1)
    status = _wait(child, listeners[0] if listeners else None, orders)
    left = _end_others(orders)
    if report >= 0:
        with contextlib.suppress(OSError):  # The service has exited.
            os.write(report, str(left).encode())
    raise SystemExit(status if status >= 0 else 128 - status)


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """Exit without starting the command if the confinement fails."""
    try:
        yield
    except OSError as error:
        print(f"the command could not be confined: {error}", file=sys.stderr, flush=True)
        os._exit(NOT_CONFINED)


def _confine(orders: Orders, channel: socket.socket) -> None:
    for name, limit in orders["limits"].items():
        _limit(getattr(resource, f"RLIMIT_{name}"), limit)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    paths = orders.get("landlock")
    user = orders.get("user", 0)
    if paths is not None:
        syscalls.drop_capabilities(user)
        syscalls.restrict(paths["read"], paths["write"])
    elif user:
        syscalls.become_user(user)
    if "folder" in orders:
        os.chdir(orders["folder"])
    if "families" in orders:
        listener = syscalls.install(syscalls.FilterRules(tuple(orders["families"]), shared_processes=paths is not None))
        if listener >= 0:
            socket.send_fds(channel, [b"."], [listener])
            os.close(listener)
    channel.close()


def _limit(kind: int, limit: int) -> None:
    if limit:
        hard = resource.getrlimit(kind)[1]
        bound = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (bound, bound))


def _become(command: list[str]) -> NoReturn:
    try:
        os.execvp(command[0], command)  # noqa: S606  the command is what this script is for; no shell is added
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


def _wait(child: int, listener: int | None, orders: Orders) -> int:
    """Wait for the command and make its mediated calls. Returns its exit code, negative for a signal."""
    ended = os.pidfd_open(child)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    if listener is not None:
        poll.register(listener, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll()}
        if ended in ready:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if listener is not None:
            attribute_broker.handle_notification(listener, tuple(orders["landlock"]["mediate"]))


def _end_others(orders: Orders) -> int:
    """Kill the remaining children until there are none. Returns their number beyond the relay of the proxy."""
    killed: set[int] = set()
    if user := orders.get("user", 0):
        _kill_all_of(user)
    while children := _children():
        for process in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for process in children:
            # A process that exited by itself was not left running.
            with contextlib.suppress(ChildProcessError):
                _, status = os.waitpid(process, 0)
                if os.waitstatus_to_exitcode(status) == -signal.SIGKILL:
                    killed.add(process)
    return max(len(killed) - ("proxy" in orders), 0)


def _kill_all_of(user: int) -> None:
    """Kill all processes of a user in one call, during which none can fork."""
    helper = os.fork()
    if not helper:
        with contextlib.suppress(OSError):
            syscalls.become_user(user)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(helper, 0)


def _children() -> list[int]:
    """List the direct children; their own children become direct ones when they exit."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def _end(orders: Orders, *_: object) -> NoReturn:
    """Kill all processes: the service exited or stops the command."""
    _end_others(orders)
    os._exit(128 + signal.SIGTERM)
