"""Parts that commands share: common options, connection to store or server, output, progress line, and shell completion.

By the protocol of typer, the shell passes the typed text in the environment. Only the typed command is loaded.
"""

from __future__ import annotations

import functools
import inspect
import logging
import os
import re
import shlex
import sys
import time
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer

from repoquarry import v1 as pb
from repoquarry.graphstore.model.call_views import VIEWS
from repoquarry.graphstore.repository_names import REPORT_CHOICE
from repoquarry.server.cli.commands import COMMANDS, load
from repoquarry.server.cli.output import rewrite_line
from repoquarry.server.errors import RequestError, ServerFailure, invalid_field, request_error
from repoquarry.server.settings.loading import load_settings
from repoquarry.server.settings.sections import Settings
from repoquarry.server.text_format import WHOLE_BASIS, json_text, short

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from repoquarry.server.api import Api

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


def how_option(detail: str = "") -> Any:
    views = "`sure`, `dispatch` (one of several that may run), `declared`, `possible`, or a rule such as `self`"
    return option(None, "--how", f"Only calls{detail}: {views}; repeatable.", autocompletion=one_of(VIEWS))


def choose_format(name: str, formats: Mapping[str, _Format]) -> _Format:
    """Return the chosen format. Raises: RequestError."""
    if name not in formats:
        raise invalid_field("--format", f"no format {name!r}; formats: {', '.join(formats)}")
    return formats[name]


_EVERY_SECONDS = 2.0
_Answer = TypeVar("_Answer", bound="Message")


