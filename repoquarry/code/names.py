"""Descriptions of the graph nodes that a name resolves to: numeric properties, kinds of entry point, unresolved calls, members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.code.reader import CodeReader, to_definition
from repoquarry.code.records import DefinitionRecord
from repoquarry.code.relations import expand, repository_of
from repoquarry.graphstore.model.values import Node, get_int, get_str, get_str_list
from repoquarry.graphstore.store import Store
from repoquarry.languages.registry import languages_without_calls

_CALL_COUNTS = frozenset({"calls_in", "calls_out"})
"""Measures that are unknown in a language without call resolution."""
_POSITIONS = frozenset({"start_line", "end_line"})
_CALLABLE: Final = frozenset({"Class", "Function"})


@dataclass(frozen=True)
class NameDescription:
    """One node that a name can refer to, with its measures."""

    entity: DefinitionRecord
    measures: tuple[tuple[str, float], ...]
    """(name, value) of its numeric properties, by name."""
    entry_points: tuple[str, ...]
    possible_call_sites: int
    """Unresolved call sites of its name in its repository."""
    definitions: tuple[DefinitionRecord, ...]
    """Definitions directly inside, by line."""
    score_profile: str
    """Score profile of the importance; empty for a node without importance."""

    @property
    def docstring(self) -> str:
        return self.entity.docstring


def describe_nodes(reader: CodeReader, nodes: Sequence[Node]) -> list[NameDescription]:
    store = reader.store
    members: dict[str, list[Node]] = {}
    for hop in expand(store, [node.id for node in nodes], "DEFINES", outgoing=True):
        members.setdefault(hop.known, []).append(hop.other)
    return [
        NameDescription(
            to_definition(node),
            tuple(_iterate_measures(node)),
            get_str_list(node.properties.get("entry_points")),
            _count_possible_call_sites(reader, node),
            tuple(map(to_definition, sorted(members.get(node.id, ()), key=_line))),
            _load_score_profile(store, node),
        )
        for node in nodes
    ]


def _line(node: Node) -> tuple[int, str]:
    return get_int(node.properties.get("start_line")), node.id


def _iterate_measures(node: Node) -> Iterator[tuple[str, float]]:
    has_no_calls = languages_without_calls([get_str(node.properties.get("path"))])
    skipped = _POSITIONS | _CALL_COUNTS if has_no_calls else _POSITIONS
    for name, value in sorted(node.properties.items()):
        if name not in skipped and isinstance(value, int | float) and not isinstance(value, bool):
            yield name, float(value)


def _count_possible_call_sites(reader: CodeReader, node: Node) -> int:
    if not _CALLABLE & set(node.labels):
        return 0
    definition = to_definition(node)
    return sum(site.count for site, _ in reader.possible_calls([definition], [definition.repository]))


def _load_score_profile(store: Store, node: Node) -> str:
    if "importance" not in node.properties:
        return ""
    return get_str(store.repository(repository_of(node)).get("score_profile"))
