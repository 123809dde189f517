"""Strings that register a definition: routes, commands, format keys, settings. A task that contains the string refers to the definition.

A string registers a definition in four forms, which are the same in every language: in a decorator or annotation above it, as the value
of an attribute of a class, next to its name in a call or a table (`path("login/", views.login)`, `"html": HtmlBuilder()`), and in a call
that names it by a keyword (`add_option("--all", callback=list_all)`), which for subcommands of argparse is the one of `set_defaults`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from repoquarry.graphstore.search.index.places import DefinitionSpans, line_starts
from repoquarry.graphstore.search.index.postings import Integers

_KEY: Final = r"""["'](?P<key>[\w./:<>{}$*+-]{2,80})["']"""
"""String that could be a key: without spaces."""
_ABOVE: Final = re.compile(rf"^[ \t]*@[\w.]+\([^\n]{{0,80}}?{_KEY}", re.MULTILINE)
_ATTRIBUTE: Final = re.compile(
    rf"^[ \t]+(?:(?:public|private|protected|static|final|readonly|const|String|string|val|var)[ \t]+)*"
    rf"[A-Za-z_]\w*[ \t]*(?::[ \t]*[\w.\[\]]+[ \t]*)?=[ \t]*{_KEY}[ \t]*[;,]?[ \t]*$",
    re.MULTILINE,
)
_DOTTED: Final = r"(?:[A-Za-z_]\w*\.){0,3}(?P<name>[A-Za-z_]\w*)"
_BESIDE: Final = re.compile(
    rf"(?<![\w.]){_KEY}[ \t]*(?:(?:[:,]|=>)[ \t]*{_DOTTED}[ \t]*(?:[,)}}\]\n]|\.as_view\()"
    rf"|(?::|=>)[ \t]*{_DOTTED.replace('<name>', '<made>')}\()"
)
_KEYWORD: Final = re.compile(
    rf"\(\s*{_KEY}[^()]{{0,300}}?\b(?:callback|func|fn|function|handler|view_func|view|command|target|factory|cls|klass)[ \t]*=[ \t]*{_DOTTED}\b"
)
_SUBCOMMAND: Final = re.compile(
    rf"\badd_parser\(\s*{_KEY}(?:(?!\badd_parser\()[\s\S]){{0,2000}}?\bset_defaults\(\s*\w+[ \t]*=[ \t]*{_DOTTED}\b"
)
_MAX_DECORATOR_LINES: Final = 12
"""Maximum lines between a decorator and its definition."""


def find_registered_names(standing: DefinitionSpans, text: str, owners: Integers) -> Iterator[tuple[int, str]]:
    """Yield pairs of a place and a string that registers it; `owners` is the innermost place of each line."""
    if len(standing) == 1 or "\0" in text:
        return
    starts = line_starts(text)
    for match in _ABOVE.finditer(text):
        if place := _decorated(standing, bisect_right(starts, match.start("key")) - 1):
            yield place, match["key"]
    for match in _ATTRIBUTE.finditer(text):
        place = int(owners[bisect_right(starts, match.start("key")) - 1])
        if place and not standing.functions[place - 1]:
            yield place, match["key"]
    by_name = _unique_names(standing)
    for pattern in (_BESIDE, _KEYWORD, _SUBCOMMAND):
        for match in pattern.finditer(text):
            if place := by_name.get(match["name"] or match.groupdict().get("made") or "", 0):
                yield place, match["key"]


def _decorated(standing: DefinitionSpans, line: int) -> int:
    """Return the definition that starts at or below a 0-based line of a decorator, 0 without any; of equal starts the outer one."""
    best, best_start = 0, line + 2 + _MAX_DECORATOR_LINES
    for place, start in enumerate(standing.start_lines.tolist(), 1):
        if line + 1 <= start < best_start:
            best, best_start = place, start
    return best


def _unique_names(standing: DefinitionSpans) -> dict[str, int]:
    """Map names of definitions to places; 0 for names of several definitions."""
    found: dict[str, int] = {}
    for place in range(1, len(standing)):
        name = standing.qualname(place).rsplit(".", 1)[-1]
        found[name] = 0 if name in found else place
    return found
