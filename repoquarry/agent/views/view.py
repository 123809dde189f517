"""`ToolView` and its relevance to a task.

The indexes of `repoquarry.graphstore.search` rank a whole repository; this ranks the parts of one view, for which an index would cost
more than the answer.

A view keeps its raw lines and their numbers apart until the last moment: selection decides on lines, and only what stays
is numbered.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.search.text_analysis import terms

_SATURATION: Final = 1.2
_LENGTH: Final = 0.75
"""BM25's k1 and b at their customary values. Source: Robertson and Zaragoza 2009, section 3.2."""


def relevance(texts: Sequence[str], task: str) -> list[float]:
    """BM25 of each text for the terms of the task; 0.0 where none of them occurs."""
    wanted = set(terms(task))
    counts = [Counter(terms(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / len(lengths) if lengths and any(lengths) else 1.0
    spread = Counter(term for count in counts for term in count.keys() & wanted)
    weights = {term: math.log(1 + (len(texts) - found + 0.5) / (found + 0.5)) for term, found in spread.items()}
    scores = []
    for count, length in zip(counts, lengths, strict=True):
        norm = _SATURATION * (1 - _LENGTH + _LENGTH * length / average)
        found_terms = sorted(count.keys() & wanted)
        scores.append(
            sum(weights[term] * count[term] * (_SATURATION + 1) / (count[term] + norm) for term in found_terms)
        )
    return scores


class ViewKind(enum.Enum):
    """How a view is built, which decides how it may be cut."""

    CODE = "code"
    DOCUMENT = "document"
    LOG = "log"
    ROWS = "rows"
    """One finding a line, the best first."""


@dataclass(frozen=True)
class DefinitionSpan:
    """A definition inside a code view, by its lines in the file (1-based, inclusive)."""

    qualname: str
    start_line: int
    end_line: int


@dataclass(frozen=True)
class ToolView:
    """A text that a tool gives. `first_line` is the number of its first line in the file; 0 leaves lines unnumbered."""

    kind: ViewKind
    text: str
    heading: str = ""
    """Put above the text; never cut."""

    first_line: int = 0
    spans: tuple[DefinitionSpan, ...] = ()
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
