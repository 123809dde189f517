"""Parsed manifests, version notations, bounded reading."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement

from repoquarry.languages.manifests.version_ranges import parse_range

_BYTES: Final = 256 * 1024


def read_head(path: Path) -> str:
    """Text of the beginning of a file; empty when it is none, or a link."""
    if not path.is_file() or path.is_symlink():
        return ""
    with path.open("rb") as file:
        return file.read(_BYTES).decode("utf-8", errors="replace")


CORE: Final = ""
TESTS: Final = "tests"

_TEST_GROUPS = re.compile(r"(^|[-_./])(tests?|testing|dev|develop|development|ci)([-_./]|$)", re.IGNORECASE)


class Certainty(enum.IntEnum):
    """How much a statement about the interpreter binds."""

    HINT = 0
    """Something runs with it: an image, a test matrix."""
    STATED = 1
    """A classifier: the authors have tried it."""
    CHOSEN = 2
    """The one interpreter that the manifest names."""
    REQUIRED = 3
    """No other works."""


@dataclass(frozen=True)
class StatedRequirement:
    """A requirement and the file that states it."""

    text: str
    """PEP 508."""

    origin: str
    """Path in the repository."""

    group: str = CORE
    """`CORE`, or `TESTS` for what only the repository's own tests need."""

    @property
    def requirement(self) -> Requirement:
        return Requirement(self.text)

    @property
    def name(self) -> str:
        return canonical(self.requirement.name)


@dataclass(frozen=True)
class PythonStatement:
    """What a manifest says about the interpreter: a version specifier such as `>=3.8,<3.11` or `==3.7.*`."""

    specifier: str
    origin: str
    certainty: Certainty


@dataclass(frozen=True)
class ParsedManifest:
    """What one file says."""

    wanted: tuple[StatedRequirement, ...] = ()
    python: tuple[PythonStatement, ...] = ()
    locked: tuple[tuple[str, str], ...] = ()
    """Package and version, from a lock file."""
    system: tuple[str, ...] = ()
    """Packages of the operating system that an image installs."""
    includes: tuple[str, ...] = ()
    """Further requirement files, relative to the repository's root."""
    installable: bool = False
    """Whether the folder can be installed as a package by what the file says."""
    name: str = ""
    """The project's own name as a package."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RepositoryManifests:
    """What all manifests of a repository say together."""

    wanted: tuple[StatedRequirement, ...] = ()
    python: tuple[PythonStatement, ...] = ()
    locked: tuple[tuple[str, str], ...] = ()
    system: tuple[str, ...] = ()
    installable: bool = False
    name: str = ""
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    scripts: tuple[str, ...] = field(default=())
    """Manifests of other ecosystems that were found: `package.json`."""


def canonical(name: str) -> str:
    """Name of a package as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def group_of(name: str) -> str | None:
    """Group of an extra, a dependency group or a requirement file by its name; None when it is needed by neither use."""
    return TESTS if _TEST_GROUPS.search(name) else None


def parse_all(lines: object, origin: str, group: str = CORE) -> Iterator[StatedRequirement]:
    """The requirements among `lines`; what is none is left out."""
    if isinstance(lines, str):
        lines = lines.splitlines()
    if not isinstance(lines, list | tuple):
        return
    for line in lines:
        if isinstance(line, str) and (found := parse(line, origin, group)):
            yield found


def parse(line: str, origin: str, group: str = CORE) -> StatedRequirement | None:
    """A requirement from one line, its comment removed; None when the line holds none."""
    text = re.sub(r"(^|\s)#.*$", "", line).strip().rstrip("\\").strip()
    text = re.split(r"\s--(?:hash|config-settings|global-option)\b", text)[0].strip()
    if not text or text.startswith("-"):
        return None
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return _by_address(text, origin, group)
    return StatedRequirement(str(requirement), origin, group)


def _by_address(text: str, origin: str, group: str) -> StatedRequirement | None:
    """`git+https://host/x/NAME.git@v1#egg=NAME` as the package of that name, which the registry may have."""
    if match := re.search(r"#egg=([A-Za-z0-9][\w.-]*)", text):
        return StatedRequirement(match[1], origin, group)
    if match := re.match(r"https?://[^/]+/[^/]+/([A-Za-z0-9][\w.-]*)/(?:archive|tarball|zipball)/", text):
        return StatedRequirement(match[1], origin, group)
    if match := re.match(r"(?:git\+|https?://)\S*?/([A-Za-z0-9][\w.-]*?)(?:\.git)?(?:[@#]\S*)?$", text):
        name = re.sub(r"-\d[\w.+-]*\.(whl|zip|tar\.gz)$", "", match[1])
        return None if name.endswith((".whl", ".zip", ".gz")) else StatedRequirement(name, origin, group)
    # `name=1.0` and `name>=1,<2;extra` with blanks that the grammar forbids
    if match := re.match(r"([A-Za-z0-9][\w.-]*)\s*={1,3}\s*([\w.]+)\s*$", text):
        return StatedRequirement(f"{match[1]}=={match[2]}", origin, group)
    return None


_CLASSIFIER = re.compile(r"Programming Language :: Python :: (\d\.\d+)")


def specifier_of(text: str) -> str:
    """Format a range of Poetry or conda as a PEP 440 specifier: the last of its alternatives; empty for any version."""
    try:
        return str(parse_range("pypi", re.split(r"\|\|?", text)[-1]))
    except ValueError:
        return ""


def classified(text: str, origin: str) -> Iterator[PythonStatement]:
    """The minor versions that classifiers name."""
    for version in dict.fromkeys(_CLASSIFIER.findall(text)):
        yield PythonStatement(f"=={version}.*", origin, Certainty.STATED)
