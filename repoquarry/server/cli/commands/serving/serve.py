"""`repoquarry serve`: the gRPC service over the local store."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.loading import load_settings

if TYPE_CHECKING:
    from repoquarry.server.application.application import Application


def command(
    listen: Annotated[str | None, typer.Option("--listen", metavar="HOST:PORT", help="Address; port 0: any.")] = None,
    allow_open: Annotated[
        bool, typer.Option("--allow-open", help="Listen without a token where other machines can reach it.")
    ] = False,
    store: Annotated[Path | None, typer.Option("--store", help="Folder of the store.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="TOML file with settings.")] = None,
) -> None:
    """Serve a store over gRPC until SIGTERM or Ctrl-C. Unfinished jobs of an earlier run go on."""
    import asyncio

    given: dict[str, object] = {"server.listen": listen, "store.folder": store}
    given = {key: value for key, value in given.items() if value is not None}
    if allow_open:
        given["server.allow_open"] = True
    settings = load_settings(given=given, config=config)
    logging.basicConfig(
        level=settings.server.log_level.upper(),
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
    )
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)  # it tells of each variant that this processor lacks
    from repoquarry.agent.errors import AgentError
    from repoquarry.agent.workspaces.allowed import check_workspaces
    from repoquarry.server.access.auth import check_exposure
    from repoquarry.server.application.application import Application
    from repoquarry.server.serving import serve
    from repoquarry.server.settings.addresses import split_address

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
    from repoquarry.server.cli.commands.serving.mcp import need_sdk

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
