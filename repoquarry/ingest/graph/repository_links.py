"""Linker of repositories: connects external names of one to definitions of another; deletes a repository and relinks its users.

A repository stores the dotted names that it provides: modules, their top-level definitions, methods of those classes,
and re-exports of packages. Indexing looks up external names of the repository among the names of all others, and
theirs among its own, so the order of indexing does not matter. A link needs the complete dotted name, provided by a
repository that declares a package. If several provide a top-level name, they must be versions of one library, and one
is chosen for each user (`provided_names`).

Links are not part of a revision, since they depend on the other indexed repositories. They connect the repositories
of one data folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import msgspec

from repoquarry.graphstore.errors import MissingEndpointsError, StoreCorruptError, StoreFullError
from repoquarry.graphstore.graph_engine import DeletionSummary
from repoquarry.graphstore.model.graph_tables import RelationshipTable
from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.provided_names import (
    DECLARED,
    NAMES,
    OUTSIDE,
    OUTSIDE_TOPS,
    TOPS,
    PackageDeclarations,
    choose_provider,
    decode_declarations,
    decode_names,
    decode_top_level_names,
    decode_used_names,
)
from repoquarry.ingest.graph.table_builder import NodeRef

StoredNames = Mapping[str, Mapping[str, tuple[str, str]]]
"""Label and id of provided nodes by package and dotted name."""


@dataclass(frozen=True)
class LinkableRepository:
    """Names by which a repository can be linked."""

    repository: str
    names: StoredNames
    """Provided nodes."""
    outside: Mapping[str, Sequence[tuple[str, str]]]
    """Id and dotted name of used external symbols, by package."""
    declared: PackageDeclarations

    @classmethod
    def pending(cls, pending: PendingRevision) -> LinkableRepository:
        """Read the names of an unpublished snapshot."""
        return cls(
            pending.repository,
            decode_names(pending.load_artifact(NAMES)),
            decode_used_names(pending.load_artifact(OUTSIDE)),
            decode_declarations(pending.load_artifact(DECLARED)),
        )


@dataclass(frozen=True)
class ProviderMatch:
    """External top-level name of a repository with its providers."""

    user: str
    top: str
    offering: Sequence[str]
    chosen: str | None


class LinkResolver:
    """Resolver of links in a store, one of whose repositories is about to change."""

    def __init__(
        self, mine: LinkableRepository, sources: SourceStore, others: Iterable[str], former: Set[str] = frozenset()
    ) -> None:
        """Initialize; `former` are top-level names that the repository no longer provides, so that their users are
        relinked."""
        self._mine, self._sources = mine, sources
        self._names = {mine.repository: mine.names}
        self._declared = {mine.repository: mine.declared}
        self._outside = {mine.repository: mine.outside}
        self._others = sorted(set(others) - {mine.repository})
        self._offering: dict[str, list[str]] = {}
        for other in self._others:
            for top in decode_top_level_names(sources.artifact(other, TOPS)):
                self._offering.setdefault(top, []).append(other)
        self._own = sorted(mine.names)
        for top in self._own:
            self._offering.setdefault(top, []).append(mine.repository)
        self._watched = {*self._own, *(former & self._offering.keys())}

    def meetings(self) -> Iterator[ProviderMatch]:
        """Yield name matches in both directions. A provider of a name uses no other provider of the name."""
        yield from self._of(self._mine.repository, sorted(self._mine.outside.keys() & self._offering.keys()))
        for other in self._others if self._watched else ():
            used = self._watched.intersection(decode_top_level_names(self._sources.artifact(other, OUTSIDE_TOPS)))
            yield from self._of(other, sorted(used))

    def pairs(self, meeting: ProviderMatch, library: str) -> list[tuple[str, NodeRef]]:
        """Return the pairs of nodes that link a user to its provider."""
        if library not in self._names:
            self._names[library] = decode_names(self._sources.artifact(library, NAMES))
        return self.pairs_of(meeting, self._names[library])

    def pairs_of(self, meeting: ProviderMatch, names: StoredNames) -> list[tuple[str, NodeRef]]:
        """Return the pairs of a user's external symbols and the provided nodes."""
        if meeting.user not in self._outside:
            self._outside[meeting.user] = decode_used_names(self._sources.artifact(meeting.user, OUTSIDE))
        provided = names.get(meeting.top, {})
        used = self._outside[meeting.user].get(meeting.top, ())
        return [(node, NodeRef(*provided[dotted])) for node, dotted in used if dotted in provided]

    def _of(self, user: str, tops: Iterable[str]) -> Iterator[ProviderMatch]:
        for top in tops:
            offering = self._offering[top]
            if user not in offering:
                chosen = choose_provider({name: self._said(name) for name in offering}, self._said(user))
                yield ProviderMatch(user, top, offering, chosen)

    def _said(self, repository: str) -> PackageDeclarations:
        if repository not in self._declared:
            self._declared[repository] = decode_declarations(self._sources.artifact(repository, DECLARED))
        return self._declared[repository]


