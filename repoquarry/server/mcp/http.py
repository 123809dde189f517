"""MCP over HTTP: tokens and headers.

A browser that a hostile page has lured here (DNS rebinding) sends that page's name as Host and Origin; both are checked by lists. The
server has a thread and an event loop of its own, so that it runs beside the gRPC server or alone.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from repoquarry.server.authentication import TokenInterceptor, check_exposure, is_loopback
from repoquarry.server.errors import SettingsError
from repoquarry.server.mcp.gateway import Gateway
from repoquarry.server.mcp.protocol import mcp_server
from repoquarry.server.settings.sections import McpSettings, ServerSettings, split_address

_log = logging.getLogger(__name__)
PATH = "/mcp"
_METHOD = "/repoquarry.v1.ToolService/CallTool"
"""Method of the contract whose leave a token needs."""

_START_SECONDS = 10.0
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class HttpServer:
    """MCP on a port of its own. `start` returns when it listens; `port` is the bound one. Raises: SettingsError."""

    def __init__(self, gateway: Gateway, server: ServerSettings, mcp: McpSettings, listen: str) -> None:
        host, port = split_address(listen, "mcp.listen")
        check_exposure(server, host)
        application = mcp_server(gateway, server.request_threads).streamable_http_app(
            streamable_http_path=PATH, transport_security=allowed_headers(host, mcp), host=host
        )
        self._socket = _bound(host, port)
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            TokenMiddleware(application, TokenInterceptor(server.tokens)),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, int(server.shutdown_seconds)),
            **_tls(server),
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="mcp", daemon=True)

    def start(self) -> None:
        """Listen in a thread of its own."""
        self._thread.start()
        _log.info("mcp_started port=%d", self.port)

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

    def wait(self) -> None:
        """Block until `stop` was called or the server ended."""
        while self._thread.is_alive():
            self._thread.join(1.0)

    def end(self) -> None:
        """Ask it to end, and return at once."""
        self._server.should_exit = True

    def stop(self) -> None:
        """End calls that still run within the time that the settings give, and close."""
        self.end()
        if self._thread.is_alive():
            self._thread.join(_START_SECONDS + self._server.config.timeout_graceful_shutdown)  # type: ignore[operator]
        self._socket.close()


class TokenMiddleware:
    """Answers 401 or 403 to requests that a token does not let in."""

    def __init__(self, application: ASGIApp, tokens: TokenInterceptor) -> None:
        self._application = application
        self._tokens = tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            failure = self._tokens.refusal(Headers(scope=scope).get("authorization"), _METHOD)
            if failure is not None:
                unknown = failure.status == "UNAUTHENTICATED"
                body = json.dumps({"error": {"reason": failure.reason, "message": failure.message}})
                headers: Mapping[str, str] = {"WWW-Authenticate": "Bearer"} if unknown else {}
                response = Response(body, 401 if unknown else 403, headers, "application/json")
                await response(scope, receive, send)
                return
        await self._application(scope, receive, send)


def allowed_headers(host: str, settings: McpSettings) -> TransportSecuritySettings:
    """The Host and Origin headers that are let in. Raises: SettingsError when nothing says by which names it is reached."""
    own: Sequence[str] = _LOOPBACK if is_loopback(host) else ()
    if not own and not settings.allowed_hosts:
        raise SettingsError(
            f"mcp.listen is {host}, which other machines reach by a name that nothing says: set mcp.allowed_hosts "
            "(REPOQUARRY_MCP_ALLOWED_HOSTS) to the Host headers that are let in, such as quarry.example.org:*"
        )
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*own, *(f"{name}:*" for name in own), *settings.allowed_hosts],
        allowed_origins=[
            *(f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in own for port in ("", ":*")),
            *settings.allowed_origins,
        ],
    )


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host.strip("[]"), port))
        opened.listen(128)
    except OSError as exc:
        opened.close()
        raise SettingsError(f"mcp.listen: {host}:{port} cannot be listened on: {exc.strerror or exc}") from exc
    return opened


def _tls(settings: ServerSettings) -> dict[str, Any]:
    if settings.tls_certificate is None or settings.tls_key is None:
        return {}
    return {"ssl_certfile": str(settings.tls_certificate), "ssl_keyfile": str(settings.tls_key)}
