"""`ui`: the page over the local store, in a browser."""

from __future__ import annotations

import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from repoquarry import v1 as pb
from repoquarry.graphstore.errors import AmbiguousNameError, StoreBusyError
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.name_resolution import resolve_name
from repoquarry.graphstore.reading.relations import repository_of
from repoquarry.graphstore.store import Store
from repoquarry.server.cli.options import REPOSITORY, argument, flag, option, repositories
from repoquarry.server.cli.output import confirm_file, translated
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import invalid_field
from repoquarry.server.settings.sections import Settings

if TYPE_CHECKING:
    from repoquarry.server.application.application import Application


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
    is_quiet: bool = flag("--no-open", "Print the address and open no browser."),
) -> None:
    """Serve the page over the local store and open it in a browser, until Ctrl-C."""
    import asyncio

    from repoquarry.server.authentication import Authenticator
    from repoquarry.server.listeners import PAGE, ServiceContext, serve

    if session.remote:
        raise invalid_field("--server", "the page of a server is at its page.listen address")
    settings = replace(session.settings, page=replace(session.settings.page, listen=listen))
    if export is not None:
        _export(settings, export, target, change, repository)
        return
    application = _open_application(settings)
    try:
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
    finally:
        application.close()


def _open_application(settings: Settings) -> Application:
    """Open the store for tasks and index jobs; only for reading, with a note, while another process writes it."""
    from repoquarry.server.application.application import Application

    try:
        return Application(settings, writable=True)
    except StoreBusyError as exc:
        print(f"tasks and index jobs are off: {exc}", file=sys.stderr)
        return Application(settings, writable=False)


def _export(settings: Settings, file: Path, target: str | None, change: str | None, repository: str | None) -> None:
    """Write one static file. Raises: RequestError, NotFoundError, SettingsError."""
    from importlib.metadata import version

    from repoquarry.server.application.application import Application
    from repoquarry.server.page_server import render_fitting_change_file, render_symbol_file

    application = Application(settings, writable=False)
    try:
        made_by = f"Made by RepoQuarry {version('repoquarry')}: repoquarry ui"
        if change is not None:
            chosen = _choose_repository(application.host.store, repository or target)
            commits = "" if change == "worktree" else change

            def read_change(max_definitions: int, max_sites: int) -> pb.GetChangeResponse:
                request = pb.GetChangeRequest(
                    repository=chosen, range=commits, max_definitions=max_definitions, max_sites=max_sites
                )
                return application.views.get_change(request)

            content = render_fitting_change_file(read_change, commits, f"{made_by} --change {change}")
        elif target is not None:
            named = pb.GetSymbolRequest(symbol=target, repositories=[repository] if repository else [])
            symbol = application.views.get_symbol(named)
            if symbol.meanings:
                ids = tuple(meaning.entity.id for meaning in symbol.meanings)
                message = f"{target!r} is ambiguous: {len(ids)} definitions"
                raise AmbiguousNameError(message, name=target, candidates=ids)
            content = render_symbol_file(symbol, f"{made_by} {target}")
        else:
            raise invalid_field("--export", "give --change or a symbol")
    finally:
        application.close()
    with translated(str(file)):
        file.write_bytes(content)
    confirm_file(file)


def _choose_repository(store: Store, named: str | None) -> str:
    """Return the named repository or the only stored one. Raises: RequestError, NotFoundError."""
    stored = store.repositories()
    chosen = named or (stored[0] if len(stored) == 1 else "")
    if not chosen:
        raise invalid_field("--repository", f"needed for a change; stored are {', '.join(stored) or 'none'}")
    store.repository(chosen)
    return chosen


def _open_browser(address: str) -> None:
    # In a thread: some browsers return only when their window is closed.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _find_path(application: Application, target: str | None, change: str | None, repository: str | None) -> str:
    """Return the path of the first view. Raises: RequestError, NotFoundError."""
    store = application.host.store
    stored = store.repositories()
    if change is not None:
        chosen = _choose_repository(store, repository or target)
        return f"/r/{quote(chosen)}/change/{quote(change, safe='.')}"
    if target is None or target in stored:
        only = target or repository or (stored[0] if len(stored) == 1 else "")
        return f"/r/{quote(only)}" if only else "/"
    found = resolve_name(CodeReader(store), target, [repository] if repository else stored)
    nodes = [group[0] for group in found.subjects()]
    symbol = nodes[0].id.partition(":")[2] if len(nodes) == 1 else target
    return f"/r/{quote(repository_of(nodes[0]))}/s/{quote(symbol, safe='/:')}"
