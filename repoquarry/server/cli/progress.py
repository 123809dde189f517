"""Progress on stderr: one line that is rewritten on a terminal, a line for each stage elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from repoquarry.server.cli.printing import rewrite_line

if TYPE_CHECKING:
    from repoquarry.v1.index_service_pb2 import IndexProgress

_EVERY_SECONDS = 2.0


class ProgressLine:
    """Shows the progress of one job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._terminal = sys.stderr.isatty()
        self._stage = ""
        self._shown = 0.0

    def show(self, progress: IndexProgress) -> None:
        text = f"{self._name}: {progress.stage}"
        if progress.total:
            text += f" {progress.done}/{progress.total} {progress.unit}"
        elif progress.done:
            text += f" {progress.done} {progress.unit}"
        if progress.rate_per_second and progress.done:
            text += f" ({progress.rate_per_second:,.0f} {progress.unit}/s)"
        now = time.monotonic()
        if self._terminal:
            rewrite_line(text)
        elif progress.stage != self._stage or now - self._shown >= _EVERY_SECONDS:
            self.say(text)
            self._shown = now
        self._stage = progress.stage

    def close(self) -> None:
        """Clear the line."""
        if self._terminal:
            rewrite_line("")

    def say(self, text: str) -> None:
        """A line of its own."""
        print(text, file=sys.stderr, flush=True)
