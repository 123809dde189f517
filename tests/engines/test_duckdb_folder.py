"""Engine on DuckDB: hostile texts stay values, the connection reaches nothing else, and damaged or left files are repaired."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from repoquarry.graphstore.engines.duckdb import require_supported
from repoquarry.graphstore.engines.duckdb.engine import DuckdbEngine
from repoquarry.graphstore.engines.duckdb.graph_folder import FOLDER, DatabaseFolder
from repoquarry.graphstore.engines.duckdb.graph_views import GraphViews
from repoquarry.graphstore.engines.graph_catalog import FILE_NAME
from repoquarry.graphstore.errors import EngineUnavailableError, StoreCorruptError
from repoquarry.graphstore.graph_engine import WHOLE, QueryLimits
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.sample_graphs import sample_graph

_COUNT = "MATCH (f:Function) RETURN count(f) AS n"
_HOSTILE = ("'; DROP TABLE n; --", '" OR 1=1', "$p0", "{0}", "\\", "a'b\"c`d", "%s", "\x00", "🦆")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[DuckdbEngine]:
    opened = DuckdbEngine(StoreSettings(tmp_path, "duckdb"), writable=True)
    for name in ("shop", "tools"):
        opened.replace_repository(sample_graph(name))
    yield opened
    opened.close()


def _reopened(tmp_path: Path) -> DuckdbEngine:
    return DuckdbEngine(StoreSettings(tmp_path, "duckdb"), writable=True)


@pytest.mark.parametrize("text", _HOSTILE)
def test_hostile_text_is_a_value_a_key_and_a_name(engine: DuckdbEngine, text: str) -> None:
    spelled, quoted = text.replace("\\", "\\\\").replace("'", "\\'"), text.replace("`", "``")
    for query, row in (
        (f"RETURN '{spelled}' AS x, $given AS y", (text, text)),
        (f"WITH {{`{quoted}`: 1}} AS m RETURN m, keys(m) AS k", ({text: 1}, [text])),
        (f"MATCH (`{quoted}`:Repository {{name: $given}}) RETURN count(`{quoted}`) AS n", (0,)),
    ):
        gated = admit(query, {"given": text}, "duckdb")
        assert engine.run(gated.text, gated.parameters, QueryLimits()).rows == [row]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "COPY (SELECT 1) TO 'x.csv'",
        "ATTACH 'x.duckdb'",
        "INSTALL httpfs",
        "SET memory_limit = '9GB'",
        "SET enable_external_access = true",
        'DELETE FROM g0.main."n_Function"',
    ],
)
def test_connection_reaches_no_file_and_keeps_its_settings(engine: DuckdbEngine, tmp_path: Path, sql: str) -> None:
    session = GraphViews(DatabaseFolder(tmp_path / FOLDER)).session(WHOLE)
    with pytest.raises(duckdb.Error):
        session.execute(sql)
    session.close()


def test_an_unreadable_file_is_reported_and_replaced(engine: DuckdbEngine, tmp_path: Path) -> None:
    folder = DatabaseFolder(tmp_path / FOLDER)
    (folder.path / folder.catalogue().entries["shop"].file).write_bytes(b"nothing" * 5_000)
    views = GraphViews(folder)
    with pytest.raises(StoreCorruptError, match="re-index the repository"):
        views.session(WHOLE)
    assert engine.is_damaged("shop")
    engine.replace_repository(sample_graph())
    assert not engine.is_damaged("shop")
    assert views.session(WHOLE)
    views.drop()


def test_a_damaged_catalog_is_rebuilt_and_left_files_are_removed(engine: DuckdbEngine, tmp_path: Path) -> None:
    rows = engine.run(_COUNT, {}, QueryLimits()).rows
    engine.close()
    folder = tmp_path / FOLDER
    (folder / FILE_NAME).write_bytes(b"damaged")
    (folder / "shop-9-0000000000000000.duckdb.tmp").write_bytes(b"of a killed writer")
    opened = _reopened(tmp_path)
    assert opened.run(_COUNT, {}, QueryLimits()).rows == rows
    assert opened.repositories() == ["shop", "tools"]
    assert sorted(path.suffix for path in folder.iterdir()) == ["", ".duckdb", ".duckdb"]
    opened.close()


def test_a_repository_without_its_file_is_left_out_by_the_next_writer(engine: DuckdbEngine, tmp_path: Path) -> None:
    engine.close()
    folder = DatabaseFolder(tmp_path / FOLDER)
    (folder.path / folder.catalogue().entries["tools"].file).unlink()
    opened = _reopened(tmp_path)
    assert opened.repositories() == ["shop"]
    opened.close()


@pytest.mark.parametrize("version", ["1.5.6", "2.1.0", "3.0"])
def test_an_untested_release_is_refused_with_the_tested_ones(version: str) -> None:
    with pytest.raises(EngineUnavailableError, match=r"duckdb>=2\.0,<2\.1"):
        require_supported(version)
