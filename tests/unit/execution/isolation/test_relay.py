"""Carrying bytes both ways between two sockets."""

import os
import resource
import socket
import threading

from repoquarry.execution.isolation.launch.entry import relay


def test_a_process_with_many_descriptors_can_relay() -> None:
    """select() refuses descriptors of 1,024 and above, which a busy service has."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2_048, hard), hard))
    opened = [os.open(os.devnull, os.O_RDONLY)]
    try:
        while opened[-1] < 1_100:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        near, one = socket.socketpair()
        other, far = socket.socketpair()
        with near, one, other, far:
            thread = threading.Thread(target=relay, args=(one, other), daemon=True)
            thread.start()
            far.sendall(b"hello")
            far.shutdown(socket.SHUT_WR)
            assert near.recv(100) == b"hello"
            assert near.recv(100) == b""
            near.sendall(b"and back")
            near.shutdown(socket.SHUT_WR)
            assert far.recv(100) == b"and back"
            thread.join(300)
            assert not thread.is_alive()
    finally:
        for descriptor in opened:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
