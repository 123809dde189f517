"""A task's memory that kills the task."""

from __future__ import annotations


class KillingCheckpointStore:
    """Keeps the checkpoint, and kills the task when it has been saved so many times."""

    def __init__(self, kill_at: int = 0) -> None:
        self.data: bytes | None = None
        self.saves = 0
        self.kill_at = kill_at

    def load(self) -> bytes | None:
        return self.data

    def save(self, data: bytes) -> None:
        self.data = data
        self.saves += 1
        if self.saves == self.kill_at:
            raise KeyboardInterrupt
