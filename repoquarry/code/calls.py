"""Callers and callees of definitions: direct or by hops, unresolved, external, from other repositories, each with its certainty.

The callers of a name are those of exactly the definitions that it refers to: not of functions inside them, and not of the file that has
the name as well. Calling a class runs its constructor.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from repoquarry.code.reader import CodeReader
from repoquarry.code.records import (
    DefinitionRecord,
    EdgeRecord,
    ExternalCall,
    ExternalName,
    UnresolvedSite,
    join_sites,
    without_files,
)
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.call_views import DECLARED, DISPATCH, POSSIBLE, SURE, view_of
from repoquarry.languages.registry import family_name

_MAX_FRONTIER: Final = 2_000
"""Maximum number of callers per hop that are followed; hubs of the graph would otherwise bring in everything."""


class Certainty(enum.IntEnum):
    """Class of an edge, the most certain first: the views of `call_views`."""

    SURE = 1
    ONE_OF = 2
    DECLARED = 3
    POSSIBLE = 4


_CERTAINTIES: Final = {
    SURE: Certainty.SURE,
    DISPATCH: Certainty.ONE_OF,
    DECLARED: Certainty.DECLARED,
    POSSIBLE: Certainty.POSSIBLE,
}


def classify_edge(how: str, targets: int) -> Certainty:
    """Return the class of an edge by its rule and the number of targets of its site."""
    return _CERTAINTIES[view_of(how, targets)]


@dataclass(frozen=True)
class Neighbor:
    """Definition at the other end of an edge."""

    entity: DefinitionRecord
    lines: tuple[int, ...] = ()
    """Lines of the call sites in the file of the edge's start."""
    count: int = 1
    how: str = ""
    confidence: float = 1.0
    targets: int = 1
    """Targets of the call site."""

    @classmethod
    def from_edge(cls, edge: EdgeRecord, *, is_start: bool) -> Neighbor:
        """Return the start or the end of an edge as a neighbor of its other end."""
        other = edge.start if is_start else edge.end
        return cls(other, edge.lines, edge.count, edge.how, edge.confidence, edge.targets)

    @property
    def certainty(self) -> Certainty:
        return classify_edge(self.how, self.targets)


def merge_neighbors(neighbors: Iterable[Neighbor]) -> list[Neighbor]:
    """Merge the neighbors with one id; the most certain edge says how. By id."""
    merged: dict[str, Neighbor] = {}
    for item in neighbors:
        known = merged.get(item.entity.id)
        if known is not None:
            best = max(known, item, key=lambda one: one.confidence)
            lines, count = join_sites((known.lines, known.count), (item.lines, item.count))
            item = replace(best, lines=lines, count=count)
        merged[item.entity.id] = item
    return [merged[id_] for id_ in sorted(merged)]


@dataclass(frozen=True)
class CallerReport:
    """Callers of all definitions that a name can refer to."""

    edges: tuple[tuple[EdgeRecord, ...], ...]
    """`edges[n]` are the calls n + 1 hops away."""
    possible: tuple[UnresolvedSite, ...]
    """Unresolved calls of the same name: each may or may not reach a target."""
    override_family: tuple[DefinitionRecord, ...] = ()
    """Methods that override a target or are overridden by one: a call of these may reach a target."""
    external: tuple[ExternalCall, ...] = ()
    """Calls of external code, where the name has no definition."""
    cross_repository: tuple[EdgeRecord, ...] = ()
    """Calls from other repositories, which use a target as part of a package."""

    @property
    def direct(self) -> tuple[EdgeRecord, ...]:
        """Calls of the targets themselves, inside their repositories."""
        return self.edges[0] if self.edges else ()


def find_callers(
    reader: CodeReader,
    targets: Sequence[DefinitionRecord],
    repositories: Sequence[str],
    *,
    hops: int = 1,
    callers_in: Sequence[str] = (),
) -> CallerReport:
    """Find the callers of the definitions of one name; a file counts, by itself, where nothing else has the name.

    Unresolved calls are looked up in `repositories`; calls from `callers_in` are reported apart.
    """
    called = _CalledDefinitions(reader, targets)
    return CallerReport(
        _list_hops(reader, called, hops),
        tuple(site for site, _ in reader.possible_calls(called.targets, repositories)),
        tuple(find_override_family(reader, called.targets)),
        cross_repository=called.fold(reader.calls_across(called.ids, callers_in)),
    )


def list_callers(reader: CodeReader, definition: DefinitionRecord) -> list[Neighbor]:
    """List the direct callers of one definition in its repository, by id."""
    called = _CalledDefinitions(reader, [definition])
    return merge_neighbors(Neighbor.from_edge(edge, is_start=True) for edge in reader.calls_to(called.ids))


