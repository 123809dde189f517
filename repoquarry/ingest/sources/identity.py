"""The id that a source is stored under: what its name proposes or a caller asks for, never one that another source holds."""

from __future__ import annotations

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import RepositoryIdTakenError
from repoquarry.ingest.sources import Source, slug


def choose_id(store: Store, source: Source, name: str | None) -> str:
    """The repository's id. Raises: RepositoryIdTakenError when another source has it."""
    repository = slug(name) if name else source.id
    try:
        stored = str(store.repository(repository)["source"])
    except NotFoundError:
        return repository
    if stored != source.shown:
        raise RepositoryIdTakenError(
            f"a repository called {repository!r} is already indexed from {stored}; give {source.shown} another name with "
            f"--name, or delete that one first",
            repository=repository,
            source=stored,
        )
    return repository
