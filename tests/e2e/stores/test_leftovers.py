"""Scratch folders that a killed process left are removed when the next one runs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from tests.e2e.service import ROOT, StartService, wait_until

PARENTS = {
    "archive": "tmp", "clone": "scratch", "package": "scratch", "proxy": "tmp", "trial": "tmp", "patch": "tmp", "ray": "tmp", "node": "tmp",
    "polybench": "tmp",
    "provision": "workspaces/.environments", "tree": "workspaces/.trees", "upload": "workspaces/.uploads",
    "draft": "store/indexes/shop",
}  # fmt: skip
"""Where scratch folders of each purpose are made, below the folder of a test."""


def _purposes() -> set[str]:
    """Purpose of every scratch folder that the product makes."""
    found = set()
    for path in (ROOT / "repoquarry").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ScratchFolder":
                (purpose, *_) = node.args
                found.add(str(purpose.value) if isinstance(purpose, ast.Constant) else "ray")
    return found


def _variables(folder: Path) -> dict[str, str]:
    for name in ("tmp", "scratch", "workspaces"):
        (folder / name).mkdir(exist_ok=True)
    return {
        "TMPDIR": str(folder / "tmp"),
        "REPOQUARRY_INGEST_SCRATCH": str(folder / "scratch"),
        "REPOQUARRY_AGENT_WORKSPACE_ROOT": str(folder / "workspaces"),
        "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "none",
    }


def _left(folder: Path) -> list[str]:
    """Remaining scratch folders, unfinished results, and anything in the temporary folders."""
    found = [*(folder / "tmp").iterdir(), *(folder / "scratch").iterdir()]
    for place, names, _ in os.walk(folder):  # a glob fails where a folder vanishes meanwhile
        found += [Path(place, name) for name in names if name.startswith(".repoquarry-")]
    if (folder / "store" / "incoming").exists():
        found.append(folder / "store" / "incoming")
    return sorted(str(path.relative_to(folder)) for path in set(found))


def test_scratch_folders_of_every_purpose_are_removed_at_the_next_start(
    start_service: StartService, own_store: Path
) -> None:
    assert set(PARENTS) == _purposes()
    folder = own_store.parent
    variables = _variables(folder)
    for purpose, parent in PARENTS.items():
        (folder / parent).mkdir(parents=True, exist_ok=True)
        left = f"""
import os, signal
from pathlib import Path
from repoquarry.processes.scratch import ScratchFolder
(ScratchFolder({purpose!r}, Path({str(folder / parent)!r})).path / "rest").mkdir()
os.kill(os.getpid(), signal.SIGKILL)
"""
        subprocess.run([sys.executable, "-c", left], check=False, cwd=ROOT)
    (folder / "store" / "incoming" / "1").mkdir(parents=True)
    assert len(_left(folder)) >= 2, "folders of one parent are removed by the next that is made there"
    start_service(own_store, **variables)
    wait_until(lambda: not _left(folder), 30)
