"""Conversion of the contents of web pages (symbol, file, map, change, overview) to messages of ViewService, with their cuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from repoquarry.code.calls import Neighbor
from repoquarry.code.records import AffectedDefinition
from repoquarry.code.regression_tests import build_test_commands
from repoquarry.code.repository_diff import ChangeKind
from repoquarry.code.views.call_sites import NeighborGroup
from repoquarry.code.views.change_view import ChangeReport, TestTier
from repoquarry.code.views.map_view import MapReport
from repoquarry.code.views.overview import Dependency, OverviewReport
from repoquarry.code.views.source_views import FileReport, SourceView, SymbolReport
from repoquarry.server.report_fields import find_cut, group_message
from repoquarry.server.resource_names import repository_name
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import basis_pb2, entities_pb2
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import view_service_pb2 as pb

_MAX_RELATED = 50
"""Maximum number of overriding methods, subclasses and references."""
_MAX_MEMBERS = 200
_MAX_OUTLINE = 2_000
_MAX_ARROWS = 900
_MAX_ENTRY_POINTS = 50
_MAX_DEPENDENCIES = 100
_MAX_DOCUMENTS = 50
_MAX_PLACES = 20
_MAX_TEST_FILES = 200


def source_message(source: SourceView, wanted_lines: int) -> pb.SourceText:
    """Return the source of a definition or page with `wanted_lines` lines."""
    lines = [
        to_message(pb.SourceLine, None, number=number, text=text, spans=source.spans.get(number, ()))
        for number, text in enumerate(source.lines, source.start_line)
    ]
    cut = find_cut(len(lines), wanted_lines, "first lines")
    return to_message(pb.SourceText, source, lines=lines, cut=cut)


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
    shown, left = [], max_rows
    for group in groups:
        shown.append(group_message(group, left))
        left = max(0, left - len(group.neighbors))
    total = sum(len(group.neighbors) for group in groups)
    return pb.Neighbors(groups=shown, cut=find_cut(min(total, max_rows), total, "largest groups first"))


def _unresolved_message(report: SymbolReport, max_rows: int) -> pb.UnresolvedGroup:
    shown = report.unresolved[:max_rows]
    return to_message(
        pb.UnresolvedGroup,
        None,
        total=report.figures.unresolved_sites,
        reasons=[basis_pb2.ReasonCount(reason=reason, count=count) for reason, count in report.unresolved_reasons],
        rows=[site.to_relation(report.entity.id) for site in shown],
        cut=find_cut(len(shown), len(report.unresolved), "callers outside tests first, most call sites first"),
    )


def symbol_message(report: SymbolReport, max_callers: int, max_unresolved: int, **fields: Any) -> pb.GetSymbolResponse:
    """Return the view of a definition; `fields` are its owners and basis."""
    definition, counts = (
        report.entity,
        {"references": len(report.references), "overridden_by": len(report.overridden_by)},
    )
    return to_message(
        pb.GetSymbolResponse,
        report,
        meanings=(),
        docstring=definition.docstring,
        source=source_message(report.source, definition.end_line - definition.start_line + 1),
        callers=groups_message(report.caller_groups, max_callers),
        unresolved=_unresolved_message(report, max_unresolved),
        overridden_by=report.overridden_by[:_MAX_RELATED],
        references=report.references[:_MAX_RELATED],
        other_repositories=groups_message(report.other_repositories, max_callers),
        members=report.members[:_MAX_MEMBERS],
        figures=to_message(pb.SymbolFigures, report.figures, **counts),
        external_calls=report.external_call_count,
        entry_points=definition.entry_points,
        **fields,
    )


def file_message(report: FileReport, basis: basis_pb2.AnswerBasis) -> pb.GetFileResponse:
    source = source_message(report.source, len(report.source.lines))
    return to_message(pb.GetFileResponse, report, source=source, outline=report.outline[:_MAX_OUTLINE], basis=basis)


def levels_message(report: MapReport, basis: basis_pb2.AnswerBasis) -> pb.GetLevelsResponse:
    """Return the map of a folder."""
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
    return to_message(
        pb.GetLevelsResponse,
        report,
        boxes=boxes,
        arrows=arrows,
        order=[box.path for box in report.boxes],
        arrows_cut=find_cut(drawn, len(downward), "shortest downward arrows"),
        least_value=min((box.value for box in report.boxes), default=0.0),
        greatest_value=max((box.value for box in report.boxes), default=0.0),
        by_calls=report.is_by_calls,
        basis=basis,
    )


def _arrow_message(report: MapReport, pair: tuple[str, str]) -> pb.LevelArrow:
    rise = report.levels.rise(*pair)
    direction = pb.ARROW_DIRECTION_UP if rise > 0 else pb.ARROW_DIRECTION_DOWN if rise else pb.ARROW_DIRECTION_SIDE
    imports, calls = report.weights[pair]
    return pb.LevelArrow(
        to=pair[1], imports=imports, calls=calls, direction=direction, drawn=pair in report.drawn, **{"from": pair[0]}
    )


def overview_message(
    report: OverviewReport, dependencies: Sequence[Dependency], **fields: Any
) -> pb.GetOverviewResponse:
    """Return the overview; `fields` are its owners and basis."""
    repository = report.owners.entity
    return to_message(
        pb.GetOverviewResponse,
        report,
        entity=repository,
        sentence=repository.properties.get("summary", ""),
        files=repository.properties.get("files", 0),
        lines=repository.properties.get("lines", 0),
        history_missing=report.owners.history_missing,
        entry_points=[
            to_message(pb.EntryPoint, None, entity=item, how=how)
            for item, how in report.entry_points[:_MAX_ENTRY_POINTS]
        ],
        dependencies=dependencies[:_MAX_DEPENDENCIES],
        documents=report.documents[:_MAX_DOCUMENTS],
        languages=[
            pb.LanguageCount(language=language, files=files, lines=lines) for language, files, lines in report.languages
        ],
        entry_point_total=len(report.entry_points),
        document_total=len(report.documents),
        **fields,
    )


def change_message(report: ChangeReport, max_definitions: int, max_sites: int, **fields: Any) -> pb.GetChangeResponse:
    """Return the view of a change; `fields` are its title, author, time and basis."""
    shown = report.definitions[:max_definitions]
    signatures = (ChangeKind.SIGNATURE, ChangeKind.REMOVED)
    affected = [item for step in report.reach for item in step.affected]
    edges = [edge for item in report.definitions for edge in item.edges]
    return to_message(
        pb.GetChangeResponse,
        report,
        figures=pb.ChangeFigures(
            definitions=len(report.definitions),
            files=len({item.record.path for item in report.definitions}),
            signatures=sum(item.kind in signatures for item in report.definitions),
            outside_sites=sum(len(item.sites) for item in report.definitions),
            reached=len(affected),
            expected=sum(item.confidence for item in affected),
            test_files=len(report.tiers[1].files),
            edges_appeared=sum(edge.appeared for edge in edges),
            edges_gone=sum(not edge.appeared for edge in edges),
        ),
        definitions=[to_message(pb.ChangedDefinition, item, outside_sites=item.sites[:max_sites]) for item in shown],
        cut=find_cut(len(shown), len(report.definitions), "removed and changed definitions with callers first"),
        paths=map(_path_message, report.paths),
        repositories=_repository_places(report),
        tests=[_tier_message(tier, report.packages) for tier in report.tiers],
        **fields,
    )


def _path_message(path: Sequence[AffectedDefinition]) -> code_pb.CodePath:
    """Return a path with the confidence of each step."""
    steps = []
    for one, following in pairwise(path):
        kind = code_pb.RelationKind.DESCRIPTOR.values_by_name.get(f"RELATION_KIND_{one.how.upper()}")
        confidence = min(1.0, one.confidence / following.confidence)
        steps.append(
            code_pb.PathStep(
                kind=code_pb.RelationKind.ValueType(kind.number) if kind else code_pb.RELATION_KIND_UNSPECIFIED,
                site=entities_pb2.Site(count=1, how=one.how, confidence=confidence),
                entity=to_message(entities_pb2.Entity, following.entity),
            )
        )
    return to_message(code_pb.CodePath, None, start=path[0].entity, steps=steps)


def _repository_places(report: ChangeReport) -> Iterator[pb.RepositoryPlaces]:
    own = {item.record.repository for item in report.definitions}
    places: dict[str, list[AffectedDefinition]] = {}
    for item in report.impact.affected:
        if own and item.entity.repository not in own:
            places.setdefault(item.entity.repository, []).append(item)
    for repository, items in sorted(places.items()):
        shown = [Neighbor(item.entity, how=item.how, confidence=item.confidence) for item in items[:_MAX_PLACES]]
        name = repository_name(repository)
        yield to_message(pb.RepositoryPlaces, None, repository=name, places=shown, total=len(items))


def _tier_message(tier: TestTier, packages: Sequence[str]) -> pb.TestTier:
    paths = [file.entity.path for file in tier.files[:_MAX_TEST_FILES]]
    return to_message(
        pb.TestTier,
        tier,
        files=len(tier.files),
        tests=sum(len(file.tests) for file in tier.files),
        paths=paths,
        commands=build_test_commands(paths, packages),
    )
