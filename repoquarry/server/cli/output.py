"""Guarded output to terminal and files.

Names, docstrings, commit subjects and error messages come from strangers. While a command runs, stdout and stderr stand behind
a stream that replaces control characters, so that no command has to remember to, nor a log line or a warning.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from repoquarry.server.errors import request_error
from repoquarry.server.text_format import escape_controls


def prepare_streams() -> None:
    """Let stdout and stderr take any text. Raises: RequestError where stdout is closed.

    Python has None for a stream that was closed before it started, and fails on characters that the terminal's encoding lacks.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        raise request_error("OUTPUT_FAILED", "stdout is closed, so that the answer has nowhere to go")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drop_stdout() -> None:
    """Nothing more is written there: otherwise the interpreter tries it again, and complains, at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def opened(output: Path | None, *, newline: str | None = None) -> Iterator[TextIO]:
    """Stdout, or a file that appears when it is whole; a device or a pipe is written as it stands. Raises: RequestError."""
    if output is None:
        yield sys.stdout
        return
    in_place = output.exists() and not output.is_file()
    part = output if in_place else output.with_name(output.name + ".part")
    with translated(output):
        try:
            with part.open("w", encoding="utf-8", newline=newline, errors="surrogatepass") as target:
                yield target
            if not in_place:
                part.replace(output)
        finally:
            if not in_place:
                part.unlink(missing_ok=True)


@contextmanager
def translated(path: Path | str) -> Iterator[None]:
    """Raises: RequestError where a file or stream cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise request_error("OUTPUT_FAILED", f"{path} cannot be written: {exc.strerror}", path=str(path)) from exc


_REWRITE = "\r\x1b[K"


class GuardedStream:
    """A text stream that lets only harmless text through; everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with translated("the output"):
            self._stream.write(escape_controls(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def rewrite(self, text: str) -> None:
        """Clear the line that the cursor is on, and write it anew."""
        self._stream.write(_REWRITE + escape_controls(text))
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


def guard_command(function: Callable[..., Any]) -> Callable[..., Any]:
    """A command whose output is guarded while it runs; its help, which is ours alone, keeps its colours."""

    @functools.wraps(function)
    def wrapper(*arguments: Any, **options: Any) -> Any:
        with guarded_output():
            return function(*arguments, **options)

    return wrapper


def _guarded(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, GuardedStream) else cast("TextIO", GuardedStream(stream))
