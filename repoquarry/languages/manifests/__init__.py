"""Packages that a repository provides and requires, read from its manifests.

Packages belong to an ecosystem and not to a language: npm serves JavaScript and TypeScript, Maven's serves Java and Kotlin. One ecosystem,
one file here and one line in the table. Manifests of samples, tests and documentation do not count for the repository.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Mapping
from typing import Final

from repoquarry.languages.manifests import ecosystems, npm, packages, pypi
from repoquarry.languages.manifests.packages import ManifestFormat, Packages

MANIFESTS: Final[tuple[ManifestFormat, ...]] = (
    *packages.MANIFESTS,  # before files of requirements, whose pins say less
    *npm.NPM_LOCK_MANIFESTS,
    *pypi.MANIFESTS,
    *npm.NPM_MANIFESTS,
    *ecosystems.MAVEN_MANIFESTS,
    *ecosystems.CARGO_MANIFESTS,
    *ecosystems.GO_MANIFESTS,
    *ecosystems.RUBYGEMS_MANIFESTS,
    *ecosystems.COMPOSER_MANIFESTS,
    *ecosystems.NUGET_MANIFESTS,
)
"""In the order in which they are read: the first description and the first requirement count."""

_SAMPLES: Final = re.compile(
    r"(?:.*/)?(?:tests?|__tests__|testdata|fixtures?|__fixtures__|examples?|samples?|demos?|templates?|docs?|benchmarks?|e2e"
    r"|integration-tests?)/.*"
)
"""Folders whose manifests belong to samples and not to the repository."""
_NAMED: Final = re.compile("(?:.*/)?(?:" + "|".join(f"(?:{manifest.name})" for manifest in MANIFESTS) + ")")
"""Every path that may be one: asked first, since of every file of a tree it is asked whether it is one, and few are."""


def is_manifest(path: str) -> bool:
    """Return whether a file declares packages for the repository."""
    return _position(path) is not None


def read_packages(manifests: Mapping[str, bytes]) -> Packages:
    """Declarations of all manifests of a repository together, outer folders first."""
    found = Packages()
    known = {path: position for path in manifests if (position := _position(path)) is not None}
    for path in sorted(known, key=lambda path: (path.count("/"), known[path], path)):
        try:
            text = manifests[path].decode("utf-8-sig").replace("\r\n", "\n")
            MANIFESTS[known[path]].read(path, text, found)
        except (ValueError, TypeError, KeyError, SyntaxError, RecursionError, configparser.Error, MemoryError):
            found.unreadable.append(path)
    found.settle()
    for own in found.provides:
        found.requires.pop(own, None)
        found.locked.pop(own, None)
    return found


def _position(path: str) -> int | None:
    if not _NAMED.fullmatch(path):
        return None
    sample = _SAMPLES.match(path) is not None
    return next((at for at, manifest in enumerate(MANIFESTS) if _is_at(manifest, path, sample=sample)), None)


def _is_at(manifest: ManifestFormat, path: str, *, sample: bool) -> bool:
    if not manifest.anywhere:
        return re.fullmatch(manifest.name, path) is not None
    return not sample and re.fullmatch(f"(?:.*/)?(?:{manifest.name})", path) is not None
