"""What tools show: a text with its kind, so that it can be cut by its own structure when it is too long.

A view keeps its raw lines and their numbers apart until the last moment: selection decides on lines, and only what stays
is numbered.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass


class ViewKind(enum.Enum):
    """How a view is built, which decides how it may be cut."""

    CODE = "code"
    DOCUMENT = "document"
    LOG = "log"
    ROWS = "rows"
    """One finding a line, the best first."""


@dataclass(frozen=True)
class Span:
    """A definition inside a code view, by its lines in the file (1-based, inclusive)."""

    qualname: str
    start_line: int
    end_line: int


@dataclass(frozen=True)
class View:
    """A text that a tool gives. `first_line` is the number of its first line in the file; 0 leaves lines unnumbered."""

    kind: ViewKind
    text: str
    heading: str = ""
    """Put above the text; never cut."""

    first_line: int = 0
    spans: tuple[Span, ...] = ()
    """Definitions in a code view, in any order."""

    path: str = ""
    """File of which a code view shows a part, empty for parts of several: how its language writes documentation."""

    def lines(self) -> list[str]:
        return self.text.split("\n")

    def render(self) -> str:
        """The whole view as it is read, lines numbered where they have numbers."""
        lines = self.lines()
        return self.render_lines(range(len(lines)), lines)

    def render_lines(self, kept: Collection[int], lines: Sequence[str]) -> str:
        """The view with only the lines whose 0-based offsets are in `kept`; each gap says what is missing."""
        shown: list[str] = [self.heading] if self.heading else []
        previous = -1
        for offset in [*sorted(kept), len(lines)]:
            if offset > previous + 1:
                shown.append(self._gap(previous + 1, offset - 1))
            if offset < len(lines):
                shown.append(self._numbered(offset, lines[offset]))
            previous = offset
        return "\n".join(shown)

    def _numbered(self, offset: int, line: str) -> str:
        return f"{self.first_line + offset:>5} {line}" if self.first_line else line

    def _gap(self, first: int, last: int) -> str:
        if not self.first_line:
            return f"[… {last - first + 1} lines left out]"
        start, end = self.first_line + first, self.first_line + last
        names = [span.qualname for span in self.spans if start <= span.start_line <= end]
        inside = f": {', '.join(names[:6])}{' …' if len(names) > 6 else ''}" if names else ""
        return f"      [… lines {start}-{end} left out{inside}]"
