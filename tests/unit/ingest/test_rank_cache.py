"""Ranks that are kept are those that would be computed, and are computed again where anything that decides them differs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest import pagerank
from repoquarry.ingest.pagerank import RankCache

EDGES = [(0, 1), (1, 0), (2, 1), (2, 1)]


@pytest.fixture
def sources(tmp_path: Path) -> SourceStore:
    return SourceStore.open(tmp_path, writable=True)


def _published(sources: SourceStore, data: bytes | None) -> RankCache:
    snapshot = sources.begin("r")
    if data is not None:
        sources.put_artifact(snapshot, "ranks", data)
    sources.seal(snapshot, "1", "")
    sources.publish(snapshot)
    return RankCache.stored(sources, "r")


def test_the_same_dependencies_are_not_ranked_again(sources: SourceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    first = RankCache.stored(sources, "r")
    computed = first.of(3, EDGES)
    assert computed.tolist() == pagerank.own_pagerank(3, EDGES).tolist()
    again = _published(sources, msgspec.msgpack.encode(first))
    monkeypatch.setattr(pagerank, "own_pagerank", lambda *_: pytest.fail("computed again"))
    assert again.of(3, reversed(EDGES)).tolist() == computed.tolist()


@pytest.mark.parametrize(("count", "edges"), [(4, EDGES), (3, EDGES[:2]), (3, [(1, 2), *EDGES])])
def test_other_dependencies_are(sources: SourceStore, count: int, edges: list[tuple[int, int]]) -> None:
    first = RankCache()
    first.of(3, EDGES)
    again = _published(sources, msgspec.msgpack.encode(first))
    assert again.of(count, edges).tolist() == pagerank.own_pagerank(count, edges).tolist()


@pytest.mark.parametrize("data", [None, b"", b"\xc1", msgspec.msgpack.encode((b"", ["a"]))])
def test_what_cannot_be_read_is_not_used(sources: SourceStore, data: bytes | None) -> None:
    assert _published(sources, data).of(3, EDGES).tolist() == pagerank.own_pagerank(3, EDGES).tolist()
