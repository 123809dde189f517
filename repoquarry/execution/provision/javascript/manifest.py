"""Reader of package.json and lock files, and choice of an installed Node.js that the repository admits."""

from __future__ import annotations

import contextlib
import functools
import glob
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from repoquarry.execution.errors import EnvironmentUnavailableError
from repoquarry.languages.manifests.npm import pnpm_own, pnpm_packages, yarn_versions
from repoquarry.languages.manifests.packages import single_versions
from repoquarry.languages.manifests.version_ranges import parse_alternatives
from repoquarry.processes.programs import run_program

Version = tuple[int, int, int]

_PRERELEASE: Final = re.compile(r"(?<=[\dxX*])[-+][\w.+-]+")


def is_in_range(version: Version, stated: str) -> bool:
    """Return whether a range admits a version; a range that cannot be parsed excludes nothing."""
    try:
        alternatives = parse_alternatives("npm", _PRERELEASE.sub("", stated))
    except ValueError:
        return True
    return any(".".join(map(str, version)) in one for one in alternatives)


PACKAGE: Final = "package.json"
LOCKS: Final = ("package-lock.json", "npm-shrinkwrap.json")
HINTS: Final = ("yarn.lock", "pnpm-lock.yaml")
VERSION_FILES: Final = (".nvmrc", ".node-version")
GROUPS: Final = ("dependencies", "optionalDependencies", "devDependencies", "peerDependencies")
_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+){0,2})\s*$")
_ADDRESS: Final = re.compile(r"(?:git[+:@]|https?:|ssh:|github:|gitlab:|bitbucket:|[\w.-]+/[\w.-]+(?:#.*)?$)")
_FILE_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True)
class Project:
    """Repository as an npm package."""

    manifest: Mapping[str, Any]
    """Content of package.json."""
    files: tuple[str, ...]
    """Manifests that were read, package.json first."""
    locked: bool
    """True if npm's own lock file exists."""
    engine: tuple[str, str] = ("", "")
    """File and range of `engines.node`; both empty if not stated."""
    named: tuple[str, str] = ("", "")
    """Version file and its Node.js version; both empty if there is none."""
    pins: Mapping[str, str] = field(default_factory=dict)
    """Direct dependency -> version, from a lock file that npm does not read."""
    below: Mapping[str, str] = field(default_factory=dict)
    """Indirect dependency -> version, from a lock file that npm does not read and that has one version of the package."""
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.manifest.get("name") or "")

    def asked(self, *groups: str) -> dict[str, str]:
        """Return package -> range of the named groups of dependencies, or of all groups."""
        found: dict[str, str] = {}
        for group in groups or GROUPS:
            table = self.manifest.get(group)
            if isinstance(table, dict):
                found |= {str(name): str(text) for name, text in table.items() if name not in found}
        return found

    @property
    def addresses(self) -> dict[str, str]:
        """Package -> address of the dependencies that are stated by network address."""
        return {name: text for name, text in self.asked().items() if _ADDRESS.match(text)}


def read_project(root: Path) -> Project | None:
    """Read the project at the root; None without a readable package.json."""
    manifest = _json(root / PACKAGE)
    if manifest is None:
        return None
    notes: list[str] = []
    locks = [name for name in LOCKS if (root / name).is_file()]
    hints = [name for name in HINTS if (root / name).is_file()]
    pins, below = _other_lock(root, hints, manifest, notes) if hints and not locks else ({}, {})
    named = next((one for one in (_version_file(root / name) for name in VERSION_FILES) if one[1]), ("", ""))
    engines = manifest.get("engines")
    node = str(engines.get("node") or "") if isinstance(engines, dict) else ""
    engine = (f"engines of {PACKAGE}" if node else "", node)
    files = (PACKAGE, *locks, *hints, *([named[0]] if named[1] else []))
    return Project(manifest, files, bool(locks), engine, named, pins, below, tuple(notes))


def _json(path: Path) -> dict[str, Any] | None:
    try:
        if path.stat().st_size > _FILE_BYTES:
            return None
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _version_file(path: Path) -> tuple[str, str]:
    # Names such as lts/* have no meaning without a table of releases.
    with contextlib.suppress(OSError):
        if match := _VERSION.match(path.read_text(encoding="utf-8", errors="replace").strip()):
            return path.name, match[1]
    return "", ""


