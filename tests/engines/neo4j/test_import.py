"""First loads: what `neo4j-admin database import` makes of exported files is what the engine writes."""

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from repoquarry.graphstore.engines.neo4j.migrations import MIGRATIONS
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.contents import content_of, everything, sorted_node, sorted_relationship
from repoquarry.graphstore.testing.contents import rows as rows_of
from repoquarry.graphstore.testing.sample_graphs import random_graph, sample_graph
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.e2e.commands.test_exports import HOSTILE
from tests.e2e.service import run_here, succeed
from tests.engines.neo4j.test_writers import user_of_shop
from tests.neo4j_server import SHORT_LIVED, LocalNeo4j, local_home
from tests.source_trees import write_tree

_GRAPHS = (sample_graph(), user_of_shop("one", "1"), user_of_shop("two", "2"), random_graph("big", 200, 500))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of the embedded engine with repositories that share packages and link to one another."""
    folder = tmp_path / "store"
    with Store.open(StoreSettings(folder), writable=True) as opened:
        assert opened.sources is not None  # makes the store of texts, without which nothing counts as indexed
        for graph in _GRAPHS:
            opened.engine.replace_repository(graph)
    return folder


def export(store: Path, target: Path, *names: str) -> list[str]:
    """Export for an import; returns the printed command."""
    done = succeed(store, "export", *names, "--format", "neo4j-csv", "-o", str(target))
    return done.stderr.split()


@pytest.mark.neo4j
@pytest.mark.slow
def test_an_imported_store_is_one_that_the_engine_wrote(store: Path, tmp_path: Path) -> None:
    """Also where the texts are hard for CSV; the imported database is a normal one: the first writer makes its schema, writes, and deletes."""
    home = local_home()
    if home is None:
        pytest.skip("needs neo4j-admin: set NEO4J_HOME")
    with Store.open(StoreSettings(tmp_path / "other"), writable=True) as other:
        index_repository(str(write_tree(tmp_path / "odd", HOSTILE)), other, IngestSettings(workers=1))
        odd = other.graph("odd")
    with Store.open(StoreSettings(store), writable=True) as opened:
        opened.engine.replace_repository(odd)
        expected = without_empty_lists(opened.engine)
    program, *arguments = export(store, tmp_path / "files", "--all")
    assert program == "neo4j-admin"
    server = LocalNeo4j(home, tmp_path / "server", SHORT_LIVED)
    environment = {**os.environ, "NEO4J_CONF": str(tmp_path / "server" / "conf"), "NEO4J_HOME": str(home)}
    done = subprocess.run(
        [str(home / "bin" / program), *arguments],
        env=environment, capture_output=True, text=True, timeout=600, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    server.start()
    try:
        settings = server.server.settings(store)
        with Store.open(settings, writable=True) as opened:
            assert without_empty_lists(opened.engine) == expected
            assert opened.repositories() == ["big", "odd", "one", "shop", "two"]
            opened.engine.replace_repository(user_of_shop("one", "3"))
            opened.engine.replace_repository(user_of_shop("new", "1"))
            opened.engine.delete_repository("big")
            opened.engine.delete_repository("odd")
            left = [_GRAPHS[0], user_of_shop("one", "3"), _GRAPHS[2], user_of_shop("new", "1")]
            assert everything(opened.engine) == content_of(*left)
            assert recorded(settings) == len(MIGRATIONS)
    finally:
        server.kill()


@pytest.mark.neo4j
@pytest.mark.slow
def test_one_command_imports_and_replaces_only_where_it_is_told(store: Path, tmp_path: Path) -> None:
    home = local_home()
    if home is None:
        pytest.skip("needs neo4j-admin: set NEO4J_HOME")
    server = LocalNeo4j(home, tmp_path / "server", SHORT_LIVED)
    places = {"NEO4J_CONF": str(tmp_path / "server" / "conf"), "NEO4J_HOME": str(home)}
    command = ("export", "--format", "neo4j-csv", "--import")
    done = succeed(store, *command, "one", "-o", str(tmp_path / "files"), **places)
    assert "nodes" in done.stderr
    assert (tmp_path / "files" / "arguments.txt").exists()
    refused = run_here(store, *command, "--all", **places)
    assert refused.returncode != 0
    assert "the database exists; give --overwrite" in refused.stderr
    succeed(store, *command, "--all", "--overwrite", **places)
    server.start()
    try:
        with Store.open(server.server.settings(store), writable=True) as opened:
            assert opened.repositories() == ["big", "one", "shop", "two"]
    finally:
        server.kill()


def test_import_says_what_it_misses(store: Path, tmp_path: Path) -> None:
    missing = run_here(store, "export", "one", "--format", "neo4j-csv", "--import", NEO4J_HOME=str(tmp_path))
    assert f"there is no neo4j-admin in {tmp_path / 'bin'}" in missing.stderr
    program = tmp_path / "bin" / "neo4j-admin"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\necho 'java.lang.Failed: outer' >&2\necho 'Caused by: the database is in use' >&2\nexit 1\n"
    )
    program.chmod(0o700)
    failed = run_here(store, "export", "one", "--format", "neo4j-csv", "--import", NEO4J_HOME=str(tmp_path))
    assert "neo4j-admin: the database is in use" in failed.stderr
    for options in (
        ("--format", "dot", "--around", "x", "--import"),
        ("--format", "neo4j-csv", "-o", "x", "--overwrite"),
    ):
        assert "takes --import" in run_here(store, "export", "one", *options).stderr


def without_empty_lists(engine: GraphEngine) -> tuple[list[str], list[str]]:
    """All nodes and relationships, without values that CSV cannot distinguish: an empty list and none."""

    def held(query: str, named: Callable[[Value], tuple[Any, ...]]) -> list[str]:
        found = [named(row[0]) for row in rows_of(engine, query)]
        return sorted(repr((*ends, [pair for pair in properties if pair[1] != []])) for *ends, properties in found)

    return held("MATCH (n) RETURN n", sorted_node), held("MATCH ()-[r]->() RETURN r", sorted_relationship)


def recorded(settings: StoreSettings) -> int:
    import neo4j

    with neo4j.GraphDatabase.driver(settings.neo4j_uri) as driver, driver.session() as session:
        found = session.run("SHOW INDEXES YIELD name WHERE name STARTS WITH 'repoquarry_migration' RETURN count(*)")
        return int(found.single(strict=True)[0])


def rows(folder: Path) -> Mapping[str, int]:
    """Rows of each file, without its header."""
    return {file.stem: file.read_bytes().count(b"\n") - 1 for file in folder.glob("*.csv")}


def test_packages_are_written_once_and_links_to_what_is_not_exported_are_left_out(store: Path, tmp_path: Path) -> None:
    export(store, tmp_path / "two", "one", "two")
    found = rows(tmp_path / "two")
    assert (found["nodes-Repository"], found["nodes-Package"], found["nodes-Function"]) == (2, 200, 2)
    assert found["relationships-DEPENDS_ON-Repository-Package"] == 400
    assert not [name for name in found if "PROVIDES" in name]
    export(store, tmp_path / "three", "shop", "one", "two", "one")
    found = rows(tmp_path / "three")
    assert found["relationships-PROVIDES-External-Function"] == 4
    shop: RepositoryGraph = _GRAPHS[0]
    assert found["nodes-Function"] == 2 + shop.counts()["Function"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["one", "two", "--format", "parquet", "-o", "x"],
            "parquet contains one repository; use neo4j-csv for several",
        ),
        (["--format", "neo4j-csv", "-o", "x"], "name a repository"),
        (["one", "--all", "--format", "neo4j-csv", "-o", "x"], "name repositories or give --all, not both"),
    ],
)
def test_how_many_repositories_a_format_takes(store: Path, options: list[str], message: str) -> None:
    done = run_here(store, "export", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_unknown_repository_is_reported_before_any_write(store: Path, tmp_path: Path) -> None:
    done = run_here(store, "export", "one", "absent", "--format", "neo4j-csv", "-o", str(tmp_path / "out"))
    assert "REPOSITORY_NOT_FOUND" in done.stderr
    assert not (tmp_path / "out").exists()
