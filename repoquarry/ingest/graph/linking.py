"""What joins one repository to another: names outside one repository that are defined in another.

Each indexed repository keeps the dotted names that it offers beside its texts: its modules, what they define at the top, the
methods of those classes, and what packages re-export. When a repository is indexed, its external names are looked up in those of
the others, and theirs in its own, so that the order of indexing does not matter. A link is made only if the whole dotted name is
offered by a repository that declares a package: nothing is joined by its last part. Where several offer a top-level name they have to be
versions of one library, and one of them is chosen for each user (`versions.py`); links to others are then moved, wherever they are kept.

Links are no part of a repository's revision, since they follow from which other repositories happen to be indexed.
"""

from __future__ import annotations

from collections.abc import Iterable

from repoquarry.graphstore.model.records import RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.pending import PendingRevision
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.neighbours import Neighbours, Side
from repoquarry.ingest.graph.offers import NAMES, Offer, externals, unpacked
from repoquarry.ingest.graph.tables import Place
from repoquarry.ingest.graph.versions import Declared

_MOVED = "moved links"
"""Says that links may have come and gone that what is kept of the written graph does not know of."""
_LINKED = RELATIONSHIP_TYPES["PROVIDES"].end


def links_between(graph: RepositoryGraph, offer: Offer, store: Store) -> list[RelationshipTable]:
    """The links between a repository, of which the nodes are given, and the others of the store."""
    names = {name: (place.label, place.id) for name, place in offer.names.items()}
    return _links(Side(graph.repository, names, externals(graph), offer.declared), store)


def links_of(pending: PendingRevision) -> list[RelationshipTable]:
    """The links between a repository, of which is kept what it offers and uses, and the others of the store."""
    return _links(Side.pending(pending), pending.store)


def move_links(pending: PendingRevision) -> None:
    """Move links between the versions of libraries to those that are chosen now that a repository is stored as `pending` has it.

    To be done before that is published, so that a run that was killed does it again. Raises: as `replace_repository`.
    """
    _move(Side.pending(pending), pending.snapshot, pending.store)


def move_links_away(repository: str, store: Store) -> None:
    """Move links from a stored repository, which is about to be deleted, to what its users are joined to without it.

    A deletion that is not finished is to be repeated: until then the repository is stored and its users look elsewhere. Raises: as
    `move_links`.
    """
    _move(Side(repository, {}, {}, Declared()), None, store)


def _move(mine: Side, snapshot: int | None, store: Store) -> None:
    """Move the links of and to a repository as it is about to be; `snapshot` is None where it is about to be nothing."""
    sources, repository = store.sources, mine.repository
    stored = repository in sources.repositories()
    offered = unpacked(sources.artifact(repository, NAMES), dict[str, tuple[str, str]]) if stored else {}
    former = {name.split(".", 1)[0] for name in offered} - {name.split(".", 1)[0] for name in mine.names}
    known = Neighbours(mine, sources, store.repositories(), former)
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


def _links(mine: Side, store: Store) -> list[RelationshipTable]:
    known = Neighbours(mine, store.sources, store.repositories())
    return _tables(
        pair
        for meeting in known.meetings()
        if meeting.chosen is not None and mine.repository in (meeting.user, meeting.chosen)
        for pair in known.pairs(meeting, meeting.chosen)
    )


def _tables(pairs: Iterable[tuple[str, Place]]) -> list[RelationshipTable]:
    ordered = sorted({(node, place.label, place.id) for node, place in pairs})
    tables = []
    for label in _LINKED:
        chosen = [(node, end) for node, kind, end in ordered if kind == label]
        if chosen:
            starts, ends = [node for node, _ in chosen], [end for _, end in chosen]
            tables.append(RelationshipTable("PROVIDES", "External", label, starts, ends, {}))
    return tables
