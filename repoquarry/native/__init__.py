"""Loader of the C++ libraries for call resolution and tokenization (ctypes), and copying of memory that they return."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

_ENDINGS = {"win32": "dll", "darwin": "dylib"}


def load_library(folder: Path, what: str, version_of: str, version: int, error: type[Exception]) -> ctypes.CDLL:
    """Load the library in a folder; `version_of` is its function that returns the version, `what` its name in errors.

    Raises: `error` if the library is missing or has another version.
    """
    path = folder / f"_kernel.{_ENDINGS.get(sys.platform, 'so')}"
    try:
        found = ctypes.CDLL(str(path))
    except OSError as exc:
        raise error(f"{what} {path} cannot be loaded ({exc}); build it with scripts/build_native.py") from exc
    given = getattr(found, version_of)()
    if given != version:
        raise error(f"{what} {path} is of version {given}, not {version}; rebuild it")
    return found


def copy_bytes(address: int | None, size: int) -> bytes:
    """Copy bytes from a library."""
    return ctypes.string_at(address, size) if address and size else b""