class StatusLine:
    """Status on stderr: one line that is rewritten on a terminal; elsewhere a line for each news, and after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._terminal = sys.stderr.isatty()
        self._seconds = seconds
        self._shown = float("-inf")

    def write(self, text: str, *, is_news: bool) -> None:
        now = time.monotonic()
        if self._terminal:
            rewrite_line(text)
        elif is_news or now - self._shown >= self._seconds:
            self.say(text)
            self._shown = now

    def close(self) -> None:
        if self._terminal:
            rewrite_line("")

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


class ProgressLine(StatusLine):
    def __init__(self, name: str) -> None:
        super().__init__(_EVERY_SECONDS)
        self._name = name
        self._stage = ""

    def show(self, progress: pb.IndexProgress) -> None:
        text = f"{self._name}: {progress.stage}"
        if progress.total:
            text += f" {progress.done:,}/{progress.total:,} {progress.unit}"
        elif progress.done:
            text += f" {progress.done:,} {progress.unit}"
        if progress.rate_per_second and progress.done:
            text += f" ({progress.rate_per_second:,.0f} {progress.unit}/s)"
        self.write(text, is_news=progress.stage != self._stage)
        self._stage = progress.stage


_SILENCE = logging.NullHandler()
_COMMON: dict[str, tuple[str, Any, Any]] = {
    "server": (
        "client.server",
        str | None,
        option(None, "--server", "Address of the server that runs the command.", metavar="HOST:PORT"),
    ),
    "token": ("client.token", str | None, option(None, "--token", "Bearer token for the server.")),
    "certificate": (
        "client.certificate",
        Path | None,
        option(None, "--certificate", "PEM file that verifies the certificate of the server; turns TLS on."),
    ),
    "tls": (
        "client.tls",
        bool | None,
        option(None, "--tls", "Use TLS, verified with the certificates that this machine trusts."),
    ),
    "store": (
        "store.folder",
        Path | None,
        option(None, "--store", "Folder of the local store; defaults to REPOQUARRY_STORE, then your data folder."),
    ),
    "config": ("", Path | None, option(None, "--config", "TOML file with settings.")),
    "as_json": ("", bool, flag("--json", "Print the answer as one JSON object.")),
    "whole_basis": ("", bool, flag("--basis", "Print all of the basis of an answer, not one line.")),
}
"""Setting (empty for none), type and declaration by parameter of every command."""
COMMON_OPTIONS = tuple(_COMMON)
"""Parameters of every command; its help lists them in one line."""
_ADDRESS = re.compile(r"(?:unix:.+|(?:[^\s/:\[\]]+|\[[0-9A-Fa-f:.]+\]):\d{1,5})")


class CliSession:
    """One call of a command: its settings and its output format."""

    def __init__(self, settings: Settings, *, as_json: bool) -> None:
        self.settings = settings
        self.as_json = as_json

    @property
    def remote(self) -> bool:
        return bool(self.settings.client.server)

    @contextmanager
    def api(self, *, writable: bool = False, uncut: bool = False) -> Iterator[Api]:
        """Open the API of a server, or of the local store.

        `writable` opens the local store for indexing and deleting; `uncut` removes the row limit of its queries.
        """
        opened: Api
        if self.remote:
            _check_address(self.settings.client.server)
            from repoquarry.client import Client

            opened = Client(self.settings.client)
        else:
            from repoquarry.server.application.application import Application

            opened = Application(_uncut(self.settings) if uncut else self.settings, writable=writable)
        token = REPORT_CHOICE.set(_choice_printer())
        try:
            with closing(opened):
                yield opened
        finally:
            REPORT_CHOICE.reset(token)

    def print_json(self, value: object) -> None:
        """Print one JSON object, which may contain messages, to stdout."""
        from repoquarry.server.value_messages import to_dict  # Lazy import: loads protobuf.

        print(json_text(value, indent=2 if sys.stdout.isatty() else None, default=to_dict))

    def render(self, answer: _Answer, print_text: Callable[[_Answer], object]) -> None:
        """Print an answer as JSON, or by `print_text`."""
        (self.print_json if self.as_json else print_text)(answer)

    @contextmanager
    def cancel_on_interrupt(self, name: str, cancel: Callable[[], object]) -> Iterator[None]:
        """Cancel an operation of this process on Ctrl-C; the operation of a server continues."""
        try:
            yield
        except KeyboardInterrupt:
            if self.remote:
                print(f"{name} continues on the server", file=sys.stderr, flush=True)
            else:
                cancel()
            raise


def _choice_printer() -> Callable[[str, str, int], None]:
    """Return a printer of the version that a bare name means, which prints each name once."""

    @functools.cache
    def print_choice(name: str, chosen: str, count: int) -> None:
        print(f"{name} is {chosen}, the newest of {count} versions", file=sys.stderr)

    return print_choice


def operation_error(operation: pb.IndexJob | pb.Task | pb.Provisioning) -> RequestError:
    error = operation.error
    message = error.message or f"{operation.name} was cancelled"
    return RequestError(ServerFailure(error.reason or "CANCELLED", message, error.metadata))


def list_repositories(api: Api) -> list[pb.Repository]:
    from repoquarry.server.resource_names import iterate_pages

    pages = iterate_pages(api.repositories.list_repositories, pb.ListRepositoriesRequest(page_size=500))
    return [item for page in pages for item in page.repositories]


def resolve_repositories(api: Api, names: Iterable[str]) -> list[str]:
    """Return the ids that names of repositories refer to, each once. Raises: RequestError."""
    found = (api.repositories.get_repository(pb.GetRepositoryRequest(name=name)).repository for name in names)
    return list(dict.fromkeys(short(repository.name) for repository in found))


def absolute_location(location: str) -> str:
    """Return the absolute path of a local folder for a server, whose working directory is different."""
    path = Path(location).expanduser()
    return str(path.resolve()) if path.exists() else location


def read_text(argument: str | None, file: Path | None, what: str) -> str:
    """Read the text of a command: its argument, a file or stdin. Raises: RequestError."""
    if file is not None:
        if argument is not None:
            raise invalid_field(what, "given both as an argument and as a file")
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as exc:
            raise request_error("OUTPUT_FAILED", f"{file} cannot be read: {exc}", path=str(file)) from exc
    if argument in (None, "-"):
        return sys.stdin.read()
    return argument or ""


def _check_address(address: str) -> None:
    """Require an address of the form HOST:PORT. Raises: RequestError."""
    bare = address.partition("://")[2].rstrip("/") or address
    if not _ADDRESS.fullmatch(bare):
        raise invalid_field(
            "--server", f"{address!r} has no port; write {bare}:PORT, the address that the server printed"
        )
    if bare != address:
        tls = " --tls" if address.startswith("https:") else ""
        raise invalid_field("--server", f"{address!r} is a web address; write --server {bare}{tls}")


def _uncut(settings: Settings) -> Settings:
    """Remove the limits on rows and bytes of a result, because the local user provides the memory."""
    limits = replace(settings.store.limits, rows=0, bytes=0)
    return replace(settings, store=replace(settings.store, limits=limits))


def with_session(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the common options and, as its first argument, a `CliSession` made from them."""
    hints = typing.get_type_hints(function)
    own = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in list(inspect.signature(function).parameters.values())[1:]
    ]
    common = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=declared, annotation=kind)
        for name, (_, kind, declared) in _COMMON.items()
    ]

    @functools.wraps(function)
    def wrapper(**given: Any) -> None:
        chosen = {name: given.pop(name) for name in _COMMON}
        function(_session(chosen), **given)

    keyword_only = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    wrapper.__signature__ = inspect.Signature([*keyword_only, *common])  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *common)}
    del wrapper.__wrapped__  # otherwise typer would read the parameters of the original
    return wrapper


def _session(chosen: dict[str, Any]) -> CliSession:
    given = {key: chosen[name] for name, (key, *_) in _COMMON.items() if key and chosen[name] is not None}
    settings = load_settings(given=given, config=chosen["config"])
    if settings.server.log_level == "debug":
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    logging.getLogger("repoquarry").addHandler(_SILENCE)  # Otherwise Python prints warnings, but an error is one line.
    WHOLE_BASIS.set(chosen["whole_basis"])
    return CliSession(settings, as_json=chosen["as_json"])
