"""Protocol that the graph engines (kglite, Neo4j) implement, with its query types; reader of a repository's stored graph as tables.

Callers ask for a capability, never for an engine by name. Every write is atomic for readers: after a crash at any moment a repository is
in the state before or after the write.

Query parameters are renamed after the gate (checker of untrusted queries) for an engine whose parser rejects `` $`two words` `` and
letters outside ASCII. Only names in the text change, so that positions in errors match the query of the gate.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from repoquarry.graphstore.model.graph_tables import GraphChanges, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, NodeLabel, Property, RelationshipType
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.query_scheduler import QueryLoad


class Capability(enum.Enum):
    """Optional feature of an engine."""

    CONCURRENT_WRITERS = "several processes can write concurrently"
    ADOPTION = "a repository can be adopted from another folder of the embedded engine without rewriting it"
    VECTOR_SEARCH = "nearest-neighbor search inside the engine"


@dataclass(frozen=True)
class EngineInfo:
    """Properties of an engine. `dialect` names its table of Cypher constructs in `repoquarry.graphstore.query.cypher.dialect`."""

    dialect: str
    capabilities: frozenset[Capability]


@dataclass(frozen=True)
class QueryLimits:
    """Limits of one untrusted query; 0 means no limit."""

    seconds: float = 30.0
    """Wall-clock time. 0 means no limit."""

    rows: int = 10_000
    """Rows of the result; further rows are truncated and reported. 0 means no limit."""

    bytes: int = 16 * 1024 * 1024
    """Size of the result; further rows are truncated and reported. 0 means no limit."""

    memory_bytes: int = 2 * 1024 * 1024 * 1024
    """Memory of the query in addition to the loaded graph. On Neo4j, the heap that the server attributes to the query, checked
    several times a second, and at most half of the server's limit for all transactions. 0 means no limit."""

    path_hops: int = 15
    """Upper bound for variable-length paths without one. 0 means 1,000, which no call path reaches."""


@dataclass(frozen=True)
class QueryResult:
    """Rows in an engine-independent form. `truncated` names the limit that truncated the rows, None if they are complete."""

    columns: tuple[str, ...]
    rows: list[tuple[Value, ...]]
    truncated: str | None = None
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()


def never() -> bool:
    """Return False: a query without a caller that may cancel it."""
    return False


@dataclass(frozen=True)
class QueryScope:
    """Part of the stored graph that can answer a query; an engine may read more."""

    repositories: frozenset[str] | None = None
    """Ids of repositories, stored or not; None means all."""

    links: int = 0
    """Maximum number of steps of a match into another repository, through a name that is external in one and defined in the other."""

    directory: bool = False
    """True if repositories, packages and their relationships are sufficient."""


WHOLE = QueryScope()


@dataclass(frozen=True)
class UntrustedQuery:
    """Untrusted query that passed the gate."""

    text: str
    parameters: Mapping[str, Value]
    limits: QueryLimits
    cancelled: Callable[[], bool] = never
    """Polled several times a second; True stops the query in the engine."""

    client: str = ""
    """Client for fair scheduling. Empty: this process."""

    scope: QueryScope = WHOLE


class RowSink(Protocol):
    """Receiver of query rows in batches (`repoquarry.graphstore.query.result_buffer.encode_batch`)."""

    def add(self, batch: bytes) -> None:
        """Append a batch. Raises: QueryLimitError if it does not fit."""

    def clear(self) -> None:
        """Discard the rows so far, because the query restarts."""


@dataclass(frozen=True)
class QueryOutcome:
    """End of a query whose rows went to a sink: `rows` is their number, `truncated` the limit that truncated them."""

    columns: tuple[str, ...]
    rows: int
    truncated: str | None
    seconds: float


@dataclass(frozen=True)
class DeletionSummary:
    """Number of nodes and relationships of a deleted repository."""

    nodes_deleted: int = 0
    relationships_deleted: int = 0


Progress = Callable[[int, int], None]
"""Called with (done, total) in nodes and relationships; may raise to cancel, and then nothing was changed."""


