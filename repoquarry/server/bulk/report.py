"""What is told of a list: where it stands, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.server.bulk.ledger import Outcome


@dataclass(frozen=True)
class BulkProgress:
    """Where the whole stands."""

    total: int
    stored: int
    failed: int
    lines: int
    """Lines of the repositories that are stored."""
    seconds: float
    running: tuple[tuple[str, str], ...]
    """Repository and stage of those at work."""
    seconds_left: float | None
    """Estimate by repositories, from those of this run; None while none of them is done."""

    @property
    def done(self) -> int:
        return self.stored + self.failed


@dataclass(frozen=True)
class BulkReport:
    """What became of a list."""

    outcomes: tuple[Outcome, ...]
    """In the order of the list."""
    resumed: int
    """Of these, stored by an earlier run that did not come to its end."""
    seconds: float
    peak_memory_bytes: int
    """Highest resident memory of this process and all workers together, seen once a second."""
