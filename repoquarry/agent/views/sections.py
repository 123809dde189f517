"""Documents cut into sections: what stands below one heading, up to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKED = re.compile(r"#{1,6}\s+\S")
_FENCE = re.compile(r"\s*(?:```|~~~)(?:\w.*)?\s*$")
_RULES = "=-~^*\"'`+#.:"


@dataclass(frozen=True)
class Section:
    """One section of a document; lines are 1-based and inclusive."""

    repository: str
    path: str
    start: int
    end: int
    heading: str
    """Empty for what stands above the first heading."""

    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def sections_of(repository: str, path: str, text: str) -> list[Section]:
    """The sections of a document in order; the whole of it when it has no headings."""
    lines = text.split("\n")
    starts = _headings(lines)
    if not starts or starts[0] > 0:
        starts.insert(0, 0)
    ends = [*starts[1:], len(lines)]
    found = []
    for start, end in zip(starts, ends, strict=True):
        part = tuple(lines[start:end])
        if any(line.strip() for line in part):
            heading = part[0].lstrip("# ").strip() if _is_heading(lines, start) else ""
            found.append(Section(repository, path, start + 1, end, heading, part))
    return found


def _headings(lines: list[str]) -> list[int]:
    """Indexes of the headings; not in blocks of code."""
    found, fenced = [], False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and _is_heading(lines, number):
            found.append(number)
    return found


def _is_heading(lines: list[str], number: int) -> bool:
    """Whether a line is marked as in Markdown, or underlined as in reStructuredText."""
    if _MARKED.match(lines[number]):
        return True
    following = lines[number + 1].rstrip() if number + 1 < len(lines) else ""
    title = lines[number].strip()
    if not title or len(following) < 3 or following[0] not in _RULES or len(set(following)) > 1:
        return False
    return len(set(title)) > 1 and len(following) >= min(len(title), 4)
