"""HTTP application of the page: built files, sign-in, and the services over the Connect protocol.

Requests for another host name, or from a page of another origin, are refused before anything else. A signed-in browser holds a random
session key in a cookie that scripts cannot read; the bearer token stays here.
"""

from __future__ import annotations

import gzip
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from importlib import resources
from typing import TYPE_CHECKING, Final, cast

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from repoquarry.server.authentication import Authenticator, Callers, is_loopback
from repoquarry.server.connect import ConnectApplication, HandlerTable
from repoquarry.server.errors import HTTP_STATUSES, SettingsError
from repoquarry.server.grpc_server import build_interceptors
from repoquarry.server.http_server import MAX_CONNECTIONS, HttpLimits, HttpServer
from repoquarry.server.listener import Listener, ServiceContext
from repoquarry.server.services.rpc_executor import RpcExecutor
from repoquarry.server.services.servicers import register_servicers
from repoquarry.server.settings.sections import PageSettings, split_address

if TYPE_CHECKING:
    from repoquarry.server.application.application import Application

_FOLDER: Final = "page"
_COOKIE: Final = "repoquarry_session"
_SESSION_PATH: Final = "/session"
_LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
_CONTENT_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
}
_FILE: Final = re.compile(r"/(assets/[\w.-]+|static\.html|[\w-]+\.(?:svg|png|json))")
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_DATA_CACHE: Final = "private, no-store"
_SHELL_CACHE: Final = "no-cache"
_ASSET_CACHE: Final = "public, max-age=31536000, immutable"
_MAX_SESSIONS: Final = 10_000
_MIN_COMPRESSED_BYTES: Final = 1_000
_ANY_METHOD: Final = "/repoquarry.v1.RepositoryService/ListRepositories"
"""Method that a token must be able to call to sign in: every token of a reader can."""


