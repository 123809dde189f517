"""The outside world that languages bring as sources: read by their own extractors, and taken out of the result again.

Definitions of a stub become externals by their full name; what stubs themselves call, import or inherit is nobody's concern.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from repoquarry.ingest.resolution.calls import Calls, in_order, renumbered
from repoquarry.ingest.resolution.model import Resolution
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import is_source, language_for

#: begins the paths of stubs, which no path of a repository does
PREFIX = "/"


Edge = TypeVar("Edge", bound=msgspec.Struct)


@cache
def stubs_of(folder: str) -> tuple[FileFacts, ...]:
    """Facts of the sources below a folder, in path order; their paths begin with a slash and are relative to it."""
    root = Path(folder)
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return tuple(
        language_for(path).extract(PREFIX + path, (root / path).read_bytes()) for path in paths if is_source(path)
    )


def without_stubs(found: Resolution, program: Sequence[FileFacts], files: int) -> Resolution:
    """The resolution of the first `files` files of a program; the others are stubs."""
    own = sum(1 + len(facts.definitions) for facts in program[:files])
    names = _names(found, program, files)
    externals = {name: number for number, name in enumerate(found.externals)}

    def moved(target: int) -> int:
        return target if target < own else ~externals.setdefault(names[target - own], len(externals))

    def kept(edges: Iterable[Edge], source: str, target: str) -> list[Edge]:
        return [_with(edge, target, moved) for edge in edges if getattr(edge, source) < own]

    return Resolution(
        symbols=found.symbols[:own],
        modules=found.modules[:files],
        imports=kept(found.imports, "source", "target"),
        calls=_calls(found.calls, own, moved),
        unresolved=[
            msgspec.structs.replace(one, candidates=tuple(target for target in one.candidates if target < own))
            for one in found.unresolved
            if one.caller < own
        ],
        inherits=kept(found.inherits, "cls", "base"),
        overrides=[one for one in found.overrides if one.method < own and one.overridden < own],
        references=kept(found.references, "source", "target"),
        exports=kept(found.exports, "module", "target"),
        entry_points=[one for one in found.entry_points if one.target < own],
        budget_hit=found.budget_hit,
        externals=list(externals),
    )


def _calls(found: Calls, own: int, moved: Callable[[int], int]) -> Calls:
    rows = np.flatnonzero(found.callers < own)
    callers, callees = found.callers[rows], found.callees[rows]
    kept = found.chosen(rows, callers, callees)
    return in_order(kept, callers, renumbered(callees, callees >= own, moved))


def _with(edge: Edge, field: str, change: Callable[[int], int]) -> Edge:
    changes = {field: change(getattr(edge, field))}
    return msgspec.structs.replace(edge, **changes)


def _names(found: Resolution, program: Sequence[FileFacts], files: int) -> list[str]:
    """Full names of the symbols of stubs."""
    names: list[str] = []
    for info, facts in zip(found.modules[files:], program[files:], strict=True):
        names.append(info.name)
        names += [f"{info.name}.{one.qualname}" if info.name else one.qualname for one in facts.definitions]
    return names
