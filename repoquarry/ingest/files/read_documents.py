"""Documents that the previous run has read, by path and content: an update reads only those that have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest.files.documents import DocumentFacts
from repoquarry.ingest.files.hashing import extractor_version, texts_version
from repoquarry.ingest.previous_state import load_artifact

_NAME = "documents"


class ReadDocuments(msgspec.Struct, array_like=True, frozen=True):
    """Read documents of a revision."""

    version: str = ""
    """Versions of the code that read them."""
    facts_by_path: dict[str, tuple[bytes, DocumentFacts]] = {}
    """SHA-256 of the content, and the facts."""

    @classmethod
    def of(cls, documents: Sequence[DocumentFacts], digests: Mapping[str, bytes]) -> ReadDocuments:
        rows = sorted((one.path, (digests[one.path], one)) for one in documents)
        return cls(_version(), dict(rows))

    @classmethod
    def load(cls, sources: SourceStore, repository: str) -> ReadDocuments:
        """Load the documents of the published revision; none if other code has read them."""
        found = load_artifact(sources, repository, _NAME, cls)
        return found if found is not None and found.version == _version() else cls()

    def find(self, path: str, digest: bytes) -> DocumentFacts | None:
        """Return the facts of a document with this content; None if it was not read."""
        known = self.facts_by_path.get(path)
        return known[1] if known is not None and known[0] == digest else None

    def save(self, pending: PendingRevision) -> None:
        pending.save_artifact(_NAME, msgspec.msgpack.encode(self))


def _version() -> str:
    return f"{extractor_version()} {texts_version()}"
