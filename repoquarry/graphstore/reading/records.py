"""Records read from the graph, and names as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from repoquarry.languages.registry import is_folder_index, known_suffixes


@dataclass(frozen=True)
class RepositoryRecord:
    """One stored repository, as far as a policy needs it to choose."""

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
    """A module, class or function (`label`). `importance` is 0.0 where the graph keeps none (functions)."""

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

    @property
    def title(self) -> str:
        """How people name it: the dotted name inside its file, or the path of a module."""
        return self.qualname or self.path

    @property
    def constructed(self) -> str:
        """Title of the class that a constructor makes instances of; of anything else its own."""
        return self.title.rpartition(".")[0] or self.title if self.kind == "constructor" else self.title

    @property
    def segments(self) -> tuple[str, ...]:
        """Parts of its full dotted name, folders first; the file's suffix is no part of it, nor is a file that stands for its folder."""
        folders, _, file = self.path.rpartition("/")
        stem = file.partition(".")[0]
        parts = [*folders.split("/"), *([] if is_folder_index(self.path) else [stem]), *self.qualname.split(".")]
        return tuple(part for part in parts if part)

    @property
    def headline(self) -> str:
        """First sentence of what it is for; empty when nothing says so."""
        text = " ".join((self.docstring or self.summary).split())
        end = text.find(". ")
        return text[: end + 1] if end >= 0 else text

    def where(self) -> str:
        """`path:start-end`, as editors and people read it."""
        return f"{self.path}:{self.start_line}-{self.end_line}"


@dataclass(frozen=True)
class EdgeRecord:
    """A relationship of the graph between two definitions, both known by their records."""

    kind: str
    """Relationship type; `OVERRIDES` is walked from the overridden method to the overriding one."""

    start: DefinitionRecord
    end: DefinitionRecord
    count: int = 1
    lines: tuple[int, ...] = ()
    how: str = ""
    confidence: float = 1.0

    def reversed_override(self) -> EdgeRecord:
        """The same OVERRIDES edge in the direction in which a call may go."""
        return replace(self, start=self.end, end=self.start)


@dataclass(frozen=True)
class UnresolvedSite:
    """Calls of a name from one place that could not be resolved."""

    caller: DefinitionRecord
    name: str
    count: int
    lines: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class ExternalName:
    """Something outside the repository that a definition calls, imports or inherits from."""

    qualname: str
    count: int
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class ExternalCall:
    """A call of something outside the repository."""

    qualname: str
    caller: DefinitionRecord
    lines: tuple[int, ...]


@dataclass(frozen=True)
class CallPath:
    """A way from one definition to another along calls and overriding methods: n edges, n + 1 definitions."""

    edges: tuple[EdgeRecord, ...]

    @property
    def steps(self) -> tuple[DefinitionRecord, ...]:
        return (self.edges[0].start, *(edge.end for edge in self.edges))

    @property
    def confidence(self) -> float:
        """Probability that every edge on the way is right, were they independent."""
        product = 1.0
        for edge in self.edges:
            product *= edge.confidence
        return product


@dataclass(frozen=True)
class PlaceHit:
    """A place that search or localisation found; `definition` is None for a document."""

    repository: str
    path: str
    score: float
    definition: DefinitionRecord | None
    start_line: int
    end_line: int
    snippet: str = ""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meaning:
    """Everything that a name means, best first; empty when nothing is defined under it."""

    name: str
    definitions: tuple[DefinitionRecord, ...]


_FILE = r"[\w./\\@+-]*\w\.[A-Za-z]\w{0,5}"
_MAX_NAME_CHARACTERS = 1_000  # characters; names and paths are shorter, and matching is quadratic at worst
_PATH_LINE = re.compile(rf"^(?P<path>{_FILE}|[\w.@+-]+(?:/[\w.@+-]+)+)(?::(?P<line>\d+))?(?::\d+)?$")
_SUFFIXES = frozenset(
    {
        *(suffix.removeprefix(".") for suffix in known_suffixes()),
        *("pyx", "js", "jsx", "ts", "tsx", "mjs", "cjs", "java", "swift", "scala", "sh", "sql", "html", "css"),
        *("md", "rst", "txt", "toml", "cfg", "ini", "yaml", "yml", "json"),
    }
)


@dataclass(frozen=True)
class NameReference:
    """A name taken apart. `names` are the parts of a dotted name; `path` is set when it names a file."""

    names: tuple[str, ...] = ()
    path: str = ""
    line: int = 0
    qualname: str = ""


def parse_name(text: str) -> NameReference:
    """Take apart a name as a person or a model wrote it; call brackets, quotes and `@` are no part of it."""
    clean = text[:_MAX_NAME_CHARACTERS].strip().strip("`'\"“”‘’").strip().removeprefix("@")
    clean = re.sub(r"\(.*\)$", "", clean, flags=re.DOTALL).rstrip(".:,;?!")
    path, separator, qualname = clean.partition("::")
    if separator:
        # an id: its part before the path is the repository, which holds no slash behind a colon
        return NameReference(path=_relative(path.rpartition(":")[2]), qualname=qualname.partition("#")[0])
    match = _PATH_LINE.match(clean)
    if match and is_path(match["path"]):
        return NameReference(path=_relative(match["path"]), line=int(match["line"] or 0))
    if clean.count(":") == 1 and is_path(clean.partition(":")[2]):
        return NameReference(path=_relative(clean.partition(":")[2]))
    return NameReference(names=tuple(part for part in clean.split(".") if part))


def is_path(text: str) -> bool:
    """Whether a word names a file: it has a folder, or the suffix of a kind of file that is indexed."""
    return "/" in text or "\\" in text or ("." in text and text.rpartition(".")[2].lower() in _SUFFIXES)


def _relative(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./").strip("/")


def matches_qualname(definition: DefinitionRecord, names: Sequence[str]) -> bool:
    """Whether a dotted name may mean a definition: its last parts, or some of its parts in order (a re-export)."""
    parts = iter(definition.segments)
    return definition.segments[-1:] == tuple(names[-1:]) and all(name in parts for name in names)
