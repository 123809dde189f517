"""Records read from the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from repoquarry.graphstore.model.values import Value, get_float, get_int, get_str, get_str_list
from repoquarry.languages.registry import is_folder_index


@dataclass(frozen=True)
class RepositoryRecord:
    id: str
    source: str
    summary: str
    languages: tuple[str, ...]
    files: int
    lines: int
    commit: str
    readme: str
    unresolved_calls: int
    left_out: int


@dataclass(frozen=True)
class DefinitionRecord:
    """A module, class or function (`label`), or a document among places. `importance` is 0.0 for functions, which have none."""

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
    is_core: bool = False

    @classmethod
    def from_properties(cls, id_: str, label: str, properties: Mapping[str, Value]) -> DefinitionRecord:
        """Convert the properties of a Module, Class or Function."""
        read = properties.get
        return cls(
            id=id_,
            label=label,
            repository=get_str(read("repository")),
            path=get_str(read("path")),
            qualname=get_str(read("qualname")),
            name=get_str(read("name")),
            kind=get_str(read("kind")) or "module",
            start_line=get_int(read("start_line")),
            end_line=get_int(read("end_line")),
            signature=get_str(read("signature")),
            docstring=get_str(read("docstring")),
            summary=get_str(read("purpose")) or get_str(read("summary")),
            is_test=bool(read("is_test")),
            importance=get_float(read("importance")),
            calls_in=get_int(read("calls_in")),
            entry_points=get_str_list(read("entry_points")),
            is_core=bool(read("is_core")),
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

    def reversed_override(self) -> EdgeRecord:
        """Return the OVERRIDES edge in the direction in which a call may go."""
        return replace(self, start=self.end, end=self.start)


@dataclass(frozen=True)
class AffectedDefinition:
    definition: DefinitionRecord
    confidence: float
    hops: int
    how: str
    via: str = ""
    """Id of the definition that it depends on; empty for a changed definition."""


@dataclass(frozen=True)
class UnresolvedSite:
    """Unresolved calls of one name in one definition."""

    caller: DefinitionRecord
    name: str
    count: int
    lines: tuple[int, ...]
    reason: str


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


def relevant_names(subject: Iterable[DefinitionRecord]) -> tuple[str, ...]:
    """Return the short names whose unresolved calls may affect an answer about some definitions; listed callers have none."""
    return tuple(dict.fromkeys(item.name for item in subject))


def matches_qualname(segments: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether a dotted name has some of the parts of a definition in order and its last one, as a re-export has."""
    parts = iter(segments)
    return tuple(segments[-1:]) == tuple(names[-1:]) and all(name in parts for name in names)
