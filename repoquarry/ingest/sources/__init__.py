"""Acquisition of repository sources (local folder, git address, archive, registry package) as checkouts for indexing.

`acquire` is the first stage of indexing. It is a context manager because clones and unpacked archives exist only while they
are read: the indexed text is stored in the source store, not here.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import RepositoryIdTakenError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.network_policy import EVERYWHERE, NetworkPolicy
from repoquarry.ingest.sources.source import (
    ARCHIVE,
    FOLDER,
    PACKAGE,
    Cancelled,
    Checkout,
    RepositorySource,
    make_slug,
    parse_source,
)

__all__ = [
    "EVERYWHERE",
    "Cancelled",
    "NetworkPolicy",
    "RepositorySource",
    "acquire",
    "parse_source",
]


def acquire(
    source: RepositorySource, settings: IngestSettings, cancelled: Cancelled, reach: NetworkPolicy = EVERYWHERE
) -> AbstractContextManager[Checkout]:
    """Check out `source` in a context that removes what it created.

    Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError (on entry).
    """
    if source.kind == ARCHIVE:
        from repoquarry.ingest.sources import archive

        return archive.acquire(source, settings, cancelled)
    if source.kind == PACKAGE:
        from repoquarry.ingest.sources import packages

        return packages.acquire(source, settings, cancelled, reach)
    from repoquarry.ingest.sources import checkout

    if source.kind == FOLDER:
        return checkout.open_folder(source)
    return checkout.clone_repository(source, settings, cancelled, reach)


def choose_repository_id(store: Store, source: RepositorySource, name: str | None) -> str:
    """Return the repository's id. Raises: RepositoryIdTakenError if another source has it."""
    repository = make_slug(name) if name else source.id
    try:
        stored = str(store.repository(repository)["source"])
    except NotFoundError:
        return repository
    if stored != source.shown:
        raise RepositoryIdTakenError(
            f"a repository called {repository!r} is already indexed from {stored}; give {source.shown} another name (--name, or "
            f"the name in a list), or delete that one first",
            repository=repository,
            source=stored,
        )
    return repository
