"""Collections are rare while a repository is indexed, and as before afterwards, whoever else is indexing."""

from __future__ import annotations

import gc

import pytest

from repoquarry.ingest.stages.memory import rare_collections


def test_collections_are_rare_inside_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with rare_collections():
        with pytest.raises(ValueError, match="inner"), rare_collections():
            raise ValueError("inner")
        assert gc.get_threshold()[0] >= 1_000 * before[0]
        runs = gc.get_stats()[0]["collections"]
        kept = [[number] for number in range(100_000)]
        assert gc.get_stats()[0]["collections"] == runs
    assert gc.get_threshold() == before
    assert len(kept) == 100_000
