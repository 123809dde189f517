"""Relations and paths; AnalyzeImpact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from repoquarry.graphstore.model.values import Node, get_str
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.impact import (
    AffectedDefinition,
    RankedFile,
    RankedTest,
    find_changed_definitions,
    propagate_impact,
    select_tests,
)
from repoquarry.graphstore.reading.patches import ChangedLines, collect_changed_words, parse_patch
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.reading.traversals import MAX_REACHED, PathStep, ReachedNode, expand, paths_to_each, traverse
from repoquarry.ingest.source_changes import diff_commit_range, diff_working_tree
from repoquarry.languages.registry import family_name, unknown_calls
from repoquarry.server import resource_names
from repoquarry.server.application.basis import BasisBuilder
from repoquarry.server.application.code_search import SymbolLookup
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.errors import invalid_field
from repoquarry.server.resource_names import parse_repository_name, repositories_of
from repoquarry.server.value_messages import entity, site
from repoquarry.v1 import code_service_pb2 as pb


class RelationHandler:
    """ListRelations and FindPaths over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder, naming: SymbolLookup) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def list_relations(self, request: pb.ListRelationsRequest) -> pb.ListRelationsResponse:
        kind = _kind_name(request.kind, "kind")
        outgoing = request.direction != pb.DIRECTION_INCOMING
        hops = resource_names.bounded("hops", request.hops, 1, 10)
        size = resource_names.page_size(request, 100, 1_000)
        start = resource_names.offset(request)
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
        meanings = self._naming.meanings(request.symbol, repositories)
        response = pb.ListRelationsResponse()
        names: set[str] = set()
        notes: list[str] = []
        elsewhere: set[str] = set()
        seen = 0
        for meaning in meanings:
            reached, cut = traverse(
                self._host.store, meaning.id, kind, outgoing=outgoing, hops=hops, least=request.min_confidence
            )
            if request.repositories:
                reached = [item for item in reached if _repository(item.node) in (*repositories, "")]
            if cut:
                notes.append(f"the walk from {meaning.id} was cut at {MAX_REACHED} nodes")
            entry = response.meanings.add(entity=entity(meaning), total=len(reached))
            page = reached[max(0, start - seen) : max(0, start + size - seen)]
            entry.relations.extend(_relation(item) for item in page)
            elsewhere |= {_repository(item.node) for item in reached} - {_repository(meaning), ""}
            seen += len(reached)
            names |= {_name(meaning)} | ({_name(item.node) for item in reached} if hops > 1 and not outgoing else set())
            if kind == "CALLS" and not outgoing and start == 0:
                entry.possible.extend(self._possible(meaning))
        if start + size < seen:
            response.next_page_token = resource_names.token(request, start + size)
        if kind == "CALLS":
            notes += _said_of_calls(meanings, elsewhere)
        touched = {_repository(node) for node in meanings} - {""} | elsewhere
        if kind == "CALLS" and outgoing:
            basis = self._bases.of(touched, (), notes, self._open_calls(meanings))
        else:
            basis = self._bases.of(touched, names if kind == "CALLS" else (), notes)
        response.basis.CopyFrom(basis)
        return response

    def _open_calls(self, meanings: Sequence[Node]) -> dict[str, Counter[str]]:
        """Calls in these that are not resolved, by repository and name."""
        found: dict[str, Counter[str]] = {}
        for hop in expand(self._host.store, [node.id for node in meanings], "UNRESOLVED", outgoing=True):
            counts = found.setdefault(str(hop.other.properties.get("repository") or ""), Counter())
            counts[_name(hop.other)] += site(hop.relation.properties).count
        return found

    def _possible(self, meaning: Node) -> Iterator[pb.Relation]:
        repository = str(meaning.properties.get("repository") or "")
        family = family_name(get_str(meaning.properties.get("path")))
        rows = self._host.store.execute_named("unresolved_named", names=[_name(meaning)], repositories=[repository])
        for row in rows.rows:
            values = dict(zip(rows.columns, row, strict=True))
            caller = values["other"]
            if isinstance(caller, Node) and family_name(get_str(caller.properties.get("path"))) == family:
                yield pb.Relation(entity=entity(caller), hops=1, site=site(values), via_id=meaning.id)

    def find_paths(self, request: pb.FindPathsRequest) -> pb.FindPathsResponse:
        kinds = [_kind_name(kind, "kinds") for kind in request.kinds] or ["CALLS"]
        most = resource_names.bounded("max_paths", request.max_paths, 10, 100)
        hops = resource_names.bounded("max_hops", request.max_hops, 6, 15)
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
        starts = self._naming.meanings(request.from_symbol, repositories, "from_symbol")
        ends = self._naming.meanings(request.to_symbol, repositories, "to_symbol")
        found = paths_to_each(
            self._host.store, [node.id for node in starts], [node.id for node in ends], kinds, hops, most
        )
        passed = {id_ for path in found.paths for step in path for id_ in (step.start, step.end)}
        nodes = {node.id: node for node in self._naming.nodes(sorted(passed))}
        bearing = {_name(node) for node in ends} | {_name(nodes[step.end]) for path in found.paths for step in path}
        touched = {str(node.properties.get("repository") or "") for node in (*starts, *ends)} - {""}
        return pb.FindPathsResponse(
            paths=[_path(nodes, path) for path in found.paths],
            from_meanings=[entity(node) for node in starts],
            to_meanings=[entity(node) for node in ends],
            truncated=found.truncated,
            basis=self._bases.of(touched, bearing if "CALLS" in kinds else ()),
        )


