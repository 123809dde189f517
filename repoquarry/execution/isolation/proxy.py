"""Network proxy through which sandboxed commands reach the hosts of an allow list only.

The proxy listens on a Unix socket, which the command's network namespace exposes on a loopback port. It supports CONNECT only. A name
whose addresses are all loopback, link-local, multicast or those of a metadata service is refused; `localhost` and addresses pass if listed.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import socket
import socketserver
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from repoquarry.execution.isolation.confinement import PROXY_PORT, Isolation
from repoquarry.execution.isolation.launch.entry import relay
from repoquarry.processes.scratch import ScratchFolder

_log = logging.getLogger(__name__)
_CONNECT_SECONDS = 15.0
_HEAD_BYTES = 16384
_PORT = 443
_METADATA = frozenset({"100.100.100.200", "192.0.0.192", "fd00:ec2::254"})
"""Metadata services of clouds that are not link-local, as 169.254.169.254 is."""


@contextlib.contextmanager
def open_proxy(hosts: Sequence[str]) -> Iterator[Path]:
    """Serve a proxy to `hosts` (`name`, or `name:port` for another port than 443) while the block runs. Gives its socket."""
    with ScratchFolder("proxy") as folder:
        path = folder / "proxy"
        with _Server(str(path), _Connection) as server:
            server.allowed = frozenset(map(parse_host, hosts))
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
            try:
                yield path
            finally:
                server.shutdown()


@contextlib.contextmanager
def open_network(hosts: Sequence[str], isolation: Isolation) -> Iterator[tuple[Path | None, dict[str, str]]]:
    """Serve a proxy to `hosts` while the block runs, if the isolation can grant network.

    Yields: socket of the proxy, None without network; and the environment variables by which a command finds the proxy.
    """
    if not hosts or not isolation.grants_network:
        yield None, {}
        return
    address = f"http://127.0.0.1:{PROXY_PORT}"
    with open_proxy(hosts) as path:
        yield path, dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"), address)


def parse_host(text: str) -> tuple[str, int]:
    """Parse name and port of `name` or `name:port`. Raises: ValueError."""
    name, separator, port = text.rpartition(":")
    if not separator:
        return text.lower(), _PORT
    if not name or not (port.isascii() and port.isdecimal()):
        raise ValueError(f"invalid host {text!r}; expected name or name:port")
    return name.lower(), int(port)


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False
    allowed: frozenset[tuple[str, int]] = frozenset()


class _Connection(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        near: socket.socket = self.request
        with contextlib.suppress(OSError):  # Either side closed the connection.
            near.settimeout(_CONNECT_SECONDS)
            line = _read_request(near)
            words = line.split()
            if len(words) != 3 or words[0] != "CONNECT":
                _refuse(near, "405 Method Not Allowed", "only CONNECT is served: use https")
                return
            try:
                target = parse_host(words[1])
            except ValueError as error:
                _refuse(near, "400 Bad Request", str(error))
                return
            if target not in self.server.allowed:
                _log.info("proxy_refused host=%s port=%d", *target)
                _refuse(near, "403 Forbidden", f"{target[0]}:{target[1]} is not among the hosts of this task")
                return
            self._connect(near, target)

    def _connect(self, near: socket.socket, target: tuple[str, int]) -> None:
        try:
            address = reachable_address(*target)
            far = socket.create_connection(address, _CONNECT_SECONDS)
        except OSError as error:
            _refuse(near, "502 Bad Gateway", str(error))
            return
        with far:
            far.settimeout(None)
            near.settimeout(None)
            near.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            relay(near, far)


def reachable_address(host: str, port: int) -> tuple[str, int]:
    """Resolve a host. Raises: OSError if it resolves to this machine, its link or a metadata service only.

    An address or `localhost` in the operator's list is used as it is.
    """
    if host == "localhost":
        return host, port
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        return host, port
    found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for text in found:
        address = ipaddress.ip_address(text.partition("%")[0])
        mapped = getattr(address, "ipv4_mapped", None) or address
        local = mapped.is_loopback or mapped.is_link_local or mapped.is_unspecified or mapped.is_multicast
        if not local and str(mapped) not in _METADATA:
            return text, port
    raise OSError(f"{host} resolves to no address that a command may reach: {', '.join(found)}")


def _read_request(near: socket.socket) -> str:
    """Read the first line of a request. Raises: OSError if its head does not end."""
    head = b""
    while b"\r\n\r\n" not in head:
        data = near.recv(4096)
        head += data
        if not data or len(head) > _HEAD_BYTES:
            raise OSError("unterminated head of a request")
    return head.split(b"\r\n", 1)[0].decode("latin-1")


def _refuse(near: socket.socket, status: str, why: str) -> None:
    body = f"{why}\n".encode()
    near.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
