"""The one way to the terminal: what a repository contains cannot steer it, whichever command prints it.

Names, docstrings, commit subjects and error messages come from strangers. While a command runs, stdout and stderr stand behind
a stream that replaces control characters, so that no command has to remember to, nor a log line or a warning.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TextIO, cast

# controls (C0 but for tab and line feed, DEL, C1), line and paragraph separators, lone surrogates, and what orders, hides or
# tags text: bidirectional controls and the other invisible format characters
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_REWRITE = "\r\x1b[K"


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


class GuardedStream:
    """A text stream that lets only harmless text through; everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(harmless(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def rewrite(self, text: str) -> None:
        """Clear the line that the cursor is on, and write it anew."""
        self._stream.write(_REWRITE + harmless(text))
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def rewrite_line(text: str) -> None:
    """Replace the line of a terminal's stderr; nothing but this writes control sequences."""
    stream = sys.stderr
    (stream if isinstance(stream, GuardedStream) else GuardedStream(stream)).rewrite(text)


@contextlib.contextmanager
def guarded_output() -> Iterator[None]:
    """Put stdout and stderr behind guards; within another one it changes nothing."""
    with contextlib.redirect_stdout(_guarded(sys.stdout)), contextlib.redirect_stderr(_guarded(sys.stderr)):
        yield


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A command whose output is guarded while it runs; its help, which is ours alone, keeps its colours."""

    @functools.wraps(function)
    def wrapper(*arguments: Any, **options: Any) -> Any:
        with guarded_output():
            return function(*arguments, **options)

    return wrapper


def _guarded(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, GuardedStream) else cast("TextIO", GuardedStream(stream))
