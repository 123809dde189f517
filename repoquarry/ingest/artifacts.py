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
    """As facts travel between processes and are kept."""
    return compress(msgspec.msgpack.encode(facts))


def decode_facts(data: bytes) -> FileFacts:
    """The inverse of `encode_facts`."""
    return _DECODER.decode(decompress(data))


def decode_definitions(data: bytes) -> FileFacts:
    """As `decode_facts`, but without the assignment graph, which only resolution reads and which is most of the memory."""
    return msgspec.structs.replace(decode_facts(data), graph=_NO_GRAPH)


_NO_GRAPH = ConstraintGraph(TextPool(), b"", b"", b"", b"", b"")
_DECODER = msgspec.msgpack.Decoder(FileFacts)


_T = TypeVar("_T")


def load_artifact(
    sources: SourceStore, repository: str, name: str, kind: type[_T], revision: str | None = None
) -> _T | None:
    """What is kept under a name for a revision, without one for the published one; None when nothing is that can be read."""
    try:
        data = (
            sources.artifact(repository, name, revision) if sources.published_snapshot(repository) is not None else None
        )
        return msgspec.msgpack.decode(data, type=kind) if data is not None else None
    except (msgspec.MsgspecError, NotFoundError):  # texts that were lost are being stored anew
        return None
