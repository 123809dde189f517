"""What joins one repository to another: names outside one repository that are defined in another.

Each indexed repository keeps the dotted names that it offers beside its texts: its modules, what they define at the top, the
methods of those classes, and what packages re-export. When a repository is indexed, its external names are looked up in those of
the others, and theirs in its own, so that the order of indexing does not matter. A link is made only if the whole dotted name is
offered by a repository that declares a package: nothing is joined by its last part. Where several offer a top-level name they have to be
versions of one library, and one of them is chosen for each user (`versions.py`); links to others are then moved, wherever they are kept.

Links are no part of a repository's revision, since they follow from which other repositories happen to be indexed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeVar

import msgspec

from repoquarry.graphstore.folder.compression import compress, decompress
from repoquarry.graphstore.folder.sources import SourceStore
from repoquarry.graphstore.model.records import RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.pending import PendingRevision
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.ids import code_id
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Place
from repoquarry.ingest.graph.versions import Declared, choose
from repoquarry.languages.registry import load

_V = TypeVar("_V")
_NAMES, _TOPS, _OUTSIDE, _OUTSIDE_TOPS = "names", "top-level names", "external names", "external top-level names"
_DECLARED, _MOVED = "declared packages", "moved links"
"""The second says that links may have come and gone that what is kept of the written graph does not know of."""
_RE_EXPORTS = 5
"""Packages that re-export what other packages re-export are followed this many steps."""
_LINKED = RELATIONSHIP_TYPES["PROVIDES"].end


@dataclass(frozen=True)
class Offer:
    """The dotted names under which others can reach what a repository defines."""

    names: Mapping[str, Place]
    declared: Declared
    """What chooses between it and other versions, and between versions of what it uses."""

    @property
    def tops(self) -> list[str]:
        return sorted({name.split(".", 1)[0] for name in self.names})

    @classmethod
    def of(cls, parts: Parts) -> Offer:
        """What a repository offers; nothing when it declares no package."""
        if not parts.packages.provides:
            return cls({}, Declared.of(parts))
        repository, resolution = parts.origin.repository, parts.resolution
        private = {facts.path: load(facts.language).private_modules for facts in parts.files}
        dotted = {
            module.path: module.name
            for module in resolution.modules
            if module.name and module.name.split(".", 1)[0] not in private.get(module.path, ())
        }
        names: dict[str, Place] = {}
        kinds: dict[tuple[str, str], str] = {}
        for facts in parts.files:
            module = dotted.get(facts.path)
            kinds[facts.path, ""] = "Module"
            classes = {""}
            for definition in facts.definitions:
                label = "Class" if definition.kind == "class" else "Function"
                kinds[facts.path, definition.key] = label
                if module is None or definition.parent not in classes or facts.path in parts.scores.tests:
                    continue
                if label == "Class":
                    classes.add(definition.key)
                names[f"{module}.{definition.qualname}"] = Place(label, code_id(repository, facts.path, definition.key))
            if module is not None and facts.path not in parts.scores.tests:
                names[module] = Place("Module", code_id(repository, facts.path))
        _add_exports(names, kinds, dotted, parts)
        below: dict[str, list[str]] = {}
        for name in names:
            _list_below(below, name)
        for _ in range(_RE_EXPORTS):
            if not _add_re_exports(names, below, dotted, parts):
                break
        return cls(dict(sorted(names.items())), Declared.of(parts))

    def save(self, pending: PendingRevision) -> None:
        """Keep the offer beside the texts."""
        names = {name: (place.label, place.id) for name, place in self.names.items()}
        pending.keep(_NAMES, compress(msgspec.msgpack.encode(names)))
        pending.keep(_TOPS, msgspec.msgpack.encode(self.tops))
        pending.keep(_DECLARED, msgspec.msgpack.encode(self.declared))


def keep_externals(pending: PendingRevision, graph: RepositoryGraph) -> None:
    """Keep what a repository uses from outside beside its texts, so that no other graph is read to link it."""
    found = _externals(graph)
    pending.keep(_OUTSIDE, compress(msgspec.msgpack.encode(found)))
    pending.keep(_OUTSIDE_TOPS, msgspec.msgpack.encode(sorted(found)))


def link(graph: RepositoryGraph, offer: Offer, store: Store) -> RepositoryGraph:
    """`graph` with the links between it and the other repositories of the store."""
    names = {name: (place.label, place.id) for name, place in offer.names.items()}
    found = _links(_Side(graph.repository, names, _externals(graph), offer.declared), store)
    return replace(graph, relationships=[*graph.relationships, *found])


def links_of(pending: PendingRevision) -> list[RelationshipTable]:
    """The links between a repository, of which is kept what it offers and uses, and the others of the store."""
    return _links(_Side.pending(pending), pending.store)


def move_links(pending: PendingRevision) -> None:
    """Move links between the versions of libraries to those that are chosen now that a repository is stored as `pending` has it.

    To be done before that is published, so that a run that was killed does it again. Raises: as `replace_repository`.
    """
    _move(_Side.pending(pending), pending.snapshot, pending.store)


def move_links_away(repository: str, store: Store) -> None:
    """Move links from a stored repository, which is about to be deleted, to what its users are joined to without it.

    A deletion that is not finished is to be repeated: until then the repository is stored and its users look elsewhere. Raises: as
    `move_links`.
    """
    _move(_Side(repository, {}, {}, Declared()), None, store)


def _move(mine: _Side, snapshot: int | None, store: Store) -> None:
    """Move the links of and to a repository as it is about to be; `snapshot` is None where it is about to be nothing."""
    sources, repository = store.sources, mine.repository
    stored = repository in sources.repositories()
    offered = _unpacked(sources.artifact(repository, _NAMES), dict[str, tuple[str, str]]) if stored else {}
    former = {name.split(".", 1)[0] for name in offered} - {name.split(".", 1)[0] for name in mine.names}
    known = _Neighbours(mine, sources, store.repositories(), former)
    anew = stored and sources.artifact(repository, _MOVED) is not None
    stale: list[tuple[str, Place]] = []
    meant: list[tuple[str, Place]] = []
    moved: set[str] = set()
    for meeting in known.meetings():
        contested = len(meeting.offering) > 1 or meeting.top in former
        for library in meeting.offering if contested or anew else ():
            (meant if library == meeting.chosen else stale).extend(known.pairs(meeting, library))
        if contested and meeting.chosen != repository:  # what it offered under other names may still be linked
            stale.extend(known.pairs_of(meeting, offered))
        moved.update((meeting.user, *meeting.offering) if contested else ())
    if stale or meant:
        store.engine.exchange_links(_tables(set(stale) - set(meant)), _tables(meant))
    for other in sorted(moved if snapshot is not None else moved - {repository}):
        current = sources.current(other)
        at = snapshot if other == repository else current.id if current is not None else None
        if at is not None:
            sources.put_artifact(at, _MOVED, b"")


@dataclass(frozen=True)
class _Side:
    """What a repository can be linked by."""

    repository: str
    names: Mapping[str, tuple[str, str]]
    """Label and id by dotted name of what it offers."""
    outside: Mapping[str, Sequence[tuple[str, str]]]
    """Id and dotted name by package of what it uses from outside."""
    declared: Declared

    @classmethod
    def pending(cls, pending: PendingRevision) -> _Side:
        """By what an unpublished snapshot keeps."""
        return cls(
            pending.repository,
            _unpacked(pending.kept(_NAMES), dict[str, tuple[str, str]]),
            _used(pending.kept(_OUTSIDE)),
            _declared(pending.kept(_DECLARED)),
        )


@dataclass(frozen=True)
class _Meeting:
    """A top-level name that a repository uses from outside, and who offers it."""

    user: str
    top: str
    offering: Sequence[str]
    chosen: str | None


class _Neighbours:
    """What the repositories of a store, one of them in a state that is not published yet, offer each other."""

    def __init__(
        self, mine: _Side, sources: SourceStore, others: Iterable[str], former: Set[str] = frozenset()
    ) -> None:
        """`former`: top-level names that the repository offered and offers no more, so that who used them may mean another."""
        self._mine, self._sources = mine, sources
        self._names = {mine.repository: mine.names}
        self._declared = {mine.repository: mine.declared}
        self._outside = {mine.repository: mine.outside}
        self._others = sorted(set(others) - {mine.repository})
        self._offering: dict[str, list[str]] = {}
        for other in self._others:
            for top in _decoded(sources.artifact(other, _TOPS)):
                self._offering.setdefault(top, []).append(other)
        self._own = sorted({name.split(".", 1)[0] for name in mine.names})
        for top in self._own:
            self._offering.setdefault(top, []).append(mine.repository)
        self._watched = {*self._own, *(former & self._offering.keys())}

    def meetings(self) -> Iterator[_Meeting]:
        """Where the repository uses what others offer, and others what it offers. Who offers a name himself uses no other's."""
        yield from self._of(self._mine.repository, sorted(self._mine.outside.keys() & self._offering.keys()))
        for other in self._others if self._watched else ():
            used = self._watched.intersection(_decoded(self._sources.artifact(other, _OUTSIDE_TOPS)))
            yield from self._of(other, sorted(used))

    def pairs(self, meeting: _Meeting, library: str) -> list[tuple[str, Place]]:
        """What the user of a name takes from a library that offers it."""
        if library not in self._names:
            data = self._sources.artifact(library, _NAMES)
            self._names[library] = _unpacked(data, dict[str, tuple[str, str]])
        return self.pairs_of(meeting, self._names[library])

    def pairs_of(self, meeting: _Meeting, names: Mapping[str, tuple[str, str]]) -> list[tuple[str, Place]]:
        """What the user of a name takes from what is offered under these."""
        if meeting.user not in self._outside:
            self._outside[meeting.user] = _used(self._sources.artifact(meeting.user, _OUTSIDE))
        return _joined(self._outside[meeting.user], {meeting.top}, names)

    def _of(self, user: str, tops: Iterable[str]) -> Iterator[_Meeting]:
        for top in tops:
            offering = self._offering[top]
            if user not in offering:
                chosen = choose({name: self._said(name) for name in offering}, self._said(user))
                yield _Meeting(user, top, offering, chosen)

    def _said(self, repository: str) -> Declared:
        if repository not in self._declared:
            self._declared[repository] = _declared(self._sources.artifact(repository, _DECLARED))
        return self._declared[repository]


