"""Where repositories come from: a local folder, a git address, an archive; one file each.

`acquire` is the first stage of indexing. It is a context manager because clones and unpacked archives live only while they
are read: the indexed text is kept in the source store, not here.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.base import Cancelled, Checkout, LeftOut, slug
from repoquarry.ingest.sources.reach import EVERYWHERE, Reach
from repoquarry.ingest.sources.source import ARCHIVE, FOLDER, Source, read_source

__all__ = ["EVERYWHERE", "Cancelled", "Checkout", "LeftOut", "Reach", "Source", "acquire", "read_source", "slug"]


def acquire(
    source: Source, settings: IngestSettings, cancelled: Cancelled, reach: Reach = EVERYWHERE
) -> AbstractContextManager[Checkout]:
    """The checked-out tree of `source`, as a context manager that removes what it made.

    Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError (when entered).
    """
    if source.kind == FOLDER:
        from repoquarry.ingest.sources import folder

        return folder.acquire(source, settings)
    if source.kind == ARCHIVE:
        from repoquarry.ingest.sources import archive

        return archive.acquire(source, settings, cancelled)
    from repoquarry.ingest.sources import git

    return git.acquire(source, settings, cancelled, reach)
