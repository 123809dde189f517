"""Cached resolution per language family of the stored revision.

Families are resolved separately: an edit in one language keeps the resolutions of all others, and an edit of prose
keeps all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.storage.compression import compress, decompress
from repoquarry.ingest.artifacts import load_artifact

if TYPE_CHECKING:
    from repoquarry.graphstore.pending_revision import PendingRevision
    from repoquarry.graphstore.storage.source_store import SourceStore
    from repoquarry.ingest.resolution.model import Resolution

_NAME = "resolution"


class FamilyResolution(msgspec.Struct, array_like=True, frozen=True):
    """Resolution of one family, as transferred and stored."""

    digest: bytes
    """Digest of all inputs (`digest_inputs`)."""
    content: bytes
    """SHA-256 of the encoded resolution: different facts may give equal resolutions."""
    packed: bytes

    @classmethod
    def of(cls, digest: bytes, resolution: Resolution) -> FamilyResolution:
        encoded = msgspec.msgpack.encode(resolution)
        return cls(digest, hashlib.sha256(encoded).digest(), compress(encoded))

    @classmethod
    def known(cls, digest: bytes) -> FamilyResolution:
        """Return a copy without content, for a receiver that has it."""
        return cls(digest, b"", b"")


class CachedResolution(msgspec.Struct, array_like=True, frozen=True):
    """Resolution of a revision by family, in merge order."""

    parts: tuple[FamilyResolution, ...] = ()
    digest: bytes = b""
    """Digest of the inputs of all parts."""

    @classmethod
    def stored(cls, sources: SourceStore, repository: str, revision: str | None = None) -> CachedResolution:
        """Load the resolution of a revision, by default the published one; empty if missing or unreadable."""
        return load_artifact(sources, repository, _NAME, cls, revision) or cls()

    def save(self, pending: PendingRevision) -> None:
        """Store the parts with a revision."""
        pending.save_artifact(_NAME, msgspec.msgpack.encode(self))

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
        from repoquarry.ingest.resolution import Resolution, merge_resolutions

        try:
            return merge_resolutions(
                [msgspec.msgpack.decode(decompress(part.packed), type=Resolution) for part in self.parts]
            )
        except (StoreCorruptError, msgspec.MsgspecError):
            return None


NOTHING_KEPT = CachedResolution()


def digest_inputs(rules: bytes, facts: Iterable[bytes]) -> bytes:
    """Return the digest of the inputs: rules, and digests of packed facts in path order."""
    return hashlib.sha256(b"".join((rules, *facts))).digest()
