"""The way to the proxy from inside: a port of the command's own loopback, carried over a unix socket.

The command has a network of its own with nothing in it, and programs speak to a proxy over TCP only.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import threading

from repoquarry.agent.isolation.launch.kernel import PR_SET_PDEATHSIG, prctl

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
        except OSError:  # either side went away: both ends close, which is all there is to tell
            return


def relay(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes both ways until both sides have said all. Raises: OSError."""
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