_MOVED = "moved links"
"""Artifact name: links may have changed since the state of the graph was stored."""
_LINKED = RELATIONSHIP_TYPES["PROVIDES"].end
_ATTEMPTS = 5


def write_linked(pending: PendingRevision, write: Callable[[list[RelationshipTable]], None]) -> None:
    """Write a repository with its links, computed again where another data folder of the graph removed their ends; relink dependents.

    Raises: MissingEndpointsError when that happens every time; as `write`.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            write(_links(LinkableRepository.pending(pending), pending.store))
            break
        except MissingEndpointsError:
            if attempt == _ATTEMPTS:
                raise
    relink_dependents(pending)


def relink_dependents(pending: PendingRevision) -> None:
    """Move links to the library versions that are chosen once a repository is stored as `pending`.

    Must run before publishing, so that a run after a crash repeats it. Raises: as `replace_repository`.
    """
    _move(LinkableRepository.pending(pending), pending.snapshot, pending.store)


def relink_before_delete(repository: str, store: Store) -> None:
    """Move links from a repository that is about to be deleted to the next providers.

    An incomplete deletion must be repeated: until then the repository is stored, but its users are linked elsewhere.
    Raises: as `relink_dependents`.
    """
    _move(LinkableRepository(repository, {}, {}, PackageDeclarations()), None, store)


def _move(mine: LinkableRepository, snapshot: int | None, store: Store) -> None:
    """Move the links of a repository that is about to change; `snapshot` is None if it is about to be deleted."""
    sources, repository = store.sources, mine.repository
    # Its graph may be replaced already: what users were linked to is in the published snapshot, not in that of the graph.
    earlier = sources.published_snapshot(repository)
    offered = decode_names(sources.pending_artifact(earlier.id, NAMES)) if earlier is not None else {}
    unpublished = decode_top_level_names(sources.artifact(repository, TOPS)) if snapshot is None else ()
    former = {*offered, *unpublished} - mine.names.keys()
    known = LinkResolver(mine, sources, store.text_repositories(), former)
    anew = earlier is not None and sources.pending_artifact(earlier.id, _MOVED) is not None
    stale: list[tuple[str, NodeRef]] = []
    meant: list[tuple[str, NodeRef]] = []
    moved: set[str] = set()
    for meeting in known.meetings():
        contested = len(meeting.offering) > 1 or meeting.top in former
        for library in meeting.offering if contested or anew else ():
            (meant if library == meeting.chosen else stale).extend(known.pairs(meeting, library))
        # Names that it no longer provides may still be linked.
        if contested and meeting.chosen != repository:
            stale.extend(known.pairs_of(meeting, offered))
        moved.update((meeting.user, *meeting.offering) if contested else ())
    if stale or meant:
        store.engine.exchange_links(_tables(set(stale) - set(meant)), _tables(meant))
    for other in sorted(moved if snapshot is not None else moved - {repository}):
        current = sources.published_snapshot(other)
        at = snapshot if other == repository else current.id if current is not None else None
        if at is not None:
            sources.put_artifact(at, _MOVED, b"")


def _links(mine: LinkableRepository, store: Store) -> list[RelationshipTable]:
    known = LinkResolver(mine, store.sources, store.text_repositories())
    return _tables(
        pair
        for meeting in known.meetings()
        if meeting.chosen is not None and mine.repository in (meeting.user, meeting.chosen)
        for pair in known.pairs(meeting, meeting.chosen)
    )


def _tables(pairs: Iterable[tuple[str, NodeRef]]) -> list[RelationshipTable]:
    ordered = sorted({(node, place.label, place.id) for node, place in pairs})
    tables = []
    for label in _LINKED:
        chosen = [(node, end) for node, kind, end in ordered if kind == label]
        if chosen:
            starts, ends = [node for node, _ in chosen], [end for _, end in chosen]
            tables.append(RelationshipTable("PROVIDES", "External", label, starts, ends, {}))
    return tables


def delete_repository(repository: str, store: Store) -> DeletionSummary:
    """Remove a repository from a store that is open for writing. An interrupted deletion can be repeated.

    Relinking reads stored data and needs space. If that fails, deletion continues without: dangling links are
    ignored, and indexing the dependents again relinks them. Raises: NotFoundError; and errors of the store
    (EngineUnavailableError, StoreFullError, StoreUnwritableError).
    """
    if repository in store.repositories():
        store.make_room(repository)
        try:
            relink_before_delete(repository, store)
        except (StoreCorruptError, StoreFullError, msgspec.MsgspecError) as exc:
            store.warn(f"{repository} was deleted without relinking the repositories that use it ({exc})")
    return store.delete(repository)
