"""Links between repositories: PROVIDES relationships whose end is in another repository, apart from the graph of their start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from repoquarry.graphstore.engines.graph_catalog import Link
from repoquarry.graphstore.model.graph_tables import (
    Cell,
    GraphChanges,
    Joined,
    Pair,
    RelationshipTable,
    RepositoryGraph,
)


def split_links(graph: RepositoryGraph) -> tuple[RepositoryGraph, list[Link]]:
    """Split a graph into the part without links, and its links to other repositories."""
    known = {table.label: set(map(str, table.columns["id"])) for table in graph.nodes}
    own: list[RelationshipTable] = []
    links: list[Link] = []
    for table in graph.relationships:
        starts, ends = known.get(table.start_label, set()), known.get(table.end_label, set())
        if table.type != "PROVIDES" or (starts.issuperset(table.start) and ends.issuperset(table.end)):
            own.append(table)
            continue
        pairs = list(zip(table.start, table.end, strict=True))
        inside = [row for row, (start, end) in enumerate(pairs) if start in starts and end in ends]
        own.append(_chosen(table, inside))
        links += [
            (table.start_label, start, table.end_label, end)
            for start, end in pairs
            if start not in starts or end not in ends
        ]
    return RepositoryGraph(graph.repository, graph.nodes, own), links


def linked_repositories(repository: str, links: Sequence[Link]) -> list[str]:
    """Return the other repositories at the ends of links."""
    ends = {node.partition(":")[0] for _, start, _, end in links for node in (start, end)}
    return sorted(ends - {repository})


def list_links(tables: Sequence[RelationshipTable]) -> list[Link]:
    return [
        (table.start_label, start, table.end_label, end)
        for table in tables
        for start, end in zip(table.start, table.end, strict=True)
    ]


def _chosen(table: RelationshipTable, rows: Sequence[int]) -> RelationshipTable:
    columns: dict[str, list[Cell]] = {name: [cells[row] for row in rows] for name, cells in table.columns.items()}
    starts, ends = [table.start[row] for row in rows], [table.end[row] for row in rows]
    return RelationshipTable(table.type, table.start_label, table.end_label, starts, ends, columns)


def split_changes(changes: GraphChanges) -> tuple[GraphChanges, set[Link], set[Link]]:
    """Split changes into those of the graph without links, the links to remove, and the links to add."""

    def crosses(pair: Pair) -> bool:
        return any(node.partition(":")[0] != changes.repository for node in pair)

    removed: dict[Joined, Sequence[Pair]] = {}
    gone: set[Link] = set()
    for joined, pairs in changes.removed_relationships.items():
        links = [pair for pair in pairs if _is_link(joined) and crosses(pair)]
        gone.update((joined[1], start, joined[2], end) for start, end in links)
        if len(links) < len(pairs):
            removed[joined] = [pair for pair in pairs if pair not in set(links)]
    added: list[RelationshipTable] = []
    new: set[Link] = set()
    for table in changes.added_relationships:
        pairs = list(zip(table.start, table.end, strict=True))
        rows = [
            row for row, pair in enumerate(pairs) if _is_link((table.type, table.start_label, "")) and crosses(pair)
        ]
        new.update((table.start_label, table.start[row], table.end_label, table.end[row]) for row in rows)
        if len(rows) < len(table):
            added.append(_chosen(table, [row for row in range(len(table)) if row not in set(rows)]))
    return replace(changes, removed_relationships=removed, added_relationships=added), gone, new


def _is_link(joined: Joined) -> bool:
    """Return whether relationships of this kind may end in another repository."""
    return joined[0] == "PROVIDES" and joined[1] == "External"
