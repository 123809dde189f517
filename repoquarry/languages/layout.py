"""Source text on one line, without what a formatter decides: line breaks, comments, spaces inside brackets, commas before their end.

Two signatures that differ in layout alone have the same text, so that a reformatted file changes no signature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_OPENING, _CLOSING = "([{", ")]}"
_STRING: Final = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_BLOCK_COMMENT: Final = r"/\*.*?\*/"


def one_line(text: str, line_comment: str) -> str:
    """The text of parameters, annotations or types; `line_comment` is what begins a comment that ends with its line."""
    if _laid_out(line_comment).fullmatch(text):
        return text
    return "".join(_Pieces(line_comment).of(text)).strip()


@lru_cache(maxsize=8)
def _laid_out(line_comment: str) -> re.Pattern[str]:
    """Matches texts that are as they should be, as most are: single spaces, none inside brackets, each comma with one after it, no comments.

    What it does not match may be so all the same: strings with backslashes.
    """
    return re.compile(
        rf"""(?:[^\s,"'`{line_comment[0]}]++|"[^"\\\n]*+"|'[^'\\\n]*+'|(?<=[^\s,(\[{{]),? (?=[^\s,)\]}}]))*+"""
    )


@lru_cache(maxsize=8)
def _tokens(line_comment: str) -> re.Pattern[str]:
    comments = rf"{re.escape(line_comment)}[^\n]*" + (f"|{_BLOCK_COMMENT}" if line_comment == "//" else "")
    return re.compile(
        rf"(?P<text>{_STRING})|(?P<layout>(?:\s|\\\r?\n|{comments})+)|(?P<bracket>[()\[\]{{}}])|(?P<comma>,)|(?P<word>\w+)|.",
        re.DOTALL,
    )


class _Pieces:
    """One pass over the tokens; a comma and a space wait until it is known what follows them."""

    def __init__(self, line_comment: str) -> None:
        self.tokens = _tokens(line_comment)
        self.open: list[bool] = []
        """For each open bracket whether a comma before its end says nothing: it does in a tuple of one."""
        self.comma = self.space = False
        self.last = ""

    def of(self, text: str) -> Iterator[str]:
        for match in self.tokens.finditer(text):
            kind, found = match.lastgroup, match.group()
            if kind == "layout":
                self.space = self.space or self.last not in _OPENING or self.comma
                continue
            if kind == "comma":
                self.space = self.space and self.comma
                yield from self._waiting(closed=False, drop=False)
                self.comma = True
                continue
            closes = kind == "bracket" and found in _CLOSING
            if closes:
                self.space = False
            yield from self._waiting(closed=closes, drop=closes and (not self.open or self.open[-1]))
            if closes:
                self.open[-1:] = []
            elif kind == "bracket":
                self.open.append(found != "(" or not self.open or self.last == "call")
            self.last = "call" if kind == "word" or found in (")", "]") else found
            yield found

    def _waiting(self, *, closed: bool, drop: bool) -> Iterator[str]:
        if self.comma and not drop:
            yield "," if closed else ", "
        elif self.space and not self.comma and self.last:
            yield " "
        self.comma = self.space = False
