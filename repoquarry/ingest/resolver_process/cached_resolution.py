"""Cached resolution per language family of the stored revision.

A family is resolved by itself, so an edit in one language leaves the others' resolutions as they are, and an edit of prose or a commit of
what is indexed already leaves all of them.
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
    """The resolution of one family, as it travels between processes and is kept."""

    digest: bytes
    """Of all that it follows from, as `digest_inputs` makes it."""
    content: bytes
    """SHA-256 of the encoded resolution, before it is packed: equal resolutions may follow from different facts."""
    packed: bytes

    @classmethod
    def of(cls, digest: bytes, resolution: Resolution) -> FamilyResolution:
        encoded = msgspec.msgpack.encode(resolution)
        return cls(digest, hashlib.sha256(encoded).digest(), compress(encoded))

    @classmethod
    def known(cls, digest: bytes) -> FamilyResolution:
        """In an answer to who has it: without content."""
        return cls(digest, b"", b"")


class CachedResolution(msgspec.Struct, array_like=True, frozen=True):
    """The parts of a revision's resolution, in the order in which they are united."""

    parts: tuple[FamilyResolution, ...] = ()
    digest: bytes = b""
    """Of what all of them follow from."""

    @classmethod
    def stored(cls, sources: SourceStore, repository: str, revision: str | None = None) -> CachedResolution:
        """That of a revision, without one of the published one; none when nothing was kept that can be read."""
        return load_artifact(sources, repository, _NAME, cls, revision) or cls()

    def save(self, pending: PendingRevision) -> None:
        """Keep it beside the texts of a revision."""
        pending.save_artifact(_NAME, msgspec.msgpack.encode(self))

    def filled(self, parts: Iterable[FamilyResolution]) -> tuple[FamilyResolution, ...]:
        """Parts, of which those without content are among ours."""
        own = {part.digest: part for part in self.parts}
        return tuple(part if part.packed else own[part.digest] for part in parts)

    @property
    def content(self) -> bytes:
        """Digest of the resolution of all files."""
        return hashlib.sha256(b"".join(part.content for part in self.parts)).digest()

    def united(self) -> Resolution | None:
        """The resolution of all files; None where what is kept is damaged."""
        from repoquarry.ingest.resolution import Resolution, merge_resolutions

        try:
            return merge_resolutions(
                [msgspec.msgpack.decode(decompress(part.packed), type=Resolution) for part in self.parts]
            )
        except (StoreCorruptError, msgspec.MsgspecError):
            return None


NOTHING_KEPT = CachedResolution()


def digest_inputs(rules: bytes, facts: Iterable[bytes]) -> bytes:
    """Digest of what a resolution follows from: its rules, and the digests of its files' packed facts in path order."""
    return hashlib.sha256(b"".join((rules, *facts))).digest()
