"""How code of a language is started by a command: what a language hands to whoever runs repositories, as data.

Nothing here runs anything or looks at a disk: command lines follow from what the graph knows of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

HasFile = Callable[[str], bool]
"""Whether the repository has an indexed file of that path."""

#: `Launch.rank` of what a manifest names as a command, of what is made to be run, of what a README shows, and of what can be run beside
MANIFEST, PROGRAM, README, RUNNABLE = range(4)


@dataclass(frozen=True)
class Startable:
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
class Launch:
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
class Launching:
    """How the code of a language is started."""

    interpreter: re.Pattern[str]
    """Names under which people call the language's interpreter."""
    program: str
    """The name by which it is called."""
    launch: Callable[[Startable, HasFile], Launch | None]
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
