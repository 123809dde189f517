"""What a language is to the rest of RepoQuarry: one record, made by the folder of that language and named in one line of `registry.py`.

Everything but `extract` may be left as it is: files are then indexed, searched and located, and `has_calls` is false, which the graph says
of their modules. docs/adding-a-language.md walks through it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import EntryPoints, Family, no_entry_points
from repoquarry.languages.installing import Installing
from repoquarry.languages.launching import Launching


@dataclass(frozen=True)
class Comments:
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
class Frames:
    """Lines of a stack trace as the language's runtime prints them."""

    pattern: re.Pattern[str]
    """Groups `path`, `line` and, where it is printed, `function`. It is matched against lines of at most 1,000 characters."""
    nearest_last: bool = False
    """The failing frame is printed last."""


@dataclass(frozen=True)
class Tests:
    """How tests are told from code."""

    files: tuple[str, ...] = ()
    """Glob patterns (as in .gitignore) of files that hold tests."""
    folders: tuple[str, ...] = ()
    """Glob patterns ending in `/**`: what lies there is a test unless code uses it."""
    is_test: Callable[[Definition], bool] = lambda definition: definition.name.lower().startswith("test")
    """Whether a function or method is one test by its name or decorators."""


@dataclass(frozen=True)
class Language:
    """How files of one language are read, resolved and shown."""

    name: str
    extract: Callable[[str, bytes], FileFacts]
    """`extract(path, source)`: pure; never raises on bad input, but records what it could not read in `parse_errors`."""
    family: Family | None = None
    """The languages together with which it is resolved; None for structure and names only."""
    comments: Comments = field(default_factory=Comments)
    tests: Tests = field(default_factory=Tests)
    entry_points: EntryPoints = no_entry_points
    launching: Launching | None = None
    """How its code is started by a command; None where that is not known."""
    installing: Installing | None = None
    """How its packages are installed into a workspace; None where they cannot be."""
    frames: tuple[Frames, ...] = ()
    ecosystem: str = ""
    """Where packages of the language are published: `pypi`, `npm`, `maven`; the first part of a package's identity."""
    known_files: frozenset[str] = frozenset()
    """Stems of files that are important by convention (`__init__`, `index`, `main`): part of a module's semantic score."""
    private_modules: frozenset[str] = frozenset()
    """First parts of modules' names that no installed package has, though nearly every repository does (`tests`, `setup`)."""

    @property
    def has_calls(self) -> bool:
        """Whether calls in its files are resolved."""
        return self.family is not None and self.family.method is not None