class GraphEngine(Protocol):
    """Stored graph, opened by `repoquarry.graphstore.engines.open_engine`; any number of threads of one process may use it.

    An engine opened for writing is the only writer: the caller (`Store`) holds the writer lock of the data folder.
    """

    @property
    def info(self) -> EngineInfo: ...

    def replace_repository(self, graph: RepositoryGraph, progress: Progress | None = None) -> None:
        """Make the stored graph of one repository equal to `graph`, writing only the differences where that is cheaper.

        Relationships belong to the repository of their start node; PROVIDES relationships from other repositories are retained while
        their end exists. Packages are merged, and removed when nothing refers to them. An engine may trust the ends of links to another
        stored repository; a missing end drops the link.

        Raises: InvalidGraphError if the graph violates the schema; StoreReadOnlyError if opened for reading; EngineUnavailableError if
        the engine is unreachable. In all cases the stored graph stays complete.
        """

    def change_repository(self, changes: GraphChanges, progress: Progress | None = None) -> None:
        """Apply the changes since the stored revision `changes.base`, with the result of `replace_repository`.

        The cost depends on the changes, as far as the engine can. Raises: ChangesRefusedError if another revision is stored, a changed or
        removed row is missing, an added row exists, or the rows exceed one transaction (then use `replace_repository`); and as
        `replace_repository`. In all cases the stored graph stays complete.
        """

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        """Context in which an engine may prefetch the data for `change_repository` of a repository; the cache is dropped on exit.

        For writers that are certain to write and have other work first. Raises: StoreCorruptError.
        """

    def exchange_links(self, removed: Sequence[RelationshipTable], added: Sequence[RelationshipTable]) -> None:
        """Remove existing links between repositories (PROVIDES from an External), and add missing ones; atomic.

        Links are trusted as in `replace_repository`. Raises: StoreReadOnlyError, EngineUnavailableError.
        """

    def delete_repository(self, repository: str) -> DeletionSummary:
        """Delete one repository's nodes and relationships. Raises: NotFoundError, StoreReadOnlyError, EngineUnavailableError."""

    def run(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, scope: QueryScope | None = None
    ) -> QueryResult:
        """Run a trusted read-only query in this process; the scope defaults to that of the text.

        Raises: QueryRefusedError, QueryFailedError, QueryLimitError, EngineUnavailableError.
        """

    def run_untrusted(self, query: UntrustedQuery, rows: RowSink) -> QueryOutcome:
        """Run an untrusted query that passed the gate, in isolation: an abort or exhausted memory affects this query only.

        Waits for the client's turn. Raises: as `run`, and QueryCancelledError, TooManyQueriesError.
        """

    def query_load(self) -> QueryLoad:
        """Return the number of running and queued untrusted queries."""

    def repositories(self) -> Sequence[str]:
        """Return the ids of the completely stored repositories, sorted."""

    def is_damaged(self, repository: str) -> bool:
        """Return whether the stored graph of a repository is unreadable and must be replaced."""

    def close(self) -> None: ...


class AdoptingEngine(GraphEngine, Protocol):
    """Engine with `Capability.ADOPTION`."""

    def adopt_repository(self, folder: Path, repository: str, links: Sequence[RelationshipTable]) -> None:
        """Adopt the graph of a repository from the data folder of another embedded store, and connect it by `links`.

        The other folder is unusable afterwards. Raises: as `replace_repository`.
        """


class SharedEngine(GraphEngine, Protocol):
    """Engine with `Capability.CONCURRENT_WRITERS`; texts of its repositories are in the data folders of several stores."""

    def record_data_folder(self, repository: str, revision: str, folder: str) -> None:
        """Record the data folder with the texts of a repository, unless another revision is stored. Raises: as `replace_repository`."""

    def embedding_state(self, repository: str) -> EmbeddingState:
        """Return which vectors of a repository are stored."""

    def write_embeddings(self, embeddings: NodeEmbeddings) -> None:
        """Set vectors of nodes, and record where they come from. Raises: as `replace_repository`."""

    def search_nodes(
        self, index: str, query: Value, count: int, seconds: float, *, by_vector: bool
    ) -> list[tuple[float, str]]:
        """Return score and id of the best nodes, with `Capability.VECTOR_SEARCH`. Raises: QueryFailedError, QueryLimitError."""


