"""What a provisioning tried and changed, whatever the language: one import and what came of it, one repair and its reason."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Need(enum.IntEnum):
    """How much the repository depends on an import."""

    OPTIONAL = 0
    """The code goes on without it, or only tests that nobody asked for and examples import it."""
    BESIDE = 1
    """A file imports it that neither the packages nor the scripts at the root reach by their own imports."""
    NEEDED = 2
    """Importing the repository's packages, or running its scripts, fails without it."""


@dataclass(frozen=True)
class Tried:
    """One module, and what came of importing it."""

    module: str
    own: bool
    need: Need
    error: str = ""
    """Kind and message of the exception; empty when the import succeeded."""
    trace: str = ""
    """End of the traceback."""
    where: str = ""
    """File that imports it."""
    test: bool = False
    """Whether it is a file of tests, which pytest collects, in place of a module."""

    def top_is(self, name: str) -> bool:
        """Whether the module is `name` or lies in it."""
        return self.module.partition(".")[0] == name

    @property
    def needed(self) -> bool:
        return self.need is Need.NEEDED

    @property
    def works(self) -> bool:
        return not self.error


@dataclass(frozen=True)
class Repair:
    """One change of the plan, with what made it necessary."""

    kind: str
    """Stable word: the name of the repair in `repairs/`."""
    change: str
    """What was changed, in words."""
    reason: str
    """Why, in words."""
    evidence: str = ""
    """Line of the log that asked for it."""
