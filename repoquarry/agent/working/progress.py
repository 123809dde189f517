"""How far a task without a model is: plain values alone, so that another process can go on with them."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from repoquarry.agent.working.lines import CommandLine
from repoquarry.agent.working.starts import Start


class Stage(enum.Enum):
    """Which call comes next, or how the work ended."""

    CHOOSE = "choose"
    """Rank the repositories for the task."""

    LOOK = "look"
    """List the entry points of the repository."""

    PROVISION = "provision"
    """Check it out and make its environment."""

    HELP = "help"
    """Ask an entry point for its help."""

    RUN = "run"
    """Run a command line."""

    CLEAN = "clean"
    """Remove what commands left that did not make the output."""

    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class Attempt:
    """A command that did not make the output."""

    command: str
    why: str
    """What was wrong."""

    head: str
    """First lines of its output."""

    tail: str
    """Last lines behind the head; empty for a short output."""


@dataclass
class RepositoryWork:
    """What was done with one repository."""

    repository: str
    reasons: tuple[str, ...] = ()
    """Why it was chosen; empty where there was no choice."""

    problem: str = ""
    """Why it failed; empty while it has not."""

    attempts: list[Attempt] = field(default_factory=list)


@dataclass
class Progress:
    """All that the work knows between two calls."""

    stage: Stage
    repositories: list[RepositoryWork]
    at: int = 0
    """Which of the repositories is tried."""

    starts: list[Start] = field(default_factory=list)
    """Entry points that are still to be tried; the first is the one in hand."""

    lines: list[CommandLine] = field(default_factory=list)
    """Command lines that are still to be tried; the first is the one in hand."""

    after: Stage = Stage.FAILED
    """What follows cleaning."""

    stopped: str = ""
    """Why nothing more is tried; empty while something is."""

    calls: int = 0

    @property
    def current(self) -> RepositoryWork:
        return self.repositories[self.at]
