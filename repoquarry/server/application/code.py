"""Implementation of CodeService over the store: search, source, relations, paths, overviews, diffs and impact of changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from repoquarry.code.duplicates import MIN_LINES, DuplicateRequest, find_duplicates
from repoquarry.code.excerpts.evidence_pack import (
    DEFAULT_CHARS,
    MIN_CHARS,
    PROVENANCE_CHARS,
    EvidenceRequest,
    EvidenceSessions,
)
from repoquarry.code.files import list_owners, read_source, read_tree
from repoquarry.code.impact import MAX_HOPS, MIN_CONFIDENCE, CodeChange, analyze_impact, find_code_change
from repoquarry.code.name_resolution import (
    NameMatch,
    NameResolution,
    load_nodes,
    require_subject,
    resolve_name,
)
from repoquarry.code.names import describe_nodes
from repoquarry.code.patches import parse_patch
from repoquarry.code.paths import PathStep, find_relation_paths
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import RelationKind, relevant_names
from repoquarry.code.relations import (
    RelationReport,
    RelationRequest,
    count_unresolved_calls,
    last_part,
    list_relations,
    repository_of,
    short_name,
)
from repoquarry.code.repository_diff import ChangeKind, RepositoryDiff, diff_repositories
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node, get_str
from repoquarry.graphstore.repository_names import require_repositories
from repoquarry.graphstore.search.requests import LocateRequest, SearchMode, SearchRequest, WithTests
from repoquarry.ingest.source_changes import SourceChanges, diff_commit_range, diff_working_tree
from repoquarry.languages.registry import unknown_calls
from repoquarry.server import resource_names
from repoquarry.server.application.basis import BasisBuilder, require_repository, select_text_repositories
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.errors import invalid_field
from repoquarry.server.resource_names import bounded, checked_symbol, repositories_of
from repoquarry.server.text_format import fit_basis
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import basis_pb2, entities_pb2
from repoquarry.v1 import code_service_pb2 as pb

_MAX_CHARS = 100_000
_MAX_TESTS = 100
"""Maximum number of tests per file."""
_MAX_OWNED = 20
"""Maximum number of meanings of a name whose owners are listed."""
_MAX_SOURCE_BYTES = 2 * 1024 * 1024
_MODES = {pb.SearchMode.Value(f"SEARCH_MODE_{mode.name}"): mode for mode in SearchMode}
_MODES[pb.SEARCH_MODE_UNSPECIFIED] = SearchMode.HYBRID
_TESTS = {pb.TestFilter.Value(f"TEST_FILTER_{tests.name}"): tests for tests in WithTests}
_TESTS[pb.TEST_FILTER_UNSPECIFIED] = WithTests.INCLUDE


class CodeApplication:
    def __init__(self, host: ApplicationContext, bases: BasisBuilder) -> None:
        self._host = host
        self._store = host.store
        self._bases = bases
        self._sessions = EvidenceSessions()

    def search(
        self, request: pb.SearchRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> pb.SearchResponse:
        """Search; `cancelled` ends a scan of texts."""
        from repoquarry.graphstore.search.retrieval import search  # here because it needs numpy

        if not request.query.strip():
            raise invalid_field("query", "empty")
        repositories, notes = select_text_repositories(self._store, repositories_of(request.repositories))
        wanted = SearchRequest(
            text=request.query,
            mode=_MODES[request.mode],
            repositories=tuple(repositories),
            labels=tuple(request.labels),
            kinds=tuple(request.kinds),
            languages=tuple(request.languages),
            path_globs=tuple(request.path_globs),
            tests=_TESTS[request.tests],
            page_size=request.page_size or 10,
            page_token=request.page_token,
        )
        page = search(self._store, wanted, cancelled)
        return to_message(pb.SearchResponse, page, basis=self._bases.of(page.repositories, (), notes))

    def locate(self, request: pb.LocateRequest) -> pb.LocateResponse:
        from repoquarry.graphstore.search.localization import locate  # here because it needs numpy

        if not request.text.strip():
            raise invalid_field("text", "empty")
        repositories, notes = select_text_repositories(self._store, repositories_of(request.repositories))
        wanted = LocateRequest(
            text=request.text,
            repositories=tuple(repositories),
            max_files=bounded("max_files", request.max_files, 10, 100),
            max_definitions=bounded("max_definitions", request.max_definitions, 20, 100),
            explain=request.explain,
        )
        answer = locate(self._store, wanted)
        return to_message(pb.LocateResponse, answer, basis=self._bases.of(answer.repositories, (), notes))

    def build_context(self, request: pb.BuildContextRequest) -> pb.BuildContextResponse:
        # Lazy import: no other operation reads the search index here.
        from repoquarry.code.excerpts.context import ContextRequest, build_context

        repository = require_repository(self._store, request.repository)
        settings = self._store.settings.context
        budget = bounded("max_tokens", request.max_tokens, settings.tokens, 200_000)
        context = build_context(self._store, ContextRequest(repository, budget, request.task or None, settings))
        return to_message(pb.BuildContextResponse, context, basis=self._bases.of([repository], ()))

    def list_owners(self, request: pb.ListOwnersRequest) -> pb.ListOwnersResponse:
        max_owners = bounded("max_owners", request.max_owners, 10, 100)
        repositories, notes = select_text_repositories(self._store, repositories_of(request.repositories))
        reader = CodeReader(self._store)
        meanings = self._require_subject(reader, request.symbol, repositories)
        owned = [node for node in meanings if "Repository" in node.labels or node.properties.get("path")]
        reports = list_owners(reader, owned[:_MAX_OWNED])
        touched = {repository_of(report.entity) for report in reports}
        shown = [to_message(pb.MeaningOwners, one, owners=one.owners[:max_owners]) for one in reports]
        return pb.ListOwnersResponse(meanings=shown, basis=self._bases.of(touched, (), notes))

    def get_tree(self, request: pb.GetTreeRequest) -> pb.GetTreeResponse:
        repository = require_repository(self._store, request.repository)
        tree = read_tree(
            CodeReader(self._store),
            repository,
            request.path,
            depth=bounded("depth", request.depth, 2, 20),
            max_nodes=bounded("max_nodes", request.max_nodes, 2_000, 20_000),
            definitions=request.definitions,
        )
        return to_message(pb.GetTreeResponse, tree, basis=self._bases.of([repository], ()))

    def read_source(self, request: pb.ReadSourceRequest) -> pb.ReadSourceResponse:
        repository = require_repository(self._store, request.repository)
        reader = CodeReader(self._store)
        lines = (request.start_line, request.end_line)
        try:
            source = read_source(reader, repository, request.path, *lines, max_bytes=_MAX_SOURCE_BYTES)
        except ValueError as exc:
            raise invalid_field("start_line", str(exc)) from exc
        basis = self._bases.of([repository], ())
        return to_message(pb.ReadSourceResponse, source, basis=basis)

    def resolve_name(self, request: pb.ResolveNameRequest) -> pb.ResolveNameResponse:
        repositories = require_repositories(self._store, repositories_of(request.repositories))
        size, start = resource_names.page_size(request, 20, 200), resource_names.offset(request)
        reader = CodeReader(self._store)
        symbol = checked_symbol(request.symbol, "symbol")
        try:
            resolution = resolve_name(reader, symbol, repositories)
        except NotFoundError:
            # Lazy import: constants load the stemmer.
            from repoquarry.code.constants import find_settings, list_setting_nodes

            if not (settings := find_settings(reader, symbol, repositories)):
                raise
            resolution = NameResolution(symbol, NameMatch.SETTING, tuple(list_setting_nodes(settings)))
        # A setting has a value in each place: no place is a candidate.
        found, subjects = resolution.nodes, resolution.preferred() if resolution.match is not NameMatch.SETTING else []
        page = found[start : start + size]
        touched = {repository_of(node) for node in found} - {""}
        names = {get_str(node.properties.get("name")) for node in found if {"Function", "Class"} & set(node.labels)}
        unknown = unknown_calls(get_str(node.properties.get("path")) for node in page)
        return pb.ResolveNameResponse(
            meanings=[to_message(pb.Meaning, item) for item in describe_nodes(reader, page)],
            total=len(found),
            candidates=[group[0].id for group in subjects[:200]] if len(subjects) > 1 else (),
            match=resolution.match.value,
            next_page_token=resource_names.token(request, start + size) if start + size < len(found) else "",
            basis=self._bases.of(touched, names, [unknown] if unknown else [], reader=reader),
        )

    def explore(
        self, request: pb.ExploreRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> pb.ExploreResponse:
        """Build an evidence pack; `client` is the client that the session id belongs to. A pack takes too short to be cancelled."""
        target, reader = checked_symbol(request.target, "target"), CodeReader(self._store)
        max_chars = max(bounded("max_chars", request.max_chars, DEFAULT_CHARS, _MAX_CHARS), MIN_CHARS)
        repositories = require_repositories(self._store, repositories_of(request.repositories))
        wanted = EvidenceRequest(target, tuple(repositories), max_chars - PROVENANCE_CHARS)
        pack = self._sessions.build_pack(reader, wanted, client, request.session)
        touched = {item.repository for item in pack.subject or pack.places}
        basis = self._bases.of(touched, relevant_names(pack.subject), reader=reader)
        provenance = fit_basis(basis, PROVENANCE_CHARS - 2)
        text = f"{pack.text}\n\n{provenance}".rstrip()
        return to_message(pb.ExploreResponse, pack, text=text, unknown=pack.is_unknown, basis=basis)

    def list_relations(self, request: pb.ListRelationsRequest) -> pb.ListRelationsResponse:
        chosen = repositories_of(request.repositories)
        scope = require_repositories(self._store, chosen)
        wanted = RelationRequest(
            _read_kind(request.kind, "kind"),
            outgoing=request.direction != pb.DIRECTION_INCOMING,
            hops=bounded("hops", request.hops, 1, 10),
            min_confidence=request.min_confidence,
            how=tuple(request.how),
            repositories=tuple(scope) if chosen else (),
        )
        size, start = resource_names.page_size(request, 100, 1_000), resource_names.offset(request)
        reader = CodeReader(self._store)
        nodes = self._require_subject(reader, request.symbol, scope)
        report = list_relations(reader, nodes, wanted)
        meanings, seen = [], 0
        for item in report.meanings:
            page = item.relations[max(0, start - seen) : max(0, start + size - seen)]
            possible = () if start else item.possible
            meanings.append(to_message(pb.MeaningRelations, item, relations=page, possible=possible))
            seen += item.total
        return pb.ListRelationsResponse(
            meanings=meanings,
            next_page_token=resource_names.token(request, start + size) if start + size < seen else "",
            basis=self._relation_basis(nodes, wanted, report, reader),
        )

    def _relation_basis(
        self, nodes: Sequence[Node], wanted: RelationRequest, report: RelationReport, reader: CodeReader
    ) -> basis_pb2.AnswerBasis:
        """Build the basis: unresolved calls in the nodes may affect their callees, and unresolved calls of a name its callers."""
        if wanted.kind is not RelationKind.CALLS:
            return self._bases.of(report.repositories, (), report.notes)
        if wanted.outgoing:
            return self._bases.of(report.repositories, (), report.notes, count_unresolved_calls(self._store, nodes))
        names = {short_name(node) for node in nodes}
        if wanted.hops > 1:
            names |= {last_part(item.entity.name) for one in report.meanings for item in one.relations}
        return self._bases.of(report.repositories, names, report.notes, reader=reader)

    def find_paths(self, request: pb.FindPathsRequest) -> pb.FindPathsResponse:
        kinds = [_read_kind(kind, "kinds").name for kind in request.kinds] or ["CALLS"]
        if "USES" in kinds:
            raise invalid_field("kinds", "USES stands for several types; name each")
        max_paths = bounded("max_paths", request.max_paths, 10, 100)
        max_hops = bounded("max_hops", request.max_hops, 6, 15)
        repositories = require_repositories(self._store, repositories_of(request.repositories))
        reader = CodeReader(self._store)
        starts = self._require_subject(reader, request.from_symbol, repositories, "from_symbol")
        ends = self._require_subject(reader, request.to_symbol, repositories, "to_symbol")
        start_ids, end_ids = [node.id for node in starts], [node.id for node in ends]
        found = find_relation_paths(reader, start_ids, end_ids, kinds, max_hops, max_paths)
        passed = {id_ for path in found.paths for step in path for id_ in (step.start, step.end)}
        nodes = {node.id: node for node in load_nodes(self._store, sorted(passed))}
        names = {short_name(node) for node in (*ends, *(nodes[step.end] for path in found.paths for step in path))}
        touched = {repository_of(node) for node in (*starts, *ends)} - {""}
        paths = [_build_path(nodes, path) for path in found.paths]
        return to_message(
            pb.FindPathsResponse,
            found,
            paths=paths,
            from_meanings=starts,
            to_meanings=ends,
            basis=self._bases.of(touched, names if "CALLS" in kinds else ()),
        )

    def compare_repositories(self, request: pb.CompareRepositoriesRequest) -> pb.CompareRepositoriesResponse:
        max_definitions = bounded("max_definitions", request.max_definitions, 200, 20_000)
        max_edges = bounded("max_edges", request.max_edges, 200, 20_000)
        before = require_repository(self._store, request.before, "before")
        after = require_repository(self._store, request.after, "after")
        tests, min_confidence = _TESTS[request.tests], request.min_confidence
        diff = diff_repositories(CodeReader(self._store), before, after, tests=tests, min_confidence=min_confidence)
        edges = diff.edges[:max_edges]
        nodes = {node.id: node for node in load_nodes(self._store, (id_ for e in edges for id_ in (e.start, e.end)))}
        unknown = {id_: entities_pb2.Entity(id=id_) for edge in edges for id_ in (edge.start, edge.end)}
        ends = {**unknown, **nodes}
        return to_message(
            pb.CompareRepositoriesResponse,
            diff,
            definitions=diff.definitions[:max_definitions],
            edges=[to_message(pb.EdgeChange, edge, start=ends[edge.start], end=ends[edge.end]) for edge in edges],
            counts=_count_changes(diff),
            basis=self._bases.of((before, after), ()),
        )

    def find_duplicates(self, request: pb.FindDuplicatesRequest) -> pb.FindDuplicatesResponse:
        size, first = resource_names.page_size(request, 50, 200), resource_names.offset(request)
        min_lines = bounded("min_lines", request.min_lines, MIN_LINES, 1_000_000)
        repository = require_repository(self._store, request.repository) if request.repository else ""
        stored, reader, functions = self._store.repositories(), CodeReader(self._store), None
        if request.symbol:
            scope = [repository] if repository else stored
            meanings = self._require_subject(reader, request.symbol, scope, labels=("Function",))
            functions = tuple(reader.definitions(node.id for node in meanings if "Function" in node.labels))
        wanted = DuplicateRequest(tuple(stored), functions, repository, min_lines, request.tests, first, size + 1)
        report = find_duplicates(reader, wanted)
        shown = report.groups[:size]
        touched = {item.repository for group in shown for item in group.definitions} | ({repository} - {""})
        return to_message(
            pb.FindDuplicatesResponse,
            None,
            duplicates=shown,
            next_page_token=resource_names.token(request, first + size) if len(report.groups) > size else "",
            basis=self._bases.of(touched or stored, (), report.notes),
        )

    def analyze_impact(self, request: pb.AnalyzeImpactRequest) -> pb.AnalyzeImpactResponse:
        max_affected = bounded("max_affected", request.max_affected, 100, 5_000)
        max_files = bounded("max_test_files", request.max_test_files, 100, 5_000)
        max_hops = bounded("max_hops", request.max_hops, MAX_HOPS, 15)
        repository, reader = require_repository(self._store, request.repository), CodeReader(self._store)
        change, notes = self._read_change(request, reader, repository)
        min_confidence = request.min_confidence or MIN_CONFIDENCE
        stored = self._store.repositories()
        report = analyze_impact(
            reader, change, stored, max_hops=max_hops, min_confidence=min_confidence, how=request.how
        )
        names = {item.name for item in change.definitions}
        basis = self._bases.of(report.repositories, names, [*notes, *report.notes])
        return to_message(pb.AnalyzeImpactResponse, report.cut(max_affected, max_files, _MAX_TESTS), basis=basis)

    def _read_change(
        self, request: pb.AnalyzeImpactRequest, reader: CodeReader, repository: str
    ) -> tuple[CodeChange, Sequence[str]]:
        """Read the change of a request, with notes. Raises: RequestError, IngestError."""
        properties = self._store.repository(repository)
        given = [name for name in ("range", "patch", "symbols") if getattr(request, name)]
        if len(given) > 1:
            raise invalid_field(given[1], f"give a change in one way only, not also as {given[0]}")
        if request.symbols:
            nodes = [
                n for name in request.symbols for n in self._require_subject(reader, name, [repository], "symbols")
            ]
            return CodeChange((repository,), tuple(reader.definitions(node.id for node in nodes))), ()
        settings = self._host.settings.ingest
        try:
            if request.patch:
                changes = SourceChanges(tuple(parse_patch(request.patch)))
            elif request.range:
                changes = diff_commit_range(properties, request.range, settings)
            else:
                self._store.require_texts(repository)
                changes = diff_working_tree(properties, self._store.sources, settings)
        except ValueError as exc:
            raise invalid_field("patch" if request.patch else "range", str(exc)) from exc
        return find_code_change(reader, repository, changes.files), changes.notes

    def _require_subject(
        self,
        reader: CodeReader,
        symbol: str,
        repositories: Sequence[str],
        field: str = "symbol",
        labels: Sequence[str] = (),
    ) -> tuple[Node, ...]:
        """Return the nodes of the one thing that a name refers to. Raises: RequestError, NotFoundError, AmbiguousNameError."""
        return require_subject(reader, checked_symbol(symbol, field), repositories, labels)


def _read_kind(kind: pb.RelationKind.ValueType, field: str) -> RelationKind:
    if kind == pb.RELATION_KIND_UNSPECIFIED:
        raise invalid_field(field, "say which relationships to follow")
    return RelationKind(kind)


def _build_path(nodes: Mapping[str, Node], path: Sequence[PathStep]) -> pb.CodePath:
    steps = [to_message(pb.PathStep, step, entity=nodes[step.end]) for step in path]
    return to_message(pb.CodePath, None, start=nodes[path[0].start], steps=steps)


def _count_changes(diff: RepositoryDiff) -> pb.ChangeCounts:
    kinds = Counter(change.kind for change in diff.definitions)
    appeared = sum(edge.appeared for edge in diff.edges)
    return pb.ChangeCounts(
        added=kinds[ChangeKind.ADDED],
        removed=kinds[ChangeKind.REMOVED],
        moved=kinds[ChangeKind.MOVED],
        signature_changed=kinds[ChangeKind.SIGNATURE],
        body_changed=kinds[ChangeKind.BODY],
        edges_appeared=appeared,
        edges_gone=len(diff.edges) - appeared,
    )
