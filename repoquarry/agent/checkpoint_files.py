"""Deletion of checkpoint files, without loading the graph."""

from __future__ import annotations

from pathlib import Path


def delete_checkpoints(path: Path) -> None:
    """Delete the file of a task's checkpoints with its journals."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
