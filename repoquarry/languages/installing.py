"""How packages of a language are installed into a workspace: what a language hands to whoever runs commands there, as data.

Nothing here runs anything or looks at a disk: commands follow from what is asked for and from the names of files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


class NotInstallableError(Exception):
    """What is asked for cannot be installed in this way; the message says what can."""


@dataclass(frozen=True)
class Asked:
    """What is to be installed."""

    packages: tuple[str, ...]
    """As the language's registry knows them: names, with versions or without."""
    folders: tuple[str, ...]
    """Folders of the workspace, absolute, that are packages themselves or say which ones they need."""
    place: str
    """Folder of the workspace, absolute, for whose code named packages are installed."""
    root: str
    """The workspace itself, absolute."""
    files: Mapping[str, frozenset[str]]
    """Folder (any of those above) -> names of the files directly in it."""
    is_layered: bool = False
    """Commands run in a provisioned environment, to which packages are added."""


@dataclass(frozen=True)
class Step:
    """One command of an installation."""

    command: tuple[str, ...]
    """Its first word is a path, or the name of a program that is looked for."""
    folder: str
    """Absolute folder in which it runs."""
    unless: str = ""
    """Path of a file that makes it needless; empty for none."""
    failure: str = ""
    """What it means when the command fails; empty where its output says enough."""


@dataclass(frozen=True)
class Installing:
    """How packages of a language are installed."""

    manifests: frozenset[str]
    """Names of files that say that a folder's packages are the language's."""
    steps: Callable[[Asked], tuple[Step, ...]]
    """The commands. Raises: NotInstallableError."""
    proxied: Mapping[str, str] = field(default_factory=dict)
    """Variables that make its programs use a proxy, `{host}` and `{port}` in them, beside `HTTPS_PROXY`."""


def is_folder(requirement: str) -> bool:
    """Whether a requirement is written as a folder."""
    return requirement.startswith((".", "/", "~"))
