"""Names of functions in files that are no sources: templates, settings, descriptions of dialogs, documents, and skipped sources."""

from __future__ import annotations

from collections.abc import Iterable, Set
from pathlib import Path

from repoquarry.ingest.files.hashing import HashedTree
from repoquarry.ingest.files.selection import read_beneath
from repoquarry.ingest.sources.source import SkippedPath
from repoquarry.languages.registry import is_source
from repoquarry.languages.source_text import hash_words, words_of

_MAX_FILE = 1_000_000
_MAX_BYTES = 100_000_000
"""Bytes of one file, and of all: what is beyond is not read."""


def find_names(root: Path, hashed: HashedTree, names: Set[str]) -> bytes:
    """Return the hashes (`hash_words`) of those `names` that occur in files other than indexed sources."""
    left, found = _MAX_BYTES, set[str]()
    for path in _paths(hashed):
        content = read_beneath(root, path, min(_MAX_FILE, left))
        if not isinstance(content, SkippedPath) and b"\0" not in content[:1_024]:
            left -= len(content)
            found |= words_of(content.decode("utf-8", "replace")) & names
    return hash_words(found)


def _paths(hashed: HashedTree) -> Iterable[str]:
    documents = (file.path for file in hashed.files if file.kind not in {"source", "setting"})
    skipped = (entry.path for entry in hashed.left_out.files if is_source(entry.path))
    return dict.fromkeys((*hashed.others, *documents, *skipped))
