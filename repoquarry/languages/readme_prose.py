"""Prose of a README: its text without badges, images, HTML and lists of sponsors."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_MEDIA = re.compile(r"<(picture|svg|video|table)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")
_LINKED_IMAGE = re.compile(r"\[!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\](?:\([^)]*\)|\[[^\]]*\])")
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_RST_IMAGE = re.compile(r"^\s*\.\. (?:image|figure|\|[^|]*\| image)::|^\s*\|[\w -]+\|(?:_)?(?:\s+\|[\w -]+\|_?)*\s*$")
_LINK_TARGET = re.compile(r"^\s*\[[^\]]+\]:\s*\S+")
_LINK = re.compile(r"\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HEADING = re.compile(r"^(#{1,6})\s*(.*)$")
_SPONSORS = re.compile(r"\b(?:sponsor|backer|donat|financial contribut|gold|silver|bronze)", re.IGNORECASE)


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
