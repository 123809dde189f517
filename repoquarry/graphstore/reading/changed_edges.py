"""Calls that a changed definition gains or loses.

The graph has the calls of the indexed side. Calls of the other side are found by name: a definition of that name in the same file, or
the only one in the repository outside tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.neighbors import Neighbor
from repoquarry.graphstore.reading.records import DefinitionRecord

_CALLED: Final = re.compile(r"([^\W\d]\w*)\s*\(")


@dataclass(frozen=True)
class CalledNames:
    """Names that one definition calls, before and after a change; empty on a side without the definition."""

    before: DefinitionRecord | None
    after: DefinitionRecord | None
    names_before: frozenset[str]
    names_after: frozenset[str]


@dataclass(frozen=True)
class ChangedEdge:
    """Call that a definition gained or lost."""

    target: Neighbor
    has_appeared: bool
    is_by_name: bool
    """True on the side that is not indexed: the target has the called name, and its confidence is not known."""


def extract_called_names(lines: Iterable[str]) -> frozenset[str]:
    """Return the names before an opening bracket in some lines."""
    return frozenset(name for line in lines for name in _CALLED.findall(line))


def find_changed_edges(
    reader: CodeReader, repository: str, changed: Sequence[CalledNames], *, is_new_indexed: bool
) -> list[tuple[ChangedEdge, ...]]:
    """Return the calls that each definition gained or lost, by name; calls of unknown targets are skipped."""
    indexed = [item.after if is_new_indexed else item.before for item in changed]
    targets = _find_targets(reader, [record.id for record in indexed if record is not None])
    unresolved = {
        name for item in changed for name in _other_side(item, is_new_indexed=is_new_indexed)
    }  # One query for all definitions.
    named: dict[str, list[DefinitionRecord]] = {}
    for candidate in reader.named(unresolved, [repository]):
        named.setdefault(candidate.name, []).append(candidate)
    found = []
    for item, record in zip(changed, indexed, strict=True):
        own = item.names_after - item.names_before if is_new_indexed else item.names_before - item.names_after
        calls = targets.get(record.id, {}) if record is not None else {}
        edges = [ChangedEdge(calls[name], is_new_indexed, is_by_name=False) for name in sorted(own & calls.keys())]
        for name in sorted(_other_side(item, is_new_indexed=is_new_indexed)):
            target = _choose_target(item, named.get(name, ()))
            if target is not None:
                edges.append(ChangedEdge(Neighbor(target), not is_new_indexed, is_by_name=True))
        found.append(tuple(edges))
    return found


def _other_side(item: CalledNames, *, is_new_indexed: bool) -> frozenset[str]:
    """Return the names that only the side outside the index calls."""
    return item.names_before - item.names_after if is_new_indexed else item.names_after - item.names_before


def _find_targets(reader: CodeReader, ids: Sequence[str]) -> Mapping[str, Mapping[str, Neighbor]]:
    """Return the most confident target of each called name by caller."""
    found: dict[str, dict[str, Neighbor]] = {}
    for edge in reader.calls_from(ids):
        name, target = edge.end.constructed.rpartition(".")[2], Neighbor.from_edge(edge, is_start=False)
        known = found.setdefault(edge.start.id, {}).get(name)
        if known is None or target.confidence > known.confidence:
            found[edge.start.id][name] = target
    return found


def _choose_target(item: CalledNames, candidates: Sequence[DefinitionRecord]) -> DefinitionRecord | None:
    own = item.after or item.before
    others = [record for record in candidates if own is None or record.id != own.id]
    near = [record for record in others if own is not None and record.path == own.path]
    code = near or [record for record in others if not record.is_test]
    return code[0] if len(code) == 1 else None
