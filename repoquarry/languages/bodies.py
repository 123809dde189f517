"""The same code elsewhere, by a hash of what a function's text says: comments, documentation and layout do not count, nor does its name.

The text is read by strings, comments and lines and not by a grammar, so that one reader serves every language and costs a small part of
parsing; what differs between languages is which comments they have and whether layout means something. Identifiers count, those of local
variables included:
equal hashes then mean the same code and not a similar shape.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

import msgspec

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.language import Comments, Language

FEWEST_CHARACTERS: Final = 120
"""Without white space, comments and strings. Shorter bodies are alike by chance: getters, delegations, constructors that store their arguments."""

_DIGITS = 20
_QUOTES = "\"'`"
#: first character, and what follows it
_STRINGS: Final = (
    ('"', r'""[\s\S]*?"""'),
    ("'", r"''[\s\S]*?'''"),
    ('"', r'(?:\\[\s\S]|[^"\\\n])*"'),
    ("'", r"(?:\\[\s\S]|[^'\\\n])*'"),
    ("`", r"(?:\\[\s\S]|[^`\\])*`"),
)
_DOCUMENTATION = re.compile(
    r':[ \t]*(?:#[^\n]*)?\n\s*[rRuU]{0,2}("""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"[^"\n]*"|\'[^\'\n]*\')[ \t]*(?:;|#|\n|\Z)'
)
_NEWLINE = "\0"
"""Stands for line breaks that mean something while white space is taken away."""
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}\n"))
_TRAILING = re.compile(r",\s*\n\s*(?=[)\]}])")
"""A comma before a bracket that closes on another line, which is layout."""


def with_bodies(facts: FileFacts, source: bytes, language: Language) -> FileFacts:
    """`facts` with the hash of each definition's body, empty for classes, lambdas and what is too short."""
    if not any(_counts(definition) for definition in facts.definitions):
        return facts
    lines = source.decode(facts.encoding, "replace").splitlines(keepends=True)
    pattern = _pattern(language.comments)
    indented = not language.comments.block and language.comments.line == ("#",)
    hashes = [
        _hash(_text(lines, definition), definition, pattern, indented=indented) if _counts(definition) else ""
        for definition in facts.definitions
    ]
    return msgspec.structs.replace(facts, bodies=tuple(hashes))


def _counts(definition: Definition) -> bool:
    """Whether its text is its own: several lines, none of them shared with what stands beside it."""
    several = definition.end_line > definition.name_line + 1
    return several and definition.kind in ("function", "method") and not definition.is_abstract


def _text(lines: Sequence[str], definition: Definition) -> str:
    """What follows its name."""
    first = lines[definition.name_line - 1] if definition.name_line else ""
    at = first.find(definition.name)
    rest = first[at + len(definition.name) :] if at >= 0 else first
    return "".join([rest, *lines[definition.name_line : definition.end_line]])


def _hash(text: str, definition: Definition, pattern: re.Pattern[str], *, indented: bool) -> str:
    if indented and definition.docstring:
        documentation = _DOCUMENTATION.search(text)
        if documentation is not None:
            text = text[: documentation.start(1)] + text[documentation.end(1) :]
    parts = pattern.split(text)
    strings = [skipped for skipped in parts[1::2] if skipped[0] in _QUOTES]
    parts[1::2] = ['"' if skipped[0] in _QUOTES else " " for skipped in parts[1::2]]
    code = _without(_TRAILING.sub("", "".join(parts)), definition.name)
    code = _laid_out(code) if indented else "".join(code.split())
    if len(code) < FEWEST_CHARACTERS:
        return ""
    said = "\0".join([code, *strings])
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_DIGITS // 2).hexdigest()


def _without(code: str, name: str) -> str:
    """`code` without a name where it stands as a word of its own. A regular expression for each name takes longer to make than to use."""
    kept: list[str] = []
    start, at = 0, code.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        if any(beside.isalnum() or beside == "_" for beside in (code[at - 1 : at], code[end : end + 1])):
            at = code.find(name, at + 1)
        else:
            kept.append(code[start:at])
            start, at = end, code.find(name, end)
    return "".join([*kept, code[start:]]) if kept else code


def _laid_out(code: str) -> str:
    """Code of a language in which lines and their indentation mean something outside brackets.

    Indentation is told as the depth of a block, so that its width does not count.
    """
    open_brackets = 0
    widths = [0]
    newline = f"{_NEWLINE}{len(widths)}"
    said: list[str] = []
    brackets = code.encode("utf-8", "surrogatepass").translate(None, _NO_BRACKETS).split(b"\n")
    for line, opened in zip(code.split("\n"), map(_opened, brackets), strict=True):
        rest = line.lstrip()
        if not rest:
            continue
        if not open_brackets and said:
            width = len(line) - len(rest)
            if width != widths[-1]:
                newline = _newline(widths, width)
            said.append(newline)
        said.append(rest)
        if opened:
            open_brackets = max(0, open_brackets + opened)
    return "".join("".join(said).split()).replace(_NEWLINE, "\n")


@lru_cache(maxsize=1 << 12)
def _opened(brackets: bytes) -> int:
    """How many more of them open than close."""
    return sum(1 if bracket in b"([{" else -1 for bracket in brackets)


def _newline(widths: list[int], width: int) -> str:
    """A line's beginning by how deep its block lies."""
    while len(widths) > 1 and width < widths[-1]:
        widths.pop()
    if width > widths[-1]:
        widths.append(width)
    return f"{_NEWLINE}{len(widths)}"


@cache
def _pattern(comments: Comments) -> re.Pattern[str]:
    """Strings and comments, in a group. It begins with a set of characters, which is searched for much faster than alternatives are."""
    skipped = [
        (opening[0], rf"{re.escape(opening[1:])}[\s\S]*?(?:{re.escape(closing)}|\Z)")
        for opening, closing in comments.block
    ]
    skipped += [(marker[0], rf"{re.escape(marker[1:])}[^\n]*") for marker in comments.line]
    skipped += _STRINGS
    first = re.escape("".join(dict.fromkeys(mark for mark, _ in skipped)))
    rest = "|".join(f"(?<={re.escape(mark)}){following}" for mark, following in skipped)
    return re.compile(f"([{first}](?:{rest}))")
