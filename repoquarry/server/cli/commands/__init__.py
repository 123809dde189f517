"""Table of commands and their modules, which are imported on first use, and the command `version`, which has no module.

The function of a command is `<name>_command` in its module.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from repoquarry.server.text_format import read_table


class CommandEntry(NamedTuple):
    """Command that is not loaded yet, a row of `tables/commands.tsv`."""

    module: str
    example: str
    """Arguments of one typical call."""
    summary: str


GROUPS: dict[str, dict[str, CommandEntry]] = {}
"""Commands by subject, in the order of the help."""
for _group, _name, *_entry in read_table("commands"):
    GROUPS.setdefault(_group, {})[_name] = CommandEntry(*_entry)

COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}


def load(name: str) -> Callable[..., Any]:
    """Import the function of a command."""
    function: Callable[..., Any] = getattr(import_module(COMMANDS[name].module, __name__), f"{name}_command")
    return function


def version_command() -> None:
    """Print the version."""
    from importlib.metadata import PackageNotFoundError, version  # Lazy import: loads the parsers of e-mail.

    try:
        print(version("repoquarry"))
    except PackageNotFoundError:
        print("not installed (running from a source tree)")
