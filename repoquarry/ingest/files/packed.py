"""Facts as they travel between processes and are kept."""

from __future__ import annotations

import msgspec

from repoquarry.graphstore.folder.compression import compress, decompress
from repoquarry.languages.facts import AssignmentGraph, FileFacts, Symbols


def encode_facts(facts: FileFacts) -> bytes:
    """As facts travel between processes and are kept."""
    return compress(msgspec.msgpack.encode(facts))


def decode_facts(data: bytes) -> FileFacts:
    """The inverse of `encode_facts`."""
    return _DECODER.decode(decompress(data))


def decode_definitions(data: bytes) -> FileFacts:
    """As `decode_facts`, but without the assignment graph, which only resolution reads and which is most of the memory."""
    return msgspec.structs.replace(decode_facts(data), graph=_NO_GRAPH)


_NO_GRAPH = AssignmentGraph(Symbols(), b"", b"", b"", b"", b"")
_DECODER = msgspec.msgpack.Decoder(FileFacts)
