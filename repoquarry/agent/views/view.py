"""`ToolView`, the output of a tool before truncation. Lines are numbered last, because truncation chooses lines."""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass


class ViewKind(enum.Enum):
    """Structure of a view, which decides how it is truncated."""

    CODE = "code"
    DOCUMENT = "document"
    TABLE = "table"
    """One record per line, with column names in the first line or in the heading."""

    LOG = "log"
    ROWS = "rows"
    """One finding per line, the best first."""


@dataclass(frozen=True)
class DefinitionSpan:
    """Definition inside a code view, by its lines in the file (1-based, inclusive)."""

    qualname: str
    start_line: int
    end_line: int


@dataclass(frozen=True)
class ToolView:
    """Text that a tool returns. `first_line` is the number of its first line in the file; 0 leaves lines unnumbered."""

    kind: ViewKind
    text: str
    heading: str = ""
    """Lines above the text, which are never omitted."""

    first_line: int = 0
    spans: tuple[DefinitionSpan, ...] = ()
    """Definitions in a code view, in any order."""

    path: str = ""
    """File of a code view, which names its language; empty for parts of several files."""

    def lines(self) -> list[str]:
        return self.text.split("\n")

    def render(self) -> str:
        """Render the complete view, with line numbers if it has any."""
        lines = self.lines()
        return self.render_lines(range(len(lines)), lines)

    def render_lines(self, kept: Collection[int], pieces: Sequence[str], numbers: Sequence[int] | None = None) -> str:
        """Render the pieces at the offsets `kept`; every gap states its size.

        A piece is a line, or a part of a long line: then `numbers` has the line offset of each piece.
        """
        shown: list[str] = [self.heading] if self.heading else []
        previous = -1
        for offset in [*sorted(kept), len(pieces)]:
            if offset > previous + 1:
                first, last = (
                    (previous + 1, offset - 1) if numbers is None else (numbers[previous + 1], numbers[offset - 1])
                )
                shown.append(self._gap(first, last))
            if offset < len(pieces):
                shown.append(self._numbered(offset if numbers is None else numbers[offset], pieces[offset]))
            previous = offset
        return "\n".join(shown)

    def _numbered(self, line: int, text: str) -> str:
        return f"{self.first_line + line:>5} {text}" if self.first_line else text

    def _gap(self, first: int, last: int) -> str:
        if not self.first_line:
            return f"[… {last - first + 1} lines omitted]"
        start, end = self.first_line + first, self.first_line + last
        names = [span.qualname for span in self.spans if start <= span.start_line <= end]
        inside = f": {', '.join(names[:6])}{' …' if len(names) > 6 else ''}" if names else ""
        return f"      [… lines {start}-{end} omitted{inside}]"