def _links(mine: _Side, store: Store) -> list[RelationshipTable]:
    known = _Neighbours(mine, store.sources, store.repositories())
    return _tables(
        pair
        for meeting in known.meetings()
        if meeting.chosen is not None and mine.repository in (meeting.user, meeting.chosen)
        for pair in known.pairs(meeting, meeting.chosen)
    )


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


def _externals(graph: RepositoryGraph) -> dict[str, list[tuple[str, str]]]:
    """Ids and dotted names of the nodes outside by package."""
    found: dict[str, list[tuple[str, str]]] = {}
    for table in graph.nodes:
        if table.label == "External":
            columns = (table.columns["package"], table.columns["id"], table.columns["qualname"])
            for package, node, dotted in zip(*columns, strict=True):
                found.setdefault(str(package), []).append((str(node), str(dotted)))
    return found


def _tables(pairs: Iterable[tuple[str, Place]]) -> list[RelationshipTable]:
    ordered = sorted({(node, place.label, place.id) for node, place in pairs})
    tables = []
    for label in _LINKED:
        chosen = [(node, end) for node, kind, end in ordered if kind == label]
        if chosen:
            starts, ends = [node for node, _ in chosen], [end for _, end in chosen]
            tables.append(RelationshipTable("PROVIDES", "External", label, starts, ends, {}))
    return tables


