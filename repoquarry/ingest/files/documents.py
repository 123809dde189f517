"""Reader of prose files and docstrings: extracts headings and summaries, and finds the README of a repository.

No markup language is parsed: the graph stores only a heading and a first paragraph, which line patterns find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from repoquarry.languages.source_text import decode_source, detect_encoding, unify_line_ends

_FORMATS = {".md": "markdown", ".markdown": "markdown", ".rst": "rst", ".txt": "text"}
_WITHOUT_SUFFIX = {
    "readme", "changes", "changelog", "contributing", "install", "history", "news", "authors", "todo", "usage", "hacking",
}  # fmt: skip
_NOT_PROSE = re.compile(
    r"^(?:requirements|constraints|cmakelists|robots|sources|top_level|entry_points|dependency_links)"
)
_RST_RULE = re.compile(r"^([=\-~^\"'`#*+.:_])\1{2,}\s*$")
_NOISE = re.compile(
    r"^(?:<|!?\[!|\[!\[|!\[|\.\. |\||:\w+:|\[[^\]]+\]:|```|---|===)|^(?:[-=~*#]{3,})$"
)  # badges, images, HTML, directives, link targets, rules
_MAX_SUMMARY = 300
_MAX_READ = 32_768
"""Characters behind the heading in which the first paragraph is looked for."""
_MAX_CLEANED = 8_000
"""Characters of a heading or paragraph."""


class DocumentFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Properties of one prose file."""

    path: str
    format: str
    heading: str | None
    summary: str | None
    """First sentences of the first paragraph, at most 300 characters, on one line."""
    lines: int


_ASIDE: Final = re.compile(
    r"(?i)\b(?:sponsor\w*|donat(?:e|ions?|ing)|tidelift|patreon|open ?collective|buy me a coffee|backers?|hiring|newsletter|webinar"
    r"|(?:excited|pleased|happy|proud) to announce|discord|gitter|slack|telegram|follow (?:me|us)"
    r"|looking for (?:maintainers|help)|translat(?:ed|ions?))\b"
    r"|^(?:[*+-] |\$ |(?:npm|pip|yarn|go|cargo) (?:install|add|get)\b|\[!\w+\]"
    r"|(?:note|warning|important|announcement)\b|see\b|read\b|documentation\b|docs\b|https?:)"
    r"|:$|^\S+(?:\s\S+)?$|^[^.]{1,60}(?:\s[|•·]\s[^.]{1,60})+$"
)
"""Paragraph about donations, chats, notices, installation or languages of the page; list, menu of links, or title."""


def is_document(path: str) -> bool:
    return document_format(path) is not None


def document_format(path: str) -> str | None:
    """Return `markdown`, `rst` or `text`; None if the path does not name a prose file."""
    name = path.rsplit("/", 1)[-1].lower()
    stem, dot, suffix = name.rpartition(".")
    if not dot:
        return "text" if name in _WITHOUT_SUFFIX else None
    if f".{suffix}" == ".txt" and _NOT_PROSE.match(stem):
        return None
    return _FORMATS.get(f".{suffix}")


def read_document(path: str, content: bytes) -> DocumentFacts:
    """Read one prose file; undecodable bytes are replaced."""
    from repoquarry.languages.readme_prose import (
        extract_prose,
    )  # Lazy import: most users of this module read no document.

    encoding = detect_encoding(content)
    text = decode_source(content, encoding)
    kind = document_format(path) or "text"
    heading, after = _heading(text, kind)
    return DocumentFacts(
        path=path,
        format=kind,
        heading=heading,
        summary=_summary(extract_prose("\n".join(after)[:_MAX_READ]).split("\n")),
        lines=count_lines(content, encoding),
    )


def count_lines(content: bytes, encoding: str) -> int:
    """Count physical lines; a last line without a line break counts."""
    if encoding.startswith("utf-16"):
        content = content.decode(encoding, "replace").encode()
    content = unify_line_ends(content)
    return content.count(b"\n") + (not content.endswith(b"\n") and bool(content))


