"""A workspace confines paths, bounds commands and leaves no process behind."""

import contextlib
import os
from pathlib import Path

import psutil
import pytest

from repoquarry.execution.errors import OutsideWorkspaceError, TaskRejectedError, ToolError
from repoquarry.execution.isolation.commands import MARK
from repoquarry.execution.isolation.confinement import base_interpreter
from repoquarry.execution.isolation.registry import load_variant
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace

_chosen = {"isolation": "none"}


@pytest.fixture(autouse=True, params=["bubblewrap", "landlock", "none"])
def isolation(request: pytest.FixtureRequest) -> None:
    """Every promise of a workspace holds in every variant that works here."""
    if reason := load_variant(request.param).unavailable():
        pytest.skip(f"{request.param}: {reason}")
    _chosen["isolation"] = request.param


def make(root: Path, **limits: object) -> Workspace:
    return Workspace.create(WorkspaceSettings(root=root, **_chosen, **limits), lambda: False)  # type: ignore[arg-type]


def left_processes(root: Path) -> list[int]:
    """Processes of commands that ran below this folder; those of other tests on the machine are not ours to count."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            environment = process.environ()
            ours = MARK in environment and environment.get("HOME", "").startswith(f"{root.resolve()}{os.sep}")
            if ours and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
    return found


def test_no_root_no_workspace() -> None:
    with pytest.raises(TaskRejectedError, match=r"agent\.workspace\.root"):
        Workspace.create(WorkspaceSettings(), lambda: False)


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "link/passwd", "a\0b"])
def test_paths_that_leave_are_refused(tmp_path: Path, path: str) -> None:
    workspace = make(tmp_path)
    (workspace.root / "link").symlink_to("/etc")
    with pytest.raises(OutsideWorkspaceError):
        workspace.read(path)
    with pytest.raises(OutsideWorkspaceError):
        workspace.write(path, "x")


def test_special_files_are_not_waited_for_and_privileged_bits_do_not_stay(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    outcome = workspace.run("mkfifo pipe; echo x > tool; chmod 6755 tool || true; ln -s pipe link", seconds=30)
    assert outcome.exit_code == 0, outcome.output
    for path in ("pipe", "link"):
        with pytest.raises(ToolError):
            workspace.read(path)
        with pytest.raises(ToolError):
            workspace.write(path, "x")
    assert (workspace.root / "tool").stat().st_mode & 0o6000 == 0
    workspace.write("tool", "shorter")
    workspace.write("tool", "s")
    assert workspace.read("tool") == "s"


def test_python_is_found_where_a_version_manager_hides_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = tmp_path / "shims" / "python"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\nexit 126\n", encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")
    outcome = make(tmp_path / "work").run("python -c 'print(6 * 7)'")
    assert (outcome.exit_code, outcome.output.strip()) == (0, "42")


def test_python_of_an_environment_that_commands_may_not_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Landlock denies its settings, but not its program, which is a link to the interpreter that every command sees."""
    if not load_variant(_chosen["isolation"]).holds:
        pytest.skip("commands without isolation may read every folder")
    programs = tmp_path / "hidden" / "bin"
    programs.mkdir(parents=True)
    (programs.parent / "pyvenv.cfg").write_text(f"home = {Path(base_interpreter()).parent}\n", encoding="utf-8")
    (programs / "python").symlink_to(base_interpreter())
    (programs / "cat").write_text("#!/bin/sh\nexit 126\n", encoding="utf-8")
    (programs / "cat").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    outcome = make(tmp_path / "work").run("python -c 'print(6 * 7)' && bash -c 'echo 43 | cat'")
    assert (outcome.exit_code, outcome.output.split()) == (0, ["42", "43"])


