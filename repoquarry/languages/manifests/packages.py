"""Records of declared packages, shared by all manifest formats, and readers of lock files in TOML and JSON.

A lock file adds no requirement. A package that one file locks in several versions is skipped, since the version in use depends on the
platform or the dependent package, unless the file states it for each requirement. Lock files of JavaScript are read in `npm`, others
with the manifests of their ecosystem.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from repoquarry.languages.structured_text import load_toml

_NAME: Final = re.compile(r"[@\w./:+-]{1,200}")
_VERSION: Final = re.compile(r"\d[\w.!+-]{0,99}")
_MAX_DESCRIPTION_CHARACTERS: Final = 300


@dataclass
class Packages:
    """All that the manifests of one repository declare."""

    provides: dict[tuple[str, str], None] = field(default_factory=dict)
    """(ecosystem, name), in order of appearance."""
    requires: dict[tuple[str, str], str] = field(default_factory=dict)
    """(ecosystem, name) -> requirement; the first declaration counts."""
    locked: dict[tuple[str, str], str] = field(default_factory=dict)
    """(ecosystem, name) -> the exact version of a lock file or a pin; packages that nothing here requires directly included."""
    answered: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    """(ecosystem, name) -> requirement -> version, of lock files that say which requirement got which version; the first counts."""
    versions: dict[tuple[str, str], str] = field(default_factory=dict)
    """(ecosystem, name) of each provided package -> the version that its manifest writes out."""
    scripts: dict[str, str] = field(default_factory=dict)
    """Console script -> `package.module:function`."""
    programs: dict[tuple[str, str], str] = field(default_factory=dict)
    """(`console_script` or `script`, name) -> path of the file that it starts, relative to the repository."""
    description: str | None = None
    unreadable: list[str] = field(default_factory=list)
    """Manifests that could not be understood."""

    def provide(self, ecosystem: str, name: object, version: object = None) -> None:
        """Add a package of the repository; invalid names and versions are skipped."""
        if isinstance(name, str) and _NAME.fullmatch(name):
            self.provides[ecosystem, normalise(ecosystem, name)] = None
            if isinstance(version, str) and _VERSION.fullmatch(version):
                self.versions.setdefault((ecosystem, normalise(ecosystem, name)), version)

    def require(self, ecosystem: str, name: object, requirement: object = "") -> None:
        """Take up a package that the repository depends on; the first requirement counts."""
        if isinstance(name, str) and _NAME.fullmatch(name):
            said = requirement if isinstance(requirement, str) else ""
            self.requires.setdefault((ecosystem, normalise(ecosystem, name)), said)

    def lock(self, ecosystem: str, name: object, version: object) -> None:
        """Add the exact version of a package; the first counts, and invalid versions are skipped."""
        if isinstance(name, str) and _NAME.fullmatch(name) and isinstance(version, str) and _VERSION.fullmatch(version):
            self.locked.setdefault((ecosystem, normalise(ecosystem, name)), version)

    def answer(self, ecosystem: str, name: object, requirement: str, version: object) -> None:
        """Take up which version a lock file has for one requirement of a package."""
        if isinstance(name, str) and _NAME.fullmatch(name) and isinstance(version, str) and _VERSION.fullmatch(version):
            self.answered.setdefault((ecosystem, normalise(ecosystem, name)), {}).setdefault(requirement, version)

    def settle(self) -> None:
        """Lock what the repository requires to the version that its own requirement got, where lock files have several of a package."""
        for key, requirement in self.requires.items():
            if (version := self.answered.get(key, {}).get(requirement)) is not None:
                self.locked.setdefault(key, version)

    def describe(self, text: object) -> None:
        """Take up what the repository is for; the first description counts."""
        if isinstance(text, str) and self.description is None:
            self.description = " ".join(text.split())[:_MAX_DESCRIPTION_CHARACTERS] or None


def normalise(ecosystem: str, name: str) -> str:
    """Return the name under which an ecosystem knows a package (PEP 503 for PyPI)."""
    if ecosystem == "pypi":
        return re.sub(r"[-_.]+", "-", name).lower()
    return name if ecosystem in ("maven", "go") else name.lower()


@dataclass(frozen=True)
class ManifestFormat:
    """A file in which a repository says what it provides and depends on. Nothing of it is executed."""

    name: str
    """Regular expression that matches its path in full, relative to the repository; where it may lie `anywhere`, the end of its path."""
    read: Callable[[str, str, Packages], None]
    """`read(path, text, packages)` adds what the file declares. Raises: ValueError, TypeError, SyntaxError, KeyError, RecursionError where
    it cannot be understood."""
    anywhere: bool = False
    """It may also be below any folder that does not hold samples."""


def table(value: object) -> Mapping[str, Any]:
    """A table, empty where there is none."""
    return value if isinstance(value, dict) else {}


def beside(path: str, other: str) -> str:
    """The path of a file that a manifest names relative to itself; empty where it leads out of the repository."""
    folders = path.split("/")[:-1]
    for part in other.split("/"):
        if part == ".." and not folders:
            return ""
        if part == "..":
            folders.pop()
        elif part not in ("", "."):
            folders.append(part)
    return "/".join(folders)


def take_single(found: Packages, ecosystem: str, pairs: Iterable[tuple[object, object]]) -> None:
    """Lock the packages that a file has in one version only; invalid names and other types are skipped."""
    for name, version in single_versions(pairs).items():
        found.lock(ecosystem, name, version)


def single_versions(pairs: Iterable[tuple[object, object]]) -> dict[str, str]:
    """Package -> version of those that occur in one version only; invalid names and other types are skipped."""
    versions: dict[str, set[str]] = {}
    for name, version in pairs:
        if isinstance(name, str) and isinstance(version, str):
            versions.setdefault(name, set()).add(version)
    return {name: next(iter(known)) for name, known in versions.items() if len(known) == 1}


def _package_tables(ecosystem: str, key: str = "package") -> Callable[[str, str, Packages], None]:
    """Reader of the form that uv, Poetry, PDM, Cargo and PEP 751 share: a table for each package, with name and version."""

    def read(path: str, text: str, found: Packages) -> None:
        listed = load_toml(text).get(key)
        tables = [table(one) for one in listed] if isinstance(listed, list) else []
        take_single(found, ecosystem, ((one.get("name"), one.get("version")) for one in tables))

    return read


def _pipfile_lock(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    pinned = [item for group in ("default", "develop") for item in table(data.get(group)).items()]
    take_single(found, "pypi", ((name, str(table(one).get("version", "")).removeprefix("==")) for name, one in pinned))


MANIFESTS = (
    *(ManifestFormat(rf"{tool}\.lock", _package_tables("pypi")) for tool in ("uv", "poetry", "pdm")),
    ManifestFormat(r"pylock(?:\.[^./]+)?\.toml", _package_tables("pypi", "packages")),
    ManifestFormat(r"Pipfile\.lock", _pipfile_lock),
    ManifestFormat(r"Cargo\.lock", _package_tables("crates"), anywhere=True),
)
