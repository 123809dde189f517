"""Conversion of search results, relations, paths, diffs and impact from the store to protobuf messages of CodeService."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.code.duplicates import DuplicateGroup
from repoquarry.code.files import OwnerReport, TreeNode
from repoquarry.code.names import NameDescription
from repoquarry.code.paths import PathStep
from repoquarry.code.records import DefinitionRecord, Site
from repoquarry.code.repository_diff import ChangeKind, DefinitionChange, EdgeChange, RepositoryDiff
from repoquarry.graphstore.model.values import Node
from repoquarry.graphstore.search.requests import LocatedPlace, SearchHit
from repoquarry.server.messages import entity, to_message
from repoquarry.server.resource_names import repository_name
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1 import entities_pb2

if TYPE_CHECKING:
    from repoquarry.code.excerpts.context import RepositoryContext

_MAX_MEMBERS = 100


def definition_entity(item: DefinitionRecord) -> entities_pb2.Entity:
    return to_message(entities_pb2.Entity, item)


def path_message(nodes: Mapping[str, Node], path: Sequence[PathStep]) -> pb.CodePath:
    steps = [
        pb.PathStep(
            kind=pb.RelationKind.Value(f"RELATION_KIND_{step.kind}"),
            site=to_message(entities_pb2.Site, Site.from_properties(step.relation.properties)),
            entity=entity(nodes[step.end]),
        )
        for step in path
    ]
    return pb.CodePath(start=entity(nodes[path[0].start]), steps=steps)


def meaning_message(item: NameDescription) -> pb.Meaning:
    return to_message(
        pb.Meaning,
        item,
        entity=entity(item.node),
        docstring=str(item.node.properties.get("docstring") or ""),
        measures=[pb.ScorePart(name=name, value=value) for name, value in item.measures],
        definitions=[entity(member) for member in item.members[:_MAX_MEMBERS]],
    )


def tree_message(item: TreeNode) -> pb.TreeNode:
    children = [tree_message(child) for child in item.children]
    return pb.TreeNode(entity=entity(item.node), lines=item.lines, children=children, hidden=item.hidden)


def owners_message(report: OwnerReport, max_owners: int) -> pb.MeaningOwners:
    return pb.MeaningOwners(
        entity=entity(report.node),
        owners=[
            to_message(pb.Owner, owner, last_commit_time=Timestamp(seconds=owner.last_time))
            for owner in report.owners[:max_owners]
        ],
        commits=sum(owner.commits for owner in report.owners),
        history_missing=report.history_missing,
    )


def duplicate_message(group: DuplicateGroup) -> pb.Duplicate:
    return to_message(pb.Duplicate, group)


def definition_change_message(change: DefinitionChange) -> pb.DefinitionChange:
    return to_message(
        pb.DefinitionChange,
        change,
        kind=pb.ChangeKind.Value(f"CHANGE_KIND_{change.kind.name}"),
        before=entity(change.before) if change.before else None,
        after=entity(change.after) if change.after else None,
    )


def edge_change_message(nodes: Mapping[str, Node], edge: EdgeChange) -> pb.EdgeChange:
    start, end = (entity(nodes[id_]) if id_ in nodes else entities_pb2.Entity(id=id_) for id_ in (edge.start, edge.end))
    return to_message(
        pb.EdgeChange, edge, kind=pb.RelationKind.Value(f"RELATION_KIND_{edge.kind}"), start=start, end=end
    )


def change_counts_message(diff: RepositoryDiff) -> pb.ChangeCounts:
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


def context_blocks(context: RepositoryContext) -> list[pb.ContextBlock]:
    return [to_message(pb.ContextBlock, block, node_ids=block.ids) for block in context.blocks]


def hit_message(hit: SearchHit) -> pb.SearchHit:
    location = to_message(entities_pb2.Entity, hit, kind=hit.kind, signature=None, summary=None)
    parts = [pb.ScorePart(name=name, value=value) for name, value in hit.parts]
    message = pb.SearchHit(entity=location, score=hit.score, parts=parts)
    if hit.snippet is not None:
        message.snippet = hit.snippet.text
        message.snippet_line = hit.snippet.line
        message.highlights.extend(pb.Highlight(start=mark.start, end=mark.end) for mark in hit.snippet.highlights)
    return message


def ranked_place_message(place: LocatedPlace) -> pb.RankedPlace:
    location = entities_pb2.Entity(
        id=place.id,
        label=place.label,
        name=place.qualname.rpartition(".")[2] or place.path.rpartition("/")[2],
        qualname=place.qualname,
        repository=repository_name(place.repository),
        path=place.path,
        start_line=place.start_line,
        end_line=place.end_line,
    )
    return pb.RankedPlace(entity=location, score=place.score, reasons=place.reasons)
