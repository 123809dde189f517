"""CodeService: definitions, source, tree, owners."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.graphstore.model.values import Node, Value, get_int, get_str, get_str_list
from repoquarry.graphstore.reading.traversals import expand
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.languages.registry import languages_without_calls, unknown_calls
from repoquarry.languages.source_text import split_lines
from repoquarry.server import resource_names
from repoquarry.server.application.basis import BasisBuilder, select_text_repositories
from repoquarry.server.application.code_comparison import ComparisonHandler, DuplicateHandler
from repoquarry.server.application.code_relations import ImpactHandler, RelationHandler
from repoquarry.server.application.code_search import SearchHandler, SymbolLookup
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.resource_names import parse_repository_name, repositories_of
from repoquarry.server.value_messages import entity
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1 import entities_pb2

_MEANINGS = 20
_BEFORE_NAMES = "the history was stored before authors were: index the repository again"


class OwnerHandler:
    """ListOwners over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder, naming: SymbolLookup) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def list_owners(self, request: pb.ListOwnersRequest) -> pb.ListOwnersResponse:
        most = resource_names.bounded("max_owners", request.max_owners, 10, 100)
        repositories, notes = select_text_repositories(self._host.store, repositories_of(list(request.repositories)))
        meanings = self._naming.meanings(request.symbol, repositories)
        inside = [node for node in meanings if set(node.labels) & {"Repository"} or node.properties.get("path")]
        histories: dict[str, GitHistory] = {}
        response = pb.ListOwnersResponse()
        for node in inside[:_MEANINGS]:
            repository = str(node.properties.get("repository"))
            if repository not in histories:
                histories[repository] = self._host.store.history(repository)
            response.meanings.append(_owners(node, histories[repository], most))
        response.basis.CopyFrom(self._bases.of(histories, (), notes))
        return response


def _owners(node: Node, history: GitHistory, most: int) -> pb.MeaningOwners:
    found = history.owners(_paths(node, history.paths))
    unnamed = bool(history.commits) and not any(commit.author for commit in history.commits)
    return pb.MeaningOwners(
        entity=entity(node),
        owners=[
            pb.Owner(
                name=owner.name,
                commits=owner.commits,
                share=owner.share,
                last_commit_time=Timestamp(seconds=owner.last_time),
            )
            for owner in found[:most]
        ],
        commits=sum(owner.commits for owner in found),
        history_missing=_BEFORE_NAMES if unnamed else history.missing,
    )


def _paths(node: Node, paths: Iterable[str]) -> list[str]:
    """The files that a node stands for: its own, or all below it."""
    path = str(node.properties.get("path") or "")
    if set(node.labels) & {"Repository"} or path == ".":
        return list(paths)
    if "Directory" in node.labels:
        return [other for other in paths if other.startswith(f"{path}/")]
    return [path]


