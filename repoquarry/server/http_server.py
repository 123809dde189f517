"""HTTP server of one ASGI application (page, MCP or metrics): token check, TLS, and limits of connections, times and sizes.

Every server has a separate thread and event loop, so that a slow answer delays neither gRPC nor the other listeners.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from repoquarry.server.authentication import Authenticator
from repoquarry.server.errors import HTTP_STATUSES, ServerFailure, SettingsError
from repoquarry.server.settings.sections import ServerSettings, split_address

if TYPE_CHECKING:
    from repoquarry.server.listener import Listener, ServiceContext

_log = logging.getLogger(__name__)
MAX_CONNECTIONS = 256
_REQUEST_SECONDS = 15.0
"""Time for the head of a request, and again for its body."""
_STOP_POLL_SECONDS = 0.25
"""Time between two checks of a body that does not come, for the stop of the server."""
_START_SECONDS = 10.0
_LOG_SECONDS = 60.0


@dataclass(frozen=True)
class HttpLimits:
    connections: int
    """Open connections; further ones are closed before anything is read from them."""
    body_bytes: int
    """Size of the body of a request, in bytes; 0 means that requests have no body."""
    find_body_bytes: Callable[[Scope], int | None] | None = None
    """Limit of one request, None for `body_bytes`; below 0 means that its body is not read, because the request is refused."""


class HttpServer:
    """HTTP server of one listener, bound to `port`. Raises: SettingsError."""

    def __init__(self, application: ASGIApp, listener: Listener, context: ServiceContext, limits: HttpLimits) -> None:
        settings = context.settings.server
        is_plain = settings.tls_certificate is None
        self._socket = _LimitedSocket(
            listener, listener.find_address(context.settings), limits.connections, is_plain=is_plain
        )
        self.port: int = self._socket.getsockname()[1]
        self._guard = _Guard(application, context.authenticator, listener.method, limits)
        config = uvicorn.Config(
            self._guard,
            http=_TimedConnection,
            ws="none",
            loop="asyncio",
            proxy_headers=False,  # clients can forge the header
            log_config=None,
            log_level=logging.ERROR,  # malformed requests must not fill the log
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, int(settings.shutdown_seconds)),
            **_tls_options(settings),
        )
        try:
            config.load()
        except OSError as exc:
            self._socket.close()
            raise SettingsError(f"the TLS files of {listener.setting} cannot be used: {exc}") from exc
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name=listener.name, daemon=True)

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

    async def start(self) -> None:
        """Start to listen in a separate thread. Raises: SettingsError when the server fails to start."""
        self._thread.start()
        deadline = time.monotonic() + _START_SECONDS
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > deadline:
                raise SettingsError(f"the listener {self._thread.name} did not start; the log has the cause")
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """Wait for running calls within the shutdown time of the settings, and close."""
        self._guard.is_stopping = True
        self._server.should_exit = True
        grace = self._server.config.timeout_graceful_shutdown or 0
        await asyncio.to_thread(self._thread.join, grace + _START_SECONDS)
        self._socket.close()


class _Guard:
    """ASGI application in front of another one: passes only requests whose token and body the listener permits."""

    def __init__(self, application: ASGIApp, authenticator: Authenticator, method: str, limits: HttpLimits) -> None:
        self._application = application
        self._authenticator = authenticator
        self._method = method
        self._limits = limits
        self.is_stopping = False
        """True once the server stops: bodies that are not complete are not waited for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._authenticator.check(headers.get("authorization"), self._method) if self._method else None
        if refusal is not None:
            client = scope.get("client")
            await _refused(refusal(client[0] if client else ""))(scope, receive, send)
            return
        own = self._limits.find_body_bytes(scope) if self._limits.find_body_bytes is not None else None
        limit = self._limits.body_bytes if own is None else own
        try:
            body = await self._read_body(headers, receive, limit) if limit >= 0 else b""
        except _StoppingError:
            await _unavailable()(scope, receive, send)
            return
        except (ValueError, TimeoutError) as exc:
            status = 408 if isinstance(exc, TimeoutError) else 413
            message = str(exc) or f"the request took longer than {_REQUEST_SECONDS:g} seconds"
            await Response(message, status, {"Connection": "close"})(scope, receive, send)
            return
        if body is not None:
            await self._run(scope, _with_body(body, receive), send)

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; a call that the stop of the server cuts off ends without a traceback in the log."""
        is_started = False

        async def send_noted(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._application(scope, receive, send_noted)
        except asyncio.CancelledError:
            if not self.is_stopping:
                raise
            if is_started:  # Without the last message of its protocol, which tells the client that the answer was cut.
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            else:
                await _unavailable()(scope, receive, send)

    async def _read_body(self, headers: Headers, receive: Receive, limit: int) -> bytes | None:
        """Return the body; None when the client has left.

        Raises: ValueError when it is too large, TimeoutError, _StoppingError.
        """
        body = bytearray()
        announced = headers.get("content-length", "0")
        too_large = f"the body is larger than {limit} bytes"
        if not (announced.isascii() and announced.isdecimal()) or int(announced) > limit:
            raise ValueError(too_large)
        async with asyncio.timeout(_REQUEST_SECONDS):
            while True:
                message = await self._receive(receive)
                if message["type"] != "http.request":
                    return None
                body += message.get("body", b"")
                if len(body) > limit:
                    raise ValueError(too_large)
                if not message.get("more_body"):
                    return bytes(body)

    async def _receive(self, receive: Receive) -> Message:
        """Receive the next part of a body. Raises: _StoppingError."""
        while True:
            try:
                async with asyncio.timeout(_STOP_POLL_SECONDS):
                    return await receive()
            except TimeoutError:
                if self.is_stopping:
                    raise _StoppingError from None


class _StoppingError(Exception):
    """The server stops before the body of a request is complete."""


def _unavailable() -> Response:
    return Response("the server stops", 503, {"Connection": "close", "Retry-After": "5"})


def _with_body(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that replays a body, then continues with the next messages."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _refused(failure: ServerFailure) -> Response:
    headers: Mapping[str, str] = {
        "UNAUTHENTICATED": {"WWW-Authenticate": "Bearer"},
        "RESOURCE_EXHAUSTED": {"Retry-After": "60"},
    }.get(failure.status, {})
    body = json.dumps({"error": {"reason": failure.reason, "message": failure.message}})
    return Response(body, HTTP_STATUSES[failure.status], headers, "application/json")


class _TimedConnection(H11Protocol):
    """Connection that is closed when it waits for the head of a request too long.

    uvicorn itself limits only the time between two requests, so that half a head would hold a connection forever.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch(object())

    def _watch(self, served: object) -> None:
        """Close the connection if it serves no request and has started none since the last check, when it had `served`."""
        if served is self.cycle and (self.cycle is None or self.cycle.response_complete):
            self.transport.close()
            return
        self._timer = self.loop.call_later(_REQUEST_SECONDS, self._watch, self.cycle)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)


