"""Record types for definitions, edges and calls read from the graph, and the in-memory dependency graph of one stored revision.

The dependents of a change can be the complete repository. Following edges by queries then costs a query per file and a node per edge; the
columns of all edges cost about as much as one hop, and are loaded once per revision.
"""

from __future__ import annotations

import enum
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from repoquarry.graphstore.model.call_views import is_in_views
from repoquarry.graphstore.model.values import Value, get_float, get_int, get_int_list, get_str, get_str_list
from repoquarry.languages.registry import is_folder_index

if TYPE_CHECKING:
    from repoquarry.graphstore.store import Store


@dataclass(frozen=True)
class RepositoryRecord:
    id: str
    summary: str
    languages: tuple[str, ...]
    files: int
    lines: int
    readme: str
    unresolved_calls: int


@dataclass(frozen=True)
class DefinitionRecord:
    """A node of the graph (`label`), mostly a module, class or function. `importance` is 0.0 for nodes that have none."""

    id: str
    label: str
    repository: str
    path: str
    qualname: str
    """Empty for a module."""

    name: str
    kind: str
    start_line: int
    end_line: int
    signature: str = ""
    docstring: str = ""
    summary: str = ""
    is_test: bool = False
    importance: float = 0.0
    calls_in: int = 0
    entry_points: tuple[str, ...] = ()

    @classmethod
    def from_properties(cls, id_: str, label: str, properties: Mapping[str, Value]) -> DefinitionRecord:
        """Convert the properties of a node."""
        read = properties.get
        return cls(
            id=id_,
            label=label,
            repository=id_ if label == "Repository" else get_str(read("repository")),
            path=get_str(read("path")),
            qualname=get_str(read("qualname")),
            name=get_str(read("name")),
            kind=get_str(read("kind")) or ("module" if label == "Module" else ""),
            start_line=get_int(read("start_line")),
            end_line=get_int(read("end_line")),
            signature=get_str(read("signature")),
            docstring=get_str(read("docstring")),
            summary=get_str(read("purpose")) or get_str(read("summary")),
            is_test=bool(read("is_test")),
            importance=get_float(read("importance")),
            calls_in=get_int(read("calls_in")),
            entry_points=get_str_list(read("entry_points")),
        )

    @property
    def title(self) -> str:
        """Dotted name inside the file, for lambdas with the parameter that receives them, or the path of a module."""
        if self.kind == "lambda":
            return "".join((*self.qualname.rpartition(".")[:2], self.name))
        return self.qualname or self.path

    @property
    def constructed(self) -> str:
        """Title of the class for a constructor; otherwise the own title."""
        return self.title.rpartition(".")[0] or self.title if self.kind == "constructor" else self.title

    @property
    def segments(self) -> tuple[str, ...]:
        """Parts of the full dotted name, folders first, without the file's suffix and without a file that stands for its folder."""
        folders, _, file = self.path.rpartition("/")
        stem = file.partition(".")[0]
        parts = [*folders.split("/"), *([] if is_folder_index(self.path) else [stem]), *self.qualname.split(".")]
        return tuple(part for part in parts if part)

    @property
    def headline(self) -> str:
        """First sentence of the documentation; empty if there is none."""
        text = " ".join((self.docstring or self.summary).split())
        end = text.find(". ")
        return text[: end + 1] if end >= 0 else text

    def where(self) -> str:
        return f"{self.path}:{self.start_line}-{self.end_line}"


@dataclass(frozen=True)
class EdgeRecord:
    """A relationship of the graph between two definitions."""

    kind: str
    """Relationship type; `OVERRIDES` leads from the overridden method to the overriding one, as a call may go."""

    start: DefinitionRecord
    end: DefinitionRecord
    count: int = 1
    lines: tuple[int, ...] = ()
    how: str = ""
    confidence: float = 1.0
    targets: int = 1
    """Targets of the call site."""

    def reversed_override(self) -> EdgeRecord:
        """Return the OVERRIDES edge in the direction in which a call may go."""
        return replace(self, start=self.end, end=self.start)


class RelationKind(enum.IntEnum):
    """Relationship types; `USES` stands for all relationships into a definition that are uses of it."""

    CALLS = 1
    IMPORTS = 2
    INHERITS = 3
    OVERRIDES = 4
    REFERENCES = 5
    DEPENDS_ON = 6
    DEFINES = 7
    CONTAINS = 8
    UNRESOLVED = 9
    PROVIDES = 10
    USES = 11


