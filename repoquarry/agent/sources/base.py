"""What a source of repositories is: it names those that fit a task in words; indexing them is left to a person."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Offer:
    """A repository that a source knows of."""

    name: str
    address: str
    """What `repoquarry index` takes: a git address, a folder or an archive."""

    description: str = ""

    @property
    def command(self) -> str:
        """The command that indexes it."""
        return f"repoquarry index {shlex.quote(self.address)}"


class Source(Protocol):
    """A place that lists or searches repositories."""

    def find(self, task: str) -> list[Offer]:
        """Repositories that fit a task in words, best first. Raises: ToolError when the source cannot be used."""
        ...
