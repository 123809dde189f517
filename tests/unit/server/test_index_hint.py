"""The line that `index` adds where vectors could be in the graph and are not."""

from dataclasses import replace
from pathlib import Path

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.server.cli.commands.index import lacks_vectors


def test_vectors_are_missed_where_the_engine_could_hold_them(tmp_path: Path) -> None:
    neo4j = StoreSettings(tmp_path, "neo4j")
    assert lacks_vectors(neo4j)
    assert not lacks_vectors(replace(neo4j, neo4j_embeddings=True))
    assert not lacks_vectors(replace(neo4j, embedding=None))
    assert not lacks_vectors(StoreSettings(tmp_path))