class SessionTable:
    """Tokens of signed-in browsers by the digest of their session key; a session ends `session_seconds` after its last request."""

    def __init__(self, session_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._session_seconds = session_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[str, tuple[str, float]] = {}

    def create(self, token: str) -> str:
        """Store a token. Return the key of its session; the oldest session ends when there are too many."""
        key = secrets.token_urlsafe(32)
        with self._lock:
            if len(self._sessions) >= _MAX_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            self._sessions[_digest(key)] = token, self._clock() + self._session_seconds
        return key

    def find_token(self, key: str) -> str:
        """Return the token of a session and extend the session; empty for none."""
        with self._lock:
            token, end = self._sessions.pop(_digest(key), ("", 0.0))
            if self._clock() >= end:
                return ""
            self._sessions[_digest(key)] = token, self._clock() + self._session_seconds
            return token

    def remove(self, key: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(_digest(key), None)


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()


class PageApplication:
    """ASGI application of the page in front of the one that answers calls. Raises: SettingsError without a name of the host."""

    def __init__(
        self, calls: ASGIApp, settings: PageSettings, host: str, authenticator: Authenticator, *, has_tls: bool
    ) -> None:
        self._calls = calls
        self._authenticator = authenticator
        self._scheme = "https" if has_tls else "http"
        self._sessions = SessionTable(settings.session_seconds)
        own = _LOOPBACK_NAMES if is_loopback(host) else ()
        if not own and not settings.allowed_hosts:
            raise SettingsError(
                f"page.listen is {host}, which other machines reach by a name that nothing says: set page.allowed_hosts "
                "(REPOQUARRY_PAGE_ALLOWED_HOSTS) to the Host headers that are let in, such as quarry.example.org"
            )
        self._allowed_hosts = frozenset((*own, *(name.lower() for name in settings.allowed_hosts)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers, path = Headers(scope=scope), scope["path"]
        if (refusal := self._refuse(scope["method"], headers)) is not None:
            await _respond(scope, send, 403, refusal.encode(), "text/plain; charset=utf-8")
        elif path == _SESSION_PATH:
            await self._answer_session(scope, receive, send)
        elif path.startswith("/repoquarry."):
            await self._calls(self._with_token(scope, headers), receive, _with_headers(send, _DATA_CACHE))
        elif scope["method"] not in ("GET", "HEAD"):
            await _respond(scope, send, 405, b"", "", headers={"Allow": "GET, HEAD"})
        else:
            await _serve_file(scope, send, path)

    def _refuse(self, method: str, headers: Headers) -> str | None:
        """Return why a request is refused: DNS rebinding and requests of other sites are."""
        host = headers.get("host", "").lower()
        if self._allowed_hosts.isdisjoint((host, re.sub(r":\d+$", "", host))):
            return "this host name is not served here; see page.allowed_hosts"
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"{self._scheme}://{host}":
            return "requests from other origins are refused"
        is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if is_foreign and (method != "GET" or headers.get("sec-fetch-mode") != "navigate"):
            return "requests from other sites are refused"
        return None

    def _with_token(self, scope: Scope, headers: Headers) -> Scope:
        """Return the request with the token of its session, where it has no `authorization` of its own."""
        if "authorization" in headers or not (token := self._sessions.find_token(_session_key(headers))):
            return scope
        return {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode())]}

    async def _answer_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if scope["method"] == "POST":
            await self._sign_in(scope, headers, receive, send)
        elif scope["method"] == "DELETE":
            self._sessions.remove(_session_key(headers))
            await _respond(scope, send, 204, b"", "", headers={"Set-Cookie": self._cookie("", 0)})
        elif scope["method"] == "GET":
            needs_token = self._authenticator.check(None, _ANY_METHOD) is not None
            is_signed_in = bool(self._sessions.find_token(_session_key(headers)))
            state = {"needs_token": needs_token, "signed_in": is_signed_in}
            await _respond(scope, send, 200, json.dumps(state).encode(), "application/json")
        else:
            await _respond(scope, send, 405, b"", "", headers={"Allow": "GET, POST, DELETE"})

    async def _sign_in(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        message = await receive()
        try:
            token = json.loads(message.get("body", b""))["token"]
        except (ValueError, KeyError, TypeError):
            token = None
        if headers.get("content-type", "").partition(";")[0] != "application/json" or not isinstance(token, str):
            await _respond(scope, send, 400, b'expected {"token": "..."}', "text/plain; charset=utf-8")
            return
        refusal = self._authenticator.check(f"Bearer {token}", _ANY_METHOD)
        if refusal is not None:
            client = scope.get("client")
            failure = refusal(client[0] if client else "")
            body = json.dumps({"reason": failure.reason, "message": failure.message}).encode()
            await _respond(scope, send, HTTP_STATUSES[failure.status], body, "application/json")
            return
        cookie = self._cookie(self._sessions.create(token), None)
        await _respond(scope, send, 204, b"", "", headers={"Set-Cookie": cookie})

    def _cookie(self, key: str, max_age: int | None) -> str:
        secure = "; Secure" if self._scheme == "https" else ""
        age = f"; Max-Age={max_age}" if max_age is not None else ""
        return f"{_COOKIE}={key}; Path=/; HttpOnly; SameSite=Strict{secure}{age}"


class PageServer(HttpServer):
    """HTTP server of the page."""

    def __init__(self, listener: Listener, context: ServiceContext) -> None:
        application, settings = cast("Application", context.api), context.settings
        self._calls = RpcExecutor(settings.server, application.host.bell, Callers(settings.server.tokens))
        handlers = HandlerTable(build_interceptors(context.authenticator, context.observers))
        register_servicers(application, self._calls, handlers)
        host, _ = split_address(listener.find_address(settings), listener.setting)
        page = PageApplication(
            ConnectApplication(handlers),
            settings.page,
            host,
            context.authenticator,
            has_tls=settings.server.tls_certificate is not None,
        )
        limits = HttpLimits(MAX_CONNECTIONS, settings.server.max_message_bytes)
        super().__init__(page, listener, context, limits)

    async def stop(self) -> None:
        """End streams, then as any HTTP server."""
        self._calls.stop_streams()
        await super().stop()
        self._calls.close()


def _session_key(headers: Headers) -> str:
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[_COOKIE].value if _COOKIE in cookies else ""


def _with_headers(send: Send, cache_control: str) -> Send:
    """Return a `send` that adds the security headers to the head of a response."""

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            added = {**_HEADERS, "Cache-Control": cache_control}
            pairs = [(name.lower().encode(), value.encode()) for name, value in added.items()]
            message = {**message, "headers": [*message["headers"], *pairs]}
        await send(message)

    return wrapped


async def _serve_file(scope: Scope, send: Send, path: str) -> None:
    """Answer with a built file; every path that names no file is a view of the page."""
    match = _FILE.fullmatch(path)
    body = load_page_file(match[1] if match else "index.html")
    if body is None and not match:
        text = b"the page is not built into this installation; build it with: npm run build (in web/)"
        await _respond(scope, send, 503, text, "text/plain; charset=utf-8", cache_control=_SHELL_CACHE)
    elif body is None:
        await _respond(scope, send, 404, b"no such file", "text/plain; charset=utf-8")
    else:
        suffix = match[1].rpartition(".")[2] if match else "html"
        kind = _CONTENT_TYPES.get(suffix, "application/octet-stream")
        cache_control = _ASSET_CACHE if path.startswith("/assets/") else _SHELL_CACHE
        await _respond(scope, send, 200, body, kind, cache_control=cache_control)


@cache
def load_page_file(name: str) -> bytes | None:
    """Return a built file of the page; None where there is none."""
    found = resources.files("repoquarry.server").joinpath(_FOLDER, *name.split("/"))
    return found.read_bytes() if ".." not in name and found.is_file() else None


async def _respond(
    scope: Scope,
    send: Send,
    status: int,
    body: bytes,
    content_type: str,
    *,
    cache_control: str = _DATA_CACHE,
    headers: Mapping[str, str] | None = None,
) -> None:
    added = dict(headers or {})
    if len(body) >= _MIN_COMPRESSED_BYTES and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
        body = gzip.compress(body, 6, mtime=0)
        added |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    response = Response(body, status, added, content_type or None)

    async def no_more() -> Message:
        return {"type": "http.disconnect"}

    await response(scope, no_more, _with_headers(send, cache_control))
