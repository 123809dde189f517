"""A request to install becomes the commands of the language that the manifests indicate."""

import shutil
import subprocess
from pathlib import Path

import pytest

from repoquarry.execution.errors import OutsideWorkspaceError, ToolError
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace, plan_installation
from repoquarry.languages.registry import all_languages
from tests.toylang import toy_language


def make(root: Path, **settings: object) -> Workspace:
    return Workspace.create(WorkspaceSettings(root=root, isolation="none", **settings), lambda: False)  # type: ignore[arg-type]


def commands(workspace: Workspace, *requirements: str, folder: str = ".", language: str = "") -> list[tuple[str, str]]:
    """(command, folder below the workspace) of each step."""
    plan = plan_installation(
        requirements, root=workspace.root, locate=workspace.locate, folder=folder, language=language
    )
    root = str(workspace.root)
    return [(" ".join(step.command).replace(root, "."), step.folder.removeprefix(root)) for step in plan.steps]


def test_python_is_the_default_language(tmp_path: Path) -> None:
    made, installed = commands(make(tmp_path), "requests>=2")
    assert made == ("python -m venv .venv", "")
    assert installed == ("./.venv/bin/python -m pip install --no-input --disable-pip-version-check requests>=2", "")


def test_a_tree_with_package_json_gets_what_it_needs_by_npm(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    workspace.write("app/package.json", "{}")
    quiet = "--ignore-scripts --no-audit --no-fund"
    assert commands(workspace, "./app") == [(f"npm install {quiet}", "/app")]
    assert commands(workspace, "left-pad@1", "@scope/b", folder="app") == [
        (f"npm install {quiet} left-pad@1 @scope/b", "/app")
    ]
    workspace.write("app/package-lock.json", "{}")
    assert commands(workspace, "./app") == [(f"npm ci {quiet}", "/app")]
    with pytest.raises(ToolError, match=r"no package\.json"):
        commands(workspace, "./outputs", language="javascript")


def test_java_s_libraries_come_by_what_builds_the_tree(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    workspace.write("maven/pom.xml", "<project/>")
    workspace.write("gradle/build.gradle.kts", "")
    maven = "mvn --batch-mode --no-transfer-progress"
    assert commands(workspace, "./maven") == [(f"{maven} dependency:resolve", "/maven")]
    assert commands(workspace, "./gradle") == [("gradle --no-daemon --console=plain testClasses", "/gradle")]
    assert commands(workspace, "a.b:c:1.0", folder="gradle") == [
        (f"{maven} dependency:get -Dartifact=a.b:c:1.0", "/gradle")
    ]
    with pytest.raises(ToolError, match="group:artifact:version"):
        commands(workspace, "gson", folder="maven")
    with pytest.raises(ToolError, match=r"neither pom\.xml nor build\.gradle"):
        commands(workspace, "./outputs", language="java")


def test_ambiguous_language_must_be_named(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    workspace.write("both/package.json", "{}")
    workspace.write("both/pyproject.toml", "")
    with pytest.raises(ToolError, match=r"(python and javascript)|(javascript and python)"):
        commands(workspace, "requests", folder="both")
    assert commands(workspace, "requests", folder="both", language="python")[1][0].endswith(" requests")
    assert commands(workspace, "left-pad", folder="both", language="javascript")[0][0].endswith(" left-pad")
    with pytest.raises(ToolError, match=r"packages of 'cobol' cannot be installed here; known: .*java.*"):
        commands(workspace, "x", language="cobol")


@pytest.mark.parametrize("language", ["python", "javascript", "java"])
def test_no_language_takes_options_or_folders_outside(tmp_path: Path, language: str) -> None:
    workspace = make(tmp_path)
    for requirement in ("--registry=http://x", "-g", "-e.", " ", ""):
        with pytest.raises(ToolError, match="not a requirement"):
            commands(workspace, requirement, language=language)
    with pytest.raises(OutsideWorkspaceError):
        commands(workspace, "../other", language=language)
    with pytest.raises(OutsideWorkspaceError):
        commands(workspace, "x", folder="..", language=language)


def test_a_language_without_packages_is_not_offered(tmp_path: Path) -> None:
    workspace = make(tmp_path)
    with toy_language():
        assert any(one.name == "toy" for one in all_languages())
        with pytest.raises(ToolError, match="'toy' cannot be installed"):
            commands(workspace, "x", language="toy")


def test_a_program_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    workspace = make(tmp_path / "root")
    workspace.write("pom.xml", "<project/>")
    with pytest.raises(ToolError, match=r"packages of java are installed by mvn, which is not on this machine's PATH"):
        workspace.install(["./."])
    workspace.write("app/build.gradle", "")
    with pytest.raises(ToolError, match="installed by gradle, which"):
        workspace.install(["./app"])


def test_a_program_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gradle").write_text("#!/bin/sh\necho could not resolve $JAVA_TOOL_OPTIONS; exit 3\n")
    (programs / "gradle").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    workspace = make(tmp_path / "root")
    workspace.write("settings.gradle", "")
    outcome = workspace.install(["."])
    assert (outcome.exit_code, outcome.output.strip()) == (3, "could not resolve")


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm on this machine")
def test_npm_itself_installs_what_a_tree_needs(tmp_path: Path) -> None:
    workspace = make(tmp_path, pass_environment=("PATH",))
    workspace.write("answer/package.json", '{"name": "answer", "version": "1.0.0"}')
    workspace.write("answer/index.js", "module.exports = 42;")
    pack = ["npm", "pack", "--silent", str(workspace.root / "answer")]
    subprocess.run(pack, cwd=workspace.root, check=True, capture_output=True, timeout=120)
    workspace.write("app/package.json", '{"name": "app", "dependencies": {"answer": "file:../answer-1.0.0.tgz"}}')
    outcome = workspace.install(["./app"])
    assert outcome.exit_code == 0, outcome.output
    assert (workspace.root / "app/node_modules/answer/index.js").is_file()
    assert workspace.run("node -p 'require(\"answer\")'", "app").output.strip() == "42"
