"""What is asked of a provisioning, whatever the language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True)
class Request:
    """What is to be provisioned."""

    tree: Path
    """The repository's files, in the workspace; its builds write in it."""
    workspace: Path
    """Folder that the commands may write in."""
    date: datetime | None = None
    """Date of the commit."""
    tests: bool = False
    """Whether what the repository's own tests need is installed too."""
    layer: str = ".venv"
    """Folder of the workspace's own environment of Python."""
    language: str = ""
    """One of the table in `registry.py`; empty lets the manifests decide."""
