"""The search index that was made of a repository before, of which files that did not change are taken as they are."""

from __future__ import annotations

import msgspec

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.index.earlier import EarlierIndex
from repoquarry.graphstore.store import Store


def earlier_index(store: Store, repository: str) -> EarlierIndex | None:
    """That of the published revision; None when there is none that is whole and of the store's embedder."""
    current = store.sources.current(repository)
    if current is None:
        return None
    folder = store.folder_of_index(repository, current.revision)
    texts = store.sources.texts_of(repository, current.revision)
    model = store.embedder.revision if store.embedder is not None else None
    try:
        return EarlierIndex.open(folder, texts, model)
    except (NotFoundError, StoreCorruptError, OSError, ValueError, msgspec.MsgspecError):
        return None
