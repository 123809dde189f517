"""Unresolved calls that cannot reach a definition of a repository: their receiver is external, or a string or path.

A receiver without a known type is taken for a string where it is called by the name of a string method with literals of text only, as in
`k.replace("SCRAPY_", "")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import PurePath
from typing import Final

from repoquarry.code.records import UnresolvedSite

_JAVASCRIPT_STRING = (
    "charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize padEnd padStart"
    " repeat replace replaceAll search slice split startsWith substring trim trimEnd trimStart"
)
_TEXT_METHODS: Final[Mapping[str, frozenset[str]]] = {
    "python": frozenset(name for kind in (str, bytes, PurePath) for name in dir(kind) if not name.startswith("_")),
    "javascript": frozenset(_JAVASCRIPT_STRING.split()),
}
"""Names of the methods of strings and paths by language family."""
_TEXT = r"""(?:[rbfuRBFU]{0,2}(?:"[^"\n]*"|'[^'\n]*')|/[^/\s][^/\n]*/[a-z]*)"""


def is_text_method(name: str, family: str) -> bool:
    """Return whether strings or paths have a method of the name."""
    return name in _TEXT_METHODS.get(family, ())


def drop_text_calls(site: UnresolvedSite, lines: Iterable[str]) -> UnresolvedSite | None:
    """Return a site without its calls on strings; None if no call is left. `lines` are the lines of the file."""
    source = list(lines)
    pattern = _text_call(site.name)
    kept = tuple(line for line in site.lines if not (line <= len(source) and pattern.search(source[line - 1])))
    if not kept and site.lines:
        return None
    count = max(site.count - (len(site.lines) - len(kept)), len(kept))
    return UnresolvedSite(site.caller, site.name, count, kept, site.reason)


@cache
def _text_call(name: str) -> re.Pattern[str]:
    return re.compile(rf"\.{re.escape(name)}\(\s*{_TEXT}(?:\s*,\s*(?:{_TEXT}|\d+))*\s*\)")