def _add_exports(
    names: dict[str, Place], kinds: Mapping[tuple[str, str], str], dotted: Mapping[str, str], parts: Parts
) -> None:
    """Add what modules declare as theirs."""
    for export in parts.resolution.exports:
        target, source = parts.resolution.path_key(export.target), parts.resolution.path_key(export.module)
        if target and target in kinds and source and source[0] in dotted:
            place = Place(kinds[target], code_id(parts.origin.repository, *target))
            names.setdefault(f"{dotted[source[0]]}.{export.name}", place)


def _add_re_exports(
    names: dict[str, Place], below: dict[str, list[str]], dotted: Mapping[str, str], parts: Parts
) -> bool:
    """Add what packages import from their modules, one step; whether anything was added. `below` has the names of each module."""
    before = len(names)
    aliases = {
        facts.path: {entry.name: entry.alias for entry in facts.imports if entry.name and entry.alias}
        for facts in parts.files
        if facts.is_package
    }
    for edge in parts.resolution.imports:
        source, target = parts.resolution.path_key(edge.source), parts.resolution.path_key(edge.target)
        if not source or not target or source[0] not in aliases or not {source[0], target[0]} <= dotted.keys():
            continue
        taken, own = f"{dotted[target[0]]}.", f"{dotted[source[0]]}."
        for name in edge.names:
            public = [one for one in below.get(dotted[target[0]], ()) if not one.startswith("_")]  # what a star takes
            for each in public if name == "*" else [name] if taken + name in names else []:
                made = own + (aliases[source[0]].get(each) or each)
                if made not in names:
                    names[made] = names[taken + each]
                    _list_below(below, made)
    return len(names) > before


def _list_below(below: dict[str, list[str]], dotted: str) -> None:
    module, _, name = dotted.rpartition(".")
    below.setdefault(module, []).append(name)


def _decoded(data: bytes | None) -> list[str]:
    return msgspec.msgpack.decode(data, type=list[str]) if data is not None else []


def _used(data: bytes | None) -> dict[str, list[tuple[str, str]]]:
    return _unpacked(data, dict[str, list[tuple[str, str]]])


def _declared(data: bytes | None) -> Declared:
    return msgspec.msgpack.decode(data, type=Declared) if data is not None else Declared()


def _unpacked(data: bytes | None, kind: type[dict[str, _V]]) -> dict[str, _V]:
    return msgspec.msgpack.decode(decompress(data), type=kind) if data is not None else {}
