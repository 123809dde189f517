"""Declarations of arguments and options, as defaults of the parameters of a command, and shell completion.

By typer's protocol, the shell passes the typed text in the environment. Only the typed command is loaded.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import typer

from repoquarry.server.cli.commands import COMMANDS, load
from repoquarry.server.errors import invalid_field

_TYPED = ("_TYPER_COMPLETE_ARGS", "COMP_WORDS")
"""Variables with the typed text."""
Completer = Callable[[typer.Context, str], list[str]]


def complete(arguments: Sequence[str]) -> int:
    """Answer the shell, or install or print its script. Returns the exit code."""
    application = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
    typed = _typed()
    for name, one in COMMANDS.items():
        application.command(name, help=one.summary)(load(name) if name == typed else _not_loaded)
    try:
        application(list(arguments), prog_name="repoquarry")
    except SystemExit as exc:  # typer always ends this way
        return exc.code if isinstance(exc.code, int) else 0
    return 0


def one_of(values: Iterable[str]) -> Completer:
    """Return a completer for a list of words."""
    known = tuple(values)

    def completed(ctx: typer.Context, incomplete: str) -> list[str]:
        return [value for value in known if value.startswith(incomplete)]

    return completed


def repositories(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete ids of the local store; none for a server, because a key press must not wait for a network."""
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
        return []  # completion cannot report errors
    try:
        return [found for found in sources.repositories() if found.startswith(incomplete)]
    finally:
        sources.close()


def _typed() -> str | None:
    """Return the typed command; None if its name is incomplete."""
    text = next((os.environ[name] for name in _TYPED if os.environ.get(name)), "")
    try:
        words = shlex.split(text)
    except ValueError:  # an open quotation mark
        words = text.split()
    return words[1] if len(words) > 1 else None


def _not_loaded() -> None:
    """Placeholder of a command that was not typed: only its name is completed."""


_Format = TypeVar("_Format")


def option(default: object, *names_and_help: str, **details: Any) -> Any:
    """Declare an option by its default, names, help text and details of typer."""
    *names, text = names_and_help
    return typer.Option(default, *names, help=text, **details)


def flag(*names_and_help: str) -> Any:
    return option(False, *names_and_help)


def argument(default: object, text: str, **details: Any) -> Any:
    """Declare an argument; the default `...` makes it required."""
    return typer.Argument(default, help=text, **details)


REPOSITORIES: Final = option(None, "--repository", "-r", "Only these repositories.", autocompletion=repositories)
REPOSITORY: Final = option(None, "--repository", "-r", "Only this repository.", autocompletion=repositories)
FILE: Final = option(None, "--file", "-f", "File with the text of the argument.")
OUTPUT: Final = option(None, "--output", "-o", "Output file; defaults to stdout.")


def format_option(default: str | None, names: Iterable[str], shown_default: str) -> Any:
    forms, text = list(names), f"Output format; defaults to {shown_default}."
    return option(default, "--format", text, metavar="|".join(forms), autocompletion=one_of(forms))


def limit_option(default: int, most: int, detail: str = "") -> Any:
    return option(default, "--limit", "-n", f"Maximum number of results{detail}.", min=1, max=most)


def confidence_option(default: float | None, detail: str = "") -> Any:
    return option(default, "--min-confidence", f"Minimum confidence of relationships{detail}.", min=0.0, max=1.0)


def choose_format(name: str, formats: Mapping[str, _Format]) -> _Format:
    """Return the chosen format. Raises: RequestError."""
    if name not in formats:
        raise invalid_field("--format", f"no format {name!r}; formats: {', '.join(formats)}")
    return formats[name]
