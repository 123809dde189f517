"""The one way to the terminal: what a repository contains cannot steer it, whichever command prints it.

Names, docstrings, commit subjects and error messages come from strangers. While a command runs, stdout and stderr stand behind
a stream that replaces control characters, so that no command has to remember to, nor a log line or a warning.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any, TextIO, cast

from repoquarry.server.cli.output import translated
from repoquarry.server.harmless import harmless

_REWRITE = "\r\x1b[K"


class GuardedStream:
    """A text stream that lets only harmless text through; everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with translated("the output"):
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
