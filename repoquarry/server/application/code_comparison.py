"""CompareRepositories and FindDuplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from repoquarry.graphstore.model.values import Node
from repoquarry.graphstore.reading.duplicates import (
    MEANINGS,
    DuplicateGroup,
    GroupRange,
    find_duplicates,
    find_longest_duplicates,
    load_body_hashes,
)
from repoquarry.graphstore.reading.repository_diff import (
    ChangeKind,
    DefinitionChange,
    EdgeChange,
    RepositoryDiff,
    diff_repositories,
    load_compared_repository,
)
from repoquarry.server import resource_names
from repoquarry.server.application.basis import BasisBuilder
from repoquarry.server.application.code_search import SymbolLookup
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.errors import invalid_field
from repoquarry.server.resource_names import parse_repository_name
from repoquarry.server.value_messages import entity
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1 import entities_pb2

_KINDS = {
    ChangeKind.ADDED: pb.CHANGE_KIND_ADDED,
    ChangeKind.REMOVED: pb.CHANGE_KIND_REMOVED,
    ChangeKind.MOVED: pb.CHANGE_KIND_MOVED,
    ChangeKind.SIGNATURE: pb.CHANGE_KIND_SIGNATURE,
}


class ComparisonHandler:
    """CompareRepositories over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder, naming: SymbolLookup) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def compare_repositories(self, request: pb.CompareRepositoriesRequest) -> pb.CompareRepositoriesResponse:
        most = resource_names.bounded("max_definitions", request.max_definitions, 200, 20_000)
        most_edges = resource_names.bounded("max_edges", request.max_edges, 200, 20_000)
        names = parse_repository_name(request.before, "before"), parse_repository_name(request.after, "after")
        found = diff_repositories(*(load_compared_repository(self._host.store, name) for name in names))
        definitions = [change for change in found.definitions if _wanted(change, request.tests)]
        edges = [edge for edge in found.edges if edge.confidence >= request.min_confidence]
        if request.tests in (pb.TEST_FILTER_EXCLUDE, pb.TEST_FILTER_ONLY):
            tests = self._tests(edges)
            only = request.tests == pb.TEST_FILTER_ONLY
            edges = [edge for edge in edges if (edge.start in tests) == only]
        return pb.CompareRepositoriesResponse(
            definitions=[_definition(change) for change in definitions[:most]],
            edges=self._edges(edges[:most_edges]),
            counts=_counts(RepositoryDiff(tuple(definitions), tuple(edges))),
            basis=self._bases.of(names, ()),
        )

    def _tests(self, edges: Sequence[EdgeChange]) -> set[str]:
        """Ids of the starts that belong to tests."""
        nodes = self._naming.nodes(edge.start for edge in edges)
        return {node.id for node in nodes if node.properties.get("is_test")}

    def _edges(self, edges: Sequence[EdgeChange]) -> list[pb.EdgeChange]:
        nodes = {node.id: node for node in self._naming.nodes(id_ for edge in edges for id_ in (edge.start, edge.end))}
        return [
            pb.EdgeChange(
                kind=pb.RelationKind.Value(f"RELATION_KIND_{edge.kind}"),
                appeared=edge.appeared,
                start=_end(nodes, edge.start),
                end=_end(nodes, edge.end),
                confidence=edge.confidence,
                between_kept=edge.between_kept,
            )
            for edge in edges
        ]


def _end(nodes: dict[str, Node], id_: str) -> entities_pb2.Entity:
    return entity(nodes[id_]) if id_ in nodes else entities_pb2.Entity(id=id_)


def _wanted(change: DefinitionChange, tests: pb.TestFilter.ValueType) -> bool:
    node = change.after or change.before
    is_test = node is not None and bool(node.properties.get("is_test"))
    return not (tests == pb.TEST_FILTER_EXCLUDE and is_test) and not (tests == pb.TEST_FILTER_ONLY and not is_test)


def _definition(change: DefinitionChange) -> pb.DefinitionChange:
    return pb.DefinitionChange(
        kind=_KINDS[change.kind],
        before=entity(change.before) if change.before else None,
        after=entity(change.after) if change.after else None,
        same_body=change.same_body,
        signature_changed=change.signature_changed,
    )


def _counts(found: RepositoryDiff) -> pb.ChangeCounts:
    kinds = Counter(change.kind for change in found.definitions)
    appeared = sum(edge.appeared for edge in found.edges)
    return pb.ChangeCounts(
        added=kinds[ChangeKind.ADDED],
        removed=kinds[ChangeKind.REMOVED],
        moved=kinds[ChangeKind.MOVED],
        signature_changed=kinds[ChangeKind.SIGNATURE],
        edges_appeared=appeared,
        edges_gone=len(found.edges) - appeared,
    )


_LINES = 10


class DuplicateHandler:
    """FindDuplicates over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder, naming: SymbolLookup) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def find_duplicates(self, request: pb.FindDuplicatesRequest) -> pb.FindDuplicatesResponse:
        size, first = resource_names.page_size(request, 50, 200), resource_names.offset(request)
        least = resource_names.bounded("min_lines", request.min_lines, _LINES, 1_000_000)
        repository = parse_repository_name(request.repository, "repository") if request.repository else ""
        if repository:
            self._host.store.repository(repository)
        page, everything, notes = GroupRange(first, size + 1), self._host.store.repositories(), list[str]()
        if request.symbol:
            found, notes = self._of(request.symbol, [repository] if repository else everything, everything, page)
        else:
            found = find_longest_duplicates(self._host.store, everything, repository, least, page)
        shown = found[:size]
        touched = {item.repository for duplicate in shown for item in duplicate.definitions}
        nodes = {
            node.id: node
            for node in self._naming.nodes(item.id for duplicate in shown for item in duplicate.definitions)
        }
        return pb.FindDuplicatesResponse(
            duplicates=[_duplicate(nodes, item) for item in shown],
            next_page_token=resource_names.token(request, first + size) if len(found) > size else "",
            basis=self._bases.of(touched | ({repository} - {""}) or everything, (), notes),
        )

    def _of(
        self, symbol: str, inside: list[str], everything: list[str], page: GroupRange
    ) -> tuple[list[DuplicateGroup], list[str]]:
        """Copies of what a name means, and a note where some of that is too short. Raises: RequestError when it is no function."""
        functions = [node.id for node in self._naming.meanings(symbol, inside) if "Function" in node.labels]
        if not functions:
            raise invalid_field("symbol", f"{symbol!r} names no function")
        looked = functions[:MEANINGS]
        hashes = load_body_hashes(self._host.store, looked)
        notes = []
        if len(hashes) < len(looked):
            notes.append(
                f"{len(looked) - len(hashes)} of {len(looked)} functions of that name are too short to compare"
            )
        if len(functions) > MEANINGS:
            notes.append(f"only the first {MEANINGS} of {len(functions)} functions of that name were looked for")
        return find_duplicates(self._host.store, list(hashes.values()), everything, page), notes


def _duplicate(nodes: Mapping[str, Node], duplicate: DuplicateGroup) -> pb.Duplicate:
    return pb.Duplicate(
        lines=duplicate.lines,
        copies=duplicate.copies,
        repository_ids=duplicate.repositories,
        definitions=[entity(nodes[item.id]) for item in duplicate.definitions],
    )
