"""Several data folders on one Neo4j: each serves its own repositories, and says for the others which folder has their texts."""

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import repoquarry
from repoquarry.graphstore.errors import TextsElsewhereError
from repoquarry.graphstore.model.graph_tables import RelationshipTable
from repoquarry.graphstore.search.requests import SearchRequest
from repoquarry.graphstore.search.retrieval import search
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph import repository_links
from repoquarry.ingest.graph.repository_links import delete_repository
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

pytestmark = [pytest.mark.neo4j, pytest.mark.usefixtures("thread_workers")]
_ROUNDS = 3


@pytest.fixture
def stores(neo4j_settings: StoreSettings, tmp_path: Path) -> Iterator[list[Store]]:
    """Four stores that write one database, each with a data folder of its own."""
    with ExitStack() as opened:
        folders = [replace(neo4j_settings, folder=tmp_path / f"folder{number}") for number in range(4)]
        yield [opened.enter_context(Store.open(settings, writable=True)) for settings in folders]


def library(folder: Path, name: str, needs: str = "", body: str = "return 1") -> str:
    """Write a repository that offers a package and may use another one."""
    manifest = f'[project]\nname = "{name}"\nversion = "1"\ndependencies = [{needs and repr(needs)}]\n'
    uses = f"import {needs}\n\n\ndef use():\n    return {needs}.offer()\n\n\n" if needs else ""
    code = f"{uses}def offer():\n    {body}\n"
    return str(write_tree(folder / name, {"pyproject.toml": manifest, f"{name}/__init__.py": code}))


def index(store: Store, source: str) -> None:
    index_repository(source, store, IngestSettings(workers=1))


def links(store: Store) -> list[tuple[object, ...]]:
    query = "MATCH (a:External)-[:PROVIDES]->(b:Function) RETURN a.repository AS a, b.repository AS b ORDER BY a, b"
    return list(store.query(query).rows)


def test_four_folders_index_at_once_and_each_serves_its_own(stores: list[Store], tmp_path: Path) -> None:
    def work(number: int) -> list[str]:
        names = [f"lib{number}x{turn}" for turn in range(_ROUNDS)]
        for name, needs in zip(names, ["", *names], strict=False):
            index(stores[number], library(tmp_path / "sources", name, needs))
        return names

    with ThreadPoolExecutor(len(stores)) as pool:
        owned = list(pool.map(work, range(len(stores))))
    everything = sorted(name for names in owned for name in names)
    assert links(stores[0]) == [(names[n + 1], names[n]) for names in owned for n in range(_ROUNDS - 1)]
    for store, own in zip(stores, owned, strict=True):
        assert store.repositories() == everything
        assert store.text_repositories() == own
        assert [hit.repository for hit in search(store, SearchRequest("offer")).hits]
        for name in own:
            assert "def offer" in store.source_text(name, f"{name}/__init__.py")
        (foreign,) = set(owned[(stores.index(store) + 1) % len(stores)][:1])
        place = stores[(stores.index(store) + 1) % len(stores)].folder
        with pytest.raises(TextsElsewhereError, match=f"{foreign}.*:{place}; query"):
            store.source_text(foreign, f"{foreign}/__init__.py")
        with pytest.raises(TextsElsewhereError):
            search(store, SearchRequest("offer", repositories=(foreign,)))


def test_the_folder_that_indexes_a_repository_again_takes_it_over(stores: list[Store], tmp_path: Path) -> None:
    """The first folder keeps quiet rather than quote its older texts for the new graph."""
    first, second = stores[:2]
    path = "shop/__init__.py"
    for number, store in enumerate((first, second, first)):
        other = second if store is first else first
        index(store, library(tmp_path, "shop", body=f"return {number}"))
        assert store.source_text("shop", path).endswith(f"return {number}\n")
        if number:
            other._checked_at.clear()  # what a second does
            with pytest.raises(TextsElsewhereError, match=str(store.folder)):
                other.source_text("shop", path)
            with pytest.raises(TextsElsewhereError):
                other.indexes.open("shop")


def test_links_join_repositories_of_one_folder(stores: list[Store], tmp_path: Path) -> None:
    first, second = stores[:2]
    index(first, library(tmp_path, "base"))
    index(second, library(tmp_path, "user", "base"))
    assert links(first) == []
    index(first, library(tmp_path, "user", "base"))
    assert first.text_repositories() == ["base", "user"]
    index(first, library(tmp_path, "base", body="return 2"))
    assert links(first) == [("user", "base")]


def test_a_repository_that_another_folder_deleted_can_be_indexed_again(stores: list[Store], tmp_path: Path) -> None:
    first, second = stores[:2]
    source = library(tmp_path, "shop")
    index(first, source)
    delete_repository("shop", second)
    assert first.text_repositories() == []
    index(first, source)
    assert "def offer" in first.source_text("shop", "shop/__init__.py")


@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
@pytest.mark.parametrize("change", ["replaced", "deleted"])
def test_links_follow_what_another_folder_does_meanwhile(
    stores: list[Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool, change: str
) -> None:
    """The other folder changes the library after the links to it are computed and before they are written."""
    first, second = stores[:2]
    index(first, library(tmp_path, "base"))
    if again:
        index(first, library(tmp_path, "user"))
    user = library(tmp_path, "user", "base")
    computed, compute = [], repository_links._links

    def compute_then_change(*arguments: Any) -> list[RelationshipTable]:
        computed.append(found := compute(*arguments))
        if len(computed) == 1 and change == "replaced":
            index(second, str(write_tree(tmp_path / "base", {"base/__init__.py": "x = 1\n"})))
        elif len(computed) == 1:
            delete_repository("base", second)
        return found

    monkeypatch.setattr(repository_links, "_links", compute_then_change)
    index(first, user)
    assert computed[0]
    assert not computed[-1]
    assert links(first) == []
    monkeypatch.undo()
    index(first, library(tmp_path, "base"))
    assert links(first) == [("user", "base")]


def test_texts_are_read_through_the_store_alone() -> None:
    """Whatever else read them from `sources` would read them unchecked."""
    allowed = {"store.py", "pending_revision.py", "storage", "ingest"}
    root = Path(repoquarry.__file__ or repoquarry.__path__[0])
    root = root.parent if root.is_file() else root
    found = []
    for file in root.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("text", "texts", "content", "artifact"):
                reads_sources = isinstance(node.value, ast.Attribute) and node.value.attr == "sources"
                if reads_sources and not allowed & set(file.relative_to(root).parts):
                    found.append(f"{file.relative_to(root)}:{node.lineno}")
    assert found == []
