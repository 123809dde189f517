"""Requirements of a Python repository, merged from all its manifests."""

from __future__ import annotations

import fnmatch
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.markers import UndefinedEnvironmentName

from repoquarry.languages.manifests import python_projects, python_requirements
from repoquarry.languages.manifests.python_requirements import (
    CORE,
    ParsedManifest,
    PythonStatement,
    StatedRequirement,
    canonical,
)

_log = logging.getLogger(__name__)
_Reader = Callable[[str, str], ParsedManifest]

READERS: Final[Mapping[str, _Reader]] = {
    "pyproject.toml": python_projects.read_pyproject,
    "setup.py": python_projects.read_setup_py,
    "setup.cfg": python_projects.read_setup_cfg,
    "requirements*.txt": python_requirements.read_requirements,
    "requirements*.in": python_requirements.read_requirements,
    "requirements/*.txt": python_requirements.read_requirements,
    "requirements/*.in": python_requirements.read_requirements,
    "*requirements.txt": python_requirements.read_requirements,
    "*-requirements.txt": python_requirements.read_requirements,
    "tests/requirements*.txt": python_requirements.read_requirements,
    "test/requirements*.txt": python_requirements.read_requirements,
    "environment*.y*ml": python_requirements.read_conda,
    "conda*.y*ml": python_requirements.read_conda,
    "Pipfile": python_requirements.read_pipfile,
    "Pipfile.lock": python_requirements.read_lock,
    "poetry.lock": python_requirements.read_lock,
    "uv.lock": python_requirements.read_lock,
    "pdm.lock": python_requirements.read_lock,
    "pylock*.toml": python_requirements.read_lock,
    ".python-version": python_projects.read_version_file,
    "runtime.txt": python_projects.read_version_file,
    "Dockerfile*": python_projects.read_dockerfile,
    "docker/Dockerfile*": python_projects.read_dockerfile,
    "tox.ini": python_projects.read_tox,
    ".travis.yml": python_projects.read_pipeline,
    ".gitlab-ci.yml": python_projects.read_pipeline,
    ".circleci/config.yml": python_projects.read_pipeline,
    "appveyor.yml": python_projects.read_pipeline,
    ".github/workflows/*.y*ml": python_projects.read_pipeline,
}
"""Pattern of the path below the root -> reader; the first match counts."""

_FOR_THREE: Final = re.compile(r"[-_.]?(?:py|python)3(?=\.(?:txt|in)$)")
_FOR_TWO: Final = re.compile(r"[-_.]?(?:py|python)2[67]?\.(?:txt|in)$")
_FOLDERS: Final = ("", "requirements", "docker", ".circleci", ".github/workflows", "tests", "test")
_FILE_BYTES = 16 * 1024 * 1024
_STRONGER: Final = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile")
"""Manifests that take precedence over conda environments and nested requirement files."""


@dataclass(frozen=True)
class RepositoryManifests:
    """Merged content of all manifests of a repository."""

    wanted: tuple[StatedRequirement, ...] = ()
    python: tuple[PythonStatement, ...] = ()
    locked: tuple[tuple[str, str], ...] = ()
    installable: bool = False
    name: str = ""
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_manifests(root: Path) -> RepositoryManifests:
    """Read all manifests of a repository; `notes` lists unreadable files."""
    found: dict[str, ParsedManifest] = {}
    notes: list[str] = []
    for origin in _candidates(root):
        _read_one(root, origin, found, notes)
    included: set[str] = set()
    for origin, manifest in list(found.items()):
        if not _beside(origin):
            for include in manifest.includes:
                _read_includes(root, include, found, notes, included)
    if not any(manifest.wanted for origin, manifest in found.items() if origin != "tox.ini"):
        for origin in _nested(root):
            _read_one(root, origin, found, notes)
    return _merged(found, notes, included)


