"""Who uses what of whom: the repositories of a store by what they offer and what they use from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from repoquarry.graphstore.folder.sources import SourceStore
from repoquarry.graphstore.pending import PendingRevision
from repoquarry.ingest.graph.offers import (
    DECLARED,
    NAMES,
    OUTSIDE,
    OUTSIDE_TOPS,
    TOPS,
    declared_in,
    decoded,
    unpacked,
    used,
)
from repoquarry.ingest.graph.tables import Place
from repoquarry.ingest.graph.versions import Declared, choose


@dataclass(frozen=True)
class Side:
    """What a repository can be linked by."""

    repository: str
    names: Mapping[str, tuple[str, str]]
    """Label and id by dotted name of what it offers."""
    outside: Mapping[str, Sequence[tuple[str, str]]]
    """Id and dotted name by package of what it uses from outside."""
    declared: Declared

    @classmethod
    def pending(cls, pending: PendingRevision) -> Side:
        """By what an unpublished snapshot keeps."""
        return cls(
            pending.repository,
            unpacked(pending.kept(NAMES), dict[str, tuple[str, str]]),
            used(pending.kept(OUTSIDE)),
            declared_in(pending.kept(DECLARED)),
        )


@dataclass(frozen=True)
class Meeting:
    """A top-level name that a repository uses from outside, and who offers it."""

    user: str
    top: str
    offering: Sequence[str]
    chosen: str | None


class Neighbours:
    """What the repositories of a store, one of them in a state that is not published yet, offer each other."""

    def __init__(self, mine: Side, sources: SourceStore, others: Iterable[str], former: Set[str] = frozenset()) -> None:
        """`former`: top-level names that the repository offered and offers no more, so that who used them may mean another."""
        self._mine, self._sources = mine, sources
        self._names = {mine.repository: mine.names}
        self._declared = {mine.repository: mine.declared}
        self._outside = {mine.repository: mine.outside}
        self._others = sorted(set(others) - {mine.repository})
        self._offering: dict[str, list[str]] = {}
        for other in self._others:
            for top in decoded(sources.artifact(other, TOPS)):
                self._offering.setdefault(top, []).append(other)
        self._own = sorted({name.split(".", 1)[0] for name in mine.names})
        for top in self._own:
            self._offering.setdefault(top, []).append(mine.repository)
        self._watched = {*self._own, *(former & self._offering.keys())}

    def meetings(self) -> Iterator[Meeting]:
        """Where the repository uses what others offer, and others what it offers. Who offers a name himself uses no other's."""
        yield from self._of(self._mine.repository, sorted(self._mine.outside.keys() & self._offering.keys()))
        for other in self._others if self._watched else ():
            used = self._watched.intersection(decoded(self._sources.artifact(other, OUTSIDE_TOPS)))
            yield from self._of(other, sorted(used))

    def pairs(self, meeting: Meeting, library: str) -> list[tuple[str, Place]]:
        """What the user of a name takes from a library that offers it."""
        if library not in self._names:
            data = self._sources.artifact(library, NAMES)
            self._names[library] = unpacked(data, dict[str, tuple[str, str]])
        return self.pairs_of(meeting, self._names[library])

    def pairs_of(self, meeting: Meeting, names: Mapping[str, tuple[str, str]]) -> list[tuple[str, Place]]:
        """What the user of a name takes from what is offered under these."""
        if meeting.user not in self._outside:
            self._outside[meeting.user] = used(self._sources.artifact(meeting.user, OUTSIDE))
        return _joined(self._outside[meeting.user], {meeting.top}, names)

    def _of(self, user: str, tops: Iterable[str]) -> Iterator[Meeting]:
        for top in tops:
            offering = self._offering[top]
            if user not in offering:
                chosen = choose({name: self._said(name) for name in offering}, self._said(user))
                yield Meeting(user, top, offering, chosen)

    def _said(self, repository: str) -> Declared:
        if repository not in self._declared:
            self._declared[repository] = declared_in(self._sources.artifact(repository, DECLARED))
        return self._declared[repository]


def _joined(
    outside: Mapping[str, Sequence[tuple[str, str]]], packages: Set[str], names: Mapping[str, tuple[str, str]]
) -> list[tuple[str, Place]]:
    """What is used from outside by what is offered under the same dotted name."""
    return [
        (node, Place(*names[dotted]))
        for package in sorted(packages)
        for node, dotted in outside.get(package, ())
        if dotted in names
    ]
