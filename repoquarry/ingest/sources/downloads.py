"""HTTP downloader of package pages and archives, which connects only to hosts that the network policy of the process allows.

The policy checks every address before a connection: the page of a package, the archive that the page names, and the target of
each redirect. For a host that only a wildcard of the policy covers, connections use its checked addresses, without a proxy.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import socket
import threading
import time
import urllib.error
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Self, cast
from urllib.parse import unquote, urljoin
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, ProxyHandler, Request, build_opener

from repoquarry.ingest.errors import IngestCancelledError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import MIB, IngestSettings
from repoquarry.ingest.sources.network_policy import NetworkPolicy
from repoquarry.ingest.sources.source import Cancelled, parse_address

_SOCKET_SECONDS = 60.0
_CONNECT_SECONDS = 15.0
_LOOK_SECONDS = 0.5
"""Interval at which a transfer looks whether it is cancelled or its time is over."""
_MAX_REDIRECTS = 5
_MAX_PAGE_BYTES = 64 * MIB


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Return None, so that the caller admits the target first."""


class _ConnectionGuard:
    """Guard that breaks the connections of one transfer when a condition holds, whatever the transfer waits for.

    A timeout of a socket starts again with each byte, so that a peer which sends a byte a second would never meet it.
    """

    def __init__(self, should_stop: Callable[[], bool]) -> None:
        self._should_stop = should_stop
        self._ended = threading.Event()
        self._sockets: list[socket.socket] = []
        self._thread = threading.Thread(target=self._watch, name="download-guard", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        for connection in self._sockets:
            connection.close()

    def add(self, connection: socket.socket) -> None:
        """Watch a connection; a copy is used, because TLS takes the socket over."""
        self._sockets.append(connection.dup())

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_SECONDS):
            if self._should_stop():
                for connection in tuple(self._sockets):
                    with contextlib.suppress(OSError):  # The peer has closed it.
                        connection.shutdown(socket.SHUT_RDWR)


class _GuardedHandler(HTTPSHandler, HTTPHandler):
    """Opener of guarded connections, with addresses to those that were checked, whatever the name resolves to."""

    def __init__(self, guard: _ConnectionGuard, addresses: Sequence[str] | None) -> None:
        super().__init__()
        self._guard = guard
        self._addresses = addresses

    def https_open(self, request: Request) -> http.client.HTTPResponse:
        return self.do_open(self._guarded(http.client.HTTPSConnection), request)

    def http_open(self, request: Request) -> http.client.HTTPResponse:
        return self.do_open(self._guarded(http.client.HTTPConnection), request)

    def _guarded(self, connection: Callable[..., Any]) -> Callable[..., Any]:
        def connect(place: tuple[str, int], timeout: float, *arguments: Any) -> socket.socket:
            target = place if self._addresses is None else (self._addresses[0], place[1])
            made = socket.create_connection(target, _CONNECT_SECONDS, *arguments)
            made.settimeout(timeout)
            self._guard.add(made)
            return made

        def build(*arguments: Any, **options: Any) -> Any:
            made = connection(*arguments, **options)
            # The library connects by this attribute and checks certificates against the name.
            made._create_connection = connect
            return made

        return build


@dataclass(frozen=True)
class Credentials:
    """Header that a registry expects, sent to the host of the registry only."""

    host: str = ""
    header: str = field(default="", repr=False)
    """Value of `Authorization`; empty for none."""

    @classmethod
    def from_user(cls, host: str, user: str) -> Credentials:
        """Build the header of `user:password`; an empty user sends none."""
        return cls(host, f"Basic {base64.b64encode(user.encode()).decode()}" if user else "")