def test_write_edit_read(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    assert workspace.write("pkg/m.py", "a = 1\nb = 2\n") == 12
    assert workspace.edit("pkg/m.py", "b = 2", "b = 3") == 2
    assert workspace.read("pkg/m.py") == "a = 1\nb = 3\n"
    with pytest.raises(ToolError, match="occurs 0 times"):
        workspace.edit("pkg/m.py", "c", "d")
    with pytest.raises(ToolError, match="occurs 2 times"):
        workspace.edit("pkg/m.py", " = ", "d")
    with pytest.raises(ToolError, match="occurs 0 times"):
        workspace.edit("pkg/m.py", "", "d")
    with pytest.raises(ToolError, match="is not a file of the workspace"):
        workspace.read("none.py")
    with pytest.raises(ToolError):
        workspace.write(".", "x")


def test_a_file_larger_than_allowed_is_refused(tmp_path: Path) -> None:
    workspace = make(tmp_path, file_bytes=10)
    with pytest.raises(ToolError, match="exceed the maximum size of a file"):
        workspace.write("a", "x" * 11)


def test_command_output_and_exit_code(tmp_path: Path) -> None:
    outcome = make(tmp_path).run("echo out; echo err >&2; exit 3")
    assert (outcome.exit_code, outcome.output, outcome.stopped) == (3, "out\nerr\n", "")


def test_secrets_of_the_service_are_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("HARMLESS", "hidden as well")
    outcome = make(tmp_path).run("env; pwd")
    assert "sk-secret" not in outcome.output
    assert "HARMLESS" not in outcome.output
    assert str(tmp_path) in outcome.output


def test_time_limit_kills_children_too(tmp_path: Path) -> None:
    outcome = make(tmp_path, command_seconds=1.0).run("sleep 600 & sleep 600; echo never")
    assert outcome.stopped == "over its time limit"
    assert "never" not in outcome.output
    assert left_processes(tmp_path) == []


def test_processes_that_leave_the_group_are_killed(tmp_path: Path) -> None:
    leaves = "setsid sh -c 'touch apart; sleep 600' >/dev/null 2>&1 &"
    outcome = make(tmp_path).run(f"{leaves} sleep 600 & until [ -e apart ]; do sleep 0.01; done; echo done")
    assert outcome.output == "done\n"
    assert outcome.left_running >= 1
    assert left_processes(tmp_path) == []


def test_cancellation_stops_the_command(tmp_path: Path) -> None:
    asked = iter(range(1_000))
    workspace = Workspace.create(
        WorkspaceSettings(root=tmp_path, isolation=_chosen["isolation"]), lambda: next(asked) > 3
    )
    outcome = workspace.run("sleep 600; echo never")
    assert (outcome.stopped, outcome.output) == ("cancelled", "")
    assert left_processes(tmp_path) == []


def test_output_is_bounded_to_head_and_tail(tmp_path: Path) -> None:
    outcome = make(tmp_path, output_bytes=2_000).run("echo first; yes middle | head -n 200000; echo last")
    assert outcome.output.startswith("first\n")
    assert outcome.output.endswith("last\n")
    assert len(outcome.output) < 2_200
    assert outcome.dropped_bytes > 1_000_000


def test_memory_and_file_size_are_bounded(tmp_path: Path) -> None:
    workspace = make(tmp_path, memory_bytes=512 * 1024 * 1024, file_bytes=1_000_000)
    assert workspace.run("python3 -c 'x = bytearray(2 * 10**9)'").exit_code != 0
    reserve = "python3 -c 'import mmap; mmap.mmap(-1, 2**34, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0)'"
    assert workspace.run(reserve).exit_code == 0  # as WebAssembly reserves it
    assert workspace.run("head -c 5000000 /dev/zero > big").exit_code != 0
    assert (workspace.root / "big").stat().st_size <= 1_000_000


def test_unknown_folder_is_refused(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    with pytest.raises(ToolError, match="no folder"):
        workspace.run("true", "missing")
    with pytest.raises(OutsideWorkspaceError):
        workspace.run("true", "..")


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["bubblewrap", "landlock"], indirect=True)
def test_install_puts_a_local_package_into_the_workspaces_own_environment(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    workspace.write(
        "pkg/pyproject.toml",
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "tiny"\nversion = "1.0"\n',
    )
    workspace.write(
        "pkg/backend.py",
        "import zipfile\n"
        "def build_wheel(folder, config_settings=None, metadata_directory=None):\n"
        "    name = 'tiny-1.0-py3-none-any.whl'\n"
        "    with zipfile.ZipFile(folder + '/' + name, 'w') as wheel:\n"
        "        wheel.writestr('tiny.py', 'ANSWER = 42\\n')\n"
        "        wheel.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')\n"
        "        wheel.writestr('tiny-1.0.dist-info/WHEEL',"
        " 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n"
        "        wheel.writestr('tiny-1.0.dist-info/RECORD', '')\n"
        "    return name\n",
    )
    installed = workspace.install(["./pkg"])
    assert installed.exit_code == 0, installed.output
    outcome = workspace.run("python -c 'import tiny; print(tiny.ANSWER, tiny.__file__)'")
    assert outcome.output.startswith("42 ")
    assert str(workspace.root) in outcome.output
    assert os.path.realpath(workspace.root) in os.path.realpath(outcome.output.split()[1])
