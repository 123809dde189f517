"""What joins one repository to another: names outside one repository that are defined in another.

Each indexed repository keeps the dotted names that it offers beside its texts: its modules, what they define at the top, the
methods of those classes, and what packages re-export. When a repository is indexed, its external names are looked up in those of
the others, and theirs in its own, so that the order of indexing does not matter. A link is made only if the whole dotted name is
offered, by one repository alone, and that repository declares a package: nothing is joined by its last part.

Links are no part of a repository's revision, since they follow from which other repositories happen to be indexed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import msgspec

from repoquarry.graphstore.engine import QueryLimits
from repoquarry.graphstore.folder.sources import SourceStore, compress, decompress
from repoquarry.graphstore.model.records import NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Place

_NAMES, _TOPS = "names", "top-level names"
_PRIVATE_TOPS = {"setup", "conftest", "docs", "examples", "example", "tests", "test", "benchmarks", "scripts", "tools"}
"""Top-level modules that no installed package has, though nearly every repository does."""
_EXTERNALS = "MATCH (e:External) WHERE e.package IN $packages AND e.repository <> $repository RETURN e.id, e.qualname"
_OWN_QUERY = QueryLimits(seconds=120.0, rows=0, bytes=0, memory_bytes=0)
_RE_EXPORTS = 5
"""Packages that re-export what other packages re-export are followed this many steps."""
_LINKED = RELATIONSHIP_TYPES["PROVIDES"].end


@dataclass(frozen=True)
class Offer:
    """The dotted names under which others can reach what a repository defines."""

    names: Mapping[str, Place]

    @property
    def tops(self) -> list[str]:
        return sorted({name.split(".", 1)[0] for name in self.names})

    @classmethod
    def of(cls, parts: Parts) -> Offer:
        """What a repository offers; nothing when it declares no package."""
        if not parts.packages.provides:
            return cls({})
        repository, resolution = parts.origin.repository, parts.resolution
        dotted = {
            module.path: module.name
            for module in resolution.modules
            if module.name and module.name.split(".", 1)[0] not in _PRIVATE_TOPS
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
                if module is None or definition.parent not in classes or facts.path in parts.tests:
                    continue
                if label == "Class":
                    classes.add(definition.key)
                names[f"{module}.{definition.qualname}"] = Place(label, f"{repository}:{facts.path}::{definition.key}")
            if module is not None and facts.path not in parts.tests:
                names[module] = Place("Module", f"{repository}:{facts.path}")
        _add_exports(names, kinds, dotted, parts)
        for _ in range(_RE_EXPORTS):
            if not _add_re_exports(names, dotted, parts):
                break
        return cls(dict(sorted(names.items())))

    def save(self, sources: SourceStore, snapshot: int) -> None:
        """Keep the offer beside the texts of a snapshot."""
        names = {name: (place.label, place.id) for name, place in self.names.items()}
        sources.put_artifact(snapshot, _NAMES, compress(msgspec.msgpack.encode(names)))
        sources.put_artifact(snapshot, _TOPS, msgspec.msgpack.encode(self.tops))


def link(graph: RepositoryGraph, offer: Offer, store: Store) -> RepositoryGraph:
    """`graph` with the links between it and the other repositories of the store."""
    tops = {other: _tops(store.sources, other) for other in store.repositories() if other != graph.repository}
    offered_by = Counter(top for names in [*tops.values(), offer.tops] for top in names)
    outside = next((table for table in graph.nodes if table.label == "External"), None)
    pairs = _outward(outside, tops, offered_by, store.sources) if outside is not None else []
    mine = [top for top in offer.tops if offered_by[top] == 1]
    if mine and tops:
        parameters: dict[str, Value] = {"packages": [*mine], "repository": graph.repository}
        for node, dotted in store.engine.run(_EXTERNALS, parameters, _OWN_QUERY).rows:
            place = offer.names.get(str(dotted))
            if place is not None:
                pairs.append((str(node), place))
    return replace(graph, relationships=[*graph.relationships, *_tables(pairs)])


def _outward(
    outside: NodeTable, tops: Mapping[str, Iterable[str]], offered_by: Mapping[str, int], sources: SourceStore
) -> list[tuple[str, Place]]:
    wanted = {str(package) for package in outside.columns["package"]}
    pairs: list[tuple[str, Place]] = []
    for other, offered in sorted(tops.items()):
        shared = {top for top in offered if top in wanted and offered_by[top] == 1}
        data = sources.artifact(other, _NAMES) if shared else None
        if data is None:
            continue
        names = msgspec.msgpack.decode(decompress(data), type=dict[str, tuple[str, str]])
        for node, dotted, package in zip(
            outside.columns["id"], outside.columns["qualname"], outside.columns["package"], strict=True
        ):
            if package in shared and dotted in names:
                pairs.append((str(node), Place(*names[str(dotted)])))
    return pairs


def _tables(pairs: Iterable[tuple[str, Place]]) -> list[RelationshipTable]:
    ordered = sorted({(node, place.label, place.id) for node, place in pairs})
    tables = []
    for label in _LINKED:
        chosen = [(node, end) for node, kind, end in ordered if kind == label]
        if chosen:
            starts, ends = [node for node, _ in chosen], [end for _, end in chosen]
            tables.append(RelationshipTable("PROVIDES", "External", label, starts, ends, {}))
    return tables


def _add_exports(
    names: dict[str, Place], kinds: Mapping[tuple[str, str], str], dotted: Mapping[str, str], parts: Parts
) -> None:
    """Add what modules declare as theirs."""
    for export in parts.resolution.exports:
        target, source = parts.resolution.path_key(export.target), parts.resolution.path_key(export.module)
        if target and target in kinds and source and source[0] in dotted:
            place = Place(kinds[target], _node_id(parts.origin.repository, *target))
            names.setdefault(f"{dotted[source[0]]}.{export.name}", place)


def _add_re_exports(names: dict[str, Place], dotted: Mapping[str, str], parts: Parts) -> bool:
    """Add what packages import from their modules, one step; whether anything was added."""
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
            known = _public(names, taken) if name == "*" else [name] if taken + name in names else []
            for each in known:
                names.setdefault(own + (aliases[source[0]].get(each) or each), names[taken + each])
    return len(names) > before


def _public(names: Mapping[str, Place], prefix: str) -> list[str]:
    """What a star import takes: the names directly below `prefix` without a leading underscore."""
    below = (name[len(prefix) :] for name in names if name.startswith(prefix))
    return [name for name in below if "." not in name and not name.startswith("_")]


def _tops(sources: SourceStore, repository: str) -> list[str]:
    data = sources.artifact(repository, _TOPS)
    return msgspec.msgpack.decode(data, type=list[str]) if data is not None else []


def _node_id(repository: str, path: str, key: str) -> str:
    return f"{repository}:{path}::{key}" if key else f"{repository}:{path}"
