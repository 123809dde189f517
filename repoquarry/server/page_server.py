"""Server of the web page: built files, sign-in and the RPC services over Connect; renderer of a change or symbol as a static file.

Requests for another host name, or from a page of another origin, are refused before anything else. A signed-in browser holds a random
session key in a cookie that scripts cannot read; the bearer token stays in this process.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Final, cast

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message as ProtoMessage
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from repoquarry.graphstore.model.values import count_noun
from repoquarry.operations.render import Table, format_name, format_place
from repoquarry.server.authentication import LOOPBACK_NAMES, Authenticator, Callers, is_loopback
from repoquarry.server.connect import ConnectApplication, HandlerTable
from repoquarry.server.errors import HTTP_STATUSES, RequestError, SettingsError, invalid_field
from repoquarry.server.grpc_server import build_interceptors
from repoquarry.server.http_server import MAX_CONNECTIONS, HttpLimits, HttpServer
from repoquarry.server.listener import Listener, ServiceContext
from repoquarry.server.services.rpc_executor import RpcExecutor
from repoquarry.server.services.servicers import register_servicers
from repoquarry.server.settings.sections import PageSettings, split_address
from repoquarry.server.text_format import list_basis
from repoquarry.v1 import view_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.server.application.application import Application

_FOLDER: Final = "page"
_COOKIE: Final = "repoquarry_session"
_SESSION_PATH: Final = "/session"
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
_SHELL_HEADERS: Final = {"Cache-Control": "no-cache"}
_ASSET_HEADERS: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
_MAX_SESSIONS: Final = 10_000
_MIN_COMPRESSED_BYTES: Final = 1_000
_COMPRESSION: Final = 6
_SIGN_IN_BYTES: Final = 4 * 1024
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
        own = LOOPBACK_NAMES if is_loopback(host) else ()
        if not own and not settings.allowed_hosts:
            raise SettingsError(
                f"page.listen is {host}, which other machines reach by a name that nothing says: set page.allowed_hosts "
                "(REPOQUARRY_PAGE_ALLOWED_HOSTS) to the Host headers that are let in, such as quarry.example.org"
            )
        self._allowed_hosts = frozenset((*own, *(name.lower() for name in settings.allowed_hosts)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request, path = Request(scope, receive), scope["path"]
        if (refusal := self._refuse(request.method, request.headers)) is not None:
            response: Response = PlainTextResponse(refusal, 403)
        elif path == _SESSION_PATH:
            response = await self._answer_session(request)
        elif path.startswith("/repoquarry."):
            await self._calls(self._with_token(request), receive, _with_headers(send))
            return
        elif request.method not in ("GET", "HEAD"):
            response = Response(status_code=405, headers={"Allow": "GET, HEAD"})
        else:
            response = _build_file_response(path)
        await GZipMiddleware(response, _MIN_COMPRESSED_BYTES, _COMPRESSION)(scope, receive, _with_headers(send))

    def find_body_bytes(self, scope: Scope) -> int | None:
        """Return how much of a request's body is read: nothing of one that is refused; None for the limit of the listener."""
        if scope["type"] != "http" or self._refuse(scope["method"], Headers(scope=scope)) is not None:
            return -1
        if scope["path"] == _SESSION_PATH:
            return _SIGN_IN_BYTES
        authorization = Headers(scope=self._with_token(Request(scope))).get("authorization")
        return -1 if self._authenticator.check(authorization, scope["path"]) is not None else None

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

    def _with_token(self, request: Request) -> Scope:
        """Return the request with the token of its session, where it has no `authorization` of its own."""
        scope = request.scope
        if "authorization" in request.headers or not (token := self._sessions.find_token(_session_key(request))):
            return scope
        return {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode())]}

    async def _answer_session(self, request: Request) -> Response:
        if request.method == "POST":
            return await self._sign_in(request)
        if request.method == "DELETE":
            self._sessions.remove(_session_key(request))
            return Response(status_code=204, headers={"Set-Cookie": self._cookie("", 0)})
        if request.method == "GET":
            needs_token = self._authenticator.check(None, _ANY_METHOD) is not None
            is_signed_in = bool(self._sessions.find_token(_session_key(request)))
            return JSONResponse({"needs_token": needs_token, "signed_in": is_signed_in})
        return Response(status_code=405, headers={"Allow": "GET, POST, DELETE"})

    async def _sign_in(self, request: Request) -> Response:
        token = await _read_token(request)
        refusal = self._authenticator.check(f"Bearer {token or ''}", _ANY_METHOD)
        failure = refusal(request.client.host if request.client else "") if refusal is not None else None
        if token is None and (failure is None or failure.status == "UNAUTHENTICATED"):  # Counted all the same.
            return PlainTextResponse('expected {"token": "..."}', 400)
        if failure is not None:
            body = {"reason": failure.reason, "message": failure.message}
            return JSONResponse(body, HTTP_STATUSES[failure.status])
        assert token is not None  # noqa: S101 - answered above
        return Response(status_code=204, headers={"Set-Cookie": self._cookie(self._sessions.create(token), None)})

    def _cookie(self, key: str, max_age: int | None) -> str:
        secure = "; Secure" if self._scheme == "https" else ""
        age = f"; Max-Age={max_age}" if max_age is not None else ""
        return f"{_COOKIE}={key}; Path=/; HttpOnly; SameSite=Strict{secure}{age}"


