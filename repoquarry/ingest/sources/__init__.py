"""Where repositories come from: a local folder, a git address, an archive; one file each.

`acquire` is the first stage of indexing. It is a context manager because clones and unpacked archives live only while they
are read: the indexed text is kept in the source store, not here.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import archive, folder, git
from repoquarry.ingest.sources.base import Cancelled, Checkout, LeftOut, SourceKind, slug

__all__ = ["Cancelled", "Checkout", "LeftOut", "SourceKind", "acquire", "slug"]

KINDS: tuple[SourceKind, ...] = (git.KIND, folder.KIND, archive.KIND)


def acquire(source: str, settings: IngestSettings, cancelled: Cancelled) -> AbstractContextManager[Checkout]:
    """The checked-out tree of `source`, as a context manager that removes what it made.

    Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError (when entered).
    """
    for kind in KINDS:
        if kind.claims(source):
            return kind.acquire(source, settings, cancelled)
    path = Path(source).expanduser()
    if not path.exists():
        raise SourceNotFoundError(f"no such folder or archive: {source!r}", source=source)
    raise SourceRejectedError(
        f"{source!r} is no folder, git address or archive ({', '.join(archive.SUFFIXES)})", source=source
    )