def find_readme(paths: Iterable[str]) -> str | None:
    """Find the README in the root of the repository; markdown before rst before text."""
    order = {"markdown": 0, "rst": 1, "text": 2}
    found = [path for path in paths if "/" not in path and path.lower().split(".")[0] == "readme"]
    return min(found, key=lambda path: (order.get(document_format(path) or "", 3), path), default=None)


def _heading(text: str, kind: str) -> tuple[str | None, list[str]]:
    """Return the first heading and the lines after it; all lines if there is no heading, or if it is not the title."""
    lines = text.splitlines()[:400]
    for number, line in enumerate(lines):
        shown = line.strip()
        if kind == "markdown" and re.match(r"^#{1,6}\s+\S", shown):
            is_title = not shown.startswith("##")
            return _clean(shown.lstrip("#").strip(" #")), lines[number + 1 :] if is_title else lines
        rule = lines[number + 1].rstrip() if number + 1 < len(lines) else ""
        underlined = _RST_RULE.match(rule) and (kind != "markdown" or rule[0] in "=-")
        if shown and underlined and not _RST_RULE.match(shown) and len(lines[number + 1].strip()) >= 3:
            return _clean(shown), lines[number + 2 :]
    return None, lines


def _summary(lines: list[str]) -> str | None:
    """Return the start of the first paragraph that is about the subject, or of the first one."""
    first = ""
    for paragraph in _paragraphs(lines):
        text = _clean(" ".join(paragraph)) or ""
        if text and not _ASIDE.search(text):
            return first_sentences(text, _MAX_SUMMARY) or None
        first = first or text
    return first_sentences(first, _MAX_SUMMARY) or None


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    is_code = False
    for line in [*lines, ""]:
        shown = line.strip()
        if shown.startswith(("```", "~~~")):
            is_code = not is_code
        elif is_code:
            continue
        if len(paragraph) == 1 and _RST_RULE.match(shown):
            paragraph = []  # A heading is no prose.
            continue
        shown = shown.removeprefix("> ")
        if shown and not (_NOISE.match(shown) or _RST_RULE.match(shown) or shown.startswith("#")):
            paragraph.append(shown)
        elif paragraph:
            yield paragraph
            paragraph = []


def first_sentences(text: str, limit: int) -> str:
    """Return as many complete sentences of `text` as fit into `limit` characters, or the truncated first sentence."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    end = max(text.rfind(". ", 0, limit), text.rfind("! ", 0, limit), text.rfind("? ", 0, limit))
    return text[: end + 1] if end > 0 else text[: limit - 1].rstrip() + "…"


def _clean(text: str) -> str | None:
    """Strip inline markup."""
    text = text[:_MAX_CLEANED]
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`([^`<]*?)\s*<[^>]*>`_+", r"\1", text)
    text = re.sub(r":[\w:+-]+:`([^`]*)`", r"\1", text)
    text = re.sub(r"<[^>]{1,100}>", "", text).replace("**", "").replace("`", "")
    return text.strip()[:2_000] or None


_MAX_DOCSTRING = 1_000
MAX_SUMMARY = 200


def first_sentence(docstring: str) -> str | None:
    """Return the first sentence of a docstring on one line; None if it is empty."""
    if not docstring:
        return None
    paragraph = " ".join(_paragraph(docstring).split())
    end = paragraph.find(". ")
    return first_sentences(paragraph[: end + 1] if end > 0 else paragraph, MAX_SUMMARY) or None


def first_paragraph(docstring: str) -> str | None:
    """Return the first paragraph of a docstring, truncated to a limit; None if it is empty."""
    return _paragraph(docstring)[:_MAX_DOCSTRING] or None if docstring else None


def _paragraph(docstring: str) -> str:
    """Return the first paragraph behind an underlined heading, such as the name of the module; without text, the heading."""
    text = docstring.strip()
    first, *others = text.split("\n", 3)
    if _RST_RULE.match(first) and others:
        first, *others = others
    if others and _RST_RULE.match(others[0].strip()):
        text = "\n".join(others[1:]).strip() or first
    return text.split("\n\n", 1)[0].strip()
