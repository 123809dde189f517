"""Values of parsed manifests, which may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def table(value: object) -> Mapping[str, Any]:
    """A table, empty where there is none."""
    return value if isinstance(value, dict) else {}


def beside(path: str, other: str) -> str:
    """The path of a file that a manifest names relative to itself; empty where it leads out of the repository."""
    folders = path.split("/")[:-1]
    for part in other.split("/"):
        if part == ".." and not folders:
            return ""
        if part == "..":
            folders.pop()
        elif part not in ("", "."):
            folders.append(part)
    return "/".join(folders)
