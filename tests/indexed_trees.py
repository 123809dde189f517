"""Stores in which trees of files are indexed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree


@contextmanager
def indexed_trees(folder: Path, trees: Mapping[str, Mapping[str, str | bytes]]) -> Iterator[Store]:
    """Index each tree under its name, and yield the store, which is open for writing."""
    with Store.open(StoreSettings(folder / "store"), writable=True) as store:
        for name, files in trees.items():
            index_repository(str(write_tree(folder / name, files)), store, IngestSettings(workers=1), name=name)
        yield store
