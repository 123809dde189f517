"""Shell completion.

The shell calls the program with what was typed in the environment, by typer's protocol. Only the command that was typed is loaded.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence

import typer

from repoquarry.server.cli.commands import COMMANDS, load

_TYPED = ("_TYPER_COMPLETE_ARGS", "COMP_WORDS")
"""Where shells put what was typed."""

Completer = Callable[[typer.Context, str], list[str]]


def complete(arguments: Sequence[str]) -> int:
    """Answer the shell, or install or show what it needs; the exit code."""
    application = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
    typed = _typed()
    for name, one in COMMANDS.items():
        application.command(name, help=one.summary)(load(name) if name == typed else _not_loaded)
    try:
        application(list(arguments), prog_name="repoquarry")
    except SystemExit as exc:  # how typer ends, whatever it has done
        return exc.code if isinstance(exc.code, int) else 0
    return 0


def one_of(values: Iterable[str]) -> Completer:
    """Completes one of these words."""
    known = tuple(values)

    def completed(ctx: typer.Context, incomplete: str) -> list[str]:
        return [value for value in known if value.startswith(incomplete)]

    return completed


def repositories(ctx: typer.Context, incomplete: str) -> list[str]:
    """Ids of the local store's repositories; none for a server, since a key that is pressed must not wait for a network."""
    from repoquarry.graphstore.errors import GraphStoreError
    from repoquarry.graphstore.storage.source_store import SourceStore
    from repoquarry.server.errors import RequestError
    from repoquarry.server.settings.loading import load_settings

    given = {"store.folder": ctx.params["store"]} if ctx.params.get("store") else {}
    try:
        settings = load_settings(given=given, config=ctx.params.get("config"))
        if ctx.params.get("server") or settings.client.server:
            return []
        sources = SourceStore.open(settings.store.folder, writable=False)
    except (GraphStoreError, RequestError):
        return []  # there is nothing to choose from, and no place to say so
    try:
        return [found for found in sources.repositories() if found.startswith(incomplete)]
    finally:
        sources.close()


def _typed() -> str | None:
    """The command behind the program's name, when one was typed whole."""
    text = next((os.environ[name] for name in _TYPED if os.environ.get(name)), "")
    try:
        words = shlex.split(text)
    except ValueError:  # a quotation mark that is still open
        words = text.split()
    return words[1] if len(words) > 1 else None


def _not_loaded() -> None:
    """Stands for a command that was not typed: only its name is completed."""
