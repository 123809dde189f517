"""Cache of facts by content hash and extractor version.

A key covers path and bytes, because facts contain names that follow from the path, and a digest of everything that
decides facts: source code of the extractors, versions of parsing libraries and of the interpreter, whose Unicode
tables decide names.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry.languages.facts import FACTS_VERSION

if TYPE_CHECKING:
    from repoquarry.graphstore.storage.source_store import SourceStore

_PACKAGE = Path(__file__).parents[2]
_EXTRACTION = ("languages",)
_INDEXING = ("languages", "ingest", "graphstore/model", "graphstore/storage/git_history.py")
"""Modules of the package that decide a graph; the rest of `graphstore` only stores it."""
_COUNTING = (
    "graphstore/search/index",
    "graphstore/search/text_analysis.py",
    "ingest/files/worker_main.py",
    "ingest/files/documents.py",
)
_PARSING = (
    *sorted({found[0] for line in requires("repoquarry") or () if (found := re.match(r"tree-sitter[\w-]*", line))}),
    "msgspec",
)
_COMPUTING = (*_PARSING, "numpy", "rustworkx", "pathspec", "PyYAML")
"""Distributions that decide a graph: grammars, numerics, ignore patterns, parsers of lock files."""
_VERSION = re.compile(r"^Version: *(\S+)", re.MULTILINE)
_CODE = (".py", ".scm", ".json", ".toml", ".cpp", ".h", ".zip", ".ts")


@cache
def extractor_version() -> str:
    """Return the digest of everything that decides facts."""
    return _digest(_EXTRACTION, _PARSING)


@cache
def texts_version() -> str:
    """Return the digest of everything that decides terms."""
    return _digest(_COUNTING, ("PyStemmer", "msgspec"))


@cache
def indexer_version() -> str:
    """Return the digest of everything that decides a graph: code, score profiles, schema, libraries, interpreter."""
    return _digest(_INDEXING, _COMPUTING)


def facts_key(path: str, content_hash: bytes) -> bytes:
    """Return the cache key of a file's facts."""
    return hashlib.sha256(f"{extractor_version()}\0{path}\0".encode() + content_hash).digest()


def load_cached_facts(hashes: Mapping[str, bytes], sources: SourceStore) -> dict[str, bytes]:
    """Load the cached facts of source files by path, from their hashes by path."""
    keys = {path: facts_key(path, found) for path, found in hashes.items()}
    known = sources.load_derived(list(keys.values()))
    return {path: known[key] for path, key in keys.items() if key in known}


def texts_key(path: str, content_hash: bytes) -> bytes:
    """Return the cache key of a file's terms."""
    return hashlib.sha256(f"{texts_version()}\0".encode() + facts_key(path, content_hash)).digest()


def _digest(places: Sequence[str], distributions: Sequence[str]) -> str:
    versions = [(name, _version(name)) for name in distributions]
    found = hashlib.sha256(repr((versions, sys.version_info[:2], FACTS_VERSION)).encode())
    for name in places:
        place = _PACKAGE / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in _CODE:
                found.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _version(name: str) -> str:
    """Return the version of a distribution, empty if it is missing, from its own metadata file alone."""
    try:
        metadata = distribution(name).read_text("METADATA") or ""
    except PackageNotFoundError:
        return ""
    found = _VERSION.search(metadata)
    return found[1] if found else ""
