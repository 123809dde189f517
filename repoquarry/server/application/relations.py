"""Following relationships from everything that a name means: neighbours by hops, and shortest paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from repoquarry.graphstore.model.values import Node, Relationship
from repoquarry.graphstore.named.relations import relation_query
from repoquarry.server import paging
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.host import Host
from repoquarry.server.application.naming import Naming
from repoquarry.server.entities import entity, site
from repoquarry.server.errors import invalid
from repoquarry.server.names import repositories_of
from repoquarry.v1 import code_service_pb2 as pb

_BATCH = 500
_MAX_REACHED = 20_000
"""Nodes that one walk may reach; more are reported as cut."""


@dataclass(frozen=True)
class Reached:
    """A node that a walk reached over one last relationship."""

    node: Node
    hops: int
    relation: Relationship
    via: str


@dataclass(frozen=True)
class Hop:
    """One relationship that was followed."""

    known: str
    relation: Relationship
    other: Node


class RelationApplication:
    """ListRelations and FindPaths over a store in this process."""

    def __init__(self, host: Host, bases: Bases, naming: Naming) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def list_relations(self, request: pb.ListRelationsRequest) -> pb.ListRelationsResponse:
        kind = _kind_name(request.kind, "kind")
        outgoing = request.direction != pb.DIRECTION_INCOMING
        hops = paging.bounded("hops", request.hops, 1, 10)
        size = paging.page_size(request, 100, 1_000)
        start = paging.offset(request)
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
        meanings = self._naming.meanings(request.symbol, repositories)
        response = pb.ListRelationsResponse()
        names: set[str] = set()
        notes: list[str] = []
        seen = 0
        for meaning in meanings:
            reached, cut = self._walk(meaning.id, kind, outgoing=outgoing, hops=hops, least=request.min_confidence)
            if cut:
                notes.append(f"the walk from {meaning.id} was cut at {_MAX_REACHED} nodes")
            entry = response.meanings.add(entity=entity(meaning), total=len(reached))
            page = reached[max(0, start - seen) : max(0, start + size - seen)]
            entry.relations.extend(_relation(item) for item in page)
            seen += len(reached)
            names |= {_name(meaning)} | ({_name(item.node) for item in reached} if hops > 1 and not outgoing else set())
            if kind == "CALLS" and not outgoing and start == 0:
                entry.possible.extend(self._possible(meaning))
        if start + size < seen:
            response.next_page_token = paging.token(request, start + size)
        touched = {str(node.properties.get("repository") or "") for node in meanings} - {""}
        if kind == "CALLS" and outgoing:
            basis = self._bases.of(touched, (), notes, self._open_calls(meanings))
        else:
            basis = self._bases.of(touched, names if kind == "CALLS" else (), notes)
        response.basis.CopyFrom(basis)
        return response

    def _open_calls(self, meanings: Sequence[Node]) -> dict[str, Counter[str]]:
        """Calls in these that are not resolved, by repository and name."""
        found: dict[str, Counter[str]] = {}
        for hop in self.hops([node.id for node in meanings], "UNRESOLVED", outgoing=True):
            counts = found.setdefault(str(hop.other.properties.get("repository") or ""), Counter())
            counts[_name(hop.other)] += site(hop.relation.properties).count
        return found

    def _possible(self, meaning: Node) -> Iterator[pb.Relation]:
        repository = str(meaning.properties.get("repository") or "")
        rows = self._host.store.named("unresolved_named", names=[_name(meaning)], repositories=[repository])
        for row in rows.rows:
            values = dict(zip(rows.columns, row, strict=True))
            caller = values["other"]
            if isinstance(caller, Node):
                yield pb.Relation(entity=entity(caller), hops=1, site=site(values), via_id=meaning.id)

    def _walk(self, start: str, kind: str, *, outgoing: bool, hops: int, least: float) -> tuple[list[Reached], bool]:
        """What is reached within so many hops, nearest first, each node once; and whether the walk was cut."""
        found: list[Reached] = []
        seen, frontier = {start}, [start]
        for distance in range(1, hops + 1):
            following: list[str] = []
            for hop in sorted(self.hops(frontier, kind, outgoing=outgoing), key=lambda hop: (hop.other.id, hop.known)):
                confidence = hop.relation.properties.get("confidence")
                if isinstance(confidence, int | float) and confidence < least:
                    continue
                if hop.other.id in seen:
                    continue
                if len(found) == _MAX_REACHED:
                    return found, True
                seen.add(hop.other.id)
                following.append(hop.other.id)
                found.append(Reached(hop.other, distance, hop.relation, hop.known))
            frontier = following
        return found, False

    def hops(self, ids: Iterable[str], kind: str, *, outgoing: bool) -> Iterator[Hop]:
        """The relationships of one kind at these nodes."""
        wanted = list(ids)
        for start in range(0, len(wanted), _BATCH):
            result = self._host.store.named(
                relation_query(kind, outgoing=outgoing), ids=list(wanted[start : start + _BATCH])
            )
            for known, relation, other in result.rows:
                if isinstance(relation, Relationship) and isinstance(other, Node):
                    yield Hop(str(known), relation, other)

    def find_paths(self, request: pb.FindPathsRequest) -> pb.FindPathsResponse:
        kinds = [_kind_name(kind, "kinds") for kind in request.kinds] or ["CALLS"]
        most = paging.bounded("max_paths", request.max_paths, 10, 100)
        hops = paging.bounded("max_hops", request.max_hops, 6, 15)
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
        starts = self._naming.meanings(request.from_symbol, repositories, "from_symbol")
        ends = self._naming.meanings(request.to_symbol, repositories, "to_symbol")
        parents, reached, cut = self._search([node.id for node in starts], {node.id for node in ends}, kinds, hops)
        nodes = {node.id: node for node in starts}
        paths: list[list[Hop]] = []
        for end in reached:
            paths.extend(_paths_back(end, parents, most + 1 - len(paths)))
        found = paths[:most]
        bearing = {_name(node) for node in ends} | {_name(hop.other) for path in found for hop in path}
        touched = {str(node.properties.get("repository") or "") for node in (*starts, *ends)} - {""}
        notes = [f"the search was cut at {_MAX_REACHED} nodes"] if cut else []
        return pb.FindPathsResponse(
            paths=[_path(nodes[path[0].known], path) for path in found],
            from_meanings=[entity(node) for node in starts],
            to_meanings=[entity(node) for node in ends],
            truncated=len(paths) > most or cut,
            basis=self._bases.of(touched, bearing if "CALLS" in kinds else (), notes),
        )

    def _search(
        self, starts: Sequence[str], ends: set[str], kinds: Sequence[str], hops: int
    ) -> tuple[dict[str, list[Hop]], list[str], bool]:
        """Breadth first: for each node the hops that reach it on a shortest way, the ends found, and whether it was cut."""
        parents: dict[str, list[Hop]] = {id_: [] for id_ in starts}
        frontier, reached = list(starts), []
        for _ in range(hops):
            level: dict[str, list[Hop]] = {}
            for kind in kinds:
                for hop in self.hops(frontier, kind, outgoing=True):
                    if hop.other.id not in parents:
                        level.setdefault(hop.other.id, []).append(hop)
            parents |= {id_: sorted(level[id_], key=lambda hop: hop.known) for id_ in sorted(level)}
            reached += sorted(ends & level.keys())
            if not level or ends <= parents.keys():
                break
            if len(parents) > _MAX_REACHED:
                return parents, reached, True
            frontier = sorted(level)
        return parents, reached, False


def _paths_back(end: str, parents: dict[str, list[Hop]], most: int) -> list[list[Hop]]:
    """The shortest paths to `end`, at most so many."""
    found: list[list[Hop]] = []
    open_paths: list[tuple[str, list[Hop]]] = [(end, [])]
    while open_paths and len(found) < most:
        at, tail = open_paths.pop()
        if not parents[at]:
            found.append(tail)
        open_paths.extend((hop.known, [hop, *tail]) for hop in reversed(parents[at]))
    return found


def _path(start: Node, hops: list[Hop]) -> pb.CodePath:
    steps = [
        pb.PathStep(
            kind=pb.RelationKind.Value(f"RELATION_KIND_{hop.relation.type}"),
            site=site(hop.relation.properties),
            entity=entity(hop.other),
        )
        for hop in hops
    ]
    return pb.CodePath(start=entity(start), steps=steps)


def _relation(item: Reached) -> pb.Relation:
    return pb.Relation(entity=entity(item.node), hops=item.hops, site=site(item.relation.properties), via_id=item.via)


def _kind_name(kind: pb.RelationKind.ValueType, field: str) -> str:
    if kind == pb.RELATION_KIND_UNSPECIFIED:
        raise invalid(field, "say which relationships to follow")
    return pb.RelationKind.Name(kind).removeprefix("RELATION_KIND_")


def _name(node: Node) -> str:
    return str(node.properties.get("name") or "").rpartition(".")[2]
