"""Readers of `package.json` and of the lock files of npm, Yarn and pnpm: packages, requirements and locked versions.

Yarn says for each requirement which version it got, so a package in several versions is known for the repository's own requirement. pnpm
lists the versions of a workspace's own dependencies separately. Both files can have a megabyte and are read line by line, as their programs
write them; of pnpm's only the part with the own dependencies is read as YAML.

Source: https://classic.yarnpkg.com/lang/en/docs/yarn-lock/, https://yarnpkg.com/configuration/manifest and
https://github.com/pnpm/spec/blob/master/lockfile/.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from repoquarry.languages.manifests.packages import ManifestFormat, Packages, beside, table, take_single
from repoquarry.languages.structured_text import load_yaml

_DEPENDENCIES: Final = ("dependencies", "peerDependencies", "optionalDependencies", "devDependencies")
_STARTED: Final = re.compile(r"(?:^|\s)((?:\.{0,2}/)?[\w@./-]+\.(?:[cm]?[jt]sx?))(?=\s|$)")
"""A file in a command such as `node server.js --port 80`."""


def _package_json(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    found.provide("npm", data.get("name"), data.get("version"))
    if "/" not in path:
        found.describe(data.get("description"))
    for key in _DEPENDENCIES:
        for name, wanted in table(data.get(key)).items():
            found.require("npm", name, wanted)
    started = data.get("bin")
    programs = {str(data.get("name", "")): started} if isinstance(started, str) else table(started)
    for name, target in programs.items():
        if isinstance(target, str) and (file := beside(path, target)):
            found.programs.setdefault(("console_script", name), file)
    for name, command in table(data.get("scripts")).items():
        for target in _STARTED.findall(command) if isinstance(command, str) else ():
            if file := beside(path, target):
                found.programs.setdefault(("script", name), file)


NPM_MANIFESTS = (ManifestFormat(r"package\.json", _package_json, anywhere=True),)


_MODULES: Final = "node_modules/"
_YARN_HEAD: Final = re.compile(r"^(?P<asked>[^\s#][^\n]*):[ \t]*\r?$", re.MULTILINE)
_YARN_VERSION: Final = re.compile(r"^  \"?version\"?:?[ \t]+\"?([^\s\"]+)\"?[ \t]*\r?$", re.MULTILINE)
_REQUEST: Final = re.compile(r"(@?[^@\s]+)@(?:npm:)?(.*)", re.DOTALL)
_LONG_KEY: Final = re.compile(r"^\? (\"[^\"\n]*\"|[^\n]*)\n:[ \t]*$", re.MULTILINE)
"""A key that is too long for YAML's short form."""
_ELSEWHERE: Final = re.compile(r".*[:@/#]")
"""No range of published versions: a path, an address, a workspace, or another package under this name."""
_TOP: Final = re.compile(r"^(\w+):", re.MULTILINE)
_PNPM_PACKAGE: Final = re.compile(
    r"^  (['\"]?)/?((?:@[^@\s/'\"]+/)?[^@\s/'\"]+)[@/](\d[^\s:'\"(_]*)[^\n]*?\1:", re.MULTILINE
)
_OWN: Final = ("dependencies", "devDependencies", "optionalDependencies")
_EXACT: Final = re.compile(r"(\d+\.\d+\.\d+[\w.+-]*?)(?:[(_].*)?")


def _package_lock(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    take_single(found, "npm", _installed(data.get("packages"), data.get("dependencies")))


def _installed(places: object, dependencies: object) -> Iterator[tuple[object, object]]:
    """Packages at the top of `node_modules`, which the repository's own files import; before version 2 a tree of names."""
    for place, one in table(places).items():
        if place.startswith(_MODULES) and _MODULES not in place.removeprefix(_MODULES):
            yield place.removeprefix(_MODULES), table(one).get("version")
    for name, one in {} if places else table(dependencies).items():
        yield name, table(one).get("version")


def yarn_versions(text: str) -> dict[tuple[str, str], str]:
    """(package, requirement) -> version of a `yarn.lock` of either kind; only packages from a registry.

    Raises: ValueError where a text has neither kind's entries.
    """
    found: dict[tuple[str, str], str] = {}
    text = _LONG_KEY.sub(r"\1:", text)
    heads = list(_YARN_HEAD.finditer(text))
    for head, behind in zip(heads, [*(next_.start() for next_ in heads[1:]), len(text)], strict=True):
        version = _YARN_VERSION.search(text, head.end(), behind)
        for request in head["asked"].replace('"', "").split(",") if version else ():
            asked = _REQUEST.fullmatch(request.strip())
            if asked is not None and version is not None and not _ELSEWHERE.match(asked[2]):
                found.setdefault((asked[1], asked[2]), version[1])
    if not found and re.sub(r"#.*", "", text).strip() and "__metadata" not in text:
        raise ValueError("no entry of a yarn.lock can be read")
    return found


def _yarn_lock(path: str, text: str, found: Packages) -> None:
    versions = yarn_versions(text)
    for (name, requirement), version in versions.items():
        found.answer("npm", name, requirement, version)
    take_single(found, "npm", ((name, version) for (name, _), version in versions.items()))


def pnpm_own(text: str) -> dict[str, str]:
    """Package -> version of the dependencies of the projects of a `pnpm-lock.yaml`, the outermost project's first; registry packages only.

    Raises: ValueError where it cannot be read.
    """
    parts = _top_parts(text)
    if "lockfileVersion" not in parts and not parts.keys() & {"importers", *_OWN}:
        raise ValueError("it names no version of pnpm's lock files")
    projects = [table(one) for _, one in sorted(_project_tables(parts), key=lambda item: (item[0].count("/"), item[0]))]
    found: dict[str, str] = {}
    for project in projects:
        for group in _OWN:
            for name, entry in table(project.get(group)).items():
                said = entry.get("version") if isinstance(entry, dict) else entry
                exact = _EXACT.fullmatch(str(said))
                if exact is not None:
                    found.setdefault(str(name), exact[1])
    return found


def _project_tables(parts: dict[str, str]) -> Iterator[tuple[str, object]]:
    if "importers" in parts:
        yield from (
            (str(place), one) for place, one in table(table(load_yaml(parts["importers"])).get("importers")).items()
        )
    else:
        yield ".", {group: table(load_yaml(parts[group])).get(group) for group in _OWN if group in parts}


def _top_parts(text: str) -> dict[str, str]:
    """Return the texts of the parts that begin at the margin, by name, each with its head."""
    heads = list(_TOP.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return {head[1]: text[head.start() : end] for head, end in zip(heads, ends, strict=True)}


def pnpm_packages(text: str) -> list[tuple[str, str]]:
    """Package and version of everything in a `pnpm-lock.yaml`."""
    return [(name, version) for _, name, version in _PNPM_PACKAGE.findall(_top_parts(text).get("packages", ""))]


def _pnpm_lock(path: str, text: str, found: Packages) -> None:
    for name, version in pnpm_own(text).items():
        found.lock("npm", name, version)
    take_single(found, "npm", pnpm_packages(text))


NPM_LOCK_MANIFESTS = (
    ManifestFormat(r"(?:package-lock|npm-shrinkwrap)\.json", _package_lock, anywhere=True),
    ManifestFormat(r"yarn\.lock", _yarn_lock, anywhere=True),
    ManifestFormat(r"pnpm-lock\.yaml", _pnpm_lock, anywhere=True),
)
