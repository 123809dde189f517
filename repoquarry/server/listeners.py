"""Table of network listeners (metrics, MCP, page, gRPC), and `serve`, which runs those with an address until a stop signal.

`serve` opens no other address, and each row takes certificates and tokens from the same `ServiceContext`.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from repoquarry.processes.termination import end_process_after_signals
from repoquarry.server.authentication import check_exposure, check_isolation
from repoquarry.server.listener import Listener, ListeningServer, ServiceContext
from repoquarry.server.settings.sections import Settings, split_address

if TYPE_CHECKING:
    from repoquarry.server.application.application import Application


_log = logging.getLogger(__name__)
MCP_PATH = "/mcp"
_MAX_MCP_BODY_BYTES = 4 * 1024 * 1024
_MAX_SCRAPES = 16
CLOSE_SECONDS = 5.0
"""Time after the grace period in which the store is closed; then the process is ended."""
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_GUARD_SECONDS = 1.0
"""Time for the process to exit, and to print the stacks of its threads, before it is killed."""
_SWITCH_SECONDS = 0.0002
"""Maximum time that a thread holds the interpreter lock while others wait, so that computation delays no message."""


def _build_metrics(listener: Listener, context: ServiceContext) -> ListeningServer:
    from repoquarry.server.http_server import HttpLimits, HttpServer

    return HttpServer(context.metrics, listener, context, HttpLimits(_MAX_SCRAPES, body_bytes=0))


def _build_mcp(listener: Listener, context: ServiceContext) -> ListeningServer:
    from repoquarry.server.http_server import MAX_CONNECTIONS, HttpLimits, HttpServer
    from repoquarry.server.mcp_server import Gateway, http_application

    settings = context.settings
    host, _ = split_address(listener.find_address(settings), listener.setting)
    gateway = Gateway(
        context.api,
        max_tokens=settings.mcp.max_tokens,
        repositories=context.repositories,
        all_tools=settings.mcp.all_tools,
    )
    application = http_application(gateway, settings, host, MCP_PATH)
    return HttpServer(application, listener, context, HttpLimits(MAX_CONNECTIONS, _MAX_MCP_BODY_BYTES))


def _build_page(listener: Listener, context: ServiceContext) -> ListeningServer:
    from repoquarry.server.page_server import PageServer

    return PageServer(listener, context)


def _build_grpc(listener: Listener, context: ServiceContext) -> ListeningServer:
    from repoquarry.server.grpc_server import GrpcServer

    return GrpcServer(cast("Application", context.api), context.authenticator, context.observers)


METRICS = Listener(
    "metrics", "telemetry.metrics_listen", "/metrics", "metrics on {scheme}://{host}:{port}/metrics", _build_metrics
)
MCP = Listener(
    "mcp",
    "mcp.listen",
    "/repoquarry.v1.ToolService/CallTool",
    f"MCP listening on {{host}}:{{port}}{MCP_PATH}",
    _build_mcp,
)
PAGE = Listener("page", "page.listen", "", "page on {scheme}://{host}:{port}/", _build_page)
GRPC = Listener("grpc", "server.listen", "", "listening on {host}:{port}", _build_grpc)
LISTENERS = (METRICS, MCP, PAGE, GRPC)
"""Listeners in the order of their start. The last listener cannot be off; its announcement reports that the service is complete."""


def check_listeners(settings: Settings, listeners: Sequence[Listener] = LISTENERS) -> None:
    """Refuse addresses that are malformed, or open to other machines without a token, a certificate or isolation.

    Raises: SettingsError.
    """
    for listener in listeners:
        address = listener.find_address(settings)
        if address or listener is listeners[-1]:
            check_exposure(settings.server, address, listener.setting)
            check_isolation(settings.agent.workspace, address, listener.setting)


async def serve(context: ServiceContext, listeners: Sequence[Listener] = LISTENERS) -> None:
    """Serve at every configured address until SIGTERM or SIGINT. The last address is printed to stdout. Raises: SettingsError."""
    check_listeners(context.settings, listeners)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    end_seconds = context.settings.server.shutdown_seconds + CLOSE_SECONDS
    for number in _STOP_SIGNALS:
        loop.add_signal_handler(number, stop.set)
    end_process_after_signals(_STOP_SIGNALS, end_seconds + _GUARD_SECONDS)
    sys.setswitchinterval(_SWITCH_SECONDS)
    running: list[ListeningServer] = []
    announcement = ""
    try:
        for listener in listeners:
            if listener.find_address(context.settings):
                server = listener.build(listener, context)
                running.append(server)
                await server.start()
                announcement = _announce(listener, context.settings, server.port, is_last=listener is listeners[-1])
        context.on_ready(announcement)
        await stop.wait()
        _log.info("server_stopping")
        end_process_after(end_seconds)
        context.on_stop()
    finally:
        await asyncio.gather(*(server.stop() for server in running))


def end_process_after(seconds: float) -> None:
    """End this process after the seconds, whatever its threads do; stored state survives that at any moment.

    A thread of faulthandler waits: it needs no interpreter lock, and prints the stacks of the other threads.
    """
    faulthandler.dump_traceback_later(seconds, exit=True)


def _announce(listener: Listener, settings: Settings, port: int, *, is_last: bool) -> str:
    host, _ = split_address(listener.find_address(settings), listener.setting)
    scheme = "https" if settings.server.tls_certificate else "http"
    text = listener.announcement.format(scheme=scheme, host=host, port=port)
    _log.info("listener_started name=%s port=%d", listener.name, port)
    print(text, file=sys.stdout if is_last else sys.stderr, flush=True)
    return text
