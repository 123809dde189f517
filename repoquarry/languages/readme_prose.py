"""Prose of a README: its text without badges, images, HTML and lists of sponsors, and its most useful sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_MEDIA = re.compile(r"<(picture|svg|video|table)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")
_LINKED_IMAGE = re.compile(r"\[!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\](?:\([^)]*\)|\[[^\]]*\])")
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_RST_IMAGE = re.compile(r"^\s*\.\. (?:image|figure|\|[^|]*\| image)::|^\s*\|[\w -]+\|(?:_)?(?:\s+\|[\w -]+\|_?)*\s*$")
_LINK_TARGET = re.compile(r"^\s*\[[^\]]+\]:\s*\S+")
_LINK = re.compile(r"\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_FENCE = re.compile(r"^\s*(?:```|~~~(?!~))")
"""Fences; a longer line of `~` underlines a title."""
_HEADING = re.compile(r"^(#{1,6})\s*(.*)$")
_SPONSORS = re.compile(r"\b(?:sponsor|backer|donat|financial contribut|gold|silver|bronze)", re.IGNORECASE)


_UNDERLINE = re.compile(r"([=\-~^\"'`#*+_])\1{2,}\s*$")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_LONG_LINE = 400
_TOPICS = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"usage|how to use|use|quick ?start|quick example|getting started",
        r"install(?:ation|ing)?|set ?up|requirements?|dependencies|download",
        r"command[ -]line|cli|api|library|examples?|inference",
    )
)
"""Titles of sections by topic, most useful topic first."""


def extract_prose(text: str) -> str:
    """Return a README without badges, images, HTML, link targets and sponsor sections; code blocks stay as they are."""
    lines: list[str] = []
    for line in _iterate_lines(text):
        if line.strip() or (lines and lines[-1].strip()):
            lines.append(line)
    return "\n".join(lines).strip()


def _iterate_lines(text: str) -> Iterator[str]:
    skipped_level = 0
    is_code = False
    for line in _MEDIA.sub("", _COMMENT.sub("", text)).split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and (heading := _HEADING.match(line)):
            level = len(heading[1])
            if skipped_level and level <= skipped_level:
                skipped_level = 0
            if not skipped_level and _SPONSORS.search(heading[2]):
                skipped_level = level
        if skipped_level:
            continue
        if is_code:
            yield line
        elif (clean := _clean_line(line)) is not None:
            yield clean


def _clean_line(line: str) -> str | None:
    """Return a line without images and HTML; None for a line of nothing else, or of links alone."""
    if not line.strip():
        return line
    if _RST_IMAGE.match(line) or _LINK_TARGET.match(line):
        return None
    clean = _TAG.sub("", _IMAGE.sub("", _LINKED_IMAGE.sub("", line))).rstrip()
    is_changed = clean != line.rstrip()
    without_links = _LINK.sub("", clean).strip(" \t|·•-—,&;nbsp")
    if is_changed and not without_links:
        return None
    return clean.lstrip() if is_changed else clean


def select_sections(prose: str, fits: Callable[[str], bool]) -> str:
    """Select from a prose that is too long: usage, installation, examples, then its beginning, as far as they fit.

    Sections are complete, except those that no budget is left for; a line `...` stands for omitted lines. Long lines are split
    into sentences.
    """
    lines = [
        part for line in prose.split("\n") for part in (_SENTENCE_END.split(line) if len(line) > _LONG_LINE else [line])
    ]
    text = (number for number, line in enumerate(lines) if line.strip() and not _UNDERLINE.match(line))
    opening = next((number for number in text if not _is_title(lines, number)), 0)
    chosen: set[int] = set(range(opening + 1)) if fits(_join_chosen(lines, range(opening + 1))) else set()
    for topic in _TOPICS:
        for section in _iterate_sections(lines, topic):
            chosen |= _longest_prefix(lines, chosen, [number for number in section if number not in chosen], fits)
    chosen |= _longest_prefix(lines, chosen, [number for number in range(len(lines)) if number not in chosen], fits)
    return _join_chosen(lines, chosen)


def _longest_prefix(lines: list[str], chosen: set[int], added: list[int], fits: Callable[[str], bool]) -> set[int]:
    """Return as many of the added lines, from their beginning, as fit next to the chosen ones."""
    low, high = 0, len(added)
    while low < high:
        middle = (low + high + 1) // 2
        is_fitting = fits(_join_chosen(lines, chosen.union(added[:middle])))
        low, high = (middle, high) if is_fitting else (low, middle - 1)
    return set(added[:low])


def _join_chosen(lines: list[str], chosen: Collection[int]) -> str:
    shown: list[str] = []
    last = -1
    for number in sorted(chosen):
        shown += [*(["..."] if number > last + 1 else []), lines[number]]
        last = number
    return "\n".join(shown + (["..."] if last < len(lines) - 1 else [])).strip()


def _iterate_sections(lines: list[str], topic: re.Pattern[str]) -> Iterator[range]:
    """Yield the lines of each section whose title matches, with its subsections; sections inside a yielded one are skipped."""
    titles = list(_iterate_titles(lines))
    end = 0
    for position, (number, level, title) in enumerate(titles):
        if number >= end and topic.search(title):
            end = next((other for other, depth, _ in titles[position + 1 :] if depth <= level), len(lines))
            yield range(number, end)


def _iterate_titles(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (line index, level, title) of the headings below the title of the page."""
    underlines: list[str] = []
    is_code = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and (heading := _HEADING.match(line)):
            yield number, len(heading[1]), heading[2]
        elif not is_code and _is_title(lines, number):
            if lines[number + 1][0] not in underlines:
                underlines.append(lines[number + 1][0])
            yield number, 1 + underlines.index(lines[number + 1][0]), line


def _is_title(lines: list[str], number: int) -> bool:
    """Return whether a line is a heading or an underlined title."""
    line, below = lines[number], lines[number + 1] if number + 1 < len(lines) else ""
    is_underlined = bool(line.strip() and not _UNDERLINE.match(line) and _UNDERLINE.match(below))
    return (is_underlined and len(below.rstrip()) >= len(line.strip()) // 2) or bool(_HEADING.match(line))
