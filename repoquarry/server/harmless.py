"""Text that cannot steer a terminal, whoever wrote it: names, docstrings, commit subjects and error messages come from strangers."""

from __future__ import annotations

import json
import re

# controls (C0 but for tab and line feed, DEL, C1), line and paragraph separators, lone surrogates, and what orders, hides or
# tags text: bidirectional controls and the other invisible format characters
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def harmless(text: str) -> str:
    """Text of several lines with a replacement character for each that could steer a terminal; tabs and line breaks stay."""
    return _HARMFUL.sub(_REPLACEMENT, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """As `harmless`, with spaces, and for tabs and line feeds too."""
    return _HARMFUL.sub(" ", text).replace("\n", " ").replace("\t", " ")


def json_text(value: object, indent: int | None = None, *, sort_keys: bool = False) -> str:
    """JSON whose harmful characters are escapes, so that nothing is lost and nothing is raw."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys)
    return _HARMFUL.sub(lambda match: json.dumps(match.group())[1:-1], text)
