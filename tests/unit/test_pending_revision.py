"""A revision that is being stored: its texts, search index and graph are found together or not at all."""

from pathlib import Path

import pytest

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import sample_graph


class KilledError(Exception):
    """In place of a signal."""


def begun(store: Store) -> PendingRevision:
    return PendingRevision.begin(store, "shop", lambda done, total: None)


def commit(store: Store, revision: str, *, killed: str = "") -> None:
    """Store the sample as this revision, and stop at a point of it."""
    graph = sample_graph(revision=revision)
    with begun(store) as pending:
        pending.save_artifact("name", revision.encode())
        pending.complete_index(graph, revision, GitHistory([], []))
        with pending.commit(revision, f"inputs of {revision}"):
            if killed == "before the graph":
                raise KilledError
            store.engine.replace_repository(graph)
            if killed == "after the graph":
                raise KilledError


def indexes(store: Store) -> list[str]:
    return sorted(folder.name for folder in (store.folder / "indexes" / "shop").iterdir())


def test_a_committed_revision_replaces_the_one_before(store: Store) -> None:
    for revision in ("r1", "r2"):
        commit(store, revision)
        assert store.revision("shop") == revision
        assert store.sources.artifact("shop", "name") == revision.encode()
        assert indexes(store) == [revision]
        assert store.indexes.open("shop").folder.name == revision


def test_a_run_killed_before_the_graph_leaves_the_revision_before(store: Store) -> None:
    commit(store, "r1")
    with pytest.raises(KilledError):
        commit(store, "r2", killed="before the graph")
    assert list(PendingRevision.list_unpublished(store)) == []
    assert store.revision("shop") == "r1"
    assert store.sources.artifact("shop", "name") == b"r1"
    assert store.indexes.open("shop").folder.name == "r1"


def test_a_run_killed_after_the_graph_is_finished_later(store: Store) -> None:
    commit(store, "r1")
    with pytest.raises(KilledError):
        commit(store, "r2", killed="after the graph")
    assert store.indexes.open("shop").folder.name == "r2"
    assert indexes(store) == ["r1", "r2"]
    assert store.sources.artifact("shop", "name") == b"r2"
    store.discard_pending("shop")
    (pending,) = PendingRevision.list_unpublished(store)
    assert pending.load_artifact("name") == b"r2"
    pending.publish()
    assert store.sources.artifact("shop", "name") == b"r2"
    assert indexes(store) == ["r2"]
    assert list(PendingRevision.list_unpublished(store)) == []


def test_a_first_run_that_is_killed_leaves_nothing_to_find(store: Store) -> None:
    with pytest.raises(KilledError):
        commit(store, "r1", killed="before the graph")
    assert list(PendingRevision.list_unpublished(store)) == []
    assert store.repositories() == []


def test_a_run_that_ends_early_leaves_no_draft(store: Store) -> None:
    commit(store, "r1")
    with begun(store):
        assert len(indexes(store)) == 2
    assert indexes(store) == ["r1"]


def test_nothing_is_left_of_a_repository_that_is_deleted(store: Store) -> None:
    commit(store, "r1")
    store.indexes.open("shop")
    store.delete("shop")
    assert not (store.folder / "indexes" / "shop").exists()
    with pytest.raises(NotFoundError):
        store.indexes.open("shop")
    assert store.sources.artifact("shop", "name") is None


def test_all_of_another_store_but_its_graph_is_taken(store: Store, tmp_path: Path) -> None:
    commit(store, "r1")
    with Store.open(StoreSettings(tmp_path / "made"), writable=True) as made:
        commit(made, "r2")
    with Store.open(StoreSettings(tmp_path / "made")) as made:
        pending = PendingRevision.adopt_from(store, made, "shop")
        assert indexes(store) == ["r1", "r2"]
        assert store.revision("shop") == "r1"
        store.engine.replace_repository(made.graph("shop"))
        pending.publish()
    assert indexes(store) == ["r2"]
    assert store.sources.artifact("shop", "name") == b"r2"
    assert len(store.indexes.open("shop").places) > 0
