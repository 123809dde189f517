"""The embedded engine's folder: what one repository costs, what a query loads, and what holds when files are missing or damaged."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.kglite import loaded_graphs
from repoquarry.graphstore.engines.kglite.engine import KgliteEngine
from repoquarry.graphstore.engines.kglite.graph_files import JOINED, GraphFiles
from repoquarry.graphstore.engines.kglite.graph_folder import FOLDER, GraphFolder
from repoquarry.graphstore.engines.kglite.loaded_graphs import GraphCache
from repoquarry.graphstore.errors import GraphStoreError, QueryRefusedError, StoreCorruptError
from repoquarry.graphstore.graph_engine import WHOLE, QueryLimits, QueryScope
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.contents import content_of, everything
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder, random_graph, sample_graph
from tests.engines.differential import corpus
from tests.engines.differential.generator import QueryMaker

_ALL = QueryLimits(seconds=60, rows=0, bytes=0)


def _client() -> GraphBuilder:
    b = GraphBuilder("client")
    b.repository_node()
    module = b.module("client.py")
    outside = b.external("shop.app.total")
    b.call(b.define("Function", module, "use", 3), outside, 4)
    b.join("PROVIDES", outside, "shop:shop/app.py::total", "Function")
    return b


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[KgliteEngine]:
    found = open_engine(StoreSettings(tmp_path), writable=True)
    assert isinstance(found, KgliteEngine)
    found.replace_repository(sample_graph())
    found.replace_repository(sample_graph("tools"))
    found.replace_repository(_client().build())
    yield found
    found.close()


def _folder(tmp_path: Path) -> GraphFolder:
    return GraphFolder(tmp_path / FOLDER)


def test_a_large_graph_leaves_nothing_in_the_temporary_folder(engine: KgliteEngine, tmp_path: Path) -> None:
    engine.replace_repository(random_graph("large", 12_000, 12_000))
    [file] = tmp_path.rglob("large*.kgl")
    left = _left_behind(tmp_path, f"import kglite; graph = kglite.load({str(file)!r})")
    assert left  # else the graph is too small to show anything
    ours = "from pathlib import Path; from repoquarry.graphstore.engines.kglite.library import load_file"
    assert not _left_behind(tmp_path, f"{ours}; graph = load_file(Path({str(file)!r}))")


def _left_behind(folder: Path, loading: str) -> list[str]:
    """Files in the temporary folder of a process that loads a graph, reads it and is ended in the middle."""
    temporary = Path(tempfile.mkdtemp(dir=folder))
    code = f"{loading}; print(len(graph.cypher('MATCH (f:Function) RETURN f.id')), flush=True); import os; os._exit(3)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(temporary)}, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (3, b"12000")
    return [file.name for file in temporary.iterdir()]


def test_writing_one_repository_leaves_the_files_of_the_others(engine: KgliteEngine, tmp_path: Path) -> None:
    def files() -> dict[str, int]:
        entries = _folder(tmp_path).catalogue().entries.values()
        return {entry.file: (tmp_path / FOLDER / entry.file).stat().st_mtime_ns for entry in entries}

    before = files()
    engine.replace_repository(sample_graph("tools"))
    after = files()
    assert len(before.keys() & after.keys()) == 2
    assert all(after[file] == before[file] for file in before.keys() & after.keys())
    kept = {file.name for file in (tmp_path / FOLDER).iterdir() if not file.name.startswith(JOINED)}
    assert kept == _folder(tmp_path).catalogue().files() | {"catalogue"}


def test_a_query_about_one_repository_loads_its_graph_alone(engine: KgliteEngine, tmp_path: Path) -> None:
    views = GraphCache(_folder(tmp_path))
    view = views.view(QueryScope(frozenset({"tools"})))
    assert loaded_graphs.run_query(view, "MATCH (r:Repository) RETURN r.id", {}, _ALL).rows == [("tools",)]
    assert views.view(QueryScope(frozenset({"tools"}))) is view
    listed = views.view(QueryScope(directory=True))
    labels = loaded_graphs.run_query(
        listed, "MATCH (n) RETURN DISTINCT labels(n)[0] AS label ORDER BY label", {}, _ALL
    ).rows
    assert labels == [("Package",), ("Repository",)]
    engine.replace_repository(sample_graph("tools"))
    assert views.view(QueryScope(frozenset({"tools"}))) is not view


def test_links_are_followed_into_the_other_repository(engine: KgliteEngine) -> None:
    across = "MATCH (f {id: $id})-[:CALLS]->(e:External)-[:PROVIDES]->(g) RETURN g.id"
    found = engine.run(across, {"id": "client:client.py::use"}, _ALL).rows
    assert found == [("shop:shop/app.py::total",)]
    back = "MATCH (f)-[:CALLS]->(e:External)-[:PROVIDES]->(g:Function {id: $id}) RETURN f.id"
    assert ("client:client.py::use",) in engine.run(back, {"id": "shop:shop/app.py::total"}, _ALL).rows


@pytest.mark.parametrize("alone", [False, True])
def test_the_graph_of_all_follows_every_write(engine: KgliteEngine, tmp_path: Path, alone: bool) -> None:
    views = GraphCache(_folder(tmp_path), alone=alone)

    def count() -> object:
        text = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS relationships"
        return loaded_graphs.run_query(views.view(WHOLE), text, {}, _ALL).rows[0]

    before = count()
    big = random_graph("big", 200, 300)
    engine.replace_repository(big)
    assert count() != before
    engine.delete_repository("big")
    assert count() == before
    engine.delete_repository("shop")
    links = "MATCH (:External)-[r:PROVIDES]->() RETURN count(r) AS links"
    assert loaded_graphs.run_query(views.view(WHOLE), links, {}, _ALL).rows == [(0,)]
    engine.replace_repository(sample_graph())
    assert loaded_graphs.run_query(views.view(WHOLE), links, {}, _ALL).rows == [(1,)]
    assert count() == before


def test_the_kept_graph_of_all_is_used_and_may_be_lost(engine: KgliteEngine, tmp_path: Path) -> None:
    expected = everything(engine)
    assert expected == content_of(sample_graph(), sample_graph("tools"), _client().build())
    kept = list((tmp_path / FOLDER).glob(f"{JOINED}*.kgl"))
    assert len(kept) == 1
    kept[0].write_bytes(b"broken")
    for file in (None, *(tmp_path / FOLDER).glob(f"{JOINED}*")):
        if file is not None:
            file.unlink(missing_ok=True)
        with_reader = open_engine(StoreSettings(tmp_path), writable=False)
        try:
            assert everything(with_reader) == expected
        finally:
            with_reader.close()


class _Ended(BaseException):
    """Stands for a process that is killed."""


class _Counting(GraphFiles):
    """Knows what was loaded, and may be ended at a load."""

    def __init__(self, path: Path, last: int = 1_000) -> None:
        super().__init__(path)
        self.loaded: list[str] = []
        self._last = last

    def load(self, file: str) -> Any:
        if len(self.loaded) == self._last:
            raise _Ended
        self.loaded.append(file.partition("-")[0])
        return super().load(file)


def _over(files: GraphFiles) -> GraphFolder:
    folder = GraphFolder(files.path)
    folder.files = files
    return folder


def test_merged_graph_is_kept_when_its_construction_is_interrupted(
    engine: KgliteEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(found: GraphCache) -> list[object]:
        text = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS relationships"
        links = "MATCH (:External)-[r:PROVIDES]->() RETURN count(r) AS links"
        return [
            row for asked in (text, links) for row in loaded_graphs.run_query(found.view(WHOLE), asked, {}, _ALL).rows
        ]

    at_once = _Counting(tmp_path / FOLDER)
    expected = counted(GraphCache(_over(at_once)))
    assert at_once.loaded == ["client", "shop", "tools"]
    assert expected[-1] == (1,)
    for file in (tmp_path / FOLDER).glob(f"{JOINED}*"):
        file.unlink()
    monkeypatch.setattr(loaded_graphs, "_KEPT_BETWEEN", 1)
    with pytest.raises(_Ended):
        GraphCache(_over(_Counting(tmp_path / FOLDER, last=2))).view(WHOLE)
    rest = _Counting(tmp_path / FOLDER)
    assert counted(GraphCache(_over(rest))) == expected
    assert rest.loaded == [JOINED.rstrip("-"), "tools"]


def test_damaged_catalog_is_reported_and_rebuilt_by_the_next_writer(engine: KgliteEngine, tmp_path: Path) -> None:
    expected = everything(engine)
    engine.close()
    catalogue = tmp_path / FOLDER / "catalogue"
    data = bytearray(catalogue.read_bytes())
    data[10] ^= 1
    catalogue.write_bytes(data)
    reader = open_engine(StoreSettings(tmp_path), writable=False)
    with pytest.raises(StoreCorruptError, match=r"catalogue is damaged .*; the next process"):
        reader.repositories()
    reader.close()
    writer = open_engine(StoreSettings(tmp_path), writable=True)
    try:
        assert writer.repositories() == ["client", "shop", "tools"]
        assert everything(writer) == expected
    finally:
        writer.close()


def test_a_missing_graph_is_left_out_and_a_missing_directory_is_an_error(engine: KgliteEngine, tmp_path: Path) -> None:
    (tmp_path / FOLDER / _folder(tmp_path).catalogue().entries["tools"].file).unlink()
    views = GraphCache(_folder(tmp_path))
    assert views.view(QueryScope(frozenset({"tools"}))) is views.nothing
    assert sorted(_folder(tmp_path).catalogue().entries) == ["client", "shop", "tools"], "readers write nothing"
    (tmp_path / FOLDER / _folder(tmp_path).catalogue().directory).unlink()
    with pytest.raises(StoreCorruptError, match="lists missing graphs"):
        GraphCache(_folder(tmp_path)).view(QueryScope(directory=True))


def _queries() -> Iterator[tuple[str, dict[str, Value]]]:
    for case in corpus.read():
        yield case.query, case.parameters
    maker = QueryMaker(11)
    for _ in range(400):
        yield maker.query(), {}


def test_the_scope_of_a_query_holds_all_that_it_matches(engine: KgliteEngine, tmp_path: Path) -> None:
    """Rows of every query of the corpus and many random ones, about one repository by each way of naming it: as on the graph of all."""
    views = GraphCache(_folder(tmp_path))
    narrow = 0
    for text, parameters in _queries():
        for query in (text, *_about_one(text)):
            try:
                gated = admit(query, {**parameters, "repository": "shop"}, "kglite")
            except (QueryRefusedError, TypeError, ValueError):
                continue
            scope = gated.reach.scope(gated.parameters)
            if scope == WHOLE:
                continue
            narrow += 1
            results = [_rows(views, where, gated.text, gated.parameters) for where in (scope, WHOLE)]
            assert results[0] == results[1], query
    assert narrow > 100


_NODE = re.compile(r"\((\w+):(\w+)\)")


def _about_one(text: str) -> Iterator[str]:
    """The query with the first node of each pattern tied to a repository, and with the first one alone."""
    yield _NODE.sub(r"(\1:\2 {repository: $repository})", text, count=1)
    yield re.sub(r"((?:MATCH|,|\{|\[)\s*(?:\w+ = )?)\((\w+):(\w+)\)", r"\1(\2:\3 {repository: $repository})", text)


def _rows(views: GraphCache, scope: QueryScope, text: str, parameters: object) -> object:
    assert isinstance(parameters, dict)
    try:
        found = loaded_graphs.run_query(views.view(scope), text, parameters, _ALL).rows
    except GraphStoreError as exc:
        return type(exc)
    if " LIMIT " in text or " SKIP " in text or "collect(" in text.lower():
        return len(found)  # which rows or in which order is for the engine to say
    return sorted(map(repr, found))
