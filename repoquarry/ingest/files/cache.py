"""Facts by content: a file that has been read once, by this version of the extractor, is not parsed again.

The key covers the file's path as well as its bytes, because facts hold names that follow from the path, and a digest of the
extractor's own source code, so that no version number has to be remembered when it changes.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from repoquarry.graphstore.folder.sources import compress, decompress
from repoquarry.ingest.facts import ASSIGNMENT_GRAPH_VERSION, AssignmentGraph, FileFacts

_PACKAGE = Path(__file__).parents[1]
_EXTRACTION = ("facts.py", "constraints.py", "languages")


@cache
def extractor_version() -> str:
    """Digest of the source code that makes facts."""
    return _digest(_EXTRACTION, str(ASSIGNMENT_GRAPH_VERSION))


@cache
def indexer_version() -> str:
    """Digest of the source code that makes a graph: all of `ingest`, and the schema."""
    return _digest((".", "../graphstore/model/schema.py", "../graphstore/folder/history.py"), "")


def facts_key(path: str, content_hash: bytes) -> bytes:
    """Under which the facts of a file are kept."""
    return hashlib.sha256(f"{extractor_version()}\0{path}\0".encode() + content_hash).digest()


def encode_facts(facts: FileFacts) -> bytes:
    """As facts travel between processes and are kept."""
    return compress(msgspec.msgpack.encode(facts))


def decode_facts(data: bytes) -> FileFacts:
    """The inverse of `encode_facts`."""
    return _DECODER.decode(decompress(data))


def decode_definitions(data: bytes) -> FileFacts:
    """As `decode_facts`, but without the assignment graph, which only resolution reads and which is most of the memory."""
    return msgspec.structs.replace(decode_facts(data), graph=_NO_GRAPH)


def _digest(names: tuple[str, ...], salt: str) -> str:
    found = hashlib.sha256(salt.encode())
    for name in names:
        place = _PACKAGE / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in (".py", ".scm"):
                found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


_NO_GRAPH = AssignmentGraph((), b"", b"", b"", b"", b"")
_DECODER = msgspec.msgpack.Decoder(FileFacts)
