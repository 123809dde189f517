"""A provisioned environment as commands see it: mounted read-only, its programs first on their path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Environment:
    """What a command gets besides its workspace. All paths are absolute, without symbolic links, and the same inside."""

    root: Path
    """Folder of the environment."""

    readable: tuple[Path, ...] = ()
    """Further folders that it needs, such as that of its interpreter."""

    programs: tuple[Path, ...] = ()
    """Folders with its programs, first on PATH in this order."""

    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables, such as `VIRTUAL_ENV`."""
