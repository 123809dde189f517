"""Fork bombs in workspaces. They run where the kernel limits the processes of the command alone, which the command itself checks first."""

import os
import shlex
import time
from pathlib import Path

import psutil
import pytest

from repoquarry.execution.isolation.registry import VARIANTS, load_variant
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace

_PROCESSES = 60
_SECONDS = 8.0
_GUARD = "limit=$(bash -c 'ulimit -u'); [ $(id -u) -ne 0 ] && [ $limit != unlimited ] || { echo UNLIMITED; exit 99; }; "
_PYTHON = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
BOMBS = {
    "pipes": "bash -c 'b(){ b|b& };b;sleep 30'",
    "python": f"python3 -c {shlex.quote(_PYTHON)}",
    "sessions": "bash -c 'b(){ setsid -f bash -c \"sleep 30\"; b|b& };b' & exit 0",
    "without environment": "env -i /usr/bin/env bash -c 'b(){ b|b& };b;sleep 30'",
}


@pytest.fixture(params=[name for name in VARIANTS if name in ("bubblewrap", "landlock")])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    if reason := load_variant(request.param).unavailable():
        pytest.skip(f"{request.param}: {reason}")
    settings = WorkspaceSettings(tmp_path, isolation=request.param, processes=_PROCESSES, command_seconds=_SECONDS)
    return Workspace.create(settings, lambda: False)


def alive_in(folder: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and process.cwd().startswith(str(folder)):
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", BOMBS)
def test_fork_bomb_is_held_and_ended(workspace: Workspace, name: str) -> None:
    started = time.monotonic()
    outcome = workspace.run(_GUARD + BOMBS[name])
    assert outcome.exit_code != 99, outcome.output
    assert time.monotonic() - started < _SECONDS + 30
    assert not alive_in(workspace.root)
    assert workspace.run("echo usable").output == "usable\n"


def test_command_gets_no_more_processes_than_its_limit(workspace: Workspace) -> None:
    """At most 100 processes, which fork nothing themselves."""
    script = (
        "import os, time\nmade = 0\n"
        "for _ in range(100):\n"
        "    try:\n        child = os.fork()\n"
        "    except BlockingIOError:\n        break\n"
        "    if not child:\n        time.sleep(30)\n        os._exit(0)\n"
        "    made += 1\n"
        "print(made, flush=True)\n"
    )
    outcome = workspace.run(f"{_GUARD} exec {load_variant('none').interpreter} -c {shlex.quote(script)}")
    assert outcome.stopped or int(outcome.output) < _PROCESSES
    assert not alive_in(workspace.root)


@pytest.mark.skipif(os.geteuid() != 0, reason="commands of an ordinary user have that user")
def test_command_of_a_root_service_has_a_user_without_rights(workspace: Workspace) -> None:
    program = "import os; print(os.getuid(), os.getgid(), os.getgroups())"
    interpreter = load_variant("none").interpreter
    user, group, others = workspace.run(f"{interpreter} -c '{program}'").output.split(maxsplit=2)
    assert int(user) == int(group) >= 1 << 30
    assert others.strip() in ("[]", f"[{group}]")
    refused = workspace.run(f"{interpreter} -c 'import os; os.setuid(0)'")
    assert "PermissionError" in refused.output


def test_files_of_tools_and_commands_can_be_changed_by_both(workspace: Workspace) -> None:
    workspace.write("made/by_tool.txt", "one\n")
    assert (
        workspace.run("echo two >> made/by_tool.txt; echo three > made/by_command.txt; chmod 600 made/*").exit_code == 0
    )
    assert workspace.edit("made/by_tool.txt", "one", "1") == 1
    assert workspace.edit("made/by_command.txt", "three", "3") == 1
    assert workspace.run("cat made/*; rm -r made").output == "3\n1\ntwo\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root changes owners")
def test_links_of_a_workspace_change_no_owner_outside(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "file").write_text("mine")
    workspace.run(f"ln -s {outside} folder; ln -s {outside}/file file")
    assert workspace.run("true").exit_code == 0
    assert {path.stat().st_uid for path in (outside, outside / "file")} == {0}
