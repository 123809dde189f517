"""Callers of a definition grouped by file, folder or repository, and the call sites in some lines of a file with their targets."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from repoquarry.code.calls import Certainty, Neighbor
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, ExternalName, UnresolvedSite
from repoquarry.graphstore.model.call_views import ADDED, POSSIBLE, site_confidence

MAX_CALLERS: Final = 60
"""Maximum number of callers outside tests that are grouped by file."""
_MAX_FOLDERS: Final = 40
"""Maximum number of groups by folder; deeper folders are joined."""
_MAX_FOLDED_NAMES: Final = 5
_FOLDED_RULES: Final = (*ADDED, POSSIBLE)
"""Rules of targets that are folded where they are alike."""
_UNKNOWN_COLUMN: Final = (-1, -1)
_NAME: Final = re.compile(r"[\w$@]+[?!]?")
TESTS_KEY: Final = "tests"
"""Key of the group of tests; keys of folders end in a slash."""


@dataclass(frozen=True)
class EdgeFilter:
    """Filter of calls; the targets of a set have their confidence together (`site_confidence`)."""

    min_confidence: float = 0.0
    hidden: frozenset[Certainty] = frozenset()

    def has(self, neighbor: Neighbor) -> bool:
        confidence = site_confidence(neighbor.how, neighbor.targets, neighbor.confidence)
        return confidence >= self.min_confidence and neighbor.certainty not in self.hidden


class GroupKind(enum.IntEnum):
    """Common property of the neighbors in a group."""

    FILE = 1
    FOLDER = 2
    TESTS = 3
    REPOSITORY = 4


@dataclass(frozen=True)
class NeighborGroup:
    """Neighbors with a common file, folder or repository."""

    key: str
    kind: GroupKind
    neighbors: tuple[Neighbor, ...]
    """By path and line."""

    @property
    def sites(self) -> int:
        return sum(neighbor.count for neighbor in self.neighbors)


def group_neighbors(neighbors: Sequence[Neighbor], max_rows: int) -> list[NeighborGroup]:
    """Group neighbors by file, or by folder when more than `max_rows` are outside tests; tests are one group, the last."""
    code = [item for item in neighbors if not item.entity.is_test]
    tests = [item for item in neighbors if item.entity.is_test]
    if len(code) <= max_rows:
        groups = _group_by(code, GroupKind.FILE, lambda item: item.path)
    else:
        depth = _choose_depth([item.entity.path for item in code])
        groups = _group_by(code, GroupKind.FOLDER, lambda item: _folder_of(item.path, depth))
    return groups + _group_by(tests, GroupKind.TESTS, lambda _: TESTS_KEY)


def group_by_repository(neighbors: Sequence[Neighbor]) -> list[NeighborGroup]:
    return _group_by(neighbors, GroupKind.REPOSITORY, lambda item: item.repository)


def _group_by(
    neighbors: Iterable[Neighbor], kind: GroupKind, key_of: Callable[[DefinitionRecord], str]
) -> list[NeighborGroup]:
    found: dict[str, list[Neighbor]] = {}
    for item in neighbors:
        found.setdefault(key_of(item.entity), []).append(item)
    groups = [NeighborGroup(key, kind, tuple(sorted(items, key=_place))) for key, items in found.items()]
    return sorted(groups, key=lambda group: (-len(group.neighbors), group.key))


def _place(neighbor: Neighbor) -> tuple[str, int, str]:
    """By path, first call site and id."""
    item = neighbor.entity
    return item.path, min(neighbor.lines, default=item.start_line), item.id


def _folder_of(path: str, depth: int) -> str:
    folders = path.split("/")[:-1][:depth]
    return "/".join(folders) + "/" if folders else "./"


def _choose_depth(paths: Sequence[str]) -> int:
    """Return the greatest depth of folders that makes at most `_MAX_FOLDERS` groups."""
    deepest = max((path.count("/") for path in paths), default=0)
    depths = range(deepest, 1, -1)
    return next((depth for depth in depths if len({_folder_of(path, depth) for path in paths}) <= _MAX_FOLDERS), 1)


@dataclass(frozen=True)
class FoldedTargets:
    """Targets of one call that are counted only."""

    count: int
    confidence: float
    """Sum of the confidences, at most 1."""
    names: tuple[str, ...]


@dataclass(frozen=True)
class CallSite:
    """One call in the source with its possible targets."""

    line: int
    column: int
    """First character of the called name, 0-based; -1 where the name is not on the line."""
    end_column: int
    targets: tuple[Neighbor, ...] = ()
    folded: FoldedTargets | None = None
    unresolved_name: str = ""
    unresolved_reason: str = ""


@dataclass
class _OpenSite:
    """Call site whose targets are being collected."""

    targets: dict[str, Neighbor] = field(default_factory=dict)
    unresolved: UnresolvedSite | None = None


def find_call_sites(
    reader: CodeReader, callers: Sequence[DefinitionRecord], lines: Sequence[str], shown: EdgeFilter, max_targets: int
) -> list[CallSite]:
    """Find the calls in some definitions of one file, by line and column; more than `max_targets` of one site are folded."""
    ids = [item.id for item in callers]
    sites: dict[tuple[int, int, int], _OpenSite] = {}
    for edge in reader.calls_from(ids):
        neighbor = Neighbor.from_edge(edge, is_start=False)
        name = edge.end.constructed.rpartition(".")[2]
        for line in edge.lines if shown.has(neighbor) else ():
            site = sites.setdefault((line, *_find_name(lines, line, name)), _OpenSite())
            site.targets[edge.end.id] = neighbor
    for unresolved in reader.unresolved_from(ids):
        for line in unresolved.lines:
            sites.setdefault((line, *_find_name(lines, line, unresolved.name)), _OpenSite()).unresolved = unresolved
    return [_close_site(place, sites[place], max_targets) for place in sorted(sites)]


def list_external_calls(reader: CodeReader, callers: Sequence[DefinitionRecord]) -> list[ExternalName]:
    """List the calls of some definitions to built-ins and external code, by name."""
    return sorted(reader.external_calls([item.id for item in callers]), key=lambda item: (item.qualname, item.lines))


def external_sites(external: Iterable[ExternalName], lines: Sequence[str]) -> list[CallSite]:
    """Return the call sites of external code; an external target has a qualified name and no id."""
    found = []
    for item in external:
        name = item.qualname.rpartition(".")[2]
        target = Neighbor(
            DefinitionRecord("", "External", "", "", item.qualname, name, "", 0, 0), item.lines, item.count
        )
        found += [CallSite(line, *_find_name(lines, line, name), targets=(target,)) for line in item.lines]
    return found


def _find_name(lines: Sequence[str], line: int, name: str) -> tuple[int, int]:
    """Return the columns of a name on a line, preferring one that is called."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    words = [match for match in _NAME.finditer(text) if match[0] == name]
    called = (match for match in words if text[match.end() :].lstrip().startswith("("))
    match = next(called, words[0] if words else None)
    return match.span() if match else _UNKNOWN_COLUMN


def _close_site(place: tuple[int, int, int], site: _OpenSite, max_targets: int) -> CallSite:
    targets = sorted(site.targets.values(), key=lambda item: (item.certainty, -item.confidence, item.entity.id))
    alike = Counter(_override_key(item) for item in targets if item.how in _FOLDED_RULES)
    overrides = [item for item in targets if item.how in _FOLDED_RULES and alike[_override_key(item)] > 1]
    listed = [item for item in targets if item not in overrides]
    folded = [*listed[max_targets:], *overrides]
    reason = (site.unresolved.name, site.unresolved.reason) if site.unresolved else ("", "")
    return CallSite(*place, tuple(listed[:max_targets]), _fold(folded) if folded else None, *reason)


def _override_key(neighbor: Neighbor) -> tuple[str, float]:
    """Equal overrides have one name and one confidence."""
    return neighbor.entity.name, neighbor.confidence


def _fold(targets: Sequence[Neighbor]) -> FoldedTargets:
    names = tuple(item.entity.title for item in targets[:_MAX_FOLDED_NAMES])
    return FoldedTargets(len(targets), min(1.0, sum(item.confidence for item in targets)), names)
