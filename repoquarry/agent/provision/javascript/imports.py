"""What the code of a repository imports from packages, read from its syntax."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from repoquarry.agent.provision.aside import ASIDE, SKIPPED
from repoquarry.agent.provision.javascript.manifest import Project
from repoquarry.agent.provision.trial import Need
from repoquarry.languages.javascript.extraction import extract

_SUFFIXES: Final = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte")
_ASIDE: Final = re.compile(
    r"(.*\.(test|tests|spec|config|stories|bench)\.\w+|__tests__|__mocks__|__fixtures__|e2e|cypress|\..+|"
    r"gulpfile\.\w+|Gruntfile\.\w+|website)$"
)
_PACKAGE: Final = re.compile(r"(@[a-z0-9~_.-]+/)?[A-Za-z0-9~_.-]+")
_FILE_BYTES: Final = 1024 * 1024
_FILES: Final = 10_000


@dataclass(frozen=True)
class Taken:
    """A specifier that code imports from a package."""

    specifier: str
    where: str
    """First file that imports it with that need."""
    need: Need

    @property
    def package(self) -> str:
        return package_of(self.specifier)


def package_of(specifier: str) -> str:
    """Name of the package that a specifier leads into; empty for none."""
    match = _PACKAGE.match(specifier)
    return match[0] if match else ""


def read_taken(root: Path, project: Project, built_in: Collection[str]) -> tuple[tuple[Taken, ...], int]:
    """What is imported from packages, and by how many files; nothing is run."""
    main = project.asked("dependencies", "peerDependencies")
    own = {project.name, *_workspaces(root)}
    found: dict[str, Taken] = {}
    count = 0
    for path in _files(root):
        count += 1
        aside = any(ASIDE.match(part) or _ASIDE.match(part) for part in path.split("/"))
        for item in extract(path, (root / path).read_bytes()).imports:
            specifier = item.module.partition("?")[0].partition("!")[0]
            package = package_of(specifier)
            if not package or item.level or item.how == "typing" or _is_elsewhere(specifier, package, built_in, own):
                continue
            always = item.at_module_level and item.how != "dynamic"
            need = Need.OPTIONAL if aside or not always else Need.NEEDED if package in main else Need.BESIDE
            if specifier not in found or found[specifier].need < need:
                found[specifier] = Taken(specifier, path, need)
    return tuple(found[key] for key in sorted(found)), count


def _is_elsewhere(specifier: str, package: str, built_in: Collection[str], own: Collection[str]) -> bool:
    """Whether it is the platform's or the repository's own, or an alias that a bundler resolves."""
    if ":" in specifier or package in built_in or specifier in built_in or package in own:
        return True
    return specifier.startswith((".", "/", "#", "~", "@/")) or not specifier.startswith(package)


def _workspaces(root: Path) -> Iterator[str]:
    """Names of the repository's further packages."""
    for pattern in ("packages/*/package.json", "packages/*/*/package.json", "*/package.json"):
        for path in sorted(root.glob(pattern)):
            if match := re.search(r'"name"\s*:\s*"([^"]+)"', path.read_text(encoding="utf-8", errors="replace")):
                yield match[1]


def _files(root: Path) -> Iterator[str]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            bundled = name.endswith((".min.js", ".d.ts", ".d.mts", ".d.cts"))
            if (
                name.endswith(_SUFFIXES)
                and not bundled
                and not os.path.islink(path)
                and os.path.getsize(path) <= _FILE_BYTES
            ):
                count += 1
                if count > _FILES:
                    return
                yield os.path.relpath(path, root).replace(os.sep, "/")
