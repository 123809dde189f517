"""All that the graph of one repository is made of, gathered by a run and read by assembly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from repoquarry.graphstore.folder.history import History
from repoquarry.ingest.files.documents import DocumentFacts
from repoquarry.ingest.graph.columns import Columns
from repoquarry.ingest.graph.outline import Outline
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.scores.scoring import Scores
from repoquarry.ingest.sources.base import LeftOut
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.packages import Packages


@dataclass(frozen=True)
class Origin:
    """Where the repository came from, as its node says."""

    repository: str
    source: str
    source_kind: str
    commit: str | None
    branch: str | None
    ref: str | None
    dirty: bool


@dataclass(frozen=True)
class Parts:
    """All that a graph is made of."""

    origin: Origin
    files: Sequence[FileFacts]
    """In path order."""
    outline: Outline
    """Of the files."""
    outline_columns: Columns
    """Of its tables."""
    stored_columns: Columns
    """Of the stored graph, as far as they are known."""
    documents: Sequence[DocumentFacts]
    """In path order."""
    hashes: Mapping[str, str]
    """Path -> SHA-256 of the file's bytes, hexadecimal."""
    generated: frozenset[str]
    """Paths of indexed files that say that they are generated."""
    resolution: Resolution
    resolution_content: bytes
    """Digest of it."""
    scores: Scores
    history: History
    packages: Packages
    left_out: Sequence[LeftOut]
    left_out_count: int
