"""Result of an operation: a view to read, a summary in one line, and the places in the view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from repoquarry.code.excerpts.text_view import TextView, ViewKind
from repoquarry.code.records import DefinitionRecord, UnresolvedSite
from repoquarry.operations.render import Table


@dataclass(frozen=True)
class Place:
    """A place in a repository that answers the task. Lines are 1-based and inclusive; 0 where a whole folder is meant."""

    repository: str
    path: str
    qualname: str = ""
    """Dotted name inside the module; empty for a whole file."""

    start_line: int = 0
    end_line: int = 0
    score: float = 0.0
    """Only its order within one answer means something."""

    why: str = ""
    """One sentence."""

    reasons: tuple[str, ...] = ()
    """Separate pieces of evidence for it, strongest first."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Identity of the definition."""
        return self.repository, self.path, self.qualname

    @classmethod
    def of(cls, item: DefinitionRecord, why: str = "", score: float = 0.0, reasons: tuple[str, ...] = ()) -> Place:
        """The place of a definition."""
        return cls(item.repository, item.path, item.qualname, item.start_line, item.end_line, score, why, reasons)


@dataclass(frozen=True)
class OperationResult:
    view: TextView
    summary: str
    places: tuple[Place, ...] = ()
    possible: tuple[UnresolvedSite, ...] = ()
    """Unresolved calls that may affect the result."""

    @classmethod
    def of_tables(
        cls,
        tables: Iterable[Table],
        summary: str,
        places: tuple[Place, ...] = (),
        possible: Sequence[UnresolvedSite] = (),
    ) -> Self:
        """Return the result whose view has the lines of some tables; the useful lines of all tables stay in a cut view."""
        lines = [line for table in tables for line in table.lines()]
        text, weights = "\n".join(line for line, _ in lines), tuple(weight for _, weight in lines)
        return cls(TextView(ViewKind.ROWS, text, weights=weights), summary, places, tuple(possible))
