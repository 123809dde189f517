"""What people should learn of a store beside the answer they asked for: something was damaged, and what was done about it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

_log = logging.getLogger(__name__)
_TOLD_SECONDS = 24 * 3600.0
"""How long answers carry a notice; the log has it for good."""
_MOST = 20


class Notices:
    """Recent notices; safe to use from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._told: list[tuple[float, str]] = []

    def add(self, text: str) -> None:
        """Log a notice, and let answers carry it for a day."""
        _log.warning("store_notice text=%s", text)
        with self._guard:
            self._told = [*self._told[-_MOST + 1 :], (time.monotonic(), text)]

    def recent(self) -> Sequence[str]:
        """Notices of the last day, oldest first, each once."""
        now = time.monotonic()
        with self._guard:
            return list(dict.fromkeys(text for added, text in self._told if now - added < _TOLD_SECONDS))
