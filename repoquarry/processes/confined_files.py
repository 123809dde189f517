"""Files below a folder that others may change, opened without following links."""

from __future__ import annotations

import os
from pathlib import Path


def open_beneath(root: Path, path: str, flags: int = 0) -> int:
    """Open a file or folder beneath `root` for reading without following links; return its descriptor. Raises: OSError."""
    *folders, name = path.split("/")
    common = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    current = os.open(root, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        for folder in folders:
            below = os.open(folder, common | os.O_DIRECTORY, dir_fd=current)
            os.close(current)
            current = below
        return os.open(name or ".", common | os.O_NONBLOCK | flags, dir_fd=current)
    finally:
        os.close(current)
