"""Ranks of modules, kept beside an indexed revision and used again while modules depend on each other as they did.

Most edits join no two files that were not joined before, and the ranks (`pagerank`), which invert matrices, follow from nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from repoquarry.graphstore.folder.sources import SourceStore
from repoquarry.ingest.files.cache import indexer_version
from repoquarry.ingest.stages.kept import read_kept

if TYPE_CHECKING:
    from repoquarry.ingest.scores.pagerank import Vector

_NAME = "ranks"


class KeptRanks(msgspec.Struct, array_like=True):
    """The ranks that were made last, and what they follow from."""

    key: bytes = b""
    """Digest of the number of modules, of their pairs and of this version of the indexer."""
    ranks: list[float] = []

    @classmethod
    def stored(cls, sources: SourceStore, repository: str) -> KeptRanks:
        """Those of the published revision; none when nothing was kept that can be read."""
        return read_kept(sources, repository, _NAME, cls) or cls()

    def of(self, count: int, edges: Iterable[tuple[int, int]]) -> Vector:
        """As `own_pagerank`, computed only where it would not give what is kept."""
        import numpy as np  # loaded only when there is something to score

        from repoquarry.ingest.scores.pagerank import own_pagerank

        pairs = sorted(set(edges))
        told = (indexer_version(), np.__version__, count, np.array(pairs, dtype=np.int64).tobytes())
        key = hashlib.sha256(msgspec.msgpack.encode(told)).digest()
        if key != self.key or len(self.ranks) != count:
            self.key, self.ranks = key, own_pagerank(count, pairs).tolist()
        return np.array(self.ranks, dtype=np.float64)

    def save(self, sources: SourceStore, snapshot: int) -> None:
        """Keep them beside the texts of a snapshot."""
        sources.put_artifact(snapshot, _NAME, msgspec.msgpack.encode(self))