def _other_lock(
    root: Path, hints: Sequence[str], manifest: Mapping[str, Any], notes: list[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Read the versions of direct and indirect dependencies from a lock file that npm does not read."""
    path = root / hints[-1]  # If both exist, pnpm's: npm itself reads the file of Yarn 1.
    asked = Project(manifest, (), locked=False).asked()
    try:
        text = path.read_text(encoding="utf-8") if path.stat().st_size < _FILE_BYTES else ""
        if path.name == "pnpm-lock.yaml":
            own, everything = pnpm_own(text), pnpm_packages(text)
        elif "__metadata:" in text:
            found = yarn_versions(text)
            own = {name: found[name, said] for name, said in asked.items() if (name, said) in found}
            everything = [(name, version) for (name, _), version in found.items()]
        else:
            return {}, {}  # A file of Yarn 1, which npm reads.
    except (OSError, ValueError, RecursionError) as error:
        notes.append(f"{path.name} cannot be read: {error}")
        return {}, {}
    single = single_versions(everything)
    below = {name: version for name, version in single.items() if name not in asked}
    several = len({name for name, _ in everything}) - len(single)
    notes.append(
        f"{path.name}: {len(own)} dependencies and {len(below)} indirect dependencies are pinned to its versions; "
        f"npm chooses among the versions of {several} packages"
    )
    return own, below


_LOOK: Final = "JSON.stringify([process.versions.node, require('module').builtinModules])"
_SECONDS: Final = 20


@dataclass(frozen=True)
class NodeRuntime:
    """Installed Node.js with its npm."""

    path: Path
    npm: Path
    """Script of the npm next to the program, resolved."""
    version: Version
    built_in: frozenset[str]
    """Built-in modules."""

    @property
    def prefix(self) -> Path:
        """Installation folder of Node.js and npm."""
        return self.path.parents[1]

    def __str__(self) -> str:
        return ".".join(map(str, self.version))


def choose_node(project: Project, extra: Sequence[str] = ()) -> tuple[NodeRuntime, str]:
    """Choose the newest Node.js that the repository names or admits. Returns the reason too.

    `extra` are paths or patterns of programs. Raises: EnvironmentUnavailableError if no Node.js with npm is found.
    """
    nodes = sorted(find_nodes(extra), key=lambda node: node.version, reverse=True)
    if not nodes:
        raise EnvironmentUnavailableError(
            "no Node.js with npm was found on this machine; install them, or name node in agent.environment.nodes"
        )
    stated = [(origin, text) for origin, text in (project.named, project.engine) if text]
    for origin, text in stated:
        for node in nodes:
            if is_in_range(node.version, text):
                return node, f"required by {origin} ({text})"
    reason = "the newest on this machine"
    if stated:
        reason += f", which has none for {stated[0][0]} ({stated[0][1]})"
    return nodes[0], reason


def find_nodes(extra: Sequence[str] = ()) -> Iterator[NodeRuntime]:
    """Yield every installed Node.js with npm once."""
    nodes = (node for path in _candidates(extra) if (node := _inspect(path)))
    yield from {node.path: node for node in nodes}.values()


def _candidates(extra: Sequence[str]) -> Iterator[str]:
    """Yield the programs named in the settings, on PATH and in nvm's folder."""
    home = os.environ.get("NVM_DIR") or "~/.nvm"
    for pattern in (*extra, shutil.which("node") or "", f"{home}/versions/node/*/bin/node"):
        yield from sorted(glob.glob(os.path.expanduser(pattern))) if pattern else ()


@functools.cache
def _inspect(path: str) -> NodeRuntime | None:
    program = Path(path)
    npm = program.parent / "npm"
    try:
        real, script = program.resolve(strict=True), npm.resolve(strict=True)
        asked = run_program([str(real), "-p", _LOOK], seconds=_SECONDS)
        version, built_in = json.loads(asked.output)
        first, second, third = (int(part) for part in version.split("-")[0].split("."))
    except (OSError, ValueError):
        return None
    return NodeRuntime(real, script, (first, second, third), frozenset(built_in))
