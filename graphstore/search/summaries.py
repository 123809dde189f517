"""One line on what a module is for, made without a model: what it says of itself, what it defines, its role in the graph.

Called by ingestion for the property `summary`, so that context, search and the command line show the same line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_MOST: Final = 200
"""Characters of a summary."""
_NAMED: Final = 4
"""Definitions that are named."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True)
class ModuleSketch:
    """What a summary is made from."""

    docstring: str
    definitions: Sequence[str]
    """Names of its public classes and functions, most important first."""
    importers: int
    """Modules of the repository that import it."""
    entry_points: Sequence[str] = ()
    """How it is reached from outside, such as `main` or `route: /x`."""
    is_test: bool = False


def summarise(module: ModuleSketch) -> str:
    """Return one line of at most 200 characters; empty when nothing can be said."""
    said = _first_sentence(module.docstring)
    parts = [said.rstrip(".")] if said else []
    named = [name for name in module.definitions[:_NAMED] if not re.search(rf"\b{re.escape(name)}\b", said)]
    if named:
        more = len(module.definitions) - _NAMED
        parts.append(f"defines {', '.join(named)}{f' and {more} more' if more > 0 else ''}")
    role = _role(module)
    if role:
        parts.append(role)
    line = "; ".join(parts)
    return line if len(line) <= _MOST else line[: _MOST - 1].rstrip() + "…"


def _first_sentence(docstring: str) -> str:
    paragraph = docstring.strip().split("\n\n", 1)[0]
    return _SENTENCE.split(" ".join(paragraph.split()), maxsplit=1)[0]


def _role(module: ModuleSketch) -> str:
    if module.is_test:
        return "test"
    if module.entry_points:
        return f"entry point ({', '.join(module.entry_points[:2])})"
    return f"imported by {module.importers} module{'s' if module.importers != 1 else ''}" if module.importers else ""
