"""Names and versions that a repository provides and uses, as stored for linking.

A user gets the version of its lock file, then the highest version that its requirement allows, then the newest. Two
stored repositories of one version are ambiguous, and libraries that share only a module name are never chosen by
guess.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
from packaging.version import InvalidVersion, Version

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.storage.compression import compress, decompress
from repoquarry.ingest.graph.code_graph import GraphInputs
from repoquarry.ingest.graph.table_builder import NodeRef, code_id
from repoquarry.languages.manifests.version_ranges import parse_alternatives
from repoquarry.languages.registry import load

_REF: Final = re.compile(r"(?:^|[-_/@v])(\d+(?:\.\d+)*[\w.+-]*)$")
"""Version at the end of a ref such as `v1.2`, `release/1.2` or `toolbox-1.2rc1`."""
_RANGES: Final = frozenset({"pypi", "npm", "crates"})
"""Ecosystems whose requirements are understood."""


class PackageDeclarations(msgspec.Struct, array_like=True, frozen=True):
    """Declarations of manifests and lock files; packages are written `ecosystem/name`."""

    provides: dict[str, str] = {}
    """Version by package; empty if the manifest does not state it."""
    requires: dict[str, str] = {}
    locked: dict[str, str] = {}
    ref: str = ""

    @classmethod
    def of(cls, parts: GraphInputs) -> PackageDeclarations:
        packages, origin = parts.packages, parts.origin
        return cls(
            {"/".join(key): packages.versions.get(key, "") for key in packages.provides},
            {"/".join(key): requirement for key, requirement in packages.requires.items()},
            {"/".join(key): version for key, version in packages.locked.items()},
            origin.ref or origin.repository.partition("@")[2],
        )


def choose_provider(offered: Mapping[str, PackageDeclarations], user: PackageDeclarations) -> str | None:
    """Choose the repository that `user` means among those that provide a name; None if ambiguous."""
    if len(offered) < 2:
        return next(iter(offered), None)
    packages = _packages(offered)
    known = {package: _versions(offered, package) for package in packages}
    for package in packages:
        locked = _version(user.locked.get(package, ""))
        if exact := [name for name, version in known[package].items() if version == locked]:
            return exact[0] if len(exact) == 1 else None
    for package in packages:
        if package in user.requires:
            allowed = _allowed(package.partition("/")[0], user.requires[package], known[package].values())
            if fitting := {name: version for name, version in known[package].items() if version in allowed}:
                return _newest(fitting)
    return next((_newest(versions) for versions in known.values() if versions), None)


def _packages(offered: Mapping[str, PackageDeclarations]) -> list[str]:
    """Return the packages that make the repositories versions of one library; empty if they are not."""
    provided = [set(declared.provides) for declared in offered.values()]
    shared = set.intersection(*provided)
    if not shared and len({name.partition("@")[0] for name in offered}) == 1:
        shared = set.union(*provided)
    return sorted(shared)


def _versions(offered: Mapping[str, PackageDeclarations], package: str) -> dict[str, Version]:
    """Return the known version of each repository."""
    found: dict[str, Version] = {}
    for name, declared in offered.items():
        at = _REF.search(declared.ref)
        version = _version(declared.provides.get(package, "")) or _version(at.group(1) if at else "")
        if version is not None:
            found[name] = version
    return found


def _newest(versions: Mapping[str, Version]) -> str | None:
    """Return the repository with the highest version, final versions first; None if two have it."""
    highest = max(versions.values(), key=lambda version: (not version.is_prerelease, version))
    having = [name for name, version in versions.items() if version == highest]
    return having[0] if len(having) == 1 else None


def _allowed(ecosystem: str, requirement: str, versions: Iterable[Version]) -> set[Version]:
    """Return the versions that a requirement allows; empty if it is not understood."""
    if ecosystem not in _RANGES:
        return set()
    known = list(versions)
    try:
        ranges = parse_alternatives(ecosystem, requirement.partition(";")[0])
    except ValueError:
        return set()
    return {version for each in ranges for version in each.filter(known)}


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_V = TypeVar("_V")
NAMES, TOPS, OUTSIDE, OUTSIDE_TOPS = "names", "top-level names", "external names", "external top-level names"
DECLARED = "declared packages"
_RE_EXPORTS = 5
"""Maximum length of a chain of re-exporting packages."""


@dataclass(frozen=True)
class ProvidedNames:
    """Dotted names under which other repositories can use definitions of a repository."""

    names: Mapping[str, NodeRef]
    declared: PackageDeclarations
    """Declarations that choose between versions."""

    @property
    def tops(self) -> list[str]:
        return sorted({name.split(".", 1)[0] for name in self.names})

    @classmethod
    def of(cls, parts: GraphInputs) -> ProvidedNames:
        """Collect the names that a repository provides; none if it declares no package."""
        if not parts.packages.provides:
            return cls({}, PackageDeclarations.of(parts))
        repository, resolution = parts.origin.repository, parts.resolution
        private = {facts.path: load(facts.language).private_modules for facts in parts.files}
        dotted = {
            module.path: module.name
            for module in resolution.modules
            if module.name and module.name.split(".", 1)[0] not in private.get(module.path, ())
        }
        names: dict[str, NodeRef] = {}
        kinds: dict[tuple[str, str], str] = {}
        for facts in parts.files:
            module = dotted.get(facts.path)
            kinds[facts.path, ""] = "Module"
            classes = {""}
            for definition in facts.definitions:
                label = "Class" if definition.kind == "class" else "Function"
                kinds[facts.path, definition.key] = label
                if module is None or definition.parent not in classes or facts.path in parts.scores.tests:
                    continue
                if label == "Class":
                    classes.add(definition.key)
                names[f"{module}.{definition.qualname}"] = NodeRef(
                    label, code_id(repository, facts.path, definition.key)
                )
            if module is not None and facts.path not in parts.scores.tests:
                names[module] = NodeRef("Module", code_id(repository, facts.path))
        _add_exports(names, kinds, dotted, parts)
        below: dict[str, list[str]] = {}
        for name in names:
            _list_below(below, name)
        for _ in range(_RE_EXPORTS):
            if not _add_re_exports(names, below, dotted, parts):
                break
        return cls(dict(sorted(names.items())), PackageDeclarations.of(parts))

    def save(self, pending: PendingRevision) -> None:
        """Store the names with the texts."""
        names = {name: (place.label, place.id) for name, place in self.names.items()}
        pending.save_artifact(NAMES, compress(msgspec.msgpack.encode(names)))
        pending.save_artifact(TOPS, msgspec.msgpack.encode(self.tops))
        pending.save_artifact(DECLARED, msgspec.msgpack.encode(self.declared))


def save_externals(pending: PendingRevision, graph: RepositoryGraph) -> None:
    """Store the external names that a repository uses, so that linking needs no other graph."""
    found = externals_by_package(graph)
    pending.save_artifact(OUTSIDE, compress(msgspec.msgpack.encode(found)))
    pending.save_artifact(OUTSIDE_TOPS, msgspec.msgpack.encode(sorted(found)))


def externals_by_package(graph: RepositoryGraph) -> dict[str, list[tuple[str, str]]]:
    """List id and dotted name of external nodes by package."""
    found: dict[str, list[tuple[str, str]]] = {}
    for table in graph.nodes:
        if table.label == "External":
            columns = (table.columns["package"], table.columns["id"], table.columns["qualname"])
            for package, node, dotted in zip(*columns, strict=True):
                found.setdefault(str(package), []).append((str(node), str(dotted)))
    return found


def _add_exports(
    names: dict[str, NodeRef], kinds: Mapping[tuple[str, str], str], dotted: Mapping[str, str], parts: GraphInputs
) -> None:
    """Add names that modules export."""
    for export in parts.resolution.exports:
        target, source = parts.resolution.path_key(export.target), parts.resolution.path_key(export.module)
        if target and target in kinds and source and source[0] in dotted:
            place = NodeRef(kinds[target], code_id(parts.origin.repository, *target))
            names.setdefault(f"{dotted[source[0]]}.{export.name}", place)


def _add_re_exports(
    names: dict[str, NodeRef], below: dict[str, list[str]], dotted: Mapping[str, str], parts: GraphInputs
) -> bool:
    """Add one step of re-exports; return whether any was added. `below` has the names of each module."""
    before = len(names)
    aliases = {
        facts.path: {entry.name: entry.alias for entry in facts.imports if entry.name and entry.alias}
        for facts in parts.files
        if facts.is_package
    }
    for edge in parts.resolution.imports:
        source, target = parts.resolution.path_key(edge.source), parts.resolution.path_key(edge.target)
        if not source or not target or source[0] not in aliases or not {source[0], target[0]} <= dotted.keys():
            continue
        taken, own = f"{dotted[target[0]]}.", f"{dotted[source[0]]}."
        for name in edge.names:
            # A star import takes public names only.
            public = [one for one in below.get(dotted[target[0]], ()) if not one.startswith("_")]
            for each in public if name == "*" else [name] if taken + name in names else []:
                made = own + (aliases[source[0]].get(each) or each)
                if made not in names:
                    names[made] = names[taken + each]
                    _list_below(below, made)
    return len(names) > before


def _list_below(below: dict[str, list[str]], dotted: str) -> None:
    module, _, name = dotted.rpartition(".")
    below.setdefault(module, []).append(name)


def decode_top_level_names(data: bytes | None) -> list[str]:
    """Decode stored top-level names; empty if missing or unreadable."""
    return _decode(data, list[str]) or []


def decode_used_names(data: bytes | None) -> dict[str, list[tuple[str, str]]]:
    """Decode id and dotted name of used external names by package."""
    return decode_table(data, dict[str, list[tuple[str, str]]])


def decode_declarations(data: bytes | None) -> PackageDeclarations:
    """Decode declared packages."""
    return _decode(data, PackageDeclarations) or PackageDeclarations()


def decode_table(data: bytes | None, kind: type[dict[str, _V]]) -> dict[str, _V]:
    """Decode a stored table; empty if missing or unreadable."""
    try:
        return _decode(decompress(data), kind) or {} if data is not None else {}
    except StoreCorruptError as exc:
        _log.warning("names_unreadable error=%s", exc)
        return {}


def _decode(data: bytes | None, kind: type[_T]) -> _T | None:
    """Decode an artifact, None if damaged: damage of one repository must not stop the indexing of another."""
    try:
        return msgspec.msgpack.decode(data, type=kind) if data is not None else None
    except msgspec.MsgspecError as exc:
        _log.warning("names_unreadable error=%s", exc)
        return None