def _said_of_calls(meanings: Sequence[Node], elsewhere: Collection[str]) -> Iterator[str]:
    """What people should know of calls that were followed."""
    if unknown := unknown_calls(get_str(node.properties.get("path")) for node in meanings):
        yield unknown
    if elsewhere:
        yield f"followed into other repositories by what a package provides: {', '.join(sorted(elsewhere))}"


def _path(nodes: Mapping[str, Node], path: Sequence[PathStep]) -> pb.CodePath:
    steps = [
        pb.PathStep(
            kind=pb.RelationKind.Value(f"RELATION_KIND_{step.kind}"),
            site=site(step.relation.properties),
            entity=entity(nodes[step.end]),
        )
        for step in path
    ]
    return pb.CodePath(start=entity(nodes[path[0].start]), steps=steps)


def _relation(item: ReachedNode) -> pb.Relation:
    return pb.Relation(entity=entity(item.node), hops=item.hops, site=site(item.relation.properties), via_id=item.via)


def _kind_name(kind: pb.RelationKind.ValueType, field: str) -> str:
    if kind == pb.RELATION_KIND_UNSPECIFIED:
        raise invalid_field(field, "say which relationships to follow")
    return pb.RelationKind.Name(kind).removeprefix("RELATION_KIND_")


def _repository(node: Node) -> str:
    return str(node.properties.get("repository") or "")


def _name(node: Node) -> str:
    return str(node.properties.get("name") or "").rpartition(".")[2]


_MIN_LIKELIHOOD = 0.05
_TESTS = 100
_MODULES = 1_000_000


