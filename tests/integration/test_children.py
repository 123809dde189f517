"""Child processes of every kind: modules that they may import, and the error message when one exits.

The kinds are derived from the code: every function that starts a process, and every main function of a child.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from repoquarry.code.excerpts import text_view
from repoquarry.evaluation.polybench_instances import _apply_text
from repoquarry.execution.isolation import registry
from repoquarry.execution.isolation.commands import run_bounded
from repoquarry.execution.isolation.confinement import Confinement
from repoquarry.execution.provision.javascript.manifest import find_nodes
from repoquarry.execution.provision.python.interpreters import find_interpreters
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.graphstore.errors import EngineUnavailableError, QueryLimitError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import sample_graph
from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.files.worker_pool import ParseJob, WorkerPool
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.resolver_client import PrestartedResolver, resolve_in_subprocess
from repoquarry.ingest.run_monitor import RunMonitor
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE
from repoquarry.languages.manifests import read_packages
from repoquarry.processes import bounded_calls, programs, regex_search, termination, workers
from repoquarry.processes.bounded_calls import BoundedCallError, call_bounded
from repoquarry.server.bulk.bulk_indexer import BulkIndexer, BulkSettings
from repoquarry.server.bulk.executor import ProcessExecutor
from repoquarry.server.bulk.repository_list import ListEntry
from repoquarry.server.neo4j_files import import_files
from tests.e2e.service import SHOP
from tests.source_trees import git, write_tree
from tests.traps import ROOT, Traps

QUERY = "MATCH (f:Function {name: 'price'}) RETURN f.name AS name"
LONG = QUERY + " " * 3_000
SETTINGS = IngestSettings(workers=1, resolver_memory_bytes=1 << 30)
INSIDE = ("repoquarry.processes.workers", "repoquarry.processes.programs")
PRODUCT = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_text())
    for path in (ROOT / "repoquarry").rglob("*.py")
}


def _calling(nodes: Iterable[ast.AST], names: set[str]) -> set[str]:
    """Those of these classes and functions that call one of the names."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
            if names & {getattr(call, "id", getattr(call, "attr", "")) for call in calls}:
                found.add(node.name)
    return found


def starters() -> set[str]:
    """Classes and functions of `repoquarry.processes` that start a process, themselves or through another one."""
    found = {"Popen"}
    nodes = [node for module, tree in PRODUCT.items() if module.startswith(INSIDE) for node in tree.body]
    while not (more := _calling(nodes, found)) <= found:
        found |= more
    return found - {"Popen"}


def callers(names: set[str]) -> set[str]:
    """`module:function` of functions outside `repoquarry.processes` that call what their module imports from there."""
    found = set()
    for module, tree in PRODUCT.items():
        if not module.startswith(INSIDE) and "repoquarry.processes" in ast.unparse(tree):
            functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
            found |= {f"{module}:{name}" for name in _calling(functions, names)}
    return found


class Started:
    """Notes which function starts which process."""

    def __init__(self) -> None:
        self.places: set[str] = set()
        self.entries: set[str] = set()

    def noting(self, cls: type) -> Any:
        original: Callable[..., None] = cls.__init__  # type: ignore[misc]

        def init(process: object, command: Any, *arguments: Any, **options: Any) -> None:
            frame: Any = sys._getframe(1)
            while frame.f_globals["__name__"].startswith(INSIDE):
                frame = frame.f_back
            self.places.add(f"{frame.f_globals['__name__']}:{frame.f_code.co_name}")
            self.entries |= {command} if isinstance(command, str) else set()
            original(process, command, *arguments, **options)

        return mock.patch.object(cls, "__init__", init)


def _listed(store: Store, shop: Path) -> str:
    """Index by worker processes; what is said where that fails."""
    wanted, settings = [ListEntry(str(shop), name="again")], BulkSettings(jobs=1, retry_seconds=0.01)
    return BulkIndexer(store, wanted, settings, SETTINGS, EVERYWHERE, ProcessExecutor()).run().outcomes[0].message


def _graph(folder: Path, shop: Path) -> None:
    """Git, extraction, resolution, the gate and the sandbox; a list worked through by processes."""
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Open"]):
        git(shop, *command)
    with Store.open(StoreSettings(folder / "store"), writable=True) as store:
        index_repository(str(shop), store, SETTINGS)
        assert _listed(store, shop) == ""
        for query in (QUERY, LONG):
            assert store.query(query).rows[0] == ("price",)
    assert regex_search.find_matches("r.c", ["price"], seconds=60) == [[(1, 4)]]
    assert text_view.parse_definitions("a.py", "def price(): ...\n")