async def _read_token(request: Request) -> str | None:
    """Return the token of a request to sign in; None for another body."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return None
    try:
        token = (await request.json())["token"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return token if isinstance(token, str) else None


class PageServer(HttpServer):
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
        limits = HttpLimits(MAX_CONNECTIONS, settings.server.max_message_bytes, page.find_body_bytes)
        super().__init__(page, listener, context, limits)

    async def stop(self) -> None:
        """End streams, then as any HTTP server."""
        self._calls.stop_streams()
        await super().stop()
        self._calls.close()


def _session_key(request: Request) -> str:
    return request.cookies.get(_COOKIE, "")


def _with_headers(send: Send) -> Send:
    """Return a `send` that adds the security headers to the head of a response, and forbids caching unless it has a rule."""

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            headers.update(_HEADERS)
            headers.setdefault("Cache-Control", _DATA_CACHE)
            message = {**message, "headers": headers.raw}
        await send(message)

    return wrapped


def _build_file_response(path: str) -> Response:
    """Answer with a built file; every path that names no file is a view of the page."""
    match = _FILE.fullmatch(path)
    body = load_page_file(match[1] if match else "index.html")
    if body is None:
        text = "the page is not built into this installation; build it with: npm run build (in web/)"
        return PlainTextResponse("no such file", 404) if match else PlainTextResponse(text, 503, _SHELL_HEADERS)
    suffix = match[1].rpartition(".")[2] if match else "html"
    kind = _CONTENT_TYPES.get(suffix, "application/octet-stream")
    return Response(body, 200, _ASSET_HEADERS if path.startswith("/assets/") else _SHELL_HEADERS, kind)


@cache
def load_page_file(name: str) -> bytes | None:
    """Return a built file of the page; None where there is none."""
    found = resources.files("repoquarry.server").joinpath(_FOLDER, *name.split("/"))
    return found.read_bytes() if ".." not in name and found.is_file() else None


MAX_BYTES = 2_000_000
_CHANGE_LIMITS = ((500, 20), (300, 10), (100, 5), (40, 2))
"""Definitions, and call sites of each, the largest first."""
_JSON_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
_PLACES = ("<!--TITLE-->", "<!--FACTS-->", "<!--FOOT-->", "<!--RESPONSE-->", 'data-entry=""', 'data-range=""')


def render_change_file(response: pb.GetChangeResponse, commits: str, foot: str) -> bytes:
    """Render a change; `foot` says how the file was made. Raises: RequestError for a file above the limit, SettingsError."""
    return _fill("change", response.title, response, "".join(_change_facts(response)), commits, foot)


def render_fitting_change_file(
    read_change: Callable[[int, int], pb.GetChangeResponse], commits: str, foot: str
) -> bytes:
    """Render a change with as many definitions and call sites as the file can hold; the response counts what is cut.

    `read_change` gets the maximum number of definitions, and of call sites of each. Raises: as `render_change_file`.
    """
    *larger, smallest = _CHANGE_LIMITS
    for limits in larger:
        with contextlib.suppress(RequestError):
            return render_change_file(read_change(*limits), commits, foot)
    return render_change_file(read_change(*smallest), commits, foot)


def render_symbol_file(response: pb.GetSymbolResponse, foot: str) -> bytes:
    """Render a definition. Raises: as `render_change_file`."""
    title = response.entity.qualname or response.entity.path
    return _fill("symbol", title, response, "".join(_symbol_facts(response)), "", foot)


def _fill(entry: str, title: str, response: ProtoMessage, facts: str, commits: str, foot: str) -> bytes:
    template = load_page_file("static.html")
    if template is None:
        raise SettingsError("the page is not built into this installation; build it with: npm run build (in web/)")
    json = MessageToJson(response, indent=None).translate(_JSON_ESCAPES)
    data = f'data-entry="{entry}"', f'data-range="{escape(commits)}"'
    values = (escape(title), facts, f"<p>{escape(foot)}</p>", json, *data)
    text = template.decode()
    # Each part is placed from the end, so that a value that looks like a place is never filled.
    places = sorted(
        ((text.index(place), place, value) for place, value in zip(_PLACES, values, strict=True)), reverse=True
    )
    for start, place, value in places:
        text = f"{text[:start]}{value}{text[start + len(place) :]}"
    content = text.encode()
    if len(content) > MAX_BYTES:
        raise invalid_field("--export", f"the file would have {len(content):,} bytes; the limit is {MAX_BYTES:,}")
    return content


def _change_facts(response: pb.GetChangeResponse) -> Iterator[str]:
    figures = response.figures
    yield f"<h1>{escape(response.title)}</h1>"
    yield (
        f"<p>{count_noun(figures.outside_sites, 'call site')} outside the diff, {count_noun(figures.signatures, 'signature')} changed or removed, "
        f"{count_noun(figures.definitions, 'changed definition')}, {count_noun(figures.reached, 'definition')} reached.</p>"
    )
    changed = [
        (format_name(item.after if item.HasField("after") else item.before), item) for item in response.definitions
    ]
    sites = [
        (name, f"{site.caller.path}:{site.line}", site.source_line)
        for name, item in changed
        for site in item.outside_sites
    ]
    yield _format_html(Table(("Changed", "Call site", "Source"), sites))
    calls = [
        (name, "added" if edge.appeared else "removed", edge.target.id) for name, item in changed for edge in item.edges
    ]
    if calls:
        yield _format_html(Table(("Changed", "Call", "Target"), calls))
    for tier in response.tests[:1]:
        yield f"<p>Tests to run: {escape(tier.meaning)}.</p>"
        yield from (f"<pre>{escape(command)}</pre>" for command in tier.commands)
    yield from _format_lines(list_basis(response.basis, whole=True))


def _symbol_facts(response: pb.GetSymbolResponse) -> Iterator[str]:
    entity, figures = response.entity, response.figures
    yield f"<h1>{escape(format_name(entity))}</h1><p>{escape(format_place(entity))}</p>"
    yield (
        f"<p>{count_noun(figures.callers, 'caller')} in {count_noun(figures.caller_files, 'file')}, {figures.test_callers:,} in tests, "
        f"{count_noun(figures.unresolved_sites, 'unresolved call')} may be callers.</p>"
    )
    callers = [
        (format_name(row.entity), f"{row.entity.path}:{', '.join(map(str, row.lines))}", f"{row.confidence:.2f}")
        for group in response.callers.groups
        for row in group.rows
    ]
    yield _format_html(Table(("Caller", "Call site", "Confidence"), callers))
    yield "<pre>" + escape("\n".join(line.text for line in response.source.lines)) + "</pre>"
    yield from _format_lines(list_basis(response.basis, whole=True))


def _format_html(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.columns)
    rows = ("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _format_lines(lines: Iterable[str]) -> Iterator[str]:
    yield from (f"<p>{escape(line)}</p>" for line in lines)
