"""Commands `serve` (gRPC service), `mcp` (tools for agents over MCP) and `ui` (web page over the local store)."""

from __future__ import annotations

import logging
import threading
import webbrowser
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from repoquarry import v1 as pb
from repoquarry.graphstore.errors import AmbiguousNameError, NotFoundError
from repoquarry.server.cli.output import confirm_file, translated
from repoquarry.server.cli.session import (
    REPOSITORIES,
    REPOSITORY,
    CliSession,
    argument,
    flag,
    option,
    repositories,
    with_session,
)
from repoquarry.server.errors import RequestError, SettingsError, invalid_field, request_error
from repoquarry.server.settings.loading import load_settings
from repoquarry.server.settings.sections import Settings, TelemetrySettings

if TYPE_CHECKING:
    from repoquarry.graphstore.store import Store
    from repoquarry.server.application.application import Application
    from repoquarry.server.observer import Observer
    from repoquarry.server.telemetry import Metrics


def serve_command(
    listen: str | None = option(None, "--listen", "Address; port 0 means any free port.", metavar="HOST:PORT"),
    allow_unauthenticated: bool = flag(
        "--allow-unauthenticated", "Listen without tokens on an address that other machines can reach."
    ),
    store: Path | None = option(None, "--store", "Folder of the store."),
    config: Path | None = option(None, "--config", "TOML file with settings."),
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
    from repoquarry.server.listener import ServiceContext
    from repoquarry.server.listeners import check_listeners, serve

    check_listeners(settings)  # before the store is opened, which may be slow
    try:
        check_workspaces(settings.agent.workspace)
    except ExecutionError as error:
        raise SettingsError(str(error)) from error
    with ExitStack() as stack:
        observers, metrics = _start_telemetry(settings.telemetry, stack)
        opened = Application(settings, writable=True, serving=True, observers=observers)
        application = stack.enter_context(closing(opened))
        if metrics:
            metrics.watch(application.host)
        scrapes = metrics and metrics.application()
        authenticator = Authenticator(settings.server)
        context = ServiceContext(
            settings, application, authenticator, observers, scrapes, on_stop=application.stop_work
        )
        asyncio.run(serve(context))


def _start_telemetry(settings: TelemetrySettings, stack: ExitStack) -> tuple[list[Observer], Metrics | None]:
    """Start what the settings turn on, until the stack closes. Raises: RequestError when the extra is not installed."""
    observers: list[Observer] = []
    metrics = None
    if settings.metrics_listen or settings.traces_endpoint:
        try:
            from repoquarry.server.telemetry import Metrics, Traces, exporter_to
        except ImportError as exc:
            message = "telemetry needs its libraries: pip install 'repoquarry[telemetry]'"
            raise request_error("EXTRA_MISSING", message, extra="telemetry") from exc
        if settings.metrics_listen:
            metrics = Metrics()
            observers.append(metrics)
        if settings.traces_endpoint:
            traces = Traces(exporter_to(settings.traces_endpoint), settings.traces_sample_ratio)
            stack.callback(traces.close)
            observers.append(traces)
    return observers, metrics


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
        from repoquarry.server.listener import ServiceContext
        from repoquarry.server.listeners import MCP, MCP_PATH, serve

        settings = replace(settings, mcp=replace(settings.mcp, listen=http, max_tokens=most))
        context = ServiceContext(settings, api, Authenticator(settings.server), repositories=repository or ())
        listener = replace(MCP, announcement=f"listening on {{host}}:{{port}}{MCP_PATH}")
        asyncio.run(serve(context, [listener]))


def _start_logging(level: str) -> None:
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)  # it logs each variant that this processor lacks


@with_session
def ui_command(
    session: CliSession,
    target: str | None = argument(
        None, "First view: a repository or a definition.", metavar="[REPOSITORY|SYMBOL]", autocompletion=repositories
    ),
    change: str | None = option(None, "--change", "First view: a range of commits, or `worktree`.", metavar="A..B"),
    repository: str | None = REPOSITORY,
    listen: str = option("127.0.0.1:0", "--listen", "Address; port 0 means any free port.", metavar="HOST:PORT"),
    export: Path | None = option(
        None, "--export", "Write the change or symbol as one HTML file and exit.", metavar="FILE"
    ),
    comment: Path | None = option(
        None,
        "--comment",
        "With --export of a change: write the text of a comment; empty where nothing matters.",
        metavar="FILE",
    ),
    is_quiet: bool = flag("--no-open", "Print the address and open no browser."),
) -> None:
    """Serve the page over the local store and open it in a browser, until Ctrl-C."""
    import asyncio

    from repoquarry.server.authentication import Authenticator
    from repoquarry.server.listener import ServiceContext
    from repoquarry.server.listeners import PAGE, serve

    if session.remote:
        raise invalid_field("--server", "the page of a server is at its page.listen address")
    settings = replace(session.settings, page=replace(session.settings.page, listen=listen))
    if comment is not None and (export is None or change is None):
        raise invalid_field("--comment", "needs --export and --change")
    if export is not None:
        if change is not None:
            _export_change(settings, export, change, repository or target or _index_folder(session), comment)
        else:
            _export_symbol(settings, export, target, repository)
        return
    from repoquarry.server.application.application import Application

    with closing(Application(settings, writable=True, brief=True)) as application:
        path = _find_path(application, target, change, repository)
        context = ServiceContext(
            settings,
            application,
            Authenticator(settings.server),
            on_ready=(lambda _: None) if is_quiet else _open_browser,
            on_stop=application.stop_work,
        )
        listener = replace(PAGE, announcement="{scheme}://{host}:{port}" + path.replace("{", "{{").replace("}", "}}"))
        asyncio.run(serve(context, [listener]))


