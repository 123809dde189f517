"""Folders with wheels that this machine's pip is told of: where an operator keeps builds for processors, they are meant for us too."""

from __future__ import annotations

import configparser
import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from repoquarry.agent.settings import AgentSettings

_FILES: Final = ("/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")
_SECTIONS: Final = ("global", "install")


def with_local_wheels(settings: AgentSettings, environment: Mapping[str, str] = os.environ) -> AgentSettings:
    """The settings with pip's folders of wheels as `find_links`, where they name none themselves."""
    if settings.environment.find_links:
        return settings
    found = tuple(dict.fromkeys(_folders(environment)))
    return replace(settings, environment=replace(settings.environment, find_links=found))


def _folders(environment: Mapping[str, str]) -> Iterator[str]:
    """Folders of this machine by pip's variable and files; addresses of pages are left aside, whose hosts nobody granted."""
    for text in (environment.get("PIP_FIND_LINKS", ""), *_configured(environment)):
        for word in text.split():
            path = Path(word.removeprefix("file://")).expanduser()
            if path.is_absolute() and path.is_dir():
                yield str(path)


def _configured(environment: Mapping[str, str]) -> Iterator[str]:
    for name in (*_FILES, environment.get("PIP_CONFIG_FILE", "")):
        parser = configparser.RawConfigParser()
        with contextlib.suppress(configparser.Error, UnicodeDecodeError):  # pip itself complains of it
            parser.read(Path(name).expanduser() if name else [], encoding="utf-8")
        for section in _SECTIONS:
            yield parser.get(section, "find-links", fallback="")
