"""Lock files: the versions that a repository was last resolved to, for packages of any depth.

A lock file declares nothing, so it adds no requirement. A package that one file has in several versions is passed over: which of them is
meant depends on platform or on who asks. `yarn.lock`, `pnpm-lock.yaml`, `Gemfile.lock`, `composer.lock` and `go.sum` are not read.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator

from repoquarry.languages.manifests.values import anywhere, table
from repoquarry.languages.packages import Manifest, Packages

_MODULES = "node_modules/"


def _package_tables(ecosystem: str) -> Callable[[str, str, Packages], None]:
    """Reader of the form that uv, Poetry, PDM and Cargo share: a table `package` for each, with name and version."""

    def read(path: str, text: str, found: Packages) -> None:
        listed = tomllib.loads(text).get("package")
        tables = [table(one) for one in listed] if isinstance(listed, list) else []
        _take(found, ecosystem, ((one.get("name"), one.get("version")) for one in tables))

    return read


def _pipfile_lock(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    pinned = [item for group in ("default", "develop") for item in table(data.get(group)).items()]
    _take(found, "pypi", ((name, str(table(one).get("version", "")).removeprefix("==")) for name, one in pinned))


def _package_lock(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    _take(found, "npm", _installed(data.get("packages"), data.get("dependencies")))


def _installed(places: object, dependencies: object) -> Iterator[tuple[object, object]]:
    """What lies at the top of `node_modules`, which is what the repository's own files import; before version 2 a tree of names."""
    for place, one in table(places).items():
        if place.startswith(_MODULES) and _MODULES not in place.removeprefix(_MODULES):
            yield place.removeprefix(_MODULES), table(one).get("version")
    for name, one in {} if places else table(dependencies).items():
        yield name, table(one).get("version")


def _take(found: Packages, ecosystem: str, pairs: Iterable[tuple[object, object]]) -> None:
    versions: dict[str, set[str]] = {}
    for name, version in pairs:
        if isinstance(name, str) and isinstance(version, str):
            versions.setdefault(name, set()).add(version)
    for name, known in versions.items():
        if len(known) == 1:
            found.lock(ecosystem, name, *known)


MANIFESTS = (
    *(Manifest(re.compile(rf"{tool}\.lock"), _package_tables("pypi")) for tool in ("uv", "poetry", "pdm")),
    Manifest(re.compile(r"Pipfile\.lock"), _pipfile_lock),
    Manifest(anywhere(r"(?:package-lock|npm-shrinkwrap)\.json"), _package_lock),
    Manifest(anywhere(r"Cargo\.lock"), _package_tables("crates")),
)
