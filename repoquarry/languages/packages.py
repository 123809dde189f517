"""What the manifests of a repository declare, in records that know no ecosystem."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

_NAME: Final = re.compile(r"[@\w./:+-]{1,200}")
_VERSION: Final = re.compile(r"\d[\w.!+-]{0,99}")
_MOST_DESCRIPTION: Final = 300


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
    """(ecosystem, name) of what it provides -> the version that its manifest writes out."""
    scripts: dict[str, str] = field(default_factory=dict)
    """Console script -> `package.module:function`."""
    programs: dict[tuple[str, str], str] = field(default_factory=dict)
    """(`console_script` or `script`, name) -> path of the file that it starts, relative to the repository."""
    description: str | None = None
    unreadable: list[str] = field(default_factory=list)
    """Manifests that could not be understood."""

    def provide(self, ecosystem: str, name: object, version: object = None) -> None:
        """Take up a package of the repository; what is no name is passed over, and what is no version."""
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
        """Take up the exact version of a package; the first counts, and what is no version is passed over."""
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
            self.description = " ".join(text.split())[:_MOST_DESCRIPTION] or None


def normalise(ecosystem: str, name: str) -> str:
    """The name under which an ecosystem knows a package (PEP 503 for PyPI)."""
    if ecosystem == "pypi":
        return re.sub(r"[-_.]+", "-", name).lower()
    return name if ecosystem in ("maven", "go") else name.lower()


@dataclass(frozen=True)
class Manifest:
    """A file in which a repository says what it provides and depends on. Nothing of it is executed."""

    name: str
    """Regular expression that matches its path in full, relative to the repository; where it may lie `anywhere`, the end of its path."""
    read: Callable[[str, str, Packages], None]
    """`read(path, text, packages)` adds what the file declares. Raises: ValueError, TypeError, SyntaxError, KeyError, RecursionError where
    it cannot be understood."""
    anywhere: bool = False
    """It may also lie below any folder that does not hold samples."""
