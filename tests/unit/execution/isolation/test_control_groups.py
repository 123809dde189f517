"""Control groups of version 2 on a stand-in for the kernel's tree: ordinary files in a folder.

This does not show the kernel's effect: it shows that the right files are written at the right moments.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from repoquarry.execution.errors import TaskRejectedError
from repoquarry.execution.isolation import confinement
from repoquarry.execution.isolation.commands import CommandOutcome, run_bounded
from repoquarry.execution.isolation.confinement import CommandLimits, Confinement, ControlGroup, control_group, unusable
from repoquarry.execution.isolation.registry import check_workspaces, load_variant
from repoquarry.execution.settings import WorkspaceSettings

Removed = dict[str, str]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The folder that is delegated."""
    folder = tmp_path / "delegated"
    folder.mkdir()
    (folder / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    (folder / "cgroup.subtree_control").write_text("\n")
    return folder


@pytest.fixture
def removed(monkeypatch: pytest.MonkeyPatch) -> Removed:
    """Content of the files of a group when it was removed: the kernel removes them with the folder."""
    found: Removed = {}

    def remove(folder: Path) -> None:
        found.update({path.name: path.read_text() for path in folder.iterdir()})
        shutil.rmtree(folder)

    monkeypatch.setattr(confinement, "remove_folder", remove)
    return found


def run(tree: Path, workspace: Path, script: str) -> CommandOutcome:
    workspace.mkdir(exist_ok=True)
    settings = WorkspaceSettings(isolation="none", memory_bytes=1 << 30, processes=40, control_group=str(tree))
    return run_bounded(
        ["/bin/sh", "-c", script],
        workspace,
        {"PATH": "/usr/bin:/bin"},
        settings,
        seconds=60,
        cancelled=lambda: False,
        isolation=load_variant("none"),
        confinement=Confinement(workspace),
    )


def test_a_command_runs_in_a_group_of_its_own_that_is_ended_with_it(
    tree: Path, tmp_path: Path, removed: Removed
) -> None:
    outcome = run(tree, tmp_path / "work", "echo here; exit 4")
    assert (outcome.exit_code, outcome.output, outcome.stopped) == (4, "here\n", "")
    assert removed == {
        "memory.max": str(1 << 30),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "40",
        "cgroup.procs": "0\n",
        "cgroup.kill": "1",
    }
    assert not list(tree.glob("repoquarry-*"))


def test_the_limits_are_there_before_the_command_is(tree: Path, tmp_path: Path, removed: Removed) -> None:
    assert run(tree, tmp_path / "work", f"cat {tree}/*/pids.max {tree}/*/cgroup.procs").output == "400\n"
    assert removed


def test_command_killed_for_its_memory_reports_it(tree: Path, tmp_path: Path, removed: Removed) -> None:
    script = f"for group in {tree}/repoquarry-*; do printf 'low 0\\noom 3\\noom_kill 2\\n' > $group/memory.events; done; kill -9 $$"
    assert run(tree, tmp_path / "work", script).stopped == f"over its memory limit of {1 << 30} bytes"
    untouched = run(tree, tmp_path / "work", script.replace("oom_kill 2", "oom_kill 0"))
    assert (untouched.stopped, untouched.exit_code) == ("", 137)
    assert removed


def test_a_group_that_cannot_be_entered_runs_nothing(tree: Path, tmp_path: Path, removed: Removed) -> None:
    group = ControlGroup(tree, CommandLimits())
    shutil.rmtree(next(tree.glob("repoquarry-*")))
    command = group.entering(["touch", str(tmp_path / "made")])
    assert subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode != 0
    assert not (tmp_path / "made").exists()
    assert not removed


def test_no_limit_is_written_as_the_kernel_reads_it(tree: Path, removed: Removed) -> None:
    with control_group(str(tree), CommandLimits()) as group:
        assert group is not None
    assert (removed["memory.max"], removed["pids.max"]) == ("max", "max")
    with control_group("", CommandLimits()) as none:
        assert none is None


def test_a_busy_group_is_removed_when_it_is_empty(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[Path] = []

    def remove(folder: Path) -> None:
        tries.append(folder)
        if len(tries) < 3:
            raise OSError(16, "Device or resource busy")
        shutil.rmtree(folder)

    monkeypatch.setattr(confinement, "remove_folder", remove)
    with control_group(str(tree), CommandLimits()):
        pass
    assert len(tries) == 3
    assert not list(tree.glob("repoquarry-*"))


def test_a_folder_that_gives_no_groups_is_named_before_anything_is_served(
    tree: Path, tmp_path: Path, removed: Removed
) -> None:
    def said(folder: str) -> str:
        with pytest.raises(TaskRejectedError) as caught:
            check_workspaces(WorkspaceSettings(tmp_path, isolation="none", control_group=folder))
        return str(caught.value)

    assert "agent.workspace.control_group names 'relative': not an absolute path" in said("relative")
    assert "not a control group of version 2 that is delegated" in said(str(tmp_path))
    check_workspaces(WorkspaceSettings(tmp_path, isolation="none", control_group=str(tree)))
    assert (tree / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert removed["memory.max"] == "max"
    (tree / "cgroup.controllers").write_text("cpu io\n")
    assert unusable(str(tree)) == "its cgroup.controllers lacks memory and pids"