def list_remote_callers(
    reader: CodeReader, definition: DefinitionRecord, repositories: Sequence[str]
) -> list[Neighbor]:
    """List the direct callers of one definition in other repositories, by id."""
    called = _CalledDefinitions(reader, [definition])
    edges = reader.calls_across(called.ids, [id_ for id_ in repositories if id_ != definition.repository])
    return merge_neighbors(Neighbor.from_edge(edge, is_start=True) for edge in edges)


def list_callees(reader: CodeReader, definition: DefinitionRecord) -> list[Neighbor]:
    """List what a definition itself calls in its repository, by id."""
    return merge_neighbors(Neighbor.from_edge(edge, is_start=False) for edge in reader.calls_from([definition.id]))


class _CalledDefinitions:
    """Definitions whose callers are those of some targets: without files of their name, with the constructors of classes."""

    def __init__(self, reader: CodeReader, targets: Sequence[DefinitionRecord]) -> None:
        self.targets = without_files(targets)
        self._class_by_constructor: Mapping[str, DefinitionRecord] = {
            member.id: item for item in self.targets for member in reader.constructors(item)
        }
        self.ids = list(dict.fromkeys([*(item.id for item in self.targets), *self._class_by_constructor]))

    def fold(self, edges: Iterable[EdgeRecord]) -> tuple[EdgeRecord, ...]:
        """Return a call of a constructor and of its class as one edge, code before tests."""
        folded: dict[tuple[str, str], EdgeRecord] = {}
        for edge in edges:
            target = self._class_by_constructor.get(edge.end.id, edge.end)
            known = folded.get((edge.start.id, target.id))
            if known is not None:
                best = max(known, edge, key=lambda one: one.confidence)
                lines, count = join_sites((known.lines, known.count), (edge.lines, edge.count))
                edge = replace(best, lines=lines, count=count)
            folded[edge.start.id, target.id] = replace(edge, end=target)
        return tuple(sorted(folded.values(), key=_rank_edge))


def _rank_edge(edge: EdgeRecord) -> tuple[bool, int, str]:
    return edge.start.is_test, -edge.count, edge.start.id


def _list_hops(reader: CodeReader, called: _CalledDefinitions, hops: int) -> tuple[tuple[EdgeRecord, ...], ...]:
    """List the calls that reach the targets, hop by hop; every caller appears at its least distance."""
    levels = [called.fold(reader.calls_to(called.ids))]
    seen = set(called.ids)
    while levels[-1] and len(levels) < hops:
        frontier = sorted({edge.start.id for edge in levels[-1]} - seen)[:_MAX_FRONTIER]
        seen.update(edge.start.id for edge in levels[-1])
        further = (edge for edge in reader.calls_to(frontier) if edge.start.id not in seen)
        levels.append(tuple(sorted(further, key=_rank_edge)))
    return tuple(level for level in levels if level)


def find_external_callers(reader: CodeReader, name: str, repositories: Sequence[str]) -> CallerReport:
    """Find the callers of external code by the end of its dotted name. Raises: NotFoundError when nothing calls that name."""
    calls = reader.callers_of_external(name, repositories)
    families = {family_name(call.caller.path) for call in calls}
    possible = tuple(
        site
        for site in reader.unresolved_named([name.rpartition(".")[2]], repositories)
        if not families or family_name(site.caller.path) in families
    )
    if not calls and not possible:
        raise NotFoundError(
            f"nothing called {name!r} is defined or called here; search may find it under another name",
            kind="name",
            value=name,
        )
    return CallerReport((), possible, external=tuple(calls))


def find_override_family(reader: CodeReader, targets: Sequence[DefinitionRecord]) -> list[DefinitionRecord]:
    """Find the methods that override the targets, or that the targets override, at any distance."""
    own = {item.id for item in targets}
    family: dict[str, DefinitionRecord] = {}
    for step, is_upward in ((reader.overriding, False), (reader.overridden, True)):
        frontier = sorted(own)
        while frontier:
            ends = [edge.start if is_upward else edge.end for edge in step(frontier)]
            new = {item.id: item for item in ends if item.id not in family and item.id not in own}
            family.update(new)
            frontier = sorted(new)
    return sorted(family.values(), key=lambda item: item.id)


@dataclass(frozen=True)
class CalleeReport:
    """Calls in all definitions that a name can refer to."""

    edges: tuple[EdgeRecord, ...]
    external: tuple[ExternalName, ...]
    unresolved: tuple[UnresolvedSite, ...]


def find_callees(reader: CodeReader, targets: Sequence[DefinitionRecord]) -> CalleeReport:
    """Find the calls in some definitions; a class or file stands for everything defined in it."""
    ids = [item.id for item in reader.with_members(targets)]
    edges, external = reader.calls_from(ids), reader.external_calls(ids)
    return CalleeReport(tuple(edges), tuple(external), tuple(reader.unresolved_from(ids)))