class TreeHandler:
    """GetTree over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder, naming: SymbolLookup) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def get_tree(self, request: pb.GetTreeRequest) -> pb.GetTreeResponse:
        repository = parse_repository_name(request.repository, "repository")
        self._host.store.repository(repository)
        path = request.path.replace("\\", "/").strip("/").removeprefix("./") or "."
        roots = self._naming.nodes([f"{repository}:{path}"])
        if not roots:
            raise request_error("PATH_NOT_FOUND", f"{repository} has no indexed file or folder {path!r}", path=path)
        depth = resource_names.bounded("depth", request.depth, 2, 20)
        room = resource_names.bounded("max_nodes", request.max_nodes, 2_000, 20_000)
        root = _tree_node(roots[0])
        truncated = self._grow(root, depth, room, definitions=request.definitions)
        return pb.GetTreeResponse(root=root, truncated=truncated, basis=self._bases.of([repository], ()))

    def _grow(self, root: pb.TreeNode, depth: int, room: int, *, definitions: bool) -> bool:
        """Add what is below `root`, a level at a time, so that a cut leaves the upper levels whole."""
        level, used = [root], 1
        for _ in range(depth):
            below = self._below(level, definitions=definitions)
            level_next: list[pb.TreeNode] = []
            for parent in level:
                children = below.get(parent.entity.id, [])
                for node in children[: room - used]:
                    level_next.append(parent.children.add())
                    level_next[-1].CopyFrom(_tree_node(node))
                fitting = len(children[: room - used])
                used += fitting
                parent.hidden = len(children) - fitting
            if used >= room:
                return True
            level = level_next
        for parent in level:
            parent.hidden = len(self._below([parent], definitions=definitions).get(parent.entity.id, []))
        return False

    def _below(self, parents: Sequence[pb.TreeNode], *, definitions: bool) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        ids = [parent.entity.id for parent in parents]
        for kind in ("CONTAINS", "DEFINES") if definitions else ("CONTAINS",):
            for hop in expand(self._host.store, ids, kind, outgoing=True):
                found.setdefault(hop.known, []).append(hop.other)
        return {id_: sorted(nodes, key=_order) for id_, nodes in found.items()}


def _tree_node(node: Node) -> pb.TreeNode:
    lines = node.properties.get("lines")
    if not isinstance(lines, int):
        start, end = node.properties.get("start_line"), node.properties.get("end_line")
        lines = end - start + 1 if isinstance(start, int) and isinstance(end, int) else 0
    return pb.TreeNode(entity=entity(node), lines=lines)


def _order(node: Node) -> tuple[bool, str, int, str]:
    """Folders before files, by path; definitions by line."""
    read = node.properties.get
    return "Directory" not in node.labels, get_str(read("path")), get_int(read("start_line")), node.id


_DEFINITIONS = 100
_OF_CALLS = frozenset({"calls_in", "calls_out"})
"""Measures that are no numbers but unknown in a language whose calls are not resolved yet."""
_NOT_MEASURES = frozenset({"start_line", "end_line"})


class CodeApplication:
    """CodeService over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder) -> None:
        self._host = host
        self._bases = bases
        self._naming = SymbolLookup(host)
        self._relations = RelationHandler(host, bases, self._naming)
        self._finding = SearchHandler(host, bases, self._naming)
        self._owners = OwnerHandler(host, bases, self._naming)
        self._comparing = ComparisonHandler(host, bases, self._naming)
        self._impact = ImpactHandler(host, bases, self._naming)
        self._duplicates = DuplicateHandler(host, bases, self._naming)
        self._tree = TreeHandler(host, bases, self._naming)

    def search(
        self, request: pb.SearchRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> pb.SearchResponse:
        return self._finding.search(request, cancelled, client)

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
        size = resource_names.page_size(request, 20, 200)
        start = resource_names.offset(request)
        found = self._naming.meanings(request.symbol, repositories)
        page = found[start : start + size]
        touched = {str(node.properties.get("repository") or "") for node in found} - {""}
        names = {_name(node) for node in found if set(node.labels) & {"Function", "Class"}}
        unknown = unknown_calls(get_str(node.properties.get("path")) for node in page)
        basis = self._bases.of(touched, names, [unknown] if unknown else [])
        defined = self._defined(page)
        return pb.ResolveNameResponse(
            meanings=[self._meaning(node, defined.get(node.id, [])) for node in page],
            total=len(found),
            next_page_token=resource_names.token(request, start + size) if start + size < len(found) else "",
            basis=basis,
        )

    def _defined(self, nodes: Iterable[Node]) -> dict[str, list[entities_pb2.Entity]]:
        found: dict[str, list[Node]] = {}
        for hop in expand(self._host.store, [node.id for node in nodes], "DEFINES", outgoing=True):
            found.setdefault(hop.known, []).append(hop.other)
        return {id_: [entity(node) for node in sorted(items, key=_by_line)] for id_, items in found.items()}

    def _meaning(self, node: Node, defined: list[entities_pb2.Entity]) -> pb.Meaning:
        possible = 0
        if set(node.labels) & {"Function", "Class"}:
            repository = str(node.properties.get("repository") or "")
            rows = self._host.store.execute_named(
                "unresolved_counts", repositories=[repository], names=[_name(node)]
            ).rows
            possible = sum(int(str(row[2])) for row in rows)
        return pb.Meaning(
            entity=entity(node),
            docstring=get_str(node.properties.get("docstring")),
            measures=list(_measures(node.properties)),
            entry_points=get_str_list(node.properties.get("entry_points")),
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
        repository = parse_repository_name(request.repository, "repository")
        self._host.store.repository(repository)
        lines = split_lines(self._host.store.source_text(repository, request.path))
        first, last = request.start_line or 1, request.end_line or max(1, len(lines))
        if not 1 <= first <= last:
            raise invalid_field("start_line", f"lines {first} to {last} of {len(lines)}")
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
    unknown = _OF_CALLS if languages_without_calls([get_str(properties.get("path"))]) else frozenset()
    for name in sorted(properties):
        value = properties[name]
        if name not in _NOT_MEASURES | unknown and isinstance(value, int | float) and not isinstance(value, bool):
            yield pb.ScorePart(name=name, value=float(value))


def _by_line(node: Node) -> tuple[int, str]:
    return get_int(node.properties.get("start_line")), node.id


def _name(node: Node) -> str:
    return str(node.properties.get("name") or "")
