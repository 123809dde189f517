"""Reading a file of a repository that may be anything: a link that leads elsewhere, or of any size."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_BYTES: Final = 256 * 1024


def head(path: Path) -> str:
    """Text of the beginning of a file; empty when it is none, or a link."""
    if not path.is_file() or path.is_symlink():
        return ""
    with path.open("rb") as file:
        return file.read(_BYTES).decode("utf-8", errors="replace")