class ImpactHandler:
    """AnalyzeImpact over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder, naming: SymbolLookup) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def analyze_impact(self, request: pb.AnalyzeImpactRequest) -> pb.AnalyzeImpactResponse:
        most = resource_names.bounded("max_affected", request.max_affected, 100, 5_000)
        most_files = resource_names.bounded("max_test_files", request.max_test_files, 100, 5_000)
        hops = resource_names.bounded("max_hops", request.max_hops, 6, 15)
        repository = parse_repository_name(request.repository, "repository")
        reader, repositories = CodeReader(self._host.store), self._host.store.repositories()
        touched, words, unknown, notes = self._touched(request, reader, repository)
        affected = propagate_impact(reader, touched, repositories, hops, request.min_confidence or _MIN_LIKELIHOOD)
        owners = sorted({repository} | {item.definition.repository for item in affected.values()})
        if unread := sorted(set(owners) - set(self._host.store.text_repositories())):
            notes = [
                *notes,
                f"tests are not ranked by words where other data folders have the texts: {', '.join(unread)}",
            ]
        modules = [item for item in reader.modules(owners, limit=_MODULES) if item.is_test]
        files = select_tests(reader, affected, touched, modules, words)
        others = [item for item in affected.values() if item.hops and not item.definition.is_test]
        others.sort(key=lambda item: (-item.confidence, item.hops, item.definition.id))
        shown = others[:most]
        nodes = self._nodes(touched, shown, files[:most_files])
        unknown_callers = unknown_calls(item.path for item in touched)
        return pb.AnalyzeImpactResponse(
            changed=[entity(nodes[item.id]) for item in touched],
            affected=[_affected(nodes, item) for item in shown],
            affected_total=len(others),
            test_files=[_file(nodes, file) for file in files[:most_files]],
            test_file_total=len(files),
            indexed_test_files=len(modules),
            unknown_paths=unknown,
            basis=self._bases.of(owners, {item.name for item in touched}, [*notes, *filter(None, [unknown_callers])]),
        )

    def _touched(
        self, request: pb.AnalyzeImpactRequest, reader: CodeReader, repository: str
    ) -> tuple[list[DefinitionRecord], frozenset[str], list[str], Sequence[str]]:
        """What was changed, the words of the changed lines, paths that are not indexed, and notes. Raises: RequestError, IngestError."""
        properties = self._host.store.repository(repository)
        given = [name for name in ("range", "patch", "symbols") if getattr(request, name)]
        if len(given) > 1:
            raise invalid_field(given[1], f"give a change in one way only, not also as {given[0]}")
        if request.symbols:
            found = [node for name in request.symbols for node in self._naming.meanings(name, [repository], "symbols")]
            return reader.definitions(node.id for node in found), frozenset(), [], ()
        settings, notes = self._host.settings.ingest, tuple[str, ...]()
        try:
            if request.patch:
                files: Sequence[ChangedLines] = parse_patch(request.patch)
            elif request.range:
                changes = diff_commit_range(properties, request.range, settings)
                files, notes = changes.files, changes.notes
            else:
                self._host.store.require_texts(repository)
                files = diff_working_tree(properties, self._host.store.sources, settings).files
        except ValueError as exc:
            raise invalid_field("patch" if request.patch else "range", str(exc)) from exc
        unknown = [change.path for change in files if reader.module(repository, change.path) is None]
        words = collect_changed_words(files)
        return find_changed_definitions(reader, repository, files), words, unknown, notes

    def _nodes(
        self, touched: Sequence[DefinitionRecord], affected: Sequence[AffectedDefinition], files: Sequence[RankedFile]
    ) -> dict[str, Node]:
        ids = [item.id for item in touched]
        ids += [item.definition.id for item in affected]
        ids += [file.module.id for file in files]
        ids += [test.definition.id for file in files for test in file.tests[:_TESTS]]
        return {node.id: node for node in self._naming.nodes(ids)}


def _affected(nodes: dict[str, Node], item: AffectedDefinition) -> pb.AffectedDefinition:
    return pb.AffectedDefinition(
        entity=entity(nodes[item.definition.id]),
        confidence=item.confidence,
        hops=item.hops,
        how=item.how,
        via_id=item.via,
    )


def _file(nodes: dict[str, Node], file: RankedFile) -> pb.TestFile:
    return pb.TestFile(
        entity=entity(nodes[file.module.id]),
        confidence=file.confidence,
        how=file.how,
        shared_words=file.shared,
        tests=[_test(nodes, test) for test in file.tests[:_TESTS]],
    )


def _test(nodes: dict[str, Node], test: RankedTest) -> pb.AffectedDefinition:
    return pb.AffectedDefinition(
        entity=entity(nodes[test.definition.id]),
        confidence=test.confidence,
        hops=test.hops,
        how=test.how,
        via_id=test.via,
    )
