"""Commands `serve` and `mcp`."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from repoquarry.server.cli.options import REPOSITORIES, option
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import SettingsError, invalid_field
from repoquarry.server.settings.loading import load_settings


def serve_command(
    listen: Annotated[
        str | None, typer.Option("--listen", metavar="HOST:PORT", help="Address; port 0 means any free port.")
    ] = None,
    allow_unauthenticated: Annotated[
        bool,
        typer.Option(
            "--allow-unauthenticated", help="Listen without tokens on an address that other machines can reach."
        ),
    ] = False,
    store: Annotated[Path | None, typer.Option("--store", help="Folder of the store.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="TOML file with settings.")] = None,
) -> None:
    """Serve a store over gRPC until SIGTERM or Ctrl-C. Unfinished jobs of an earlier run resume."""
    import asyncio

    given: dict[str, object] = {"server.listen": listen, "store.folder": store}
    given = {key: value for key, value in given.items() if value is not None}
    if allow_unauthenticated:
        given["server.allow_unauthenticated"] = True
    settings = load_settings(given=given, config=config)
    _start_logging(settings.server.log_level)
    from repoquarry.execution.errors import ExecutionError
    from repoquarry.execution.isolation.registry import check_workspaces
    from repoquarry.server.application.application import Application
    from repoquarry.server.authentication import Authenticator
    from repoquarry.server.listeners import ServiceContext, check_listeners, serve
    from repoquarry.server.observer import start_telemetry

    check_listeners(settings)  # before the store is opened, which may be slow
    try:
        check_workspaces(settings.agent.workspace)
    except ExecutionError as error:
        raise SettingsError(str(error)) from error
    with start_telemetry(settings.telemetry) as started:
        application = Application(settings, writable=True, serving=True, observers=started.observers)
        try:
            if metrics := started.metrics:
                metrics.watch(application.host)
            scrapes = metrics and metrics.application()
            authenticator = Authenticator(settings.server)
            context = ServiceContext(
                settings, application, authenticator, started.observers, scrapes, on_stop=application.stop_work
            )
            asyncio.run(serve(context))
        finally:
            application.close()


@with_session
def mcp_command(
    session: CliSession,
    http: str | None = option(
        None,
        "--http",
        "Address for streamable HTTP at /mcp; without it stdin and stdout are served.",
        metavar="HOST:PORT",
    ),
    tokens: int | None = option(
        None, "--tokens", "Maximum number of tokens; of an answer, defaults to mcp.max_tokens."
    ),
    repository: list[str] | None = REPOSITORIES,
) -> None:
    """Serve the reading tools over the Model Context Protocol: on stdin and stdout, or over HTTP."""
    import asyncio

    from repoquarry.server.mcp_server import MIN_TOKENS, Gateway

    settings = session.settings
    most = tokens or settings.mcp.max_tokens
    if most < MIN_TOKENS:
        raise invalid_field("--tokens", f"{most} is less than {MIN_TOKENS}")
    _start_logging(settings.server.log_level)
    with session.api() as api:
        if http is None:
            from repoquarry.server.mcp_server import serve_stdio

            gateway = Gateway(api, max_tokens=most, repositories=repository or (), all_tools=settings.mcp.all_tools)
            asyncio.run(serve_stdio(gateway, settings.server.request_threads))
            return
        from repoquarry.server.authentication import Authenticator
        from repoquarry.server.listeners import MCP, MCP_PATH, ServiceContext, serve

        settings = replace(settings, mcp=replace(settings.mcp, listen=http, max_tokens=most))
        context = ServiceContext(settings, api, Authenticator(settings.server), repositories=repository or ())
        listener = replace(MCP, announcement=f"listening on {{host}}:{{port}}{MCP_PATH}")
        asyncio.run(serve(context, [listener]))


def _start_logging(level: str) -> None:
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)  # it logs each variant that this processor lacks
