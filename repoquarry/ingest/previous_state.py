"""Reader of the state that the previous run left in the store (snapshot, search index, resolution), for reuse; codec of parsed facts.

The resolver process imports this module, so its imports are few. Families of languages are resolved separately: an edit in one
language preserves the resolutions of all others, and an edit of prose preserves all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import msgspec

from repoquarry.graphstore.errors import (
    EmbedderConfigurationError,
    EmbedderUnavailableError,
    NotFoundError,
    StoreCorruptError,
)
from repoquarry.graphstore.storage.compression import compress, decompress
from repoquarry.graphstore.storage.vector_identity import find_embedder, static_revision
from repoquarry.languages.facts import NO_GRAPH, FileFacts

if TYPE_CHECKING:
    from repoquarry.graphstore.pending_revision import PendingRevision
    from repoquarry.graphstore.search.index.builder import PreviousIndex
    from repoquarry.graphstore.storage.snapshot_tables import FileEntry, Snapshot
    from repoquarry.graphstore.storage.source_store import SourceStore
    from repoquarry.graphstore.store import Store
    from repoquarry.ingest.resolution.model import Resolution
    from repoquarry.ingest.scip.index_file import ScipFile
    from repoquarry.ingest.settings import IngestSettings
    from repoquarry.ingest.sources.source import Checkout

_DECODER = msgspec.msgpack.Decoder(FileFacts)
_RESOLUTION = "resolution"
_T = TypeVar("_T")


def encode_facts(facts: FileFacts) -> bytes:
    """Encode facts for transfer between processes and for storage."""
    return compress(msgspec.msgpack.encode(facts))


def decode_facts(data: bytes) -> FileFacts:
    return _DECODER.decode(decompress(data))


def decode_definitions(data: bytes) -> FileFacts:
    """Decode facts without their constraint graph: only resolution reads it, and it takes most of the memory."""
    return msgspec.structs.replace(decode_facts(data), graph=NO_GRAPH, mentions=b"")


def load_artifact(
    sources: SourceStore, repository: str, name: str, kind: type[_T], revision: str | None = None
) -> _T | None:
    """Load an artifact of a revision, by default that of the stored graph; None if it is missing or unreadable."""
    if sources.published_snapshot(repository) is None:
        return None
    try:
        data = sources.artifact(repository, name, revision)
        return msgspec.msgpack.decode(data, type=kind) if data is not None else None
    # Damaged texts are being rebuilt.
    except (msgspec.MsgspecError, NotFoundError):
        return None


@dataclass(frozen=True)
class IndexInputs:
    """Inputs of a run: a tree and its settings. With the version of the indexer they determine the graph."""

    checkout: Checkout
    settings: IngestSettings
    scip: tuple[ScipFile, ...] = ()
    """Indexes of compilers and type checkers that are merged into the resolution."""

    @property
    def repository(self) -> str:
        """Id under which the repository is stored."""
        return self.checkout.name


class PreviousState:
    """State of one repository before a run; read again on each call, since a run repairs damaged data."""

    def __init__(self, store: Store, repository: str) -> None:
        self._store = store
        self._repository = repository

    def snapshot(self) -> Snapshot | None:
        """Return the published snapshot; None if there is none."""
        return self._store.sources.published_snapshot(self._repository)

    def revision(self) -> str | None:
        """Return the revision of the stored graph; None if it is missing or unreadable."""
        is_damaged = self._store.engine.is_damaged(self._repository)
        return None if is_damaged else self._store.find_revision(self._repository)

    def has_current_vectors(self) -> bool:
        """Return whether the vectors of the published revision are those of the embedder in use, as far as it can be asked."""
        settings = self._store.settings.embedding
        if settings is None:
            return True
        try:
            folder = self._store.index_folder(self._repository)
            if settings.embedder == "static":
                current = static_revision(settings.model)
            else:
                current = self._store.embedder.revision if self._store.embedder is not None else ""
        except (EmbedderUnavailableError, EmbedderConfigurationError, NotFoundError, OSError) as exc:
            self._store.warn(f"the vectors of {self._repository} were not compared with the embedder: {exc}")
            return True
        return find_embedder(folder) in (None, current)

    def files(self) -> Mapping[str, FileEntry]:
        """Return the indexed files by path; empty before the first run."""
        current = self.snapshot()
        return self._store.sources.files(self._repository, current.revision) if current is not None else {}

    def delete_damaged_texts(self) -> bool:
        """Drop damaged data, so that it is stored again; return whether there was any."""
        damaged = self._store.sources.drop_damaged(self._repository)
        if damaged:
            self._store.warn(
                f"{len(damaged)} stored texts of {self._repository} were corrupt and will be stored again: {damaged[0]}, …"
            )
        return bool(damaged)

    def index(self) -> PreviousIndex | None:
        """Return the search index of the published revision; None if it is missing, incomplete or of another
        embedder."""
        current = self.snapshot()
        if current is None:
            return None
        texts = self._store.sources.texts_of(self._repository, current.revision)
        return self._store.indexes.earlier(self._repository, current.revision, texts)


class FamilyResolution(msgspec.Struct, array_like=True, frozen=True):
    """Resolution of one language family, as transferred and stored; without content for a receiver that has it."""

    digest: bytes
    """Digest of all inputs (`digest_inputs`)."""
    content: bytes
    """SHA-256 of the encoded resolution: different facts may give equal resolutions."""
    packed: bytes

    @classmethod
    def of(cls, digest: bytes, resolution: Resolution) -> FamilyResolution:
        encoded = msgspec.msgpack.encode(resolution)
        return cls(digest, hashlib.sha256(encoded).digest(), compress(encoded))

    def resolution(self) -> Resolution | None:
        """Decode the resolution; None if the stored data is damaged."""
        from repoquarry.ingest.resolution.model import Resolution

        try:
            return msgspec.msgpack.decode(decompress(self.packed), type=Resolution)
        except (StoreCorruptError, msgspec.MsgspecError):
            return None


class CachedResolution(msgspec.Struct, array_like=True, frozen=True):
    """Resolution of a revision by family, in merge order."""

    parts: tuple[FamilyResolution, ...] = ()
    digest: bytes = b""
    """Digest of the inputs of all parts."""

    @classmethod
    def stored(cls, sources: SourceStore, repository: str, revision: str | None = None) -> CachedResolution:
        """Load the resolution of a revision, by default the published one; empty if missing or unreadable."""
        return load_artifact(sources, repository, _RESOLUTION, cls, revision) or cls()

    def save(self, pending: PendingRevision) -> None:
        pending.save_artifact(_RESOLUTION, msgspec.msgpack.encode(self))

    def filled(self, parts: Iterable[FamilyResolution]) -> tuple[FamilyResolution, ...]:
        """Fill parts without content from this resolution."""
        own = {part.digest: part for part in self.parts}
        return tuple(part if part.packed else own[part.digest] for part in parts)

    @property
    def content(self) -> bytes:
        """Digest of the resolution of all files."""
        return hashlib.sha256(b"".join(part.content for part in self.parts)).digest()

    def united(self) -> Resolution | None:
        """Merge the parts; None if stored data is damaged."""
        from repoquarry.ingest.resolution import merge_resolutions

        parts = [part.resolution() for part in self.parts]
        return merge_resolutions([part for part in parts if part is not None]) if None not in parts else None


def digest_inputs(rules: bytes, facts: Iterable[bytes]) -> bytes:
    """Return the digest of the inputs: rules, and digests of packed facts in path order."""
    return hashlib.sha256(b"".join((rules, *facts))).digest()