def _candidates(root: Path) -> Iterator[str]:
    for folder in _FOLDERS:
        place = root / folder
        if place.is_dir():
            for name in _for_python_three(place, sorted(os.listdir(place))):
                origin = f"{folder}/{name}" if folder else name
                if _reader(origin) and (place / name).is_file():
                    yield origin


def _for_python_three(place: Path, files: Sequence[str]) -> Iterator[str]:
    """Drop files for Python 2: `requirements-py3.txt` replaces `requirements.txt`, unless it includes that file."""
    replaced: set[str] = set()
    for name in files:
        if (match := _FOR_THREE.search(name)) and (place / name).is_file():
            other = name[: match.start()] + name[match.end() :]
            text = (place / name).read_text(encoding="utf-8", errors="replace")
            replaced |= (
                set() if other in re.findall(r"^\s*(?:-r|--requirement)[\s=]+(?:\./)?(\S+)", text, re.M) else {other}
            )
    return (name for name in files if name not in replaced and not _FOR_TWO.search(name))


def _nested(root: Path) -> Iterator[str]:
    """Yield manifests one folder down: a root without requirements is a collection of projects."""
    for folder in sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith(".")):
        for name in ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "environment.yml", "Pipfile"):
            if (folder / name).is_file():
                yield f"{folder.name}/{name}"


def _reader(origin: str) -> _Reader | None:
    return next((reader for pattern, reader in READERS.items() if fnmatch.fnmatchcase(origin, pattern)), None)


def _read_one(root: Path, origin: str, found: dict[str, ParsedManifest], notes: list[str]) -> None:
    path = root / origin
    reader = _reader(origin) or _reader(os.path.basename(origin)) or python_requirements.read_requirements
    try:
        inside = path.resolve().is_relative_to(root.resolve())
        if not inside or not path.is_file() or path.stat().st_size > _FILE_BYTES:
            notes.append(f"{origin} was skipped: not a file of the repository, or larger than {_FILE_BYTES} bytes")
            return
        found[origin] = reader(origin, _decode(path.read_bytes()))
    except (OSError, RecursionError, ValueError, UndefinedEnvironmentName) as error:
        notes.append(f"{origin} cannot be read: {error}")


def _decode(data: bytes) -> str:
    """Decode a manifest: UTF-8, or UTF-16 as `pip freeze >` writes on Windows."""
    return data.decode("utf-16" if b"\0" in data else "utf-8-sig", errors="replace")


def _read_includes(
    root: Path, origin: str, found: dict[str, ParsedManifest], notes: list[str], included: set[str]
) -> None:
    if origin in included or origin.startswith("..") or not (root / origin).is_file():
        return
    included.add(origin)
    if origin not in found:
        _read_one(root, origin, found, notes)
    for include in found[origin].includes if origin in found else ():
        _read_includes(root, include, found, notes, included)


def _merged(found: Mapping[str, ParsedManifest], notes: list[str], included: set[str]) -> RepositoryManifests:
    manifests = list(found.values())
    strong = any(found[name].wanted for name in (*_STRONGER, *included) if name in found)
    wanted = [
        item
        for manifest in manifests
        for item in manifest.wanted
        if not strong or item.group != CORE or not _beside(item.origin) or item.origin in included
    ]
    own = next((manifest.name for manifest in manifests if manifest.name), "")
    return RepositoryManifests(
        wanted=tuple(dict.fromkeys(wanted)),
        python=tuple(statement for manifest in manifests for statement in manifest.python),
        locked=tuple(
            dict.fromkeys(pair for manifest in manifests for pair in manifest.locked if pair[0] != canonical(own))
        ),
        installable=any(found[name].installable for name in ("pyproject.toml", "setup.py") if name in found),
        name=own,
        files=tuple(found),
        notes=(*notes, *(note for manifest in manifests for note in manifest.notes)),
    )


def _beside(origin: str) -> bool:
    """Return whether a manifest repeats stronger ones: conda environments, and requirement files next to the main one."""
    return origin not in _STRONGER