@dataclass(frozen=True)
class Site:
    """Evidence of a relationship: its places in the source, the rule and what speaks against it."""

    count: int = 1
    lines: tuple[int, ...] = ()
    how: str = ""
    confidence: float | None = None
    reason: str = ""
    kinds: tuple[str, ...] = ()
    targets: int = 0

    @classmethod
    def from_properties(cls, properties: Mapping[str, Value]) -> Site:
        read = properties.get
        confidence = read("confidence")
        return cls(
            get_int(read("count")) or 1,
            get_int_list(read("lines")),
            get_str(read("how")),
            float(confidence) if isinstance(confidence, int | float) else None,
            get_str(read("reason")),
            get_str_list(read("kinds")),
            get_int(read("targets")),
        )


@dataclass(frozen=True)
class Relation:
    """A definition that a traversal reached over one last relationship, from the node `via_id`."""

    entity: DefinitionRecord
    hops: int
    site: Site
    via_id: str
    kind: RelationKind


@dataclass(frozen=True)
class MeaningRelations:
    """Definitions that are related to one of the definitions of a name, nearest first."""

    entity: DefinitionRecord
    relations: tuple[Relation, ...]
    possible: tuple[Relation, ...] = ()
    """For callers: unresolved calls of the name in its own repository and language."""

    @property
    def total(self) -> int:
        return len(self.relations)


@dataclass(frozen=True)
class AffectedDefinition:
    entity: DefinitionRecord
    confidence: float
    hops: int
    how: str
    via_id: str = ""
    """Id of the definition that it depends on; empty for a changed definition."""


@dataclass(frozen=True)
class UnresolvedSite:
    """Unresolved calls of one name in one definition."""

    caller: DefinitionRecord
    name: str
    count: int
    lines: tuple[int, ...]
    reason: str

    def to_relation(self, callee: str) -> Relation:
        """Return the calls as a relation to the definition with the id `callee`, which they may reach."""
        site = Site(self.count or 1, self.lines, reason=self.reason)
        return Relation(self.caller, 1, site, callee, RelationKind.UNRESOLVED)


@dataclass(frozen=True)
class ExternalName:
    """External code that a definition calls, imports or inherits from."""

    qualname: str
    count: int
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class ExternalCall:
    qualname: str
    caller: DefinitionRecord
    lines: tuple[int, ...]


@dataclass(frozen=True)
class CallPath:
    """A path along calls and overriding methods: n edges, n + 1 definitions."""

    edges: tuple[EdgeRecord, ...]

    @property
    def steps(self) -> tuple[DefinitionRecord, ...]:
        return (self.edges[0].start, *(edge.end for edge in self.edges))

    @property
    def confidence(self) -> float:
        product = 1.0
        for edge in self.edges:
            product *= edge.confidence
        return product


def shown_name(name: str, entry_points: Sequence[str]) -> str:
    """Return the name of a definition, of a test or suite that is a lambda its title."""
    if not name.startswith("<"):
        return name
    found = (point.partition(": ") for point in entry_points)
    return next((title for kind, _, title in found if kind in ("test", "suite")), name)


def relevant_names(subject: Iterable[DefinitionRecord]) -> tuple[str, ...]:
    """Return the short names whose unresolved calls may affect an answer about some definitions; listed callers have none."""
    return tuple(dict.fromkeys(item.name for item in subject))


def join_sites(one: tuple[Sequence[int], int], other: tuple[Sequence[int], int]) -> tuple[tuple[int, ...], int]:
    """Join (lines, count) of two edges; sites of both, such as of a class and its constructor, count once."""
    lines, shared = {*one[0], *other[0]}, set(one[0]) & set(other[0])
    is_part = shared in (set(one[0]), set(other[0]))
    count = max(one[1], other[1]) if shared and is_part else one[1] + other[1] - len(shared)
    return tuple(sorted(lines)), max(count, len(lines))


def without_files(definitions: Sequence[DefinitionRecord]) -> list[DefinitionRecord]:
    """Return the definitions of a name without files that have the name as well; the files where nothing else has it."""
    return [item for item in definitions if item.label != "Module"] or list(definitions)


