"""What is said between the process that works through a list and the places where the work is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import Reach, Source

RESULT = "store"
"""Folder of the result inside an order's folder."""


@dataclass(frozen=True)
class Order:
    """One repository to index."""

    source: Source
    repository: str
    target: StoreSettings
    """The store that it is for; only read."""
    folder: Path
    """Where the result goes: a store of its own, made anew."""
    settings: IngestSettings
    reach: Reach


@dataclass(frozen=True)
class Told:
    """Where the work stands."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True)
class Ended:
    """How the work ended; `reason` is empty when there is a result."""

    reason: str = ""
    message: str = ""
    unchanged: bool = False
    files: int = 0
    lines: int = 0
    peak_memory_bytes: int = 0
    cpu_seconds: float = 0.0
    """Of its process and of those that it started and that have ended."""
