"""`repoquarry mcp`: the reading tools for agents and editors, over the Model Context Protocol."""

from __future__ import annotations

import logging
import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid, refuse

if TYPE_CHECKING:
    from repoquarry.server.mcp.gateway import Gateway


@with_session
def command(
    session: Session,
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
    from repoquarry.server.mcp.gateway import LEAST_TOKENS, Gateway

    most = tokens or session.settings.mcp.max_tokens
    if most < LEAST_TOKENS:
        raise invalid("--tokens", f"{most} is less than {LEAST_TOKENS}")
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
        raise refuse("EXTRA_MISSING", "MCP needs the official SDK: pip install 'repoquarry[mcp]'", extra="mcp") from exc


def _stdio(gateway: Gateway, threads: int) -> None:
    import asyncio

    from repoquarry.server.mcp.protocol import serve_stdio

    asyncio.run(serve_stdio(gateway, threads))


def _http(session: Session, gateway: Gateway, listen: str) -> None:
    from repoquarry.server.mcp.http import PATH, HttpServer

    server = HttpServer(gateway, session.settings.server, session.settings.mcp, listen)
    signal.signal(signal.SIGTERM, lambda number, frame: server.end())
    server.start()
    print(f"listening on {listen.rpartition(':')[0]}:{server.port}{PATH}", flush=True)
    try:
        server.wait()
    finally:
        server.stop()
