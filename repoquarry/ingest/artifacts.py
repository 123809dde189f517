"""Encoding of facts, and stored artifacts of the previous run; light, for the resolver process."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.storage.compression import compress, decompress
from repoquarry.languages.facts import ConstraintGraph, FileFacts, TextPool

if TYPE_CHECKING:
    from repoquarry.graphstore.storage.source_store import SourceStore


def encode_facts(facts: FileFacts) -> bytes:
    """Encode facts for transfer between processes and for storage."""
    return compress(msgspec.msgpack.encode(facts))


def decode_facts(data: bytes) -> FileFacts:
    """Decode the facts that `encode_facts` wrote."""
    return _DECODER.decode(decompress(data))


def decode_definitions(data: bytes) -> FileFacts:
    """Decode facts without their constraint graph: only resolution reads it, and it takes most of the memory."""
    return msgspec.structs.replace(decode_facts(data), graph=_NO_GRAPH, mentions=b"")


_NO_GRAPH = ConstraintGraph(TextPool(), b"", b"", b"", b"", b"")
_DECODER = msgspec.msgpack.Decoder(FileFacts)


_T = TypeVar("_T")


def load_artifact(
    sources: SourceStore, repository: str, name: str, kind: type[_T], revision: str | None = None
) -> _T | None:
    """Load an artifact of a revision, by default the published one; None if it is missing or unreadable."""
    try:
        data = (
            sources.artifact(repository, name, revision) if sources.published_snapshot(repository) is not None else None
        )
        return msgspec.msgpack.decode(data, type=kind) if data is not None else None
    # Damaged texts are being rebuilt.
    except (msgspec.MsgspecError, NotFoundError):
        return None
