"""Which packages a repository provides and depends on, as its manifests declare it. Nothing is executed.

Packages belong to an ecosystem and not to a language: npm serves JavaScript and TypeScript, Maven's serves Java and Kotlin. One ecosystem,
one file here and one line in the table. Manifests of samples, tests and documentation do not speak for the repository.
"""

from __future__ import annotations

import configparser
from collections.abc import Mapping
from typing import Final

from repoquarry.languages.manifests import cargo, composer, go, locks, maven, npm, npm_locks, nuget, pypi, rubygems
from repoquarry.languages.packages import Manifest, Packages

MANIFESTS: Final[tuple[Manifest, ...]] = (
    *locks.MANIFESTS,  # before files of requirements, whose pins say less
    *npm_locks.MANIFESTS,
    *pypi.MANIFESTS,
    *npm.MANIFESTS,
    *maven.MANIFESTS,
    *cargo.MANIFESTS,
    *go.MANIFESTS,
    *rubygems.MANIFESTS,
    *composer.MANIFESTS,
    *nuget.MANIFESTS,
)
"""In the order in which they are read: the first description and the first requirement count."""


def is_manifest(path: str) -> bool:
    """Whether a file declares packages for the repository."""
    return _position(path) is not None


def read_packages(manifests: Mapping[str, bytes]) -> Packages:
    """What all manifests of a repository declare together, outer folders first."""
    found = Packages()
    known = {path: position for path in manifests if (position := _position(path)) is not None}
    for path in sorted(known, key=lambda path: (path.count("/"), known[path], path)):
        try:
            MANIFESTS[known[path]].read(path, manifests[path].decode("utf-8-sig"), found)
        except (ValueError, TypeError, KeyError, SyntaxError, RecursionError, configparser.Error, MemoryError):
            found.unreadable.append(path)
    found.settle()
    for own in found.provides:
        found.requires.pop(own, None)
        found.locked.pop(own, None)
    return found


def _position(path: str) -> int | None:
    return next((at for at, manifest in enumerate(MANIFESTS) if manifest.path.fullmatch(path)), None)
