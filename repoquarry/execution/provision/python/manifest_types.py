"""Parsed manifests, version notations, bounded reading."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

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


def caret(text: str) -> str:
    """Poetry's and conda's `^1.2`, `~1.2`, `1.2`, `*`, alternatives by `|` (the last one) as a specifier; empty for any version."""
    text = re.split(r"\|\|?", text)[-1].strip()
    parts = [
        part for part in (_caret_part(part.strip()) for part in re.split(r"\s*,\s*|\s+(?=[<>=!~^])", text)) if part
    ]
    specifier = ",".join(parts)
    try:
        return str(SpecifierSet(specifier)) if specifier else ""
    except InvalidSpecifier:
        return ""


def _caret_part(part: str) -> str:
    if part in ("", "*"):
        return ""
    if part.startswith("^"):
        return _bounds(part[1:], _caret_ceiling)
    if part.startswith("~") and not part.startswith("~="):
        return _bounds(part[1:], _tilde_ceiling)
    return f"=={part}" if part[0].isdigit() else part.replace(" ", "")


def _bounds(version: str, ceiling: object) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", re.split(r"[a-z]", version)[0])]
    if not numbers or not callable(ceiling):
        return ""
    return f">={version.strip()},<{'.'.join(map(str, ceiling(numbers)))}"


def _caret_ceiling(numbers: list[int]) -> list[int]:
    """The first number that is not zero, plus one."""
    place = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
    return [*numbers[:place], numbers[place] + 1]


def _tilde_ceiling(numbers: list[int]) -> list[int]:
    return [numbers[0] + 1] if len(numbers) == 1 else [numbers[0], numbers[1] + 1]


def classified(text: str, origin: str) -> Iterator[PythonStatement]:
    """The minor versions that classifiers name."""
    for version in dict.fromkeys(_CLASSIFIER.findall(text)):
        yield PythonStatement(f"=={version}.*", origin, Certainty.STATED)
