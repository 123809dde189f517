"""Conversion of the contents of web pages (symbol, file, map, change, overview) to protobuf messages of ViewService."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from repoquarry.code.calls import Certainty, Neighbor
from repoquarry.code.records import AffectedDefinition, UnresolvedSite
from repoquarry.code.regression_tests import build_test_commands
from repoquarry.code.views.call_sites import CallSite, GroupKind, NeighborGroup
from repoquarry.code.views.change_view import (
    ChangedDefinition,
    ChangedKind,
    ChangeReport,
    ReachStep,
    TestTier,
)
from repoquarry.code.views.map_view import MapReport
from repoquarry.code.views.overview import Dependency, OverviewReport, Role
from repoquarry.code.views.source_views import FileReport, SourceView, SymbolReport
from repoquarry.code.views.token_spans import TokenKind
from repoquarry.graphstore.model.values import get_int, get_str
from repoquarry.server.application.code_messages import definition_entity
from repoquarry.server.messages import entity, to_message
from repoquarry.server.resource_names import repository_name
from repoquarry.v1 import basis_pb2, entities_pb2
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import view_service_pb2 as pb

_MAX_LINES_OF_ROW = 100
_MAX_RELATED = 50
"""Maximum number of overriding methods, subclasses and references."""
_MAX_MEMBERS = 200
_MAX_OUTLINE = 2_000
_MAX_ARROWS = 900
_MAX_ENTRY_POINTS = 50
_MAX_DEPENDENCIES = 100
_MAX_DOCUMENTS = 50
_MAX_ROLE_FOLDERS = 12
_MAX_NAMES_OF_REACH = 5
_MAX_EDGES = 12
_MAX_PLACES = 20
_MAX_TEST_FILES = 200
_MAX_MARGIN_ROWS = 20
"""Maximum number of callers per group in the margin of a file."""
_TOKEN_KINDS = {kind: pb.TokenKind.Value(f"TOKEN_KIND_{kind.name}") for kind in TokenKind}


def cut_message(shown: int, total: int, rule: str) -> pb.Cut | None:
    """Return the cut; None where everything is shown."""
    return pb.Cut(shown=shown, total=total, rule=rule) if shown < total else None


def source_message(source: SourceView, wanted_lines: int) -> pb.SourceText:
    """Return the source of a definition or page with `wanted_lines` lines."""
    lines = [
        pb.SourceLine(
            number=number,
            text=text,
            spans=[
                pb.TokenSpan(start=span.start, end=span.end, kind=_TOKEN_KINDS[span.kind])
                for span in source.spans.get(number, ())
            ],
        )
        for number, text in enumerate(source.lines, source.start_line)
    ]
    cut = cut_message(len(lines), wanted_lines, "first lines")
    return to_message(pb.SourceText, source, lines=lines, cut=cut)


def neighbor_message(item: Neighbor) -> pb.Neighbor:
    found = definition_entity(item.entity)
    if item.entity.label == "External":
        found = entities_pb2.Entity(label="External", name=item.entity.name, qualname=item.entity.qualname)
    return to_message(pb.Neighbor, item, entity=found, lines=item.lines[:_MAX_LINES_OF_ROW])


def group_key(group: NeighborGroup) -> str:
    """Return the key of a group as the contract writes it."""
    return repository_name(group.key) if group.kind is GroupKind.REPOSITORY else group.key


def group_message(group: NeighborGroup, max_rows: int, first_row: int = 0) -> pb.NeighborGroup:
    return pb.NeighborGroup(
        key=group_key(group),
        kind=pb.GroupKind.ValueType(group.kind),
        neighbors=len(group.neighbors),
        sites=group.site_count,
        rows=map(neighbor_message, group.neighbors[first_row : first_row + max_rows]),
    )


def group_page(groups: Sequence[NeighborGroup], start: int, size: int) -> Iterator[pb.NeighborGroup]:
    """Yield the groups that have rows among those from `start` on, with these rows only."""
    seen = 0
    for group in groups:
        first, end = max(start - seen, 0), min(start + size - seen, len(group.neighbors))
        if first < end:
            yield group_message(group, end - first, first)
        seen += len(group.neighbors)


def groups_message(groups: Sequence[NeighborGroup], max_rows: int) -> pb.Neighbors:
    """Return the groups with at most `max_rows` rows, those of the first groups first."""
    message, left = pb.Neighbors(), max_rows
    for group in groups:
        message.groups.append(group_message(group, left))
        left = max(0, left - len(group.neighbors))
    total = sum(len(group.neighbors) for group in groups)
    if (cut := cut_message(min(total, max_rows), total, "largest groups first")) is not None:
        message.cut.CopyFrom(cut)
    return message


def call_site_message(site: CallSite) -> pb.CallSite:
    unresolved = pb.UnresolvedCall(name=site.unresolved_name, reason=site.unresolved_reason)
    return to_message(
        pb.CallSite,
        site,
        targets=map(neighbor_message, site.targets),
        folded=to_message(pb.FoldedTargets, site.folded) if site.folded else None,
        unresolved=unresolved if site.unresolved_name else None,
    )


def unresolved_message(report: SymbolReport, max_rows: int) -> pb.UnresolvedGroup:
    shown = report.unresolved[:max_rows]
    return pb.UnresolvedGroup(
        total=report.figures.unresolved_sites,
        reasons=[basis_pb2.ReasonCount(reason=reason, count=count) for reason, count in report.unresolved_reasons],
        rows=[_unresolved_row(site, report.entity.id) for site in shown],
        cut=cut_message(len(shown), len(report.unresolved), "callers outside tests first, most call sites first"),
    )


def _unresolved_row(site: UnresolvedSite, target: str) -> code_pb.Relation:
    place = entities_pb2.Site(count=site.count or 1, lines=site.lines[:_MAX_LINES_OF_ROW], reason=site.reason)
    return code_pb.Relation(entity=definition_entity(site.caller), hops=1, site=place, via_id=target)


def symbol_message(report: SymbolReport, max_callers: int, max_unresolved: int) -> pb.GetSymbolResponse:
    """Return the view of a definition without its owners and basis."""
    definition, figures = report.entity, report.figures
    return pb.GetSymbolResponse(
        entity=definition_entity(definition),
        docstring=definition.docstring,
        source=source_message(report.source, definition.end_line - definition.start_line + 1),
        callers=groups_message(report.caller_groups, max_callers),
        calls=map(call_site_message, report.calls),
        unresolved=unresolved_message(report, max_unresolved),
        overrides=map(neighbor_message, report.overrides),
        overridden_by=map(neighbor_message, report.overridden_by[:_MAX_RELATED]),
        references=map(neighbor_message, report.references[:_MAX_RELATED]),
        other_repositories=groups_message(report.other_repositories, max_callers),
        members=map(definition_entity, report.members[:_MAX_MEMBERS]),
        figures=to_message(
            pb.SymbolFigures, figures, references=len(report.references), overridden_by=len(report.overridden_by)
        ),
        external_calls=report.external_call_count,
        entry_points=definition.entry_points,
    )


def file_message(report: FileReport) -> pb.GetFileResponse:
    """Return the view of a file without its basis."""
    callers = [
        pb.LineCallers(
            line=item.entity.start_line,
            id=item.entity.id,
            groups=[group_message(group, _MAX_MARGIN_ROWS) for group in item.groups],
            total=sum(len(group.neighbors) for group in item.groups),
        )
        for item in report.callers
    ]
    return pb.GetFileResponse(
        entity=definition_entity(report.entity),
        source=source_message(report.source, len(report.source.lines)),
        outline=map(definition_entity, report.outline[:_MAX_OUTLINE]),
        callers=callers,
        calls=map(call_site_message, report.calls),
        imports=map(neighbor_message, report.imports),
        imported_by=map(neighbor_message, report.imported_by),
        unresolved_sites=report.unresolved_sites,
    )


def levels_message(report: MapReport) -> pb.GetLevelsResponse:
    """Return the map of a folder without its basis."""
    levels, uses, used_by = report.levels, Counter[str](), Counter[str]()
    for start, end in report.weights:
        uses[start] += 1
        used_by[end] += 1
    boxes = [
        to_message(
            pb.LevelBox,
            box,
            level=levels.level_by_box[box.path],
            column=levels.column_by_box[box.path],
            uses=uses[box.path],
            used_by=used_by[box.path],
        )
        for box in report.boxes
    ]
    arrows = [_arrow_message(report, pair) for pair in report.weights][:_MAX_ARROWS]
    downward = [arrow for arrow in arrows if arrow.direction == pb.ARROW_DIRECTION_DOWN]
    drawn = sum(arrow.drawn for arrow in downward)
    return pb.GetLevelsResponse(
        folder=report.folder,
        boxes=boxes,
        arrows=arrows,
        joined=report.joined,
        order=[box.path for box in report.boxes],
        arrows_cut=cut_message(drawn, len(downward), "shortest downward arrows"),
        least_value=min((box.value for box in report.boxes), default=0.0),
        greatest_value=max((box.value for box in report.boxes), default=0.0),
        by_calls=report.is_by_calls,
    )


def _arrow_message(report: MapReport, pair: tuple[str, str]) -> pb.LevelArrow:
    rise = report.levels.rise(*pair)
    direction = pb.ARROW_DIRECTION_UP if rise > 0 else pb.ARROW_DIRECTION_DOWN if rise else pb.ARROW_DIRECTION_SIDE
    imports, calls = report.weights[pair]
    return pb.LevelArrow(
        to=pair[1], imports=imports, calls=calls, direction=direction, drawn=pair in report.drawn, **{"from": pair[0]}
    )


def overview_message(report: OverviewReport, dependencies: Sequence[Dependency]) -> pb.GetOverviewResponse:
    """Return the overview without its owners and basis."""
    read = report.owners.node.properties.get
    return pb.GetOverviewResponse(
        entity=entity(report.owners.node),
        sentence=get_str(read("summary")),
        files=get_int(read("files")),
        lines=get_int(read("lines")),
        history_missing=report.owners.history_missing,
        roles=map(_role_message, report.roles),
        reading=[pb.ReadingStep(entity=definition_entity(step.entity), why=step.reason) for step in report.reading],
        entry_points=[
            pb.EntryPoint(entity=definition_entity(item), how=how)
            for item, how in report.entry_points[:_MAX_ENTRY_POINTS]
        ],
        dependencies=[
            to_message(pb.Dependency, item, repository=repository_name(item.repository))
            for item in dependencies[:_MAX_DEPENDENCIES]
        ],
        completeness=[
            to_message(
                pb.Completeness, item, **{each.name.lower(): item.sites_by_certainty.get(each, 0) for each in Certainty}
            )
            for item in report.completeness
        ],
        documents=map(entity, report.documents[:_MAX_DOCUMENTS]),
        languages=[
            pb.LanguageCount(language=language, files=files, lines=lines) for language, files, lines in report.languages
        ],
        entry_point_total=len(report.entry_points),
        document_total=len(report.documents),
    )


def _role_message(role: Role) -> pb.Role:
    shown = role.folders[:_MAX_ROLE_FOLDERS]
    return pb.Role(
        name=role.name,
        rule=role.rule,
        folders=[to_message(pb.RoleFolder, item) for item in shown],
        cut=cut_message(len(shown), len(role.folders), "most lines first"),
        files=sum(item.files for item in role.folders),
        lines=sum(item.lines for item in role.folders),
    )


def change_message(report: ChangeReport, max_definitions: int, max_sites: int) -> pb.GetChangeResponse:
    """Return the view of a change without its title and basis."""
    shown = report.definitions[:max_definitions]
    signatures = (ChangedKind.SIGNATURE, ChangedKind.REMOVED)
    affected = [item for step in report.reach for item in step.affected]
    return pb.GetChangeResponse(
        figures=pb.ChangeFigures(
            definitions=len(report.definitions),
            files=len({item.record.path for item in report.definitions}),
            signatures=sum(item.kind in signatures for item in report.definitions),
            outside_sites=sum(len(item.sites) for item in report.definitions),
            reached=len(affected),
            expected=sum(item.confidence for item in affected),
            test_files=len(report.tiers[1].files),
            edges_appeared=sum(edge.has_appeared for item in report.definitions for edge in item.edges),
            edges_gone=sum(not edge.has_appeared for item in report.definitions for edge in item.edges),
        ),
        definitions=[_changed_definition_message(item, max_sites) for item in shown],
        cut=cut_message(len(shown), len(report.definitions), "removed and changed definitions with callers first"),
        reach=map(_reach_message, report.reach),
        paths=map(_change_path_message, report.paths),
        repositories=_repository_places(report),
        tests=[_tier_message(tier, report.packages) for tier in report.tiers],
        unknown_paths=report.unknown_paths,
    )


def _changed_definition_message(item: ChangedDefinition, max_sites: int) -> pb.ChangedDefinition:
    return pb.ChangedDefinition(
        kind=pb.ChangedKind.ValueType(item.kind),
        before=definition_entity(item.before) if item.before else None,
        after=definition_entity(item.after) if item.after else None,
        parameters_changed=item.signature_changes,
        changed_lines=item.changed_lines,
        outside_sites=[
            to_message(
                pb.OutsideSite,
                site,
                caller=definition_entity(site.caller.entity),
                certainty=pb.Certainty.ValueType(site.caller.certainty),
                confidence=site.caller.confidence,
            )
            for site in item.sites[:max_sites]
        ],
        outside_total=len(item.sites),
        test_sites=item.test_site_count,
        edges=[
            pb.ChangedEdge(
                target=definition_entity(edge.target.entity),
                appeared=edge.has_appeared,
                certainty=pb.CERTAINTY_UNSPECIFIED
                if edge.is_by_name
                else pb.Certainty.ValueType(edge.target.certainty),
                confidence=0.0 if edge.is_by_name else edge.target.confidence,
                by_name=edge.is_by_name,
            )
            for edge in item.edges[:_MAX_EDGES]
        ],
    )


def _reach_message(step: ReachStep) -> pb.Reach:
    names = [definition_entity(item.entity) for item in step.affected[:_MAX_NAMES_OF_REACH]]
    return pb.Reach(hops=step.hops, definitions=len(step.affected), expected=step.expected, names=names)


def _change_path_message(path: Sequence[AffectedDefinition]) -> code_pb.CodePath:
    """Return a path with the confidence of each step."""
    steps = []
    for one, following in pairwise(path):
        kind = code_pb.RelationKind.DESCRIPTOR.values_by_name.get(f"RELATION_KIND_{one.how.upper()}")
        confidence = min(1.0, one.confidence / following.confidence)
        found = entities_pb2.Site(count=1, how=one.how, confidence=confidence)
        number = code_pb.RelationKind.ValueType(kind.number) if kind else code_pb.RELATION_KIND_UNSPECIFIED
        steps.append(code_pb.PathStep(kind=number, site=found, entity=definition_entity(following.entity)))
    return code_pb.CodePath(start=definition_entity(path[0].entity), steps=steps)


def _repository_places(report: ChangeReport) -> Iterator[pb.RepositoryPlaces]:
    own = {item.record.repository for item in report.definitions}
    places: dict[str, list[AffectedDefinition]] = {}
    for item in report.impact.affected:
        if own and item.entity.repository not in own:
            places.setdefault(item.entity.repository, []).append(item)
    for repository, items in sorted(places.items()):
        neighbors = [Neighbor(item.entity, how=item.how, confidence=item.confidence) for item in items]
        shown = map(neighbor_message, neighbors[:_MAX_PLACES])
        yield pb.RepositoryPlaces(repository=repository_name(repository), places=shown, total=len(items))


def _tier_message(tier: TestTier, packages: Sequence[str]) -> pb.TestTier:
    paths = [file.entity.path for file in tier.files[:_MAX_TEST_FILES]]
    return pb.TestTier(
        name=tier.name,
        meaning=tier.meaning,
        files=len(tier.files),
        tests=sum(len(file.tests) for file in tier.files),
        paths=paths,
        commands=build_test_commands(paths, packages),
    )
