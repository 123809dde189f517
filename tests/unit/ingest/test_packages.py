"""What manifests declare, read as text."""

from __future__ import annotations

from repoquarry.ingest.files.packages import is_manifest, read_packages


def test_pyproject() -> None:
    found = read_packages(
        {
            "pyproject.toml": b"""
[project]
name = "My.Tool"
description = "Does  things."
dependencies = ["Requests>=2,<3 ; python_version > '3.8'", "click[extra] ~= 8.1", "my_tool", "x @ https://example.org/x.zip"]
[project.optional-dependencies]
fast = ["numpy"]
[project.scripts]
tool = "my.tool:main"
"""
        }
    )
    assert list(found.provides) == [("pypi", "my-tool")]
    assert found.requires == {
        ("pypi", "requests"): ">=2,<3 ; python_version > '3.8'",
        ("pypi", "click"): "~= 8.1",
        ("pypi", "x"): "@ https://example.org/x.zip",
        ("pypi", "numpy"): "",
    }
    assert found.scripts == {"tool": "my.tool:main"}
    assert found.description == "Does things."


def test_poetry() -> None:
    found = read_packages(
        {
            "pyproject.toml": b'[tool.poetry]\nname="p"\n[tool.poetry.dependencies]\npython="^3.11"\na="^1"\nb={version="2"}\n'
        }
    )
    assert found.requires == {("pypi", "a"): "^1", ("pypi", "b"): "2"}


def test_setup_py_is_read_and_never_run() -> None:
    found = read_packages(
        {
            "setup.py": b"""
import os, setuptools
os.system("touch /tmp/never")
VERSION = open("nowhere").read()
setuptools.setup(name="tool", version=VERSION, install_requires=["a>=1", "b"], description=VERSION,
                 entry_points={"console_scripts": ["t = tool.cli:run"]})
"""
        }
    )
    assert list(found.provides) == [("pypi", "tool")]
    assert found.requires == {("pypi", "a"): ">=1", ("pypi", "b"): ""}
    assert found.scripts == {"t": "tool.cli:run"}


def test_setup_cfg_and_requirement_files() -> None:
    found = read_packages(
        {
            "setup.cfg": b"[metadata]\nname = tool\n[options]\ninstall_requires =\n    a>=1\n    b # why\n",
            "requirements-dev.txt": b"# comment\n-r other.txt\n--index-url https://example.org\nb==2\nc==3 --hash=sha256:ab\n"
            b"git+https://example.org/x.git\n",
        }
    )
    assert found.requires == {("pypi", "a"): ">=1", ("pypi", "b"): "", ("pypi", "c"): "==3"}


def test_package_json() -> None:
    found = read_packages(
        {"package.json": b'{"name": "@team/App", "dependencies": {"React": "^18"}, "devDependencies": {"jest": "1"}}'}
    )
    assert list(found.provides) == [("npm", "@team/app")]
    assert found.requires == {("npm", "react"): "^18", ("npm", "jest"): "1"}


def test_what_cannot_be_understood_is_told() -> None:
    found = read_packages(
        {"pyproject.toml": b"[project", "package.json": b"[" * 100_000, "setup.py": b"setup(", "setup.cfg": b"\xff"}
    )
    assert found.unreadable == ["pyproject.toml", "setup.cfg", "setup.py", "package.json"]
    assert not found.requires


def test_which_files_are_manifests() -> None:
    assert is_manifest("requirements/base.txt")
    assert is_manifest("dev-requirements.txt")
    assert not is_manifest("examples/requirements.txt")
    assert not is_manifest("docs/setup.cfg")
