"""Authentication of calls by bearer tokens with scopes, and refusal of unprotected addresses that other machines can reach.

One `Authenticator` serves every listener of a process, so that failed attempts are counted over all of them.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial

import grpc
import grpc.aio

from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.graphstore.query.query_scheduler import name_client
from repoquarry.server.application.context import LOCAL, Caller
from repoquarry.server.errors import ServerFailure, SettingsError, invalid_field, request_error
from repoquarry.server.services.rpc_executor import (
    Context,
    Continuation,
    Handler,
    abort,
    build_handler,
    peer_host,
    streaming_kind,
)
from repoquarry.server.settings.sections import (
    NO_TOKEN,
    ServerSettings,
    TokenScope,
    missing_scope,
    scopes_by_token,
    split_address,
)

_log = logging.getLogger(__name__)
Refusal = Callable[[str], ServerFailure]
"""Refusal of a call: counts and logs the call by peer address, and returns the failure to answer with."""
_WINDOW_SECONDS = 60.0
_MAX_PEERS = 10_000
"""Maximum number of addresses counted separately in a window; all others share one count."""
_MAX_LOGGED_PER_PEER = 5
_MAX_LOGGED = 100
"""Maximum number of refused calls logged in a window; the next window logs the number of the others."""
USER_KEY = "x-repoquarry-user"
"""Metadata key of the user that an application vouches for; the scope `vouch` allows it."""
_MAX_USER_CHARACTERS = 128


class Authenticator:
    """Checker of bearer tokens and their scopes; without tokens every call passes."""

    def __init__(self, settings: ServerSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._scopes = [(_digest(token), scopes) for token, scopes in scopes_by_token(settings.tokens).items()]
        self._refusals = RefusalCounter(settings.max_failed_attempts, clock)

    def check(self, header: str | bytes | None, method: str) -> Refusal | None:
        """Return the refusal of a call of a method with this `authorization` header; None when the call may be made."""
        failure = self._find_failure(header, method)
        return None if failure is None else partial(self._refusals.register, method, failure)

    def _find_failure(self, header: str | bytes | None, method: str) -> ServerFailure | None:
        if not self._scopes or method.startswith(NO_TOKEN):
            return None
        if header is None:
            return ServerFailure("TOKEN_MISSING", "this server asks for a bearer token, and the call carries none")
        text = header.decode("latin-1") if isinstance(header, bytes) else header
        scheme, _, token = text.partition(" ")
        given = _digest(token.strip())
        # All tokens are compared, so that the time reveals nothing.
        held = [scopes for known, scopes in self._scopes if hmac.compare_digest(given, known)]
        if scheme.lower() != "bearer" or not held:
            return ServerFailure("TOKEN_WRONG", "the bearer token is not one of this server's")
        lacking = missing_scope(method, held[0])
        if lacking is None:
            return None
        name = method.rpartition("/")[2]
        message = f"the bearer token may not call {name}, which asks for the scope {str(lacking)!r}"
        return ServerFailure("SCOPE_MISSING", message, {"scope": str(lacking), "method": name})


class RefusalCounter:
    """Counter of refused calls by address, for one minute at a time.

    Calls with a right token are never limited: behind a proxy all clients have one address, and one of them must not lock out the others.
    """

    def __init__(self, max_failed_attempts: int, clock: Callable[[], float]) -> None:
        self._max_failed_attempts = max_failed_attempts
        self._clock = clock
        self._lock = threading.Lock()  # HTTP listeners run in separate threads.
        self._end = clock()
        self._count_by_peer: dict[str, int] = {}
        self._logged_count = 0
        self._unlogged_count = 0

    def register(self, method: str, failure: ServerFailure, peer: str) -> ServerFailure:
        """Count and log a refusal. Return the failure to answer with."""
        with self._lock:
            self._start_window()
            key = peer if peer in self._count_by_peer or len(self._count_by_peer) < _MAX_PEERS else ""
            count = self._count_by_peer[key] = self._count_by_peer.get(key, 0) + 1
            if count <= _MAX_LOGGED_PER_PEER and self._logged_count < _MAX_LOGGED:
                self._logged_count += 1
                _log.warning("call_refused peer=%s method=%s reason=%s", peer, method[:200], failure.reason)
            else:
                self._unlogged_count += 1
        if failure.status != "UNAUTHENTICATED" or not 0 < self._max_failed_attempts < count:
            return failure
        message = f"more than {self._max_failed_attempts} calls without a right token in a minute; wait a minute"
        return ServerFailure("TOO_MANY_ATTEMPTS", message)

    def _start_window(self) -> None:
        now = self._clock()
        if now < self._end:
            return
        if self._unlogged_count:
            _log.warning("calls_refused_unlogged count=%d", self._unlogged_count)
        self._end = now + _WINDOW_SECONDS
        self._count_by_peer.clear()
        self._logged_count = self._unlogged_count = 0


class TokenInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in its stub only
    """Interceptor that refuses calls by an `Authenticator`, so that a new method is guarded from its first day."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def intercept_service(
        self,
        continuation: Continuation,
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        header = dict(handler_call_details.invocation_metadata).get("authorization")
        handler = await continuation(handler_call_details)
        refusal = self._authenticator.check(header, handler_call_details.method)
        return handler if refusal is None else _refusing(handler, refusal)


