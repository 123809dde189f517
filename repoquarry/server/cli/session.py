"""What the commands have in common: the options that say where to work, the connection, and output as text or JSON."""

from __future__ import annotations

import functools
import inspect
import logging
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from repoquarry.server.harmless import json_text
from repoquarry.server.settings.loading import load_settings
from repoquarry.server.settings.sections import Settings

if TYPE_CHECKING:
    from repoquarry.server.api import Api

_PACKAGES = ("repoquarry",)
_SILENCE = logging.NullHandler()
_COMMON: dict[str, Any] = {
    "server": Annotated[
        str | None, typer.Option("--server", metavar="HOST:PORT", help="Send the command to this server.")
    ],
    "token": Annotated[str | None, typer.Option("--token", help="Bearer token for the server.")],
    "certificate": Annotated[
        Path | None,
        typer.Option("--certificate", help="PEM file to check the server's certificate with; turns TLS on."),
    ],
    "tls": Annotated[
        bool | None,
        typer.Option("--tls", help="Speak TLS, checked with the certificates that this machine trusts."),
    ],
    "store": Annotated[
        Path | None,
        typer.Option("--store", help="Folder of the local store (default: REPOQUARRY_STORE, else your data folder)."),
    ],
    "config": Annotated[Path | None, typer.Option("--config", help="TOML file with settings.")],
    "as_json": Annotated[bool, typer.Option("--json", help="Print the answer as one JSON object.")],
}
_KEYS = {
    "server": "client.server",
    "token": "client.token",
    "certificate": "client.certificate",
    "tls": "client.tls",
    "store": "store.folder",
}


class Session:
    """One call of a command: its settings and its way of printing."""

    def __init__(self, settings: Settings, *, as_json: bool) -> None:
        self.settings = settings
        self.as_json = as_json

    @property
    def remote(self) -> bool:
        return bool(self.settings.client.server)

    @contextmanager
    def api(self, *, writable: bool = False, uncut: bool = False) -> Iterator[Api]:
        """The service to speak to: a server, or the local store.

        `writable` opens the local store for indexing and deleting; `uncut` lets its queries give rows without limit.
        """
        opened: Api
        if self.remote:
            from repoquarry.client import Client

            opened = Client(self.settings.client)
        else:
            from repoquarry.server.application.application import Application

            opened = Application(_uncut(self.settings) if uncut else self.settings, writable=writable)
        try:
            yield opened
        finally:
            opened.close()

    def print_json(self, value: object) -> None:
        """One JSON object on stdout."""
        print(json_text(value, indent=2 if sys.stdout.isatty() else None))


def _uncut(settings: Settings) -> Settings:
    """The settings with no limit on the rows and bytes of a result: who asks is who pays for them."""
    limits = replace(settings.store.limits, rows=0, bytes=0)
    return replace(settings, store=replace(settings.store, limits=limits))


def with_session(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the common options and, as its first argument, a `Session` made from them."""
    hints = typing.get_type_hints(function, include_extras=True)
    own = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in list(inspect.signature(function).parameters.values())[1:]
    ]
    common = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if name == "as_json" else None, annotation=kind
        )
        for name, kind in _COMMON.items()
    ]

    @functools.wraps(function)
    def wrapper(**given: Any) -> None:
        chosen = {name: given.pop(name) for name in _COMMON}
        function(_session(chosen), **given)

    keyword_only = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    wrapper.__signature__ = inspect.Signature([*keyword_only, *common])  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *common)}
    del wrapper.__wrapped__  # else typer would read the original's parameters
    return wrapper


def _session(chosen: dict[str, Any]) -> Session:
    given = {key: chosen[name] for name, key in _KEYS.items() if chosen[name] is not None}
    settings = load_settings(given=given, config=chosen["config"])
    if settings.server.log_level == "debug":
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    for package in _PACKAGES:  # else Python itself prints their warnings, and an error is one line
        logging.getLogger(package).addHandler(_SILENCE)
    return Session(settings, as_json=chosen["as_json"])