class Downloader:
    """Reader of addresses within the limits of the settings."""

    def __init__(
        self, reach: NetworkPolicy, settings: IngestSettings, cancelled: Cancelled, credentials: Credentials
    ) -> None:
        self._reach = reach
        self._settings = settings
        self._cancelled = cancelled
        self._credentials = credentials
        self._deadline = time.monotonic() + settings.git_seconds if settings.git_seconds else float("inf")

    def read(self, url: str, accept: str = "*/*") -> tuple[bytes, str]:
        """Return a page and its media type. Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError."""
        pieces: list[bytes] = []
        media_type = self._transfer(url, accept, pieces.append, _MAX_PAGE_BYTES, "page")
        return b"".join(pieces), media_type

    def save(self, url: str, path: Path, algorithm: str, expected: str) -> None:
        """Write an archive and compare its digest, where the registry names one.

        Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError.
        """
        digest = hashlib.new(algorithm or "sha256", usedforsecurity=False)
        with path.open("xb") as file:

            def write(piece: bytes) -> None:
                digest.update(piece)
                file.write(piece)

            self._transfer(url, "*/*", write, self._settings.archive_bytes, "archive_bytes")
        if algorithm and digest.hexdigest() != expected:
            raise SourceRejectedError(
                f"{path.name} has the {algorithm} digest {digest.hexdigest()}, and the registry promises {expected}; "
                "download the package again or report it to the registry"
            )

    def probe(self, url: str) -> tuple[str, int | None]:
        """Return the media type of an address and the bytes that its host states, without reading the body.

        Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError.
        """
        try:
            with _ConnectionGuard(self._should_stop) as guard, self._open(url, "*/*", guard) as response:
                return str(response.headers.get_content_type()), response.length
        except (OSError, http.client.HTTPException) as exc:
            self._check(url, 0, 0, "page")
            _refuse(url, exc)

    def _transfer(self, url: str, accept: str, write: Callable[[bytes], object], limit: int, name: str) -> str:
        """Pass the body of an address to `write` in pieces, and return its media type."""
        total = 0
        try:
            with _ConnectionGuard(self._should_stop) as guard, self._open(url, accept, guard) as response:
                while piece := response.read1(MIB):
                    total += len(piece)
                    self._check(url, total, limit, name)
                    write(piece)
                self._check(url, total, limit, name)  # A broken connection ends a body, too.
                return str(response.headers.get_content_type())
        except (OSError, http.client.HTTPException) as exc:
            self._check(url, total, limit, name)
            _refuse(url, exc)

    def _should_stop(self) -> bool:
        return self._cancelled() or time.monotonic() > self._deadline

    def _check(self, url: str, total: int, limit: int, name: str) -> None:
        if self._cancelled():
            raise IngestCancelledError("cancelled while downloading the package")
        if limit and total > limit:
            raise SourceRejectedError(f"{_shown(url)} is larger than {limit:,} bytes ({name})", limit=name)
        if time.monotonic() > self._deadline:
            raise SourceNotFoundError(f"{_shown(url)} timed out after {self._settings.git_seconds:g} s (git_seconds)")

    def _open(self, url: str, accept: str, guard: _ConnectionGuard) -> http.client.HTTPResponse:
        """Open an address, following redirects to admitted addresses."""
        for _ in range(_MAX_REDIRECTS):
            address, _ref = parse_address(url)
            if address.transport not in ("https", "http"):
                raise SourceRejectedError(f"{address.shown} is not an address of a package registry (https or http)")
            headers = {"Accept": accept, "User-Agent": "repoquarry"}
            if self._credentials.header and self._credentials.host == f"{address.host}:{address.reached_port}":
                headers["Authorization"] = self._credentials.header
            addresses = self._reach.list_addresses(address)
            handlers = [*([] if addresses is None else [ProxyHandler({})]), _GuardedHandler(guard, addresses)]
            location = f"{address.shown}?{address.query}" if address.query else address.shown
            request = Request(location, headers=headers)  # noqa: S310 - https or http, checked above
            try:
                response = build_opener(_NoRedirects, *handlers).open(request, timeout=_SOCKET_SECONDS)
            except urllib.error.HTTPError as exc:
                if not (300 <= exc.code < 400 and exc.headers.get("Location")):
                    raise
                url = urljoin(url, exc.headers["Location"])
            else:
                return cast("http.client.HTTPResponse", response)
        raise SourceRejectedError(f"{_shown(url)} is behind more than {_MAX_REDIRECTS} redirects")


def split_credentials(url: str) -> tuple[str, Credentials]:
    """Return an address without its user, and the credentials of that user."""
    address, _ = parse_address(url)
    place = f"{address.host}:{address.reached_port}"
    return address.shown, Credentials.from_user(place, unquote(address.user))


def _shown(url: str) -> str:
    return parse_address(url)[0].shown


def _refuse(url: str, exc: Exception) -> NoReturn:
    if isinstance(exc, urllib.error.HTTPError):
        raise SourceNotFoundError(f"{_shown(url)} answers HTTP {exc.code}", status=str(exc.code)) from exc
    cause = exc.reason if isinstance(exc, urllib.error.URLError) else exc
    raise SourceNotFoundError(f"{_shown(url)} cannot be read: {cause}") from exc
