"""Where results go: stdout, or a file that is there only when it is whole; and what it means when neither takes them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from repoquarry.server.errors import refuse


def prepare_streams() -> None:
    """Let stdout and stderr take any text. Raises: RequestError where stdout is closed.

    Python has None for a stream that was closed before it started, and fails on characters that the terminal's encoding lacks.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        raise refuse("OUTPUT_FAILED", "stdout is closed, so that the answer has nowhere to go")
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
        raise refuse("OUTPUT_FAILED", f"{path} cannot be written: {exc.strerror}", path=str(path)) from exc