def _commands(workspace: Path) -> None:
    """Commands of tasks, in every variant of isolation that works here, in a repository full of traps."""
    confinement, settings = Confinement(workspace), WorkspaceSettings()
    for name in registry.VARIANTS:
        variant = registry.load_variant(name, "image")
        if variant.unavailable() or name == "container":
            continue
        done = run_bounded(
            ["/bin/echo", "done"], workspace, {"PATH": os.defpath}, settings, seconds=60, cancelled=lambda: False,
            isolation=variant, confinement=confinement,
        )  # fmt: skip
        assert (done.exit_code, done.output) == (0, "done\n"), (name, done)


def test_no_child_imports_what_a_repository_chooses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traps, shop, folder = Traps(tmp_path / "traps"), write_tree(tmp_path / "shop", SHOP), tmp_path / "bin"
    folder.mkdir()
    for name, said in (("docker", ""), ("node", '["22.0.0", []]'), ("npm", ""), ("neo4j-admin", "Imported: 1 nodes")):
        (folder / name).write_text(f"#!/bin/sh\necho '{said}'\n")
        (folder / name).chmod(0o755)
    (folder / "python3.99").symlink_to(sys.executable)
    for name, value in {**traps.environment, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])  # this process imports lazily, too
    monkeypatch.chdir(traps.current)
    monkeypatch.setattr(regex_search, "_idle", [])
    monkeypatch.setattr(bounded_calls, "_idle", {})
    started = Started()
    with started.noting(workers.FramedChild), started.noting(programs.ProgramProcess):
        _graph(tmp_path, shop)
        _commands(traps.current)
        assert find_interpreters([str(folder / "python3.99")])
        assert next(find_nodes([str(folder / "node")])).version == (22, 0, 0)
        assert import_files(str(folder / "neo4j-admin"), shop, "neo4j", replaces=False) == "1 nodes"
        termination.end_process_after_signals((), 1.0)
        _apply_text(shop, "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n")
    assert started.places == callers(starters())
    assert started.entries == callers({"open_worker_pipes"}) | {termination._GUARD_ENTRY}
    assert traps.sprung() == []


DEATHS = {
    "os.kill(os.getpid(), 9)": r"was killed from outside \(SIGKILL\); try again; it printed: last words",
    "os.kill(os.getpid(), 11)": r"crashed \(SIGSEGV\); report it as a bug of RepoQuarry; it printed: last words",
    "sys.exit(3)": r"failed \(exit status 3\); report it as a bug of RepoQuarry; it printed: last words",
    "print('memory allocation of 9 bytes failed', file=sys.stderr); os.abort()": (
        r"could not allocate memory \(SIGABRT\); free memory|reached its memory limit of \d+ MiB \(SIGABRT\); raise ingest\.|no setting raises it"
        r"|checking the query needs more than 1024 MiB; shorten it|it needs more than (?:512|1024) MiB"
    ),
}


def _errors(folder: Path) -> Iterator[str]:
    """Error message of each kind of child where it dies."""
    with Store.open(StoreSettings(folder / "store"), writable=True) as store:
        store.engine.replace_repository(sample_graph())
        for query in (QUERY, LONG):
            with pytest.raises((EngineUnavailableError, QueryLimitError)) as caught:
                store.query(query)
            yield str(caught.value)
        yield _listed(store, write_tree(folder / "shop", SHOP))
    with pytest.raises(regex_search.RegexSearchError) as refused:
        regex_search.find_matches("r.c", ["price"], seconds=60)
    yield str(refused.value)
    with mock.patch.object(text_view._log, "warning") as warned:
        assert text_view.parse_definitions("a.py", "x = 1\n") == ()
    yield str(warned.call_args)
    with WorkerPool(SETTINGS, None) as pool:
        yield from (parsed.failure for parsed in pool.run([ParseJob("a.py", b"x = 1\n")]))
    with pytest.raises(BoundedCallError) as ended:
        call_bounded(read_packages, {"manifests": {}})
    yield str(ended.value)
    with pytest.raises(ResolutionFailedError) as failed:
        resolve_in_subprocess([], PrestartedResolver(SETTINGS, {}), RunMonitor(lambda progress: None, lambda: False))
    yield str(failed.value)


@pytest.mark.parametrize("death", DEATHS)
def test_every_kind_of_child_tells_why_it_exited(death: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_START", f"import os, sys; print('last words', file=sys.stderr, flush=True); {death}")
    monkeypatch.setattr(regex_search, "_idle", [])
    monkeypatch.setattr(bounded_calls, "_idle", {})
    started = Started()
    with started.noting(workers.FramedChild):
        found = list(_errors(tmp_path))
    assert started.entries == callers({"open_worker_pipes"})
    assert [message for message in found if not re.search(DEATHS[death], message)] == []
