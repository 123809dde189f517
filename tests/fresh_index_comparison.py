"""Content of a store after indexing a folder again, compared with indexing its last state alone."""

from dataclasses import replace
from pathlib import Path

from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.schema import TIME_PROPERTIES
from repoquarry.graphstore.settings import EmbeddingSettings, StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import IndexReport, index_repository
from repoquarry.ingest.settings import IngestSettings

_SETTINGS = IngestSettings(workers=1)


def index(root: Path, folder: Path) -> tuple[IndexReport, dict[str, bytes], RepositoryGraph]:
    """The report, the bytes of the search index, and the stored graph."""
    with Store.open(StoreSettings(folder, embedding=EmbeddingSettings()), writable=True) as store:
        report = index_repository(str(root), store, _SETTINGS, name="tree")
        files = {path.name: path.read_bytes() for path in store.indexes.index_folder("tree").iterdir()}
        return report, files, store.graph("tree")


def same_as_fresh(root: Path, stored: Path, fresh: Path) -> IndexReport:
    """Index a folder into a store that knows an earlier state, and into a fresh one, and compare all that is stored."""
    report, files, graph = index(root, stored)
    anew, expected_files, expected = index(root, fresh)
    assert report.revision == anew.revision
    assert files.keys() == expected_files.keys()
    assert [name for name in files if files[name] != expected_files[name]] == []
    assert _without_times(graph) == _without_times(expected)
    return report


def _without_times(graph: RepositoryGraph) -> RepositoryGraph:
    nodes = [
        replace(table, columns={key: column for key, column in table.columns.items() if key not in TIME_PROPERTIES})
        for table in graph.nodes
    ]
    return replace(graph, nodes=nodes)
