"""CodeService: finding, showing and connecting code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from repoquarry.graphstore.code.relations import hops_at
from repoquarry.graphstore.model.properties import text, texts, whole
from repoquarry.graphstore.model.values import Node, Value
from repoquarry.languages.registry import unknown_calls, without_calls
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.code.comparing import Comparing
from repoquarry.server.application.code.duplicates import Duplicates
from repoquarry.server.application.code.finding import Finding
from repoquarry.server.application.code.impact import Impact
from repoquarry.server.application.code.naming import Naming
from repoquarry.server.application.code.owners import Owners
from repoquarry.server.application.code.relations import RelationApplication
from repoquarry.server.application.code.tree import Tree
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.entities import entity
from repoquarry.server.contract.names import repositories_of, repository_of
from repoquarry.server.errors import invalid
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1 import entities_pb2

_DEFINITIONS = 100
_OF_CALLS = frozenset({"calls_in", "calls_out"})
"""Measures that are no numbers but unknown in a language whose calls are not resolved yet."""
_NOT_MEASURES = frozenset({"start_line", "end_line"})


class CodeApplication:
    """CodeService over a store in this process."""

    def __init__(self, host: Host, bases: Bases) -> None:
        self._host = host
        self._bases = bases
        self._naming = Naming(host)
        self._relations = RelationApplication(host, bases, self._naming)
        self._finding = Finding(host, bases, self._naming)
        self._owners = Owners(host, bases, self._naming)
        self._comparing = Comparing(host, bases, self._naming)
        self._impact = Impact(host, bases, self._naming)
        self._duplicates = Duplicates(host, bases, self._naming)
        self._tree = Tree(host, bases, self._naming)

    def search(self, request: pb.SearchRequest) -> pb.SearchResponse:
        return self._finding.search(request)

    def locate(self, request: pb.LocateRequest) -> pb.LocateResponse:
        return self._finding.locate(request)

    def build_context(self, request: pb.BuildContextRequest) -> pb.BuildContextResponse:
        return self._finding.build_context(request)

    def list_owners(self, request: pb.ListOwnersRequest) -> pb.ListOwnersResponse:
        return self._owners.list_owners(request)

    def compare_repositories(self, request: pb.CompareRepositoriesRequest) -> pb.CompareRepositoriesResponse:
        return self._comparing.compare_repositories(request)

    def analyze_impact(self, request: pb.AnalyzeImpactRequest) -> pb.AnalyzeImpactResponse:
        return self._impact.analyze_impact(request)

    def find_duplicates(self, request: pb.FindDuplicatesRequest) -> pb.FindDuplicatesResponse:
        return self._duplicates.find_duplicates(request)

    def get_tree(self, request: pb.GetTreeRequest) -> pb.GetTreeResponse:
        return self._tree.get_tree(request)

    def list_relations(self, request: pb.ListRelationsRequest) -> pb.ListRelationsResponse:
        return self._relations.list_relations(request)

    def find_paths(self, request: pb.FindPathsRequest) -> pb.FindPathsResponse:
        return self._relations.find_paths(request)

    def resolve_name(self, request: pb.ResolveNameRequest) -> pb.ResolveNameResponse:
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
        size = paging.page_size(request, 20, 200)
        start = paging.offset(request)
        found = self._naming.meanings(request.symbol, repositories)
        page = found[start : start + size]
        touched = {str(node.properties.get("repository") or "") for node in found} - {""}
        names = {_name(node) for node in found if set(node.labels) & {"Function", "Class"}}
        unknown = unknown_calls(text(node.properties.get("path")) for node in page)
        basis = self._bases.of(touched, names, [unknown] if unknown else [])
        defined = self._defined(page)
        return pb.ResolveNameResponse(
            meanings=[self._meaning(node, defined.get(node.id, [])) for node in page],
            total=len(found),
            next_page_token=paging.token(request, start + size) if start + size < len(found) else "",
            basis=basis,
        )

    def _defined(self, nodes: Iterable[Node]) -> dict[str, list[entities_pb2.Entity]]:
        found: dict[str, list[Node]] = {}
        for hop in hops_at(self._host.store, [node.id for node in nodes], "DEFINES", outgoing=True):
            found.setdefault(hop.known, []).append(hop.other)
        return {id_: [entity(node) for node in sorted(items, key=_by_line)] for id_, items in found.items()}

    def _meaning(self, node: Node, defined: list[entities_pb2.Entity]) -> pb.Meaning:
        possible = 0
        if set(node.labels) & {"Function", "Class"}:
            repository = str(node.properties.get("repository") or "")
            rows = self._host.store.named("unresolved_counts", repositories=[repository], names=[_name(node)]).rows
            possible = sum(int(str(row[2])) for row in rows)
        return pb.Meaning(
            entity=entity(node),
            docstring=text(node.properties.get("docstring")),
            measures=list(_measures(node.properties)),
            entry_points=texts(node.properties.get("entry_points")),
            possible_call_sites=possible,
            definitions=defined[:_DEFINITIONS],
            score_profile=self._score_profile(node),
        )

    def _score_profile(self, node: Node) -> str:
        if "importance" not in node.properties:
            return ""
        properties = self._host.store.repository(str(node.properties.get("repository") or ""))
        return str(properties.get("score_profile") or "")

    def read_source(self, request: pb.ReadSourceRequest) -> pb.ReadSourceResponse:
        repository = repository_of(request.repository, "repository")
        self._host.store.repository(repository)
        lines = self._host.store.source_text(repository, request.path).splitlines()
        first, last = request.start_line or 1, request.end_line or max(1, len(lines))
        if not 1 <= first <= last:
            raise invalid("start_line", f"lines {first} to {last} of {len(lines)}")
        last = min(last, len(lines))
        text, truncated = "", False
        if first <= last:
            last, truncated = _fitting(lines, first, last, self._host.settings.server.source_bytes)
            text = "\n".join(lines[first - 1 : last]) + "\n"
        return pb.ReadSourceResponse(
            path=request.path,
            start_line=first,
            end_line=last,
            total_lines=len(lines),
            text=text,
            truncated=truncated,
            basis=self._bases.of([repository], ()),
        )


def _fitting(lines: list[str], first: int, last: int, most_bytes: int) -> tuple[int, bool]:
    """The last line that still fits, and whether lines were cut off; one line always stays."""
    used = 0
    for number in range(first, last + 1):
        used += len(lines[number - 1].encode("utf-8", "surrogatepass")) + 1
        if most_bytes and used > most_bytes and number > first:
            return number - 1, True
    return last, False


def _measures(properties: Mapping[str, Value]) -> Iterable[pb.ScorePart]:
    unknown = _OF_CALLS if without_calls([text(properties.get("path"))]) else frozenset()
    for name in sorted(properties):
        value = properties[name]
        if name not in _NOT_MEASURES | unknown and isinstance(value, int | float) and not isinstance(value, bool):
            yield pb.ScorePart(name=name, value=float(value))


def _by_line(node: Node) -> tuple[int, str]:
    return whole(node.properties.get("start_line")), node.id


def _name(node: Node) -> str:
    return str(node.properties.get("name") or "")
