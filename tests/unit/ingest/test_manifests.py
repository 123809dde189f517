"""Manifests and lock files: each case of `manifests/` holds files, and after them what they declare together."""

import json
import re
from pathlib import Path

import pytest

from repoquarry.languages.manifests import is_manifest, read_packages
from repoquarry.languages.manifests.packages import Packages

CASES = sorted((Path(__file__).parent / "manifests").glob("*.txt"))
FIELDS = ("provides", "requires", "locked", "answered", "versions", "scripts", "programs", "description", "unreadable")


def read_case(case: Path) -> dict[str, bytes]:
    """Read the files of a case by path; the last one is `expected`."""
    _, *parts = re.split(r"^== (.+) ==\n", case.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {path: text.encode() for path, text in zip(parts[::2], parts[1::2], strict=True)}


def describe(packages: Packages) -> dict[str, object]:
    """Return the fields that are not empty; a package is written as its ecosystem and its name."""
    fields = {name: value for name in FIELDS if (value := getattr(packages, name))}
    fields |= {"provides": [" ".join(key) for key in packages.provides]} if packages.provides else {}
    return {
        name: {key if name == "scripts" else " ".join(key): item for key, item in value.items()}
        if isinstance(value, dict)
        else value
        for name, value in fields.items()
    }


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_manifests_declare_what_their_case_expects(case: Path, line_end: bytes) -> None:
    files = read_case(case)
    expected = json.loads(files.pop("expected"))
    assert describe(read_packages({path: text.replace(b"\n", line_end) for path, text in files.items()})) == expected


BROKEN = {
    "yarn.lock": b"<<<<<<< HEAD\n=======\n>>>>>>> main\n",
    "pnpm-lock.yaml": b"lockfileVersion: 6\nimporters: [\n",
    "web/pnpm-lock.yaml": b"nothing of it\n",
    "Gemfile.lock": b"<html></html>",
    "composer.lock": b'{"packages": [',
    "packages.lock.json": b"[" * 100_000,
    "pyproject.toml": b"[project",
    "package.json": b"[" * 100_000,
    "setup.py": b"setup(",
    "setup.cfg": b"\xff",
}


@pytest.mark.parametrize("path", BROKEN)
def test_broken_manifests_are_reported(path: str) -> None:
    found = read_packages({path: BROKEN[path]})
    assert found.unreadable == [path]
    assert not found.locked
    assert not found.requires


LOCK_FILES = (
    *("yarn.lock", "pnpm-lock.yaml", "Gemfile.lock", "composer.lock", "go.sum", "gradle.lockfile"),
    "packages.lock.json",
)
ODD_CONTENTS = (
    *(b"{}", b"", b"\x00\xff", b'{"packages": 3, "dependencies": [1]}'),
    b"lockfileVersion: 9\nimporters: 5\npackages: 7\n",
)


@pytest.mark.parametrize("path", LOCK_FILES)
@pytest.mark.parametrize("text", ODD_CONTENTS)
def test_odd_contents_lock_nothing(path: str, text: bytes) -> None:
    assert not read_packages({path: text}).locked


@pytest.mark.parametrize("path", ["requirements/base.txt", "dev-requirements.txt", "web/yarn.lock"])
def test_manifests_of_the_repository_count(path: str) -> None:
    assert is_manifest(path)


@pytest.mark.parametrize(
    "path",
    [
        *("examples/requirements.txt", "docs/setup.cfg", "packages/core/tests/fixture/package.json"),
        *("examples/yarn.lock", "tests/fixtures/go.sum"),
    ],
)
def test_manifests_of_samples_do_not_count(path: str) -> None:
    assert not is_manifest(path)


@pytest.mark.parametrize(
    ("path", "include", "required"),
    [
        ("src/App/App.csproj", r"..\Core\Core.csproj", []),
        ("App.csproj", "Core/Core.csproj", []),
        ("src/App/App.csproj", r"..\..\..\shop\Acme.Shop.csproj", ["acme.shop"]),
        ("App.csproj", "../shop/src/Acme.Shop.csproj", ["acme.shop"]),
        ("App.csproj", "$(Shop)/../../<>.csproj", []),
        ("App.csproj", "../shop/Shop.fsproj", []),
    ],
)
def test_projects_outside_the_repository_are_required(path: str, include: str, required: list[str]) -> None:
    text = f'<Project><ItemGroup><ProjectReference Include="{include}" /></ItemGroup></Project>'
    assert [name for _, name in read_packages({path: text.encode()}).requires] == required