def matches_qualname(segments: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether a dotted name has some of the parts of a definition in order and its last one, as a re-export has."""
    parts = iter(segments)
    return tuple(segments[-1:]) == tuple(names[-1:]) and all(name in parts for name in names)


DEPENDENCY_KINDS: Final = ("CALLS", "OVERRIDES", "INHERITS", "REFERENCES", "IMPORTS")
"""Kinds in the order in which they are followed. An overridden method depends on the overriding one, as a call may go."""

Dependent = tuple[DefinitionRecord, str, float, bool]
"""Dependent, id of the definition that it depends on, confidence of the edge, and whether the edge is an annotation of a type."""


class DependencyGraph:
    """Definitions of one stored revision, with the edges to each from its dependents. Immutable; built by `Store.cached`."""

    def __init__(self, store: Store, repository: str) -> None:
        result = store.execute_named("definition_columns", repository=repository)
        rows = ({**dict(zip(result.columns, row, strict=True)), "repository": repository} for row in result.rows)
        records = (DefinitionRecord.from_properties(get_str(row["id"]), get_str(row["label"]), row) for row in rows)
        found = sorted(records, key=lambda item: item.id)
        self.definition_by_id: Mapping[str, DefinitionRecord] = {item.id: item for item in found}
        self.test_modules = [item for item in found if item.label == "Module" and item.is_test]
        self.definitions_by_path: Mapping[str, list[DefinitionRecord]] = _group_by_path(found)
        self._definitions = found
        self._numbers = {item.id: number for number, item in enumerate(found)}
        self._edges = {
            kind: _IncomingEdges(
                self._numbers, store.execute_named(f"{kind.lower()}_columns", repository=repository).rows
            )
            for kind in DEPENDENCY_KINDS
        }

    def find_dependents(self, kind: str, ids: Iterable[str], views: Collection[str] = ()) -> Iterator[Dependent]:
        """Yield the dependents of some definitions by edges of one kind, by the ids of both ends; calls only of these views."""
        numbers = (self._numbers[id_] for id_ in ids if id_ in self._numbers)
        edges = self._edges[kind]
        for start, end, place in sorted(edges.find(numbers)):
            if views and not is_in_views(views, *edges.rule(place)):
                continue
            record, target = self._definitions[start], self._definitions[end]
            yield record, target.id, edges.confidences[place], bool(edges.annotations[place])


class _IncomingEdges:
    """Edges of one kind by the number of their end, in arrays: those of an end are consecutive."""

    def __init__(self, numbers: Mapping[str, int], rows: Iterable[tuple[Value, ...]]) -> None:
        edges = sorted(
            (
                numbers[end],
                numbers[start],
                1.0 if confidence is None else min(1.0, get_float(confidence)),
                is_annotation is True,
                tuple(rule),
            )
            for start, end, confidence, is_annotation, *rule in rows
            if isinstance(start, str) and isinstance(end, str) and start in numbers and end in numbers
        )
        self._starts = array("i", (start for _, start, *_ in edges))
        self.confidences = array("d", (confidence for _, _, confidence, *_ in edges))
        self.annotations = array("b", (is_annotation for *_, is_annotation, _ in edges))
        numbers_of_rules: dict[tuple[Value, ...], int] = {}
        self._rules = array("i", (numbers_of_rules.setdefault(rule, len(numbers_of_rules)) for *_, rule in edges))
        self._known_rules = [(get_str(rule[0]), get_int(rule[1])) if rule else ("", 1) for rule in numbers_of_rules]
        self._offsets = array("i", bytes(4 * (len(numbers) + 1)))
        for end, *_ in edges:
            self._offsets[end + 1] += 1
        for number in range(len(numbers)):
            self._offsets[number + 1] += self._offsets[number]

    def rule(self, place: int) -> tuple[str, int]:
        """Return the rule of an edge and the number of targets of its site."""
        return self._known_rules[self._rules[place]]

    def find(self, ends: Iterable[int]) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end, place in the arrays) of the edges to some definitions."""
        for end in ends:
            for place in range(self._offsets[end], self._offsets[end + 1]):
                yield self._starts[place], end, place


def _group_by_path(definitions: Iterable[DefinitionRecord]) -> Mapping[str, list[DefinitionRecord]]:
    """Return the classes and functions of each file by line, outer ones first; files without them have an empty list."""
    found: dict[str, list[DefinitionRecord]] = {}
    for item in definitions:
        inside = found.setdefault(item.path, [])
        if item.label != "Module":
            inside.append(item)
    for inside in found.values():
        inside.sort(key=lambda item: (item.start_line, -item.end_line, item.id))
    return found
