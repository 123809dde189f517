"""What a repository offers to others under dotted names, and what it uses from outside, as both are kept beside its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from repoquarry.graphstore.folder.compression import compress, decompress
from repoquarry.graphstore.model.records import RepositoryGraph
from repoquarry.graphstore.pending import PendingRevision
from repoquarry.ingest.graph.ids import code_id
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Place
from repoquarry.ingest.graph.versions import Declared
from repoquarry.languages.registry import load

_V = TypeVar("_V")
NAMES, TOPS, OUTSIDE, OUTSIDE_TOPS = "names", "top-level names", "external names", "external top-level names"
DECLARED = "declared packages"
_RE_EXPORTS = 5
"""Packages that re-export what other packages re-export are followed this many steps."""


@dataclass(frozen=True)
class Offer:
    """The dotted names under which others can reach what a repository defines."""

    names: Mapping[str, Place]
    declared: Declared
    """What chooses between it and other versions, and between versions of what it uses."""

    @property
    def tops(self) -> list[str]:
        return sorted({name.split(".", 1)[0] for name in self.names})

    @classmethod
    def of(cls, parts: Parts) -> Offer:
        """What a repository offers; nothing when it declares no package."""
        if not parts.packages.provides:
            return cls({}, Declared.of(parts))
        repository, resolution = parts.origin.repository, parts.resolution
        private = {facts.path: load(facts.language).private_modules for facts in parts.files}
        dotted = {
            module.path: module.name
            for module in resolution.modules
            if module.name and module.name.split(".", 1)[0] not in private.get(module.path, ())
        }
        names: dict[str, Place] = {}
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
                names[f"{module}.{definition.qualname}"] = Place(label, code_id(repository, facts.path, definition.key))
            if module is not None and facts.path not in parts.scores.tests:
                names[module] = Place("Module", code_id(repository, facts.path))
        _add_exports(names, kinds, dotted, parts)
        below: dict[str, list[str]] = {}
        for name in names:
            _list_below(below, name)
        for _ in range(_RE_EXPORTS):
            if not _add_re_exports(names, below, dotted, parts):
                break
        return cls(dict(sorted(names.items())), Declared.of(parts))

    def save(self, pending: PendingRevision) -> None:
        """Keep the offer beside the texts."""
        names = {name: (place.label, place.id) for name, place in self.names.items()}
        pending.keep(NAMES, compress(msgspec.msgpack.encode(names)))
        pending.keep(TOPS, msgspec.msgpack.encode(self.tops))
        pending.keep(DECLARED, msgspec.msgpack.encode(self.declared))


def keep_externals(pending: PendingRevision, graph: RepositoryGraph) -> None:
    """Keep what a repository uses from outside beside its texts, so that no other graph is read to link it."""
    found = externals(graph)
    pending.keep(OUTSIDE, compress(msgspec.msgpack.encode(found)))
    pending.keep(OUTSIDE_TOPS, msgspec.msgpack.encode(sorted(found)))


def externals(graph: RepositoryGraph) -> dict[str, list[tuple[str, str]]]:
    """Ids and dotted names of the nodes outside by package."""
    found: dict[str, list[tuple[str, str]]] = {}
    for table in graph.nodes:
        if table.label == "External":
            columns = (table.columns["package"], table.columns["id"], table.columns["qualname"])
            for package, node, dotted in zip(*columns, strict=True):
                found.setdefault(str(package), []).append((str(node), str(dotted)))
    return found


def _add_exports(
    names: dict[str, Place], kinds: Mapping[tuple[str, str], str], dotted: Mapping[str, str], parts: Parts
) -> None:
    """Add what modules declare as theirs."""
    for export in parts.resolution.exports:
        target, source = parts.resolution.path_key(export.target), parts.resolution.path_key(export.module)
        if target and target in kinds and source and source[0] in dotted:
            place = Place(kinds[target], code_id(parts.origin.repository, *target))
            names.setdefault(f"{dotted[source[0]]}.{export.name}", place)


def _add_re_exports(
    names: dict[str, Place], below: dict[str, list[str]], dotted: Mapping[str, str], parts: Parts
) -> bool:
    """Add what packages import from their modules, one step; whether anything was added. `below` has the names of each module."""
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
            public = [one for one in below.get(dotted[target[0]], ()) if not one.startswith("_")]  # what a star takes
            for each in public if name == "*" else [name] if taken + name in names else []:
                made = own + (aliases[source[0]].get(each) or each)
                if made not in names:
                    names[made] = names[taken + each]
                    _list_below(below, made)
    return len(names) > before


def _list_below(below: dict[str, list[str]], dotted: str) -> None:
    module, _, name = dotted.rpartition(".")
    below.setdefault(module, []).append(name)


def decoded(data: bytes | None) -> list[str]:
    """Top-level names as they are kept; none where nothing is."""
    return msgspec.msgpack.decode(data, type=list[str]) if data is not None else []


def used(data: bytes | None) -> dict[str, list[tuple[str, str]]]:
    """Id and dotted name by package of what is used from outside, as `keep_externals` keeps it."""
    return unpacked(data, dict[str, list[tuple[str, str]]])


def declared_in(data: bytes | None) -> Declared:
    """What was declared, as `Offer.save` keeps it."""
    return msgspec.msgpack.decode(data, type=Declared) if data is not None else Declared()


def unpacked(data: bytes | None, kind: type[dict[str, _V]]) -> dict[str, _V]:
    """A table as it is kept; empty where nothing is."""
    return msgspec.msgpack.decode(decompress(data), type=kind) if data is not None else {}
