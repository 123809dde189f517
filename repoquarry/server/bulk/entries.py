"""One entry of a list on its way: what it was read as, how often it was tried, and whether trying again may help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from repoquarry.ingest.sources import Source
from repoquarry.server.bulk.wanted import Wanted

WORKER_LOST = "WORKER_LOST"
_PASSING = re.compile(
    r"could not resolve host|timed? ?out|connection (?:reset|refused|closed)|early EOF|RPC failed|unexpected disconnect"
    r"|HTTP (?:429|5\d\d)|returned error: (?:429|5\d\d)|temporarily|remote end hung up",
    re.IGNORECASE,
)
"""What git says where trying again may help."""

_LASTING = re.compile(r"possible repository corruption|unable to read [0-9a-f]{40}", re.IGNORECASE)
"""What it says in addition where the other side lacks objects, and the connection breaks for that reason only."""


@dataclass
class Entry:
    """An entry while it waits or is worked on."""

    wanted: Wanted
    place: int
    attempts: int = 0
    not_before: float = 0.0
    repository: str = ""
    source: Source | None = None
    began: float = 0.0
    stage: str = "queued"
    alone: bool = False
    """Whether it is to be tried with no other at work, because memory ran out with others."""

    @property
    def host(self) -> str:
        """Where it is fetched from; empty for what this machine has."""
        address = self.source.address if self.source is not None else None
        return urlsplit(address.shown).hostname or "" if address is not None and address.transport != "file" else ""

    @property
    def shown(self) -> str:
        """Its source without secrets."""
        return self.source.shown if self.source is not None else self.wanted.location.rpartition("@")[2]


def may_pass(reason: str, message: str) -> bool:
    """Whether a failure may be another one, or none, when the same is tried again."""
    broken = _PASSING.search(message) is not None and _LASTING.search(message) is None
    return reason == WORKER_LOST or broken
