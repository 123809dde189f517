"""Fixtures that several test folders share: a real Neo4j for the session, and an engine of each kind with an empty store."""

import gc
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import build_native
import pytest
from hypothesis import HealthCheck, settings

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.fixtures import engine, open_engine  # noqa: F401  fixtures
from tests.durations import DurationRecorder, sort_longest_first
from tests.golden import GoldenFiles
from tests.neo4j_server import NAMED_SERVER, SHORT_LIVED, LocalNeo4j, Neo4jServer, empty, local_home, neo4j_server
from tests.thread_workers import thread_workers

settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")  # a busy machine fails no test, and the same code meets the same examples


os.environ.pop(
    "PYTHONDONTWRITEBYTECODE", None
)  # else each of the suite's many processes compiles all that it imports again
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="Rewrite golden files with the results of the tests.")
    parser.addoption("--record-durations", action="store_true", help="Record how long tests take, for their order.")


def pytest_configure(config: pytest.Config) -> None:
    """Builds native libraries that are missing or older than their sources; with `-n` before the workers start."""
    if os.environ.get(NAMED_SERVER) and config.getoption("numprocesses", None):
        raise pytest.UsageError(
            f"workers would empty the one server of {NAMED_SERVER} under each other; give -n 0 (make JOBS=0)"
        )
    if config.getoption("record_durations") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(DurationRecorder(config.rootpath))
    for library in build_native.LIBRARIES:
        if not build_native.is_built(library):
            build_native.build(library)


def _group(nodeid: str) -> str:
    """Unit of work of `-n --dist loadfile`: a file, but all tests with the session's Neo4j are one unit, so that one server is started.

    Each page of the documentation is a unit: the workers share its installation.
    """
    if nodeid.startswith("tests/documentation/test_pages.py"):
        return nodeid
    return "neo4j" if "neo4j" in nodeid else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files by worker, with those of Neo4j together: the controller knows tests by their ids alone, so ids must tell."""
    if config.getoption("dist") != "loadfile":
        return None
    scheduling = import_module("xdist.scheduler").LoadFileScheduling
    return type("ByServer", (scheduling,), {"_split_scope": lambda self, nodeid: _group(nodeid)})(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark tests of Neo4j as long, apart from the compliance suite; sort what is selected, for workers.

    Raises: UsageError for a test that would start a second server.
    """
    for item in items:
        if item.get_closest_marker("neo4j") is None:
            continue
        if not item.nodeid.startswith("tests/engines/compliance/"):
            item.add_marker("long")
        if "own_neo4j" not in item.fixturenames and _group(item.nodeid) != "neo4j":  # type: ignore[attr-defined]
            raise pytest.UsageError(f"{item.nodeid} needs Neo4j; its id has to contain neo4j")
    yield
    if hasattr(config, "workerinput"):
        sort_longest_first(items, _group)


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end, and let it come seldom: what is decoded takes a quarter of the time then."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 10)


@pytest.fixture
def golden_files(pytestconfig: pytest.Config) -> GoldenFiles:
    """Golden files, compared or with `--update-golden` rewritten."""
    return GoldenFiles(update=pytestconfig.getoption("update_golden"))


@pytest.fixture(scope="session")
def neo4j_instance(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Neo4jServer]:
    """One Neo4j for the whole session (with `-n`, of the one worker that has these tests); they are skipped where there is none."""
    with neo4j_server(tmp_path_factory.mktemp("neo4j") / "server") as server:
        if server is None:
            pytest.skip("no Neo4j: set REPOQUARRY_TEST_NEO4J_URI or NEO4J_HOME, or start Docker")
        reporter = pytestconfig.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(f"tests use the Neo4j of {server.origin} at {server.uri}")
        yield server


@pytest.fixture
def own_neo4j(tmp_path: Path) -> Iterator[LocalNeo4j]:
    """A Neo4j of the test's own, that it may kill."""
    home = local_home()
    if home is None:
        pytest.skip("no Neo4j that a test may kill: set NEO4J_HOME")
    server = LocalNeo4j(home, tmp_path / "server", SHORT_LIVED)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
def neo4j_settings(neo4j_instance: Neo4jServer, tmp_path: Path) -> StoreSettings:
    empty(neo4j_instance)
    return neo4j_instance.settings(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store of the embedded engine, open for writing."""
    with Store.open(StoreSettings(tmp_path / "store"), writable=True) as opened:
        yield opened


@pytest.fixture(params=["kglite", "duckdb", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def engine_settings(request: pytest.FixtureRequest, tmp_path: Path) -> StoreSettings:
    """Settings for an empty store, once on every engine."""
    if request.param == "neo4j":
        settings: StoreSettings = request.getfixturevalue("neo4j_settings")
        return settings
    return StoreSettings(tmp_path, request.param)


@pytest.fixture(scope="module", params=["kglite", "duckdb", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def shared_engine_settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> StoreSettings:
    """Settings for an empty store that the tests of a module share, once on every engine."""
    folder = tmp_path_factory.mktemp("shared")
    if request.param != "neo4j":
        return StoreSettings(folder, request.param, embedding=None)
    server: Neo4jServer = request.getfixturevalue("neo4j_instance")
    empty(server)
    return StoreSettings(
        folder, "neo4j", server.uri, neo4j_user=server.user, neo4j_password=server.password, embedding=None
    )


@pytest.fixture(scope="module", name="thread_workers")
def _thread_workers() -> Iterator[None]:
    """Indexing starts no processes, for modules of tests of stored results."""
    with thread_workers():
        yield
