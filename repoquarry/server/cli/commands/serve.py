"""`serve` and `mcp`."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import SettingsError, invalid_field, request_error
from repoquarry.server.settings.loading import load_settings

if TYPE_CHECKING:
    from repoquarry.server.application.application import Application
    from repoquarry.server.mcp.gateway import Gateway


def serve_command(
    listen: Annotated[str | None, typer.Option("--listen", metavar="HOST:PORT", help="Address; port 0: any.")] = None,
    allow_unauthenticated: Annotated[
        bool, typer.Option("--allow-unauthenticated", help="Listen without a token where other machines can reach it.")
    ] = False,
    store: Annotated[Path | None, typer.Option("--store", help="Folder of the store.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="TOML file with settings.")] = None,
) -> None:
    """Serve a store over gRPC until SIGTERM or Ctrl-C. Unfinished jobs of an earlier run go on."""
    import asyncio

    given: dict[str, object] = {"server.listen": listen, "store.folder": store}
    given = {key: value for key, value in given.items() if value is not None}
    if allow_unauthenticated:
        given["server.allow_unauthenticated"] = True
    settings = load_settings(given=given, config=config)
    logging.basicConfig(
        level=settings.server.log_level.upper(),
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
    )
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)  # it tells of each variant that this processor lacks
    from repoquarry.execution.errors import AgentError
    from repoquarry.execution.isolation.registry import check_workspaces
    from repoquarry.server.application.application import Application
    from repoquarry.server.authentication import check_exposure
    from repoquarry.server.grpc_server import serve
    from repoquarry.server.settings.sections import split_address

    host, _ = split_address(settings.server.listen)
    check_exposure(settings.server, host)  # before the store is opened, which may take long
    try:
        check_workspaces(settings.agent.workspace)
    except AgentError as error:
        raise SettingsError(str(error)) from error
    from repoquarry.server.telemetry.start import telemetry

    with telemetry(settings.telemetry) as (observers, watch):
        application = Application(settings, writable=True, serving=True, observers=observers)
        try:
            watch(application.host)
            with mcp_beside(application):
                asyncio.run(
                    serve(application, lambda port: print(f"listening on {host}:{port}", flush=True), observers)
                )
        finally:
            application.close()


@contextmanager
def mcp_beside(application: Application) -> Iterator[None]:
    """Serve MCP over HTTP as well, where the settings name an address. Raises: SettingsError, RequestError."""
    settings = application.settings
    if not settings.mcp.listen:
        yield
        return

    need_sdk()
    from repoquarry.server.mcp.gateway import Gateway
    from repoquarry.server.mcp.http import PATH, HttpServer

    gateway = Gateway(application, max_tokens=settings.mcp.max_tokens)
    server = HttpServer(gateway, settings.server, settings.mcp, settings.mcp.listen)
    server.start()
    print(f"MCP listening on {settings.mcp.listen.rpartition(':')[0]}:{server.port}{PATH}", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        server.stop()


@with_session
def mcp_command(
    session: CliSession,
    http: Annotated[
        str | None,
        typer.Option("--http", metavar="HOST:PORT", help="Serve streamable HTTP at /mcp, not stdin and stdout."),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", help="Longest answer, in tokens (default: mcp.max_tokens).")
    ] = None,
    repository: Annotated[
        list[str] | None, typer.Option("--repository", "-r", help="Only these.", autocompletion=repositories)
    ] = None,
) -> None:
    """Serve the reading tools over the Model Context Protocol: on stdin and stdout, or over HTTP."""
    need_sdk()
    from repoquarry.server.mcp.gateway import MIN_TOKENS, Gateway

    most = tokens or session.settings.mcp.max_tokens
    if most < MIN_TOKENS:
        raise invalid_field("--tokens", f"{most} is less than {MIN_TOKENS}")
    logging.basicConfig(level=session.settings.server.log_level.upper(), stream=sys.stderr)
    with session.api() as api:
        gateway = Gateway(api, max_tokens=most, repositories=repository or ())
        if http is None:
            _stdio(gateway, session.settings.server.request_threads)
        else:
            _http(session, gateway, http)


def need_sdk() -> None:
    """Raises: RequestError when the SDK is not installed."""
    try:
        import mcp  # noqa: F401  whether it is there
    except ImportError as exc:
        raise request_error(
            "EXTRA_MISSING", "MCP needs the official SDK: pip install 'repoquarry[mcp]'", extra="mcp"
        ) from exc


def _stdio(gateway: Gateway, threads: int) -> None:
    import asyncio

    from repoquarry.server.mcp.protocol import serve_stdio

    asyncio.run(serve_stdio(gateway, threads))


def _http(session: CliSession, gateway: Gateway, listen: str) -> None:
    from repoquarry.server.mcp.http import PATH, HttpServer

    server = HttpServer(gateway, session.settings.server, session.settings.mcp, listen)
    signal.signal(signal.SIGTERM, lambda number, frame: server.end())
    server.start()
    print(f"listening on {listen.rpartition(':')[0]}:{server.port}{PATH}", flush=True)
    try:
        server.wait()
    finally:
        server.stop()
