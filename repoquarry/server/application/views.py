"""Implementation of ViewService: contents of the web pages Symbol, File, Map, Change and Home; checks and completion of Cypher."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.code.calls import Certainty, list_callees, list_callers, list_remote_callers
from repoquarry.code.files import list_owners
from repoquarry.code.impact import Steps, run_steps
from repoquarry.code.name_resolution import require_definitions, resolve_name
from repoquarry.code.names import describe_nodes
from repoquarry.code.reader import CodeReader
from repoquarry.code.relations import repository_of
from repoquarry.code.views.call_sites import MAX_CALLERS, EdgeFilter, group_by_repository, group_neighbors
from repoquarry.code.views.change_view import ChangeReport, view_change
from repoquarry.code.views.map_view import BoxValue, MapRequest, ModuleGraph, view_map
from repoquarry.code.views.overview import list_dependencies, view_overview
from repoquarry.code.views.source_views import SymbolRequest, view_file, view_symbol
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher.completion import complete_query
from repoquarry.graphstore.repository_names import require_repositories
from repoquarry.ingest.source_changes import (
    ChangeTexts,
    read_commit_range,
    read_patched_files,
    read_working_tree,
)
from repoquarry.languages.registry import unknown_calls
from repoquarry.server import resource_names
from repoquarry.server.application import view_messages as messages
from repoquarry.server.application.basis import BasisBuilder, require_repository
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.errors import invalid_field
from repoquarry.server.report_fields import group_message
from repoquarry.server.resource_names import bounded, checked_symbol, repositories_of
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import view_service_pb2 as pb

_MAX_MEANINGS = 20
_MAX_OWNERS = 3
_PLACE = re.compile(r" \(line (?P<line>\d+), column (?P<column>\d+)\)$")
_MAX_REPOSITORY_OWNERS = 5
_MAX_CHANGES = 8
"""Maximum number of changes whose reports are cached: a page opens a change again and again."""
_BOX_VALUES = {pb.LevelColor.Value(f"LEVEL_COLOR_{value.name}"): value for value in BoxValue}
_BOX_VALUES[pb.LEVEL_COLOR_UNSPECIFIED] = BoxValue.IMPORTANCE


class ViewApplication:
    def __init__(self, host: ApplicationContext, bases: BasisBuilder) -> None:
        self._host = host
        self._store = host.store
        self._bases = bases
        self._lock = threading.Lock()
        self._changes: dict[tuple[object, ...], ChangeReport] = {}

    def get_symbol(self, request: pb.GetSymbolRequest) -> pb.GetSymbolResponse:
        max_callers = bounded("max_callers", request.max_callers, MAX_CALLERS, 300)
        max_unresolved = bounded("max_unresolved", request.max_unresolved, 12, 200)
        wanted = SymbolRequest(
            max_callers,
            bounded("max_targets", request.max_targets, 3, 20),
            bounded("max_lines", request.max_lines, 400, 2_000),
            EdgeFilter(request.min_confidence, frozenset(Certainty(value) for value in request.hide if value)),
            request.external,
        )
        reader = CodeReader(self._store)
        repositories = require_repositories(self._store, repositories_of(request.repositories))
        resolution = resolve_name(reader, checked_symbol(request.symbol, "symbol"), repositories)
        meanings = [group[0] for group in resolution.preferred()]
        definitions = reader.definitions(node.id for node in meanings)
        if len(meanings) > 1 or not definitions:
            described = describe_nodes(reader, meanings[:_MAX_MEANINGS])
            basis = self._bases.of({repository_of(node) for node in meanings} - {""}, ())
            return pb.GetSymbolResponse(meanings=[to_message(code_pb.Meaning, item) for item in described], basis=basis)
        report = view_symbol(reader, definitions[0], repositories, wanted)
        owners = list_owners(reader, meanings)[0]
        touched = {definitions[0].repository, *(group.key for group in report.other_repositories)}
        notes = [note for note in [unknown_calls([definitions[0].path])] if note]
        return messages.symbol_message(
            report,
            max_callers,
            max_unresolved,
            owners=owners.owners[:_MAX_OWNERS],
            history_missing=owners.history_missing,
            basis=self._bases.of(touched, [definitions[0].name], notes, reader=reader),
        )

    def list_hops(self, request: pb.ListHopsRequest) -> pb.ListHopsResponse:
        size, start = resource_names.page_size(request, 60, 300), resource_names.offset(request)
        reader = CodeReader(self._store)
        repositories = require_repositories(self._store, repositories_of(request.repositories))
        definition = require_definitions(reader, checked_symbol(request.symbol, "symbol"), repositories)[0]
        is_incoming = request.direction == code_pb.DIRECTION_INCOMING
        neighbors = list_callers(reader, definition) if is_incoming else list_callees(reader, definition)
        groups = group_neighbors(neighbors, MAX_CALLERS)
        if is_incoming:
            groups += group_by_repository(list_remote_callers(reader, definition, repositories))
        if request.group:
            groups = [group for group in groups if group_message(group, 0).key == request.group]
        total = sum(len(group.neighbors) for group in groups)
        response = pb.ListHopsResponse(total=total, basis=self._bases.of([definition.repository], [definition.name]))
        response.groups.extend(messages.group_page(groups, start, size))
        if start + size < total:
            response.next_page_token = resource_names.token(request, start + size)
        return response

    def get_file(self, request: pb.GetFileRequest) -> pb.GetFileResponse:
        repository = require_repository(self._store, request.repository)
        first, lines = max(request.first_line, 1), bounded("lines", request.lines, 400, 2_000)
        report = view_file(CodeReader(self._store), repository, request.path, first, first + lines - 1)
        names = {item.name for item in report.outline}
        notes = [note for note in [unknown_calls([report.entity.path])] if note]
        return messages.file_message(report, self._bases.of([repository], names, notes))

    def get_levels(self, request: pb.GetLevelsRequest) -> pb.GetLevelsResponse:
        repository = require_repository(self._store, request.repository)
        wanted = MapRequest(
            request.folder,
            request.tests,
            _BOX_VALUES[request.color],
            request.box,
            bounded("max_boxes", request.max_boxes, 60, 300),
        )
        report = view_map(CodeReader(self._store), repository, self._store.cached(repository, ModuleGraph), wanted)
        return messages.levels_message(report, self._bases.of([repository], None if report.is_by_calls else ()))

    def get_change(self, request: pb.GetChangeRequest) -> pb.GetChangeResponse:
        return run_steps(self._read_change(request))

    def stream_change(
        self, request: pb.StreamChangeRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> Iterator[pb.StreamChangeResponse]:
        """Yield the progress, then the change; `cancelled` ends the work before its next step, which no client waits for."""
        steps = self._read_change(request.change)
        while not cancelled():
            try:
                step = next(steps)
            except StopIteration as end:
                yield pb.StreamChangeResponse(change=end.value)
                return
            progress = pb.ChangeProgress(stage=step.stage, done=step.done, total=step.total)
            yield pb.StreamChangeResponse(progress=progress)

    def _read_change(self, request: pb.GetChangeRequest) -> Steps[pb.GetChangeResponse]:
        max_definitions = bounded("max_definitions", request.max_definitions, 40, 500)
        max_sites = bounded("max_sites", request.max_sites, 20, 500)
        repository, reader = require_repository(self._store, request.repository), CodeReader(self._store)
        texts = self._read_texts(request, reader, repository)
        report = yield from self._view_change(reader, repository, texts)
        names = {item.record.name for item in report.definitions}
        notes = [*texts.notes, *report.impact.notes]
        return messages.change_message(
            report,
            max_definitions,
            max_sites,
            title=texts.title,
            author=texts.author,
            time=Timestamp(seconds=texts.time) if texts.time else None,
            new_side_indexed=texts.is_new_indexed,
            basis=self._bases.of({repository, *report.impact.repositories}, names, notes),
        )

    def _view_change(self, reader: CodeReader, repository: str, texts: ChangeTexts) -> Steps[ChangeReport]:
        """Read the view of a change; the reports of the last few changes are cached."""
        stored = {name: self._store.revision(name) for name in self._store.repositories()}
        key = repository, tuple(stored.items()), texts.files, texts.is_new_indexed
        with self._lock:
            report = self._changes.pop(key, None)
        if report is None:
            report = yield from view_change(
                reader, repository, texts.files, is_new_indexed=texts.is_new_indexed, repositories=list(stored)
            )
        with self._lock:
            self._changes[key] = report
            if len(self._changes) > _MAX_CHANGES:
                self._changes.pop(next(iter(self._changes)))
        return report

    def _read_texts(self, request: pb.GetChangeRequest, reader: CodeReader, repository: str) -> ChangeTexts:
        """Read both sides of a change. Raises: RequestError, IngestError."""
        if request.range and request.patch:
            raise invalid_field("patch", "give a change in one way only, not also as range")
        properties, settings = self._store.repository(repository), self._host.settings.ingest
        self._store.require_texts(repository)
        try:
            if request.patch:
                return read_patched_files(request.patch, lambda path: reader.text(repository, path))
            if request.range:
                return read_commit_range(properties, request.range, settings)
        except ValueError as exc:
            raise invalid_field("patch" if request.patch else "range", str(exc)) from exc
        return read_working_tree(properties, self._store.sources, settings)

    def get_overview(self, request: pb.GetOverviewRequest) -> pb.GetOverviewResponse:
        repository = require_repository(self._store, request.repository)
        report = self._store.cached(repository, view_overview)
        owners = report.owners.owners[:_MAX_REPOSITORY_OWNERS]
        dependencies = list_dependencies(self._store, repository)
        return messages.overview_message(report, dependencies, owners=owners, basis=self._bases.of([repository]))

    def check_cypher(self, request: pb.CheckCypherRequest) -> pb.CheckCypherResponse:
        if not request.query.strip():
            return pb.CheckCypherResponse()
        try:
            warnings = self._store.check_untrusted(request.query)
        except QueryRefusedError as exc:
            note = pb.CypherNote(
                error=True, message=_without_place(str(exc)), line=exc.line or 0, column=exc.column or 0
            )
            return pb.CheckCypherResponse(notes=[note])
        notes = []
        for warning in warnings:
            place = _PLACE.search(warning)
            line, column = (int(place["line"]), int(place["column"])) if place else (0, 0)
            notes.append(pb.CypherNote(message=_without_place(warning), line=line, column=column))
        return pb.CheckCypherResponse(notes=sorted(notes, key=lambda note: (note.line, note.column)))

    def complete_cypher(self, request: pb.CompleteCypherRequest) -> pb.CompleteCypherResponse:
        if request.position < 0:
            raise invalid_field("position", f"{request.position} is negative")
        found = complete_query(request.query, request.position)
        items = [pb.CompletionItem(text=item.text, kind=item.kind, meaning=item.meaning) for item in found.items]
        return pb.CompleteCypherResponse(start=found.start, items=items)


def _without_place(message: str) -> str:
    """Return a message of the gate without its line and column."""
    return _PLACE.sub("", message)
