"""Bearer tokens, scopes and open addresses.

An interceptor rather than a check in each servicer, so that a new method is guarded from its first day.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import grpc
import grpc.aio

from repoquarry.server.application.context import LOCAL, Caller
from repoquarry.server.errors import ServerFailure, SettingsError
from repoquarry.server.services.rpc_executor import abort
from repoquarry.server.settings.sections import ServerSettings
from repoquarry.server.token_scopes import TokenScope, missing_scope, scopes_by_token

OPEN_METHODS = ("/grpc.health.v1.Health/",)
"""Prefixes of methods that need no token: a load balancer asks for health without one."""


class TokenInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in its stub only
    """Refuses calls without one of the tokens with UNAUTHENTICATED, and those beyond its scopes with PERMISSION_DENIED.

    `tokens` are entries of `server.tokens`; without any every call passes.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self._scopes = [(_digest(token), scopes) for token, scopes in scopes_by_token(tokens).items()]

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any]]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        if handler_call_details.method.startswith(OPEN_METHODS):
            return await continuation(handler_call_details)
        header = dict(handler_call_details.invocation_metadata).get("authorization")
        failure = self.refusal(header, handler_call_details.method)
        if failure is None:
            return await continuation(handler_call_details)
        handler = await continuation(handler_call_details)
        return _refusing(handler, failure)

    def refusal(self, header: str | bytes | None, method: str) -> ServerFailure | None:
        """Why a call with this `authorization` header may not call a method; None when it may."""
        if not self._scopes:
            return None
        if header is None:
            return ServerFailure("TOKEN_MISSING", "this server asks for a bearer token, and the call carries none")
        text = header.decode("latin-1") if isinstance(header, bytes) else header
        scheme, _, token = text.partition(" ")
        given = _digest(token.strip())
        held = [
            scopes for known, scopes in self._scopes if hmac.compare_digest(given, known)
        ]  # all of them: no early exit
        if scheme.lower() != "bearer" or not held:
            return ServerFailure("TOKEN_WRONG", "the bearer token is not one of this server's")
        lacking = missing_scope(method, held[0])
        if lacking is None:
            return None
        name = method.rpartition("/")[2]
        message = f"the bearer token may not call {name}, which asks for the scope {str(lacking)!r}"
        return ServerFailure("SCOPE_MISSING", message, {"scope": str(lacking), "method": name})


class Callers:
    """Tells whose a call is that the interceptor let in. Tokens are not kept, only digests."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._scopes = scopes_by_token(tokens)

    def of(self, context: grpc.aio.ServicerContext[Any, Any]) -> Caller:
        """The caller; without tokens all callers are one."""
        if not self._scopes:
            return LOCAL
        header = dict(context.invocation_metadata() or ()).get("authorization", "")
        text = header.decode("latin-1") if isinstance(header, bytes) else header
        token = text.partition(" ")[2].strip()
        owner = "token:" + _digest(token).hex()[:32]
        return Caller(owner, admin=TokenScope.ADMIN in self._scopes.get(token, frozenset()))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()  # equal lengths, so that comparing tells nothing of the length


def _refusing(
    handler: grpc.RpcMethodHandler[Any, Any] | None, failure: ServerFailure
) -> grpc.RpcMethodHandler[Any, Any]:
    """A handler of the same kind that answers with the failure, so that streams are refused as streams."""

    async def unary(request: object, context: grpc.aio.ServicerContext[Any, Any]) -> object:
        return await abort(context, failure)

    async def stream(request: object, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[object]:
        await abort(context, failure)
        yield None  # never reached: it makes this a stream

    if handler is not None and handler.request_streaming and handler.response_streaming:
        return grpc.stream_stream_rpc_method_handler(stream)
    if handler is not None and handler.request_streaming:
        return grpc.stream_unary_rpc_method_handler(unary)
    if handler is not None and handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(stream)
    return grpc.unary_unary_rpc_method_handler(unary)


def check_exposure(settings: ServerSettings, host: str) -> None:
    """Refuse to serve an address that other machines can reach without a token. Raises: SettingsError."""
    if settings.tokens or settings.tls_client_ca or settings.allow_unauthenticated or is_loopback(host):
        return
    raise SettingsError(
        f"{host} can be reached from other machines and no token is set: set server.tokens (REPOQUARRY_SERVER_TOKENS) "
        "or server.tls_client_ca, listen on 127.0.0.1, or say --allow-unauthenticated"
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host == "localhost" or host.startswith("unix:"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
