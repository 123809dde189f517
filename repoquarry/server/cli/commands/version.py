"""`version`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def version_command() -> None:
    """Print the version."""
    try:
        print(version("repoquarry"))
    except PackageNotFoundError:
        print("not installed (running from a source tree)")
