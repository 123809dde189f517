"""The variant `container` through a stand-in for the engine: the command line argument by argument, and commands run by it.

No escape is shown by this: the stand-in confines nothing. `tests/integration/agent/test_escapes.py` does, where there is an engine.
"""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.execution.isolation import registry
from repoquarry.execution.isolation.commands import CommandOutcome, run_bounded
from repoquarry.execution.isolation.confinement import CommandLimits, Confinement
from repoquarry.execution.settings import WorkspaceSettings
from tests.unit.execution.isolation.container_engine import calls, install, mount, parse


@pytest.fixture(params=["docker", "podman"])
def record(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Calls of the only engine on PATH."""
    made = install(tmp_path / "bin", request.param, ["python:3"])
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.setattr(registry, "_ENGINES", (request.param,))
    registry.choose_isolation.cache_clear()
    yield made
    registry.choose_isolation.cache_clear()


def run(
    workspace: Path, *command: str, image: str = "python:3", seconds: float = 60, **variables: str
) -> CommandOutcome:
    settings = WorkspaceSettings(isolation="container", memory_bytes=1 << 30, processes=50, file_bytes=1 << 20)
    confinement = Confinement(workspace, (Path("/usr"),))
    return run_bounded(
        command,
        workspace,
        variables,
        settings,
        seconds=seconds,
        cancelled=lambda: False,
        isolation=registry.Container(image),
        confinement=confinement,
    )


def test_every_argument_is_one_that_engines_know_and_says_what_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/podman" if name == "podman" else None)
    (shown, written) = (tmp_path / "environment", tmp_path / "cache")
    for folder in (shown, written):
        folder.mkdir()
    limits = CommandLimits(memory_bytes=1000, file_bytes=200, processes=7, cpu_seconds=3)
    confinement = Confinement(tmp_path, (shown,), limits, writable=(written,))
    launch = registry.Container("image:1").launch(
        confinement, ["/bin/sh", "-c", "x --y"], tmp_path, {"A": "1=2", "PATH": "/h"}
    )
    assert launch.command[:2] == ("/usr/bin/podman", "run")
    options, image, command = parse(list(launch.command[2:]))
    name = options.pop("--name")
    mounts = [mount(text) for text in options.pop("--mount")]
    assert mounts == [(f"{tmp_path}",) * 2 + (False,), (f"{written}",) * 2 + (False,), (f"{shown}",) * 2 + (True,)]
    assert options == {
        **{key: [""] for key in ("--rm", "--init", "--read-only")},
        "--pull": ["never"],
        "--network": ["none"],
        "--cap-drop": ["ALL"],
        "--security-opt": ["no-new-privileges"],
        "--user": [f"{os.getuid()}:{os.getgid()}"],
        "--tmpfs": ["/tmp:rw,size=64m,mode=1777"],
        "--shm-size": ["64m"],
        "--ulimit": ["core=0", "fsize=200", "cpu=3"],
        "--memory": ["1000"],
        "--memory-swap": ["1000"],
        "--pids-limit": ["7"],
        "--env": ["A=1=2"],
        "--workdir": [str(tmp_path)],
        "--entrypoint": ["/bin/sh"],
    }
    assert (image, command) == ("image:1", ["-c", "x --y"])
    assert launch.afterwards == ("/usr/bin/podman", "rm", "--force", *name)


def test_without_limits_none_is_named(tmp_path: Path) -> None:
    launch = registry.Container("image:1").launch(Confinement(tmp_path), ["true"], tmp_path, {})
    options, _, _ = parse(list(launch.command[2:]))
    assert not {"--memory", "--memory-swap", "--pids-limit"} & set(options)
    assert options["--ulimit"] == ["core=0"]


@pytest.mark.parametrize("name", ["a,b", 'a"b', "a b", "a,readonly", "a=b"])
def test_folders_whose_names_mean_something_in_a_mount(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    launch = registry.Container("image:1").launch(Confinement(folder), ["true"], folder, {})
    options, _, _ = parse(list(launch.command[2:]))
    assert [mount(text) for text in options["--mount"]] == [(str(folder), str(folder), False)]


def test_the_variant_is_tried_and_chosen(record: Path) -> None:
    assert registry.choose_isolation("container", "python:3").name == "container"
    assert (
        registry.Container("absent:1").unavailable().endswith("has no image 'absent:1': Error: No such image: absent:1")
    )
    (inspected, *tried) = calls(record)
    assert inspected["arguments"] == ["image", "inspect", "python:3"]
    assert [call["arguments"][0] for call in tried][:2] == ["run", "rm"]
    assert all("SECRET" not in call["environment"] for call in tried if call["arguments"][0] in ("run", "rm"))


def test_a_command_has_its_output_its_folder_its_variables_and_its_end(record: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    workspace.mkdir()
    outcome = run(workspace, "sh", "-c", "pwd; echo $GIVEN $SECRET; echo made > file; exit 3", GIVEN="here")
    assert (outcome.exit_code, outcome.output, outcome.stopped) == (3, f"{workspace}\nhere\n", "")
    assert (workspace / "file").read_text() == "made\n"
    started, removed = calls(record)
    assert removed["arguments"] == ["rm", "--force", parse(started["arguments"][1:])[0]["--name"][0]]


def test_a_command_that_is_stopped_is_removed_with_its_container(record: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    workspace.mkdir()
    outcome = run(workspace, "sh", "-c", "echo $$ > number; exec sleep 600", seconds=3)
    assert "time limit" in outcome.stopped
    assert [call["arguments"][0] for call in calls(record)] == ["run", "rm"]
    number = int((workspace / "number").read_text())
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and _runs(number):
        time.sleep(0.05)
    assert not _runs(number)


def _runs(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def test_container_engine_refusal_is_reported(record: Path, tmp_path: Path) -> None:
    outcome = run(tmp_path, "true", image="absent:1")
    assert outcome.exit_code == 125
    assert "Unable to find image 'absent:1'" in outcome.output
    assert record.exists()
