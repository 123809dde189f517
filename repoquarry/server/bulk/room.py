"""The memory in which repositories are indexed side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import psutil

_FIRST_GUESS = 400 * 1024 * 1024
"""Memory that a repository is expected to take before any was measured, in bytes."""


class Room:
    """What workers may take together, and what they took. `most_bytes`: 0 means three quarters of what the machine has free."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes or psutil.virtual_memory().available * 3 // 4
        self._largest = _FIRST_GUESS
        self.peak = 0
        """Highest resident memory of this process and all workers together."""

    def note(self, peak_memory_bytes: int) -> None:
        """Expect of the next repositories what one took."""
        self._largest = max(self._largest, peak_memory_bytes)

    def fits_another(self, running: Collection[int], used: Mapping[int, int]) -> bool:
        """Whether one more repository is likely to fit beside those that run; `used` is what each takes now."""
        expected = sum(max(used.get(place, 0), self._largest) for place in running)
        return expected + self._largest <= self._most

    def is_exceeded(self, used: Mapping[int, int]) -> bool:
        """Whether all together take more than they may."""
        taken = sum(used.values())
        self.peak = max(self.peak, psutil.Process().memory_info().rss + taken)
        return taken > self._most
