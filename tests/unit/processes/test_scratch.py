"""A scratch folder goes with its process, however that ends, and everything temporary is made in one."""

import ast
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.processes.scratch import ScratchFolder, remove_abandoned

ROOT = Path(__file__).resolve().parents[3]
PRODUCT = ROOT / "repoquarry"
_KILLED = """
import os, signal, sys, tempfile
from pathlib import Path
from repoquarry.processes.scratch import ScratchFolder
tempfile.tempdir = sys.argv[1]
folder = ScratchFolder("test").path
(folder / "inner").mkdir(mode=0o500)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_left_is_removed_by_the_next(temporary: Path) -> None:
    subprocess.run([sys.executable, "-c", _KILLED, str(temporary)], check=False)
    (abandoned,) = temporary.iterdir()
    assert (abandoned / "inner").is_dir()
    made = ScratchFolder("other")
    assert list(temporary.iterdir()) == [made.path]
    made.close()
    assert not list(temporary.iterdir())


def test_folders_of_living_processes_and_of_others_stay(temporary: Path) -> None:
    (temporary / "other").mkdir()
    (temporary / ".repoquarry-link-x").symlink_to(temporary / "other")
    first, second = ScratchFolder("test"), ScratchFolder("test")
    remove_abandoned()
    assert first.path.is_dir()
    second.close()
    first.close()
    assert sorted(entry.name for entry in temporary.iterdir()) == [".repoquarry-link-x", "other"]


def test_a_folder_that_was_renamed_stays(temporary: Path) -> None:
    with ScratchFolder("test") as folder:
        folder.rename(temporary / "result")
    remove_abandoned()
    assert [entry.name for entry in temporary.iterdir()] == ["result"]


TEMPORARY = {
    "processes/scratch.py": {"mkdtemp", "gettempdir"},
    "graphstore/query/result_buffer.py": {"TemporaryFile"},  # has no name, and goes with its last descriptor
    "execution/workspaces/workspace.py": {"mkdtemp"},  # `task-*`: removed by age, as the workspaces of tasks are
}
"""Every use of `tempfile`: what has a name is a scratch folder, so that it is removed when its process was killed."""

FOLDERS = {
    "stored data, which is wanted": {
        "execution/provision/environment_cache.py", "graphstore/engines/embedded_engine.py",
        "graphstore/search/embeddings/embedder.py",
        "graphstore/search/index/builder.py", "graphstore/search/index/index_store.py",
        "graphstore/storage/sqlite_database.py", "execution/workspaces/files.py", "agent/loop/state.py",
        "execution/workspaces/workspace.py",
    },
    "what a user named": {
        "client/files.py", "evaluation/polybench_collection.py", "evaluation/gittaskbench_grading.py", "evaluation/gittaskbench_runner.py",
        "evaluation/gittaskbench_service.py", "evaluation/polybench_report.py", "evaluation/polybench_scoring.py", "server/cli/commands/export.py",
        "server/cli/commands/install.py", "server/cli/commands/serve.py", "ingest/interfaces/own_tables.py",
    },
    "inside a scratch folder, a workspace or an environment, with which it goes": {
        "evaluation/polybench_instances.py", "execution/isolation/commands.py", "execution/provision/command_runner.py",
        "execution/provision/javascript/npm.py",
        "execution/provision/python/installer.py", "ingest/sources/archive.py", "ingest/sources/revision_trees.py",
        "server/bulk/ray_executor.py",
    },
    "no disk: a control group": {"execution/isolation/confinement.py"},
}  # fmt: skip
"""Every module that makes folders by name, and why none remains: a new one is added here."""


def _calls(path: Path) -> Iterator[str]:
    """Names of the functions of `tempfile`, and of those that make folders, which a module calls."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "tempfile":
            yield from (f"tempfile.{alias.name}" for alias in node.names)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
        if owner == "tempfile":
            yield f"tempfile.{node.func.attr}"
        elif node.func.attr in ("mkdir", "makedirs", "mkdtemp", "mkstemp"):
            yield node.func.attr


def test_every_temporary_place_goes_with_its_process() -> None:
    found: dict[str, set[str]] = {}
    folders = set()
    for path in sorted(PRODUCT.rglob("*.py")):
        name = path.relative_to(PRODUCT).as_posix()
        for call in _calls(path):
            if call.startswith("tempfile."):
                found.setdefault(name, set()).add(call.removeprefix("tempfile."))
            else:
                folders.add(name)
    assert found == TEMPORARY
    assert folders == set().union(*FOLDERS.values())
