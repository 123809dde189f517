"""What search needs from a store: a narrow protocol, so that it can be tested without an engine.

`repoquarry.graphstore.store.Store` fulfils it. Search asks for texts and indexes, and never opens files of a repository itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from repoquarry.graphstore.search.contents import Contents
from repoquarry.graphstore.search.indexes import SearchIndexes


class Library(Contents, Protocol):
    """Repositories whose graph and texts can be read, and their search indexes."""

    @property
    def indexes(self) -> SearchIndexes:
        """The search indexes of all repositories."""
        ...

    def repositories(self) -> Sequence[str]:
        """Ids of the repositories that are stored whole, sorted."""
        ...
