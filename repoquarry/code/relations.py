"""Traversal of relationships of one kind by hops, exactly as the graph stores them; importers of files, bases and subclasses of classes.

Callers and callees are in `calls`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from repoquarry.code.reader import CodeReader, to_definition
from repoquarry.code.records import (
    DefinitionRecord,
    EdgeRecord,
    MeaningRelations,
    Relation,
    RelationKind,
    Site,
    join_sites,
)
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.call_views import is_in_views, site_confidence
from repoquarry.graphstore.model.values import Node, Relationship, get_int, get_str
from repoquarry.graphstore.query.query_library import relation_query
from repoquarry.graphstore.store import Store
from repoquarry.languages.registry import unknown_calls

_BATCH = 500
MAX_REACHED: Final = 20_000
"""Maximum number of nodes that one traversal reaches; a traversal with more is reported as truncated."""
USE_KINDS: Final = ("CALLS", "REFERENCES", "INHERITS", "IMPORTS")


@dataclass(frozen=True)
class Hop:
    """One relationship that was followed from the node `known` to the node `other`."""

    known: str
    relation: Relationship
    other: Node


@dataclass(frozen=True)
class RelationRequest:
    kind: RelationKind
    outgoing: bool = True
    hops: int = 1
    min_confidence: float = 0.0
    how: tuple[str, ...] = ()
    """Views or rules of calls; empty for all."""
    repositories: tuple[str, ...] = ()
    """Repositories of the reached nodes; empty for all. Nodes that belong to none are always included."""


@dataclass(frozen=True)
class RelationReport:
    meanings: tuple[MeaningRelations, ...]
    repositories: tuple[str, ...]
    notes: tuple[str, ...]


def expand(store: Store, ids: Iterable[str], kind: str, *, outgoing: bool) -> Iterator[Hop]:
    """Yield the relationships of one kind at some nodes; calls also between repositories."""
    wanted = list(ids)
    kinds = USE_KINDS if kind == RelationKind.USES.name else (kind,)
    queries = [relation_query(one, outgoing=outgoing) for one in kinds]
    if "CALLS" in kinds:  # In one repository the target of a call into another one is an external.
        queries.append("calls_across_out" if outgoing else "calls_across_in")
    for start in range(0, len(wanted), _BATCH):
        for query in queries:
            result = store.execute_named(query, ids=list(wanted[start : start + _BATCH]))
            for known, relation, other, *_ in result.rows:
                if isinstance(relation, Relationship) and isinstance(other, Node):
                    yield Hop(str(known), relation, other)


def traverse(store: Store, starts: Sequence[str], request: RelationRequest) -> tuple[tuple[Relation, ...], bool]:
    """Return what is within `request.hops`, nearest first and each once per kind, and whether the traversal was truncated."""
    found: dict[tuple[str, str], Relation] = {}
    frontier = list(starts)
    for distance in range(1, request.hops + 1):
        next_frontier: list[str] = []
        hops = expand(store, frontier, request.kind.name, outgoing=request.outgoing)
        for hop in sorted(hops, key=lambda hop: (hop.other.id, hop.known)):
            site = Site.from_properties(hop.relation.properties)
            is_back = hop.other.id in starts and distance > 1  # A recursive call is one hop.
            if is_back or not _is_requested(hop.relation.type, site, request):
                continue
            reached = hop.other.id, hop.relation.type
            if (known := found.get(reached)) is not None:
                if distance == 1:
                    found[reached] = replace(known, site=_join(known.site, site))
                continue
            if len(found) == MAX_REACHED:
                return tuple(found.values()), True
            next_frontier.append(hop.other.id)
            kind = RelationKind[hop.relation.type]
            found[reached] = Relation(to_definition(hop.other), distance, site, hop.known, kind)
        frontier = next_frontier
    return tuple(found.values()), False


def _is_requested(kind: str, site: Site, request: RelationRequest) -> bool:
    if site.confidence is None:
        return True
    if kind != "CALLS":
        return site.confidence >= request.min_confidence
    is_low = site_confidence(site.how, site.targets, site.confidence) < request.min_confidence
    return not is_low and is_in_views(request.how, site.how, site.targets)


def _join(one: Site, other: Site) -> Site:
    """Join the sites of two relationships of one node, such as calls of a class and of its constructor."""
    lines, count = join_sites((one.lines, one.count), (other.lines, other.count))
    return replace(one, lines=lines, count=count)


def list_relations(reader: CodeReader, nodes: Sequence[Node], request: RelationRequest) -> RelationReport:
    """List the relations of some nodes. Calls are those of definitions, not of files; calling a class runs its constructor."""
    is_calls = request.kind is RelationKind.CALLS
    is_callers = is_calls and not request.outgoing
    constructors: dict[str, list[str]] = {}
    if is_calls:
        nodes = [node for node in nodes if "Module" not in node.labels] or nodes
    if is_callers:
        constructors = {
            item.id: [member.id for member in reader.constructors(item)]
            for item in reader.definitions(node.id for node in nodes)
        }
        folded = {id_ for ids in constructors.values() for id_ in ids}
        nodes = [node for node in nodes if node.id not in folded]
    meanings, notes = [], []
    other_repositories: set[str] = set()
    for item in map(to_definition, nodes):
        reached, is_truncated = traverse(reader.store, [item.id, *constructors.get(item.id, ())], request)
        if request.repositories:
            reached = tuple(one for one in reached if one.entity.repository in (*request.repositories, ""))
        if is_truncated:
            notes.append(f"the traversal from {item.id} stopped at {MAX_REACHED:,} nodes")
        possible = _list_possible_callers(reader, item) if is_callers else ()
        meanings.append(MeaningRelations(item, reached, possible))
        other_repositories |= {one.entity.repository for one in reached} - {item.repository, ""}
    if is_calls:
        if unknown := unknown_calls(meaning.entity.path for meaning in meanings):
            notes.append(unknown)
        if other_repositories:
            names = ", ".join(sorted(other_repositories))
            notes.append(f"followed into other repositories through provided packages: {names}")
    repositories = {meaning.entity.repository for meaning in meanings} - {""} | other_repositories
    return RelationReport(tuple(meanings), tuple(sorted(repositories)), tuple(notes))


def repository_of(node: Node) -> str:
    """Return the id of a node's repository; empty for a node that belongs to none."""
    return get_str(node.properties.get("repository"))