class Callers:
    """Reader of the identity of calls that the interceptor has admitted. Only digests of tokens are stored."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._scopes = scopes_by_token(tokens)

    def of(self, context: Context) -> Caller:
        """Return the caller; without tokens all callers are the same."""
        if not self._scopes:
            return LOCAL
        token = _token_of(context)
        return Caller(_owner_name(token), admin=TokenScope.ADMIN in self._scopes.get(token, frozenset()))

    def client(self, context: Context) -> str:
        """Return the client of a call for turns and limits: its token, or its address without tokens, and the user it vouches for.

        Raises: RequestError when the token may not vouch, or the name is too long.
        """
        token = _token_of(context)
        owner = _owner_name(token) if self._scopes else peer_host(context)
        user = _metadata(context, USER_KEY)
        if not user:
            return owner
        if self._scopes and not self._scopes.get(token, frozenset()) & {TokenScope.VOUCH, TokenScope.ADMIN}:
            raise request_error(
                "SCOPE_MISSING", f"the bearer token may not name users in {USER_KEY}", scope=str(TokenScope.VOUCH)
            )
        if len(user) > _MAX_USER_CHARACTERS:
            raise invalid_field(USER_KEY, f"{len(user)} characters; the limit is {_MAX_USER_CHARACTERS}")
        return name_client(owner, user)

    def http_client(self, authorization: str, peer: str) -> str:
        """Return the client of an HTTP request, which has no session: its token, or its address without tokens."""
        return _owner_name(authorization.partition(" ")[2].strip()) if self._scopes else peer


def _metadata(context: Context, key: str) -> str:
    value = dict(context.invocation_metadata() or ()).get(key, "")
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _token_of(context: Context) -> str:
    return _metadata(context, "authorization").partition(" ")[2].strip()


def _owner_name(token: str) -> str:
    return "token:" + _digest(token).hex()[:32]


def _digest(token: str) -> bytes:
    return hashlib.sha256(
        token.encode(errors="surrogatepass")
    ).digest()  # equal lengths, so that a comparison does not reveal the length


def _refusing(handler: Handler | None, refuse: Refusal) -> Handler:
    """Return a handler of the same kind that answers with the failure, so that streams are refused as streams."""

    async def call(request: object, context: Context) -> object:
        return await abort(context, refuse(peer_host(context)))

    return build_handler("unary_unary" if handler is None else streaming_kind(handler), call)


def check_exposure(settings: ServerSettings, listen: str, setting: str) -> None:
    """Refuse an address that other machines can reach without a token or certificate. Raises: SettingsError."""
    host, _ = split_address(listen, setting)
    if settings.tokens or settings.tls_client_ca or settings.allow_unauthenticated or is_loopback(host):
        return
    raise SettingsError(
        f"{setting} is {listen}, which other machines can reach, and no token is set: set server.tokens "
        "(REPOQUARRY_SERVER_TOKENS) or server.tls_client_ca, listen on 127.0.0.1, or give --allow-unauthenticated"
    )


def check_isolation(settings: WorkspaceSettings, listen: str, setting: str) -> None:
    """Refuse commands without isolation where other machines can request tasks. Raises: SettingsError."""
    host, _ = split_address(listen, setting)
    if settings.root is not None and settings.isolation == "none" and not is_loopback(host):
        raise SettingsError(
            f"{setting} is {listen}, which other machines can reach, and agent.workspace.isolation is none: their tasks "
            "would run commands with the service's files and network; choose an isolation, or listen on 127.0.0.1"
        )


LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    if host == "localhost" or host.startswith("unix:"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
