"""Names and package versions that a repository provides and uses, stored for links between repositories; choice of the provider.

A user gets the version of its lock file, then the highest version that its requirement allows, then the newest. Two
stored repositories of one version are ambiguous, and libraries that share only a module name are never chosen by
guess.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
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
from repoquarry.languages.facts import Definition
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
        packages, checkout = parts.packages, parts.checkout
        return cls(
            {"/".join(key): packages.versions.get(key, "") for key in packages.provides},
            {"/".join(key): requirement for key, requirement in packages.requires.items()},
            {"/".join(key): version for key, version in packages.locked.items()},
            next((text for text in (checkout.ref, checkout.name) if _REF.search(text)), ""),
        )


def choose_provider(offered: Mapping[str, PackageDeclarations], user: PackageDeclarations) -> str | None:
    """Choose the repository that `user` means among those that provide a name; None if ambiguous."""
    wanted = user.requires.keys() | user.locked.keys()
    named = {name: declared for name, declared in offered.items() if not wanted.isdisjoint(declared.provides)}
    offered = named or offered
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
    known = list(versions)
    if ecosystem not in _RANGES:
        return {version for version in known if version == _version(requirement)}
    try:
        ranges = parse_alternatives(ecosystem, requirement.partition(";")[0])
    except ValueError:
        return set()
    return {version for each in ranges for version in each.filter(known)}


def _version(text: str) -> Version | None:
    """Parse a version; a qualifier that Python does not know, such as `-jre` or `.Final`, is dropped."""
    number = re.match(r"\d+(?:\.\d+)*", text)
    for candidate in (text, number[0] if number else ""):
        try:
            return Version(candidate)
        except InvalidVersion:
            continue
    return None


_log = logging.getLogger(__name__)
_T = TypeVar("_T")
NAMES, TOPS, OUTSIDE, OUTSIDE_TOPS = "names", "top-level names", "external names", "external top-level names"
DECLARED = "declared packages"
_RE_EXPORTS = 5
"""Maximum length of a chain of re-exporting packages."""


@dataclass(frozen=True)
class ProvidedNames:
    """Dotted names under which other repositories can use definitions of a repository."""

    names_by_package: Mapping[str, Mapping[str, NodeRef]]
    declared: PackageDeclarations
    """Declarations that choose between versions."""

    @classmethod
    def of(cls, parts: GraphInputs) -> ProvidedNames:
        """Collect the names that a repository provides; none if it declares no package."""
        declared = PackageDeclarations.of(parts)
        if not parts.packages.provides:
            return cls({}, declared)
        collector = _NameCollector(parts)
        collector.add_specifiers()
        collector.add_modules()
        collector.add_exports()
        collector.add_re_exports()
        found: dict[str, dict[str, NodeRef]] = {}
        for name, place in sorted(collector.names.items()):
            found.setdefault(collector.packages[name], {})[name] = place
        return cls(dict(sorted(found.items())), declared)

    def save(self, pending: PendingRevision) -> None:
        names = {
            package: {name: (place.label, place.id) for name, place in names.items()}
            for package, names in self.names_by_package.items()
        }
        pending.save_artifact(NAMES, compress(msgspec.msgpack.encode(names)))
        pending.save_artifact(TOPS, msgspec.msgpack.encode([*names]))
        pending.save_artifact(DECLARED, msgspec.msgpack.encode(self.declared))


class _NameCollector:
    """Collector of the names that a repository provides; a name that is added again keeps its first meaning."""

    def __init__(self, parts: GraphInputs) -> None:
        self._parts = parts
        private = {facts.path: load(facts.language).private_modules for facts in parts.files}
        modules = [module for module in parts.resolution.modules if module.path not in parts.scores.tests]
        self._specifiers = {module.path: module.specifiers for module in modules if module.specifiers is not None}
        self._dotted = {
            module.path: module.name
            for module in modules
            if module.specifiers is None
            and module.name
            and module.name.split(".", 1)[0] not in private.get(module.path, ())
        }
        self._members: dict[tuple[str, str], list[Definition]] = {}
        self._definitions: dict[tuple[str, str], Definition] = {}
        for facts in parts.files:
            for definition in reversed(facts.definitions):
                self._members.setdefault((facts.path, definition.parent), []).append(definition)
                self._definitions[facts.path, definition.key] = definition
        self.names: dict[str, NodeRef] = {}
        self.packages: dict[str, str] = {}
        self._below: dict[str, list[str]] = {}

    def add_specifiers(self) -> None:
        """Add what files export that other packages import by specifiers, implementations before declarations."""
        exports: dict[str, list[tuple[bool, str, tuple[str, str]]]] = {}
        for module, name, target in self._exports():
            exports.setdefault(module, []).append((name != "default", name, target))
        stubs = {facts.path for facts in self._parts.files if facts.is_stub}
        for path in sorted(self._specifiers, key=lambda path: (path in stubs, path)):
            for package, specifier in self._specifiers[path]:
                for is_named, name, target in sorted(exports.get(path, ())):
                    self._add(f"{specifier}.{name}" if is_named else specifier, package, *target)
                self._add(specifier, package, path)

    def add_modules(self) -> None:
        """Add modules with their definitions by dotted names."""
        namespaces = {facts.path: facts.namespace for facts in self._parts.files}
        families = {facts.path: load(facts.language).family for facts in self._parts.files}
        with_global = {path for path, family in families.items() if family is not None and family.has_global_names}
        for path, module in sorted(self._dotted.items(), key=lambda item: item[0] not in with_global):
            if path in with_global:  # its programs never write the name of a file
                self._add_global(path, namespaces[path])
                continue
            package = namespaces[path] or module.split(".", 1)[0]
            if not namespaces[path]:
                self._add(module, package, path)
            for definition in self._members.get((path, ""), ()):
                self._add(f"{namespaces[path] or module}.{definition.qualname}", package, path, definition.key)

    def _add_global(self, path: str, namespace: str) -> None:
        """Add the definitions of a file by their full names, as the language's dialect writes those outside."""
        for definition in self._members.get((path, ""), ()):
            name = f"{namespace}.{definition.qualname}".strip(".").replace("\\", ".").replace("::", ".")
            self._add(name, name.partition(".")[0], path, definition.key)

    def add_exports(self) -> None:
        """Add names that modules with dotted names export."""
        for module, name, target in self._exports():
            if module in self._dotted:
                dotted = self._dotted[module]
                self._add_name(f"{dotted}.{name}", dotted.split(".", 1)[0], *target)

    def _exports(self) -> Iterator[tuple[str, str, tuple[str, str]]]:
        """Yield path of the module, name and target of exported names."""
        resolution = self._parts.resolution
        for export in resolution.exports:
            source, target = resolution.path_key(export.module), resolution.path_key(export.target)
            if source is not None and target is not None:
                yield source[0], export.name, target

    def _add(self, name: str, package: str, path: str, key: str = "") -> None:
        """Add a module or definition, and the members of a class."""
        self._add_name(name, package, path, key)
        definition = self._definitions.get((path, key))
        if definition is not None and definition.kind == "class":
            for member in self._members.get((path, key), ()):
                self._add(f"{name}.{member.name}", package, path, member.key)

    def _add_name(self, name: str, package: str, path: str, key: str = "") -> None:
        if name not in self.names:
            definition = self._definitions.get((path, key))
            label = "Module" if definition is None else "Class" if definition.kind == "class" else "Function"
            self.names[name] = NodeRef(label, code_id(self._parts.repository, path, key))
            self.packages[name] = package
            module, _, last = name.rpartition(".")
            self._below.setdefault(module, []).append(last)

    def add_re_exports(self) -> None:
        """Add names that packages pass on from other modules, in chains of limited length."""
        for _ in range(_RE_EXPORTS):
            if not self._add_re_exports():
                return

    def _add_re_exports(self) -> bool:
        """Add one step of re-exports; return whether any was added."""
        before, resolution, dotted = len(self.names), self._parts.resolution, self._dotted
        aliases = {
            facts.path: {entry.name: entry.alias for entry in facts.imports if entry.name and entry.alias}
            for facts in self._parts.files
            if facts.is_package
        }
        for edge in resolution.imports:
            source, target = resolution.path_key(edge.source), resolution.path_key(edge.target)
            if not source or not target or source[0] not in aliases or not {source[0], target[0]} <= dotted.keys():
                continue
            taken, own = f"{dotted[target[0]]}.", f"{dotted[source[0]]}."
            for name in edge.names:
                # A star import takes public names only.
                public = [one for one in self._below.get(dotted[target[0]], ()) if not one.startswith("_")]
                for each in public if name == "*" else [name] if taken + name in self.names else []:
                    made = own + (aliases[source[0]].get(each) or each)
                    if made not in self.names:
                        self.names[made] = self.names[taken + each]
                        self.packages[made] = own.split(".", 1)[0]
                        self._below.setdefault(dotted[source[0]], []).append(made.rpartition(".")[2])
        return len(self.names) > before


