"""`Language`: record of how files of one language are extracted, resolved, tested and displayed; installers of its packages.

Everything but `extract` may be left as it is: files are then indexed, searched and located, and `has_calls` is false, also in the graph for
their modules. docs/guides/adding-a-language.md walks through it.

Nothing here runs a command or reads a disk: install commands follow from the request and from the names of files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import AttributionConfig, EntryPoints, LanguageFamily, no_entry_points


class NotInstallableError(Exception):
    """The requested package cannot be installed in this way; the message says what can."""


@dataclass(frozen=True)
class InstallRequest:
    """Package to install."""

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
class InstallStep:
    """One command of an installation."""

    command: tuple[str, ...]
    """Its first word is a path, or the name of a program that is looked for."""
    folder: str
    """Absolute folder in which it runs."""
    unless: str = ""
    """Path of a file that makes it needless; empty for none."""
    failure: str = ""
    """Meaning of a failure of the command; empty where its output says enough."""


@dataclass(frozen=True)
class PackageInstaller:
    """How packages of a language are installed."""

    manifests: frozenset[str]
    """Names of files that say that a folder's packages are the language's."""
    steps: Callable[[InstallRequest], tuple[InstallStep, ...]]
    """The commands. Raises: NotInstallableError."""
    proxied: Mapping[str, str] = field(default_factory=dict)
    """Variables that make its programs use a proxy, `{host}` and `{port}` in them, in addition to `HTTPS_PROXY`."""


def is_folder(requirement: str) -> bool:
    """Return whether a requirement is written as a folder."""
    return requirement.startswith((".", "/", "~"))


@dataclass(frozen=True)
class CommentSyntax:
    """How comments and documentation are written."""

    line: tuple[str, ...] = ()
    """Markers that begin a comment up to the end of the line; the first one is what this project writes where it writes one."""
    block: tuple[tuple[str, str], ...] = ()
    """(opening, closing) markers."""
    documentation: tuple[str, ...] = ()
    """Beginnings of comments that document the definition below them (`/**`, `///`); empty where documentation is a string or there is
    no convention, and then every comment directly above a definition may document it."""
    inside: re.Pattern[str] | None = None
    """Beginning of the line after a definition's head where documentation stands inside of it; group 1 is the mark that closes it. None
    where it never does."""


@dataclass(frozen=True)
class StackFrameSyntax:
    """Lines of a stack trace as the language's runtime prints them."""

    pattern: re.Pattern[str]
    """Groups `path` and, where they are printed, `line` and `function`; it is matched against lines of at most 1,000 characters.

    Without the group `line`, the line number follows in a later line, behind an arrow."""
    nearest_last: bool = False
    """The failing frame is printed last."""


@dataclass(frozen=True)
class TestConventions:
    """Rules that distinguish tests from code."""

    files: tuple[str, ...] = ()
    """Glob patterns (as in .gitignore) of files that hold tests."""
    folders: tuple[str, ...] = ()
    """Glob patterns ending in `/**`: files there are tests unless code uses them."""
    is_test: Callable[[Definition], bool] = lambda definition: definition.name.lower().startswith("test")
    """Predicate that returns whether a function or method is one test by its name or decorators."""


@dataclass(frozen=True)
class Language:
    """How files of one language are read, resolved and shown."""

    name: str
    extract: Callable[[str, bytes], FileFacts]
    """`extract(path, source)`: pure; never raises on bad input, but records what it could not read in `parse_errors`."""
    family: LanguageFamily | None = None
    """The languages together with which it is resolved; None for structure and names only."""
    comments: CommentSyntax = field(default_factory=CommentSyntax)
    tests: TestConventions = field(default_factory=TestConventions)
    entry_points: EntryPoints = no_entry_points
    installing: PackageInstaller | None = None
    """How its packages are installed into a workspace; None where they cannot be."""
    frames: tuple[StackFrameSyntax, ...] = ()
    ecosystem: str = ""
    """Where packages of the language are published: `pypi`, `npm`, `maven`; the first part of a package's identity."""
    known_files: frozenset[str] = frozenset()
    """Stems of files that are important by convention (`__init__`, `index`, `main`): part of a module's semantic score."""
    private_modules: frozenset[str] = frozenset()
    """First parts of modules' names that no installed package has, though nearly every repository does (`tests`, `setup`)."""

    @property
    def has_calls(self) -> bool:
        """True if calls in its files are resolved."""
        method = self.family.method if self.family is not None else None
        return method.has_calls if isinstance(method, AttributionConfig) else method is not None
