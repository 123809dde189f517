"""gRPC server of all services, with health checks, reflection, TLS and graceful shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from repoquarry.server.application.application import Application
from repoquarry.server.authentication import Authenticator, Callers, TokenInterceptor
from repoquarry.server.errors import SettingsError
from repoquarry.server.observer import Observer
from repoquarry.server.services.interceptors import CallInterceptor, DisconnectInterceptor, MessageInterceptor
from repoquarry.server.services.rpc_executor import RpcExecutor
from repoquarry.server.services.servicers import SERVICES, register_servicers
from repoquarry.server.settings.sections import ServerSettings, split_address


def server_credentials(settings: ServerSettings) -> grpc.ServerCredentials | None:
    """Load the TLS credentials; None without TLS. `tls_client_ca` admits only clients with its certificates. Raises: SettingsError."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    pair = (_pem(settings.tls_key), _pem(settings.tls_certificate))
    if settings.tls_client_ca is None:
        return grpc.ssl_server_credentials([pair])
    return grpc.ssl_server_credentials([pair], _pem(settings.tls_client_ca), require_client_auth=True)


def _pem(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as exc:
        raise SettingsError(f"the TLS file {path} cannot be read: {exc.strerror}") from exc


def build_interceptors(authenticator: Authenticator, observers: Sequence[Observer]) -> list[Any]:
    """Build the interceptors of one server, the outermost first."""
    return [CallInterceptor(observers), TokenInterceptor(authenticator), MessageInterceptor(), DisconnectInterceptor()]


class GrpcServer:
    """gRPC server of all services, bound to `port`. Raises: SettingsError."""

    def __init__(
        self, application: Application, authenticator: Authenticator, observers: Sequence[Observer] = ()
    ) -> None:
        self._settings = application.settings.server
        self._calls = RpcExecutor(self._settings, application.host.bell, Callers(self._settings.tokens))
        self._server = grpc.aio.server(
            interceptors=build_interceptors(authenticator, observers),
            options=_options(self._settings),
        )
        self._tasks_before: set[asyncio.Task[Any]] = set()
        self._health = health.aio.HealthServicer()  # type: ignore[attr-defined]  # set when grpc.aio is there
        self._register(application)
        self.port = _bind(self._server, self._settings)

    def _register(self, application: Application) -> None:
        register_servicers(application, self._calls, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)

    async def start(self) -> None:
        self._tasks_before = asyncio.all_tasks()
        await self._server.start()
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self) -> None:
        """Report not serving, wait for running calls within the shutdown time of the settings, and close."""
        await self._health.enter_graceful_shutdown()
        self._calls.stop_streams()
        await self._server.stop(self._settings.shutdown_seconds or None)
        # Handlers of cancelled calls end a little later; grpc logs a traceback for each task that the end of the loop cancels.
        if calls := asyncio.all_tasks() - self._tasks_before - {asyncio.current_task()}:
            await asyncio.wait(calls, timeout=_END_SECONDS)
        self._calls.close()


_END_SECONDS = 3.0
"""Maximum wait for cancelled calls; their threads are not waited for."""
_MIN_PING_MILLISECONDS = 300
"""Minimum interval of client pings; the minimum of `client.silence_seconds` pings every 500 milliseconds."""


def _options(settings: ServerSettings) -> Sequence[tuple[str, Any]]:
    return (
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        ("grpc.max_send_message_length", settings.max_message_bytes),
        ("grpc.so_reuseport", 0),  # a port in use is an error
        ("grpc.http2.min_ping_interval_without_data_ms", _MIN_PING_MILLISECONDS),
        ("grpc.keepalive_permit_without_calls", 1),  # Clients in Go and Java, and Envoy, ping idle connections.
    )


def _bind(server: grpc.aio.Server, settings: ServerSettings) -> int:
    host, port = split_address(settings.listen)
    try:
        credentials = server_credentials(settings)
        if credentials is not None:
            return server.add_secure_port(f"{host}:{port}", credentials)
        return server.add_insecure_port(f"{host}:{port}")
    except RuntimeError as exc:
        raise SettingsError(f"server.listen: {settings.listen} cannot be listened on: {exc}") from exc
