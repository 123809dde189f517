"""Lock files: the versions that a repository was last resolved to, for packages of any depth.

A lock file declares nothing, so it adds no requirement. A package that one file has in several versions is passed over, since which of
them is meant depends on platform or on who asks, unless the file says which requirement got which version. Here are the files that are
tables `package`; those of JavaScript are in `npm_locks`, others beside the manifests of their ecosystem.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable

from repoquarry.languages.manifests.values import table
from repoquarry.languages.packages import Manifest, Packages


def take_single(found: Packages, ecosystem: str, pairs: Iterable[tuple[object, object]]) -> None:
    """Lock the packages that a file has in one version only; what is no name or no text is passed over."""
    for name, version in single_versions(pairs).items():
        found.lock(ecosystem, name, version)


def single_versions(pairs: Iterable[tuple[object, object]]) -> dict[str, str]:
    """Package -> version of those that occur in one version only; what is no name or no text is passed over."""
    versions: dict[str, set[str]] = {}
    for name, version in pairs:
        if isinstance(name, str) and isinstance(version, str):
            versions.setdefault(name, set()).add(version)
    return {name: next(iter(known)) for name, known in versions.items() if len(known) == 1}


def _package_tables(ecosystem: str, key: str = "package") -> Callable[[str, str, Packages], None]:
    """Reader of the form that uv, Poetry, PDM, Cargo and PEP 751 share: a table for each package, with name and version."""

    def read(path: str, text: str, found: Packages) -> None:
        listed = tomllib.loads(text).get(key)
        tables = [table(one) for one in listed] if isinstance(listed, list) else []
        take_single(found, ecosystem, ((one.get("name"), one.get("version")) for one in tables))

    return read


def _pipfile_lock(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    pinned = [item for group in ("default", "develop") for item in table(data.get(group)).items()]
    take_single(found, "pypi", ((name, str(table(one).get("version", "")).removeprefix("==")) for name, one in pinned))


MANIFESTS = (
    *(Manifest(rf"{tool}\.lock", _package_tables("pypi")) for tool in ("uv", "poetry", "pdm")),
    Manifest(r"pylock(?:\.[^./]+)?\.toml", _package_tables("pypi", "packages")),
    Manifest(r"Pipfile\.lock", _pipfile_lock),
    Manifest(r"Cargo\.lock", _package_tables("crates"), anywhere=True),
)