def save_externals(pending: PendingRevision, graph: RepositoryGraph) -> None:
    """Store id and dotted name of the external nodes of a repository by package, so that linking needs no other graph."""
    found: dict[str, list[tuple[str, str]]] = {}
    for table in graph.nodes:
        if table.label == "External":
            columns = (table.columns["package"], table.columns["id"], table.columns["qualname"])
            for package, node, dotted in zip(*columns, strict=True):
                found.setdefault(str(package), []).append((str(node), str(dotted)))
    pending.save_artifact(OUTSIDE, compress(msgspec.msgpack.encode(found)))
    pending.save_artifact(OUTSIDE_TOPS, msgspec.msgpack.encode(sorted(found)))


def decode_names(data: bytes | None) -> dict[str, dict[str, tuple[str, str]]]:
    """Decode label and id of provided nodes by package and dotted name."""
    return _decode(data, dict[str, dict[str, tuple[str, str]]], is_compressed=True) or {}


def decode_top_level_names(data: bytes | None) -> list[str]:
    """Decode stored top-level names; empty if missing or unreadable."""
    return _decode(data, list[str]) or []


def decode_used_names(data: bytes | None) -> dict[str, list[tuple[str, str]]]:
    """Decode id and dotted name of used external names by package."""
    return _decode(data, dict[str, list[tuple[str, str]]], is_compressed=True) or {}


def decode_declarations(data: bytes | None) -> PackageDeclarations:
    return _decode(data, PackageDeclarations) or PackageDeclarations()


def _decode(data: bytes | None, kind: type[_T], *, is_compressed: bool = False) -> _T | None:
    """Decode an artifact, None if damaged: damage of one repository must not stop the indexing of another."""
    if data is None:
        return None
    try:
        return msgspec.msgpack.decode(decompress(data) if is_compressed else data, type=kind)
    except (StoreCorruptError, msgspec.MsgspecError) as exc:
        _log.warning("names_unreadable error=%s", exc)
        return None
