"""Output of commands: replaces control characters on stdout and stderr, writes files atomically, and translates write errors.

Names, docstrings, commit subjects and error messages are untrusted. While a command runs, stdout and stderr replace control
characters, so that commands, log lines and warnings need not.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from repoquarry.server.errors import request_error
from repoquarry.server.text_format import escape_controls, format_basis, format_tables

if TYPE_CHECKING:
    from repoquarry.operations.render import Table
    from repoquarry.v1.basis_pb2 import AnswerBasis


def prepare_streams() -> None:
    """Make stdout and stderr accept any text. Raises: RequestError when stdout is closed.

    Python sets a closed stream to None, and fails on characters that the encoding of the terminal lacks.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process exits
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        raise request_error("OUTPUT_FAILED", "stdout is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drop_stdout() -> None:
    """Discard further output to stdout; otherwise the interpreter flushes it again at exit, with an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def opened(output: Path | None, *, newline: str | None = None) -> Iterator[TextIO]:
    """Open stdout, or a file that is replaced atomically and confirmed; devices and pipes are written directly.

    Raises: RequestError.
    """
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
                confirm_file(output)
        finally:
            if not in_place:
                part.unlink(missing_ok=True)


def confirm_file(output: Path) -> None:
    """Print the path and size of a written file to stderr."""
    print(f"{output}: {output.stat().st_size:,} bytes", file=sys.stderr)


@contextmanager
def translated(path: Path | str) -> Iterator[None]:
    """Translate write errors of a file or stream. Raises: RequestError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise request_error("OUTPUT_FAILED", f"{path} cannot be written: {exc.strerror}", path=str(path)) from exc


AMBIGUOUS_EXIT_CODE = 10
"""Exit code where a name fits several things and the candidates are listed."""
_REWRITE = "\r\x1b[K"


class GuardedStream:
    """Text stream that replaces control characters; other attributes are those of the wrapped stream."""

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
        self._stream.write(_REWRITE + escape_controls(text))
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def print_source(text: str, path: str) -> None:
    """Print source; a terminal gets it with the colors of its language, by the suffix of `path`."""
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        print(text)
        return
    from rich.console import Console
    from rich.syntax import Syntax

    harmless = escape_controls(text)
    raw = getattr(sys.stdout, "_stream", sys.stdout)  # The guard would replace the colors, which are ours.
    Console(file=raw).print(
        Syntax(harmless, Syntax.guess_lexer(path, harmless), theme="ansi_dark", background_color="default")
    )


def print_tables(tables: Iterable[Table], basis: AnswerBasis) -> None:
    """Print the tables of an answer, and what it is based on."""
    print("\n\n".join(filter(None, (format_tables(tables), "\n".join(format_basis(basis))))))


def rewrite_line(text: str) -> None:
    """Replace the current line of stderr on a terminal, which a longer text would leave; the only control sequences."""
    text = text[: shutil.get_terminal_size().columns - 1]
    stream = sys.stderr
    (stream if isinstance(stream, GuardedStream) else GuardedStream(stream)).rewrite(text)


@contextmanager
def guarded_output() -> Iterator[None]:
    """Guard stdout and stderr, as a block or a decorator; a nested guard has no effect."""
    with contextlib.redirect_stdout(_guarded(sys.stdout)), contextlib.redirect_stderr(_guarded(sys.stderr)):
        yield


def _guarded(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, GuardedStream) else cast("TextIO", GuardedStream(stream))