class _LimitedSocket(socket.socket):
    """Listening socket that refuses connections above a limit before anything is read from them, a TLS handshake included."""

    def __init__(self, listener: Listener, listen: str, max_connections: int, *, is_plain: bool) -> None:
        host, port = split_address(listen, listener.setting)
        super().__init__(socket.AF_INET6 if host.startswith("[") else socket.AF_INET, socket.SOCK_STREAM)
        self._name = listener.name
        self._max_connections = max_connections
        self._is_plain = is_plain
        self._connections: list[socket.socket] = []
        self._logged = float("-inf")
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.bind((host.strip("[]"), port))
            self.listen(128)
        except OSError as exc:
            self.close()
            raise SettingsError(f"{listener.setting}: {listen} cannot be listened on: {exc.strerror or exc}") from exc

    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self._connections = [known for known in self._connections if known.fileno() >= 0]
        if len(self._connections) >= self._max_connections:
            _refuse(connection, is_plain=self._is_plain)
            if time.monotonic() - self._logged > _LOG_SECONDS:
                self._logged = time.monotonic()
                _log.warning("connections_refused listener=%s limit=%d", self._name, self._max_connections)
            raise ConnectionAbortedError("too many connections")  # the event loop accepts the next connection
        # The event loop sets it for its own sockets only: a body that follows its head would wait for an acknowledgement.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections.append(connection)
        return connection, address


_TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 21\r\n\r\ntoo many connections\n"


def _refuse(connection: socket.socket, *, is_plain: bool) -> None:
    """Close a connection, with an answer where it needs no TLS handshake."""
    with connection, suppress(OSError):
        connection.setblocking(False)
        if is_plain:
            connection.send(_TOO_MANY)
            connection.shutdown(socket.SHUT_WR)


def _tls_options(settings: ServerSettings) -> dict[str, Any]:
    if settings.tls_certificate is None or settings.tls_key is None:
        return {}
    pair = {"ssl_certfile": str(settings.tls_certificate), "ssl_keyfile": str(settings.tls_key)}
    if settings.tls_client_ca is None:
        return pair
    return {**pair, "ssl_ca_certs": str(settings.tls_client_ca), "ssl_cert_reqs": ssl.CERT_REQUIRED}