@dataclass(frozen=True)
class EmbeddingState:
    """Vectors of a repository in a shared graph."""

    version: str | None
    """Revision of the embedder; None if no vectors are recorded."""
    index: str | None
    """Revision of the search index that they were read from."""
    missing: frozenset[str]


@dataclass(frozen=True)
class NodeEmbeddings:
    """Vectors to be stored with the nodes of a repository."""

    repository: str
    model: str
    version: str
    index: str
    dimension: int
    ids_by_label: Mapping[str, Sequence[str]]
    read: Callable[[Sequence[str]], list[list[float]]]


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PARAMETER = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | //[^\n\r]* | /\*.*?\*/ | \$(?P<word>\w+) | \$`(?P<quoted>(?:[^`]|``)*)`
      | `(?:[^`]|``)*`""",
    re.VERBOSE | re.DOTALL,
)
"""Parameter, or a token that could contain a `$` without being one."""


def with_plain_parameters(text: str, parameters: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
    """Rename parameters to plain names; unchanged if all names are plain."""
    odd = [name for name in parameters if not _PLAIN.fullmatch(name)]
    if not odd:
        return text, dict(parameters)
    new: dict[str, str] = {}
    for name in odd:
        number = len(new) + 1
        while f"given{number}" in parameters or f"given{number}" in new.values():
            number += 1
        new[name] = f"given{number}"

    def renamed(match: re.Match[str]) -> str:
        quoted = match["quoted"]
        name = match["word"] if quoted is None else quoted.replace("``", "`")
        return match[0] if name is None or name not in new else f"${new[name]}"

    return _PARAMETER.sub(renamed, text), {new.get(name, name): value for name, value in parameters.items()}


_UNBOUNDED = QueryLimits(seconds=0, rows=0, bytes=0, memory_bytes=0)


def read_repository_graph(engine: GraphEngine, repository: str) -> RepositoryGraph:
    """Read the nodes and relationships of one repository, with the shared packages that it refers to."""
    nodes = [_nodes(engine, label, repository) for label in NODE_LABELS.values()]
    relationships = [
        _relationships(engine, kind, start, end, repository)
        for kind in RELATIONSHIP_TYPES.values()
        for start in kind.start
        for end in kind.end
    ]
    return RepositoryGraph(
        repository, [table for table in nodes if len(table)], [table for table in relationships if len(table)]
    )


def _nodes(engine: GraphEngine, label: NodeLabel, repository: str) -> NodeTable:
    match label.name:
        case "Repository":
            match = "MATCH (n:Repository {id: $repository})"
        case "Package":
            match = "MATCH (r:Repository {id: $repository})-->(n:Package) WITH DISTINCT n"
        case _:
            match = f"MATCH (n:{label.name}) WHERE n.repository = $repository"
    text = f"{match} RETURN {_projected('n', label.properties)} ORDER BY n.id"
    rows = engine.run(text, {"repository": repository}, _UNBOUNDED).rows
    return NodeTable(label.name, _columns([prop.name for prop in label.properties], rows))


def _relationships(
    engine: GraphEngine, kind: RelationshipType, start: str, end: str, repository: str
) -> RelationshipTable:
    where = "a.id = $repository" if start == "Repository" else "a.repository = $repository"
    text = (
        f"MATCH (a:{start})-[r:{kind.name}]->(b:{end}) WHERE {where} "
        f"RETURN a.id AS `start id`, b.id AS `end id`{', ' if kind.properties else ''}{_projected('r', kind.properties)} "
        "ORDER BY `start id`, `end id`"
    )
    rows = engine.run(text, {"repository": repository}, _UNBOUNDED).rows
    columns = _columns(["start id", "end id", *(prop.name for prop in kind.properties)], rows)
    starts, ends = columns.pop("start id"), columns.pop("end id")
    return RelationshipTable(kind.name, start, end, [*map(str, starts)], [*map(str, ends)], columns)


def _projected(variable: str, properties: tuple[Property, ...]) -> str:
    return ", ".join(f"{variable}.{prop.name} AS `{prop.name}`" for prop in properties)


def _columns(names: Sequence[str], rows: Sequence[tuple[Value, ...]]) -> dict[str, list[Any]]:
    cells = zip(*rows, strict=True) if rows else ((),) * len(names)
    return {name: [*column] for name, column in zip(names, cells, strict=True)}