def short_name(node: Node) -> str:
    """Return the last part of a node's dotted name."""
    return last_part(get_str(node.properties.get("name")))


def last_part(name: str) -> str:
    return name.rpartition(".")[2]


def _list_possible_callers(reader: CodeReader, item: DefinitionRecord) -> tuple[Relation, ...]:
    return tuple(site.to_relation(item.id) for site, _ in reader.possible_calls([item], [item.repository]))


def count_unresolved_calls(store: Store, nodes: Iterable[Node]) -> dict[str, Counter[str]]:
    """Count the unresolved calls in some nodes by repository and called name."""
    found: dict[str, Counter[str]] = {}
    for hop in expand(store, [node.id for node in nodes], "UNRESOLVED", outgoing=True):
        counts = found.setdefault(repository_of(hop.other), Counter())
        counts[short_name(hop.other)] += get_int(hop.relation.properties.get("count")) or 1
    return found


@dataclass(frozen=True)
class Importer:
    module: DefinitionRecord
    weight: float
    """Coupling: imports, calls and inheritance between the two modules."""
    imports: EdgeRecord | None


def find_importers(reader: CodeReader, modules: Sequence[DefinitionRecord]) -> list[Importer]:
    """Find the modules that import some modules or otherwise depend on them: production code first, strongest coupling first."""
    ids = [item.id for item in modules]
    edges = {edge.start.id: edge for edge in reader.imports_to(ids)}
    found = {id_: Importer(edge.start, 0.0, edge) for id_, edge in edges.items()}
    for item, _, weight in reader.dependents(ids):
        found[item.id] = Importer(item, weight, edges.get(item.id))
    return sorted(found.values(), key=lambda item: (item.module.is_test, -item.weight, item.module.id))


@dataclass(frozen=True)
class ClassReport:
    """Class hierarchy around all classes that a name can refer to."""

    bases: tuple[EdgeRecord, ...]
    levels: tuple[tuple[EdgeRecord, ...], ...]
    """`levels[n]` are INHERITS edges from classes n + 1 levels below the targets, or below the classes in `external`."""
    external: tuple[tuple[str, DefinitionRecord], ...] = ()
    """(dotted name, class) of classes that inherit directly from an external class."""


def find_subclasses(reader: CodeReader, targets: Sequence[DefinitionRecord], depth: int) -> ClassReport:
    """Find the bases and the subclasses of some classes; a subclass appears at its least depth."""
    seen = {item.id for item in targets}
    frontier, levels = sorted(seen), []
    for _ in range(depth):
        edges = [edge for edge in reader.subclasses(frontier) if edge.start.id not in seen]
        if not edges:
            break
        levels.append(tuple(sorted(edges, key=lambda edge: (edge.start.is_test, edge.start.id))))
        frontier = sorted({edge.start.id for edge in edges})
        seen.update(frontier)
    return ClassReport(tuple(reader.bases([item.id for item in targets])), tuple(levels))


def find_external_subclasses(reader: CodeReader, name: str, repositories: Sequence[str], depth: int) -> ClassReport:
    """Find the subclasses of an external class by the end of its dotted name. Raises: NotFoundError when there are none."""
    external = reader.subclasses_of_external(name, repositories)
    if not external:
        raise NotFoundError(f"no class {name!r} is defined or inherited from here", kind="name", value=name)
    below = find_subclasses(reader, list({item.id: item for _, item in external}.values()), depth)
    return replace(below, bases=(), external=tuple(external))
