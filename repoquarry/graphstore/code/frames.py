"""Reads stack traces, as the runtimes of several languages print them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_WIDEST: Final = 1_000
"""Characters of a line that are read: the expressions below take the square of it."""

PYTHON_FRAME: Final = re.compile(r"""File ["']([^"'\n]+)["'], line (\d+)(?:, in ([\w<>.]+))?""")
CALL_FRAME: Final = re.compile(
    r"^[ \t]*at[ \t]+(?:async |new )?([\w$.<>/]{1,200})?[ \t]*\(?([^\s()]{1,300}?\.\w{1,9}):(\d+)(?::\d+)?\)?",
    re.MULTILINE,
)
_PLAIN_FRAME: Final = re.compile(r"^[ \t]*([\w./\\-]{1,300}\.\w{1,5}):(\d+):(?:\d+:)?\s*(?:in )?(\w+)?", re.MULTILINE)


@dataclass(frozen=True)
class Frame:
    """A line of a stack trace. `depth` counts from 0 for the frame nearest to the failure."""

    path: str
    line: int
    """1-based."""

    function: str
    depth: int


def frames(text: str) -> Iterator[Frame]:
    """Frames of all traces, nearest to the failure first; Python names the failing one last, most other runtimes first."""
    clipped = "\n".join(line[:_WIDEST] for line in text.split("\n"))
    python = [(match.group(1), int(match.group(2)), match.group(3) or "") for match in PYTHON_FRAME.finditer(clipped)]
    for depth, (path, line, function) in enumerate(reversed(python)):
        yield Frame(path.replace("\\", "/"), line, function, depth)
    others = [(match.group(2), int(match.group(3)), match.group(1) or "") for match in CALL_FRAME.finditer(clipped)]
    others += [(match.group(1), int(match.group(2)), match.group(3) or "") for match in _PLAIN_FRAME.finditer(clipped)]
    for depth, (path, line, function) in enumerate(others):
        yield Frame(path.replace("\\", "/"), line, re.split(r"[./#]", function)[-1], depth)