def _export_change(settings: Settings, file: Path, change: str, repository: str, comment: Path | None) -> None:
    """Write a change as one static file, and the text of its comment. Raises: RequestError, NotFoundError, SettingsError."""
    from repoquarry.server.application.application import Application
    from repoquarry.server.cli.commands.compare import format_change
    from repoquarry.server.page_server import render_fitting_change_file

    with closing(Application(settings, writable=False)) as application:
        chosen = _choose_repository(application.host.store, repository)
        commits = "" if change == "worktree" else change
        read: list[pb.GetChangeResponse] = []

        def read_change(max_definitions: int, max_sites: int) -> pb.GetChangeResponse:
            request = pb.GetChangeRequest(
                repository=chosen, range=commits, max_definitions=max_definitions, max_sites=max_sites
            )
            read.append(application.views.get_change(request))
            return read[-1]

        content = render_fitting_change_file(read_change, commits, f"{_made_by()} --change {change}")
    _write(file, content)
    if comment is not None:
        _write(comment, format_change(read[0]).encode())


def _export_symbol(settings: Settings, file: Path, target: str | None, repository: str | None) -> None:
    """Write a definition as one static file. Raises: RequestError, NotFoundError, SettingsError."""
    from repoquarry.server.application.application import Application
    from repoquarry.server.page_server import render_symbol_file

    if target is None:
        raise invalid_field("--export", "give --change or a symbol")
    with closing(Application(settings, writable=False)) as application:
        named = pb.GetSymbolRequest(symbol=target, repositories=[repository] if repository else [])
        symbol = application.views.get_symbol(named)
        if symbol.meanings:
            ids = tuple(meaning.entity.id for meaning in symbol.meanings)
            raise AmbiguousNameError(f"{target!r} is ambiguous: {len(ids)} definitions", name=target, candidates=ids)
        content = render_symbol_file(symbol, f"{_made_by()} {target}")
    _write(file, content)


def _made_by() -> str:
    from importlib.metadata import version

    return f"Made by RepoQuarry {version('repoquarry')}: repoquarry ui"


def _write(file: Path, content: bytes) -> None:
    with translated(str(file)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    confirm_file(file)


def _index_folder(session: CliSession) -> str:
    """Return the repository of the current git folder, which is indexed first unless it is stored and current; empty outside git."""
    from repoquarry.server.cli.commands.compare import find_repository_of
    from repoquarry.server.cli.commands.index import index_source

    folder = next((path for path in (Path.cwd(), *Path.cwd().parents) if (path / ".git").exists()), None)
    if folder is None:
        return ""
    with suppress(NotFoundError, RequestError), session.api() as api:
        known = find_repository_of(api, str(folder))
        basis = api.repositories.get_repository(pb.GetRepositoryRequest(name=known)).repository.basis
        if basis.freshness.state == pb.Freshness.STATE_CURRENT:
            return known
    return index_source(session, str(folder))


def _choose_repository(store: Store, named: str | None) -> str:
    """Return the named repository, or the only stored one. Raises: RequestError, NotFoundError."""
    from repoquarry.graphstore.repository_names import find_repository

    stored = store.repositories()
    if not named and len(stored) != 1:
        raise invalid_field("--repository", f"needed for a change; stored are {', '.join(stored) or 'none'}")
    return find_repository(store, named or stored[0])


def _open_browser(address: str) -> None:
    # In a thread: some browsers return only when their window is closed.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _find_path(application: Application, target: str | None, change: str | None, repository: str | None) -> str:
    """Return the path of the first view. Raises: RequestError, NotFoundError."""
    # Lazy imports: the other commands here read no names.
    from repoquarry.code.name_resolution import resolve_name
    from repoquarry.code.reader import CodeReader
    from repoquarry.code.relations import repository_of

    store = application.host.store
    stored = store.repositories()
    if change is not None:
        chosen = _choose_repository(store, repository or target)
        return f"/r/{quote(chosen)}/change/{quote(change, safe='.')}"
    if target is None or target in stored:
        only = target or repository or (stored[0] if len(stored) == 1 else "")
        return f"/r/{quote(only)}" if only else "/"
    found = resolve_name(CodeReader(store), target, [_choose_repository(store, repository)] if repository else stored)
    nodes = [group[0] for group in found.subjects()]
    symbol = nodes[0].id.partition(":")[2] if len(nodes) == 1 else target
    return f"/r/{quote(repository_of(nodes[0]))}/s/{quote(symbol, safe='/:')}"
