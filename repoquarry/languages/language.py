"""`Language`: the record by which a language describes itself; launch and install commands.

Everything but `extract` may be left as it is: files are then indexed, searched and located, and `has_calls` is false, which the graph says
of their modules. docs/adding-a-language.md walks through it.

Nothing here runs anything or looks at a disk: command lines follow from what the graph knows of a file.

Nothing here runs anything or looks at a disk: commands follow from what is asked for and from the names of files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import EntryPoints, LanguageFamily, no_entry_points

HasFile = Callable[[str], bool]
"""Whether the repository has an indexed file of that path."""

#: `LaunchCommand.rank` of what a manifest names as a command, of what is made to be run, of what a README shows, and of what can be run beside
MANIFEST, PROGRAM, README, RUNNABLE = range(4)


@dataclass(frozen=True)
class LaunchTarget:
    """A module or definition that the graph knows to be started from outside."""

    path: str
    module: str
    """Full name of the module around it (`ModuleInfo.name`)."""
    qualname: str
    """Empty for the module itself."""
    kind: str
    """Kind of entry point, such as `main`."""
    text: str
    """What the entry point is called by, such as the name of a console script."""


@dataclass(frozen=True)
class LaunchCommand:
    """A command that starts code, without arguments for it."""

    rank: int
    what: str
    """What is started, in words: `script with a main guard`."""
    command: tuple[str, ...]
    folder: str
    """Folder of the repository in which it is run; empty for its top."""
    instead: tuple[str, ...] = ()
    """Command that does the same where the program is not installed; empty where there is none."""


@dataclass(frozen=True)
class Launcher:
    """How the code of a language is started."""

    interpreter: re.Pattern[str]
    """Names under which people call the language's interpreter."""
    program: str
    """The name by which it is called."""
    launch: Callable[[LaunchTarget, HasFile], LaunchCommand | None]
    """The command that starts an entry point; None where there is none."""
    own: Callable[[Sequence[str], HasFile], int]
    """How many words of a command of `program` start a file of the repository; 0 where it starts something else."""
    module: tuple[str, ...] = ()
    """Words of a command in front of the full name of a module that it starts; empty where modules are not started by name."""
    programs: tuple[str, ...] = ()
    """What modules of a package are called that are its program, the likeliest first; empty for the package itself."""
    words: frozenset[str] = frozenset()
    """Words that stand for the program itself where its help shows a command: no arguments of it."""

    def module_command(self, name: str) -> tuple[str, ...]:
        """The command that starts a module by its full name; empty where there is none."""
        return (*self.module, name) if self.module else ()


class NotInstallableError(Exception):
    """What is asked for cannot be installed in this way; the message says what can."""


@dataclass(frozen=True)
class InstallRequest:
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
class InstallStep:
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
class PackageInstaller:
    """How packages of a language are installed."""

    manifests: frozenset[str]
    """Names of files that say that a folder's packages are the language's."""
    steps: Callable[[InstallRequest], tuple[InstallStep, ...]]
    """The commands. Raises: NotInstallableError."""
    proxied: Mapping[str, str] = field(default_factory=dict)
    """Variables that make its programs use a proxy, `{host}` and `{port}` in them, beside `HTTPS_PROXY`."""


def is_folder(requirement: str) -> bool:
    """Whether a requirement is written as a folder."""
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
    """Groups `path`, `line` and, where it is printed, `function`. It is matched against lines of at most 1,000 characters."""
    nearest_last: bool = False
    """The failing frame is printed last."""


@dataclass(frozen=True)
class TestConventions:
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
    family: LanguageFamily | None = None
    """The languages together with which it is resolved; None for structure and names only."""
    comments: CommentSyntax = field(default_factory=CommentSyntax)
    tests: TestConventions = field(default_factory=TestConventions)
    entry_points: EntryPoints = no_entry_points
    launching: Launcher | None = None
    """How its code is started by a command; None where that is not known."""
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
        """Whether calls in its files are resolved."""
        return self.family is not None and self.family.method is not None
