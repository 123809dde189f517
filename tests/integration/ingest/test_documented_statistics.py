"""The query that docs/explanation/benchmarks.md shows, taken from there, over a repository small enough to be counted by hand."""

import re
from pathlib import Path

from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

DOCUMENT = Path(__file__).parents[3] / "docs/explanation/benchmarks.md"


def test_the_documented_query_counts_what_is_there(shop: Path, store: Store, settings: IngestSettings) -> None:
    write_tree(shop, {"shop/broken.py": "def broken(:\n    len('')\n"})
    report = index_repository(str(shop), store, settings)
    (query,) = re.findall(r"```cypher\n(.+?)```", DOCUMENT.read_text(), re.DOTALL)

    found = store.query(query, {"repository": report.repository})

    row = dict(zip(found.columns, found.rows[0], strict=True))
    assert row == {"files": 4, "classes": 2, "functions": 6, "loc": 33, "imports": 4, "calls": 7}
