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
from functools import cache
from typing import Final

import msgspec

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.language import Comments, Language

FEWEST_CHARACTERS: Final = 120
"""Without white space, comments and strings. Shorter bodies are alike by chance: getters, delegations, constructors that store their arguments."""

_DIGITS = 20
_STRINGS = (
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\[\s\S]|[^"\\\n])*"|\'(?:\\[\s\S]|[^\'\\\n])*\'|`(?:\\[\s\S]|[^`\\])*`'
)
_DOCUMENTATION = re.compile(
    r':[ \t]*(?:#[^\n]*)?\n\s*[rRuU]{0,2}("""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"[^"\n]*"|\'[^\'\n]*\')[ \t]*(?:;|#|\n|\Z)'
)
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
    strings: list[str] = []

    def set_aside(found: re.Match[str]) -> str:
        if found[1] is None:  # a comment
            return " "
        strings.append(found[1])
        return '"'

    code = _TRAILING.sub("", pattern.sub(set_aside, text))
    if definition.name in code:
        code = re.sub(rf"(?<!\w){re.escape(definition.name)}(?!\w)", "", code)
    code = _laid_out(code) if indented else "".join(code.split())
    if len(code) < FEWEST_CHARACTERS:
        return ""
    said = "\0".join([code, *strings])
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_DIGITS // 2).hexdigest()


def _laid_out(code: str) -> str:
    """Code of a language in which lines and their indentation mean something outside brackets.

    Indentation is told as the depth of a block, so that its width does not count.
    """
    open_brackets = 0
    widths = [0]
    said: list[str] = []
    for line in code.split("\n"):
        rest = line.lstrip()
        if not rest:
            continue
        if not open_brackets and said:
            said.append(_newline(widths, len(line) - len(rest)))
        said += rest.split()
        opened = rest.count("(") + rest.count("[") + rest.count("{")
        open_brackets = max(0, open_brackets + opened - rest.count(")") - rest.count("]") - rest.count("}"))
    return "".join(said)


def _newline(widths: list[int], width: int) -> str:
    """A line's beginning by how deep its block lies."""
    while len(widths) > 1 and width < widths[-1]:
        widths.pop()
    if width > widths[-1]:
        widths.append(width)
    return f"\n{len(widths)}"


@cache
def _pattern(comments: Comments) -> re.Pattern[str]:
    """Strings, which are the one group, and comments."""
    skipped = [rf"{re.escape(opening)}[\s\S]*?(?:{re.escape(closing)}|\Z)" for opening, closing in comments.block]
    skipped += [rf"{re.escape(marker)}[^\n]*" for marker in comments.line]
    return re.compile("|".join([*skipped, f"({_STRINGS})"]))
