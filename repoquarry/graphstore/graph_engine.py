"""`GraphEngine`: protocol, capabilities and query types of every engine; stored graphs read back as tables.

Callers ask for a capability, never for an engine by name. Everything that writes is atomic as seen by readers: after a crash
at any moment a repository is as it was before the write or as it is after it.

Between the gate and an engine whose parser knows neither `` $`two words` `` nor letters outside ASCII. It works on the text
because only names change: everything else of the query stays where the gate, and the positions in errors, have it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from repoquarry.graphstore.model.graph_tables import Cell, GraphChanges, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, NodeLabel, Property, RelationshipType
from repoquarry.graphstore.model.values import Node, Relationship, Value
from repoquarry.graphstore.query.query_scheduler import QueryLoad


class Capability(enum.Enum):
    """Something that not every engine can do."""

    CONCURRENT_WRITERS = "several processes may write at once"
    LIVE_READS = "a reader sees what another process wrote without reopening"
    ADOPTION = "a repository can be taken from another folder of the embedded engine without being written again"
    VECTOR_SEARCH = "nearest neighbours inside the engine"


@dataclass(frozen=True)
class EngineInfo:
    """Who the engine is. `dialect` names its table of Cypher constructs in `repoquarry.graphstore.query.cypher.dialects`."""

    name: str
    version: str
    dialect: str
    capabilities: frozenset[Capability]


@dataclass(frozen=True)
class QueryLimits:
    """What one query from outside may use; 0 means no limit."""

    seconds: float = 30.0
    """Wall-clock time. 0 means no limit."""

    rows: int = 10_000
    """Rows of the result; more are cut and said to be. 0 means no limit."""

    bytes: int = 16 * 1024 * 1024
    """Size of the result; more rows are cut and said to be. 0 means no limit."""

    memory_bytes: int = 2 * 1024 * 1024 * 1024
    """Memory that the query takes beside the loaded graph; on Neo4j, heap that the server counts for it, looked at several times a second,
    and never over half of what the server has for all transactions. 0 means no limit."""

    path_hops: int = 15
    """Bound that replaces a missing upper bound of a variable-length path. 0 means 1,000, which no walk of calls reaches."""


@dataclass(frozen=True)
class QueryResult:
    """Rows in one form whatever the engine. `truncated` names the limit that cut the rows, None when they are complete."""

    columns: tuple[str, ...]
    rows: list[tuple[Value, ...]]
    truncated: str | None = None
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()


def _never() -> bool:
    return False


@dataclass(frozen=True)
class QueryScope:
    """Which part of the stored graph answers a query; an engine may look at more."""

    repositories: frozenset[str] | None = None
    """Ids of repositories, stored or not; None: all."""

    links: int = 0
    """How often a match can step into another repository by a name that is outside one and defined in the other."""

    directory: bool = False
    """Whether repositories, packages and what joins these suffice."""


WHOLE = QueryScope()


@dataclass(frozen=True)
class UntrustedQuery:
    """A query from outside, after the gate."""

    text: str
    parameters: Mapping[str, Value]
    limits: QueryLimits
    cancelled: Callable[[], bool] = _never
    """Asked several times a second; when it answers True the query is stopped on the engine."""

    client: str = ""
    """Whose query it is: turns are shared out by client. Empty: the process itself."""

    scope: QueryScope = WHOLE
    """Where its matches can lie."""


class RowSink(Protocol):
    """Takes the rows of a query in batches (`repoquarry.graphstore.query.result_buffer.encode_batch`)."""

    def add(self, batch: bytes) -> None:
        """Raises: QueryLimitError when there is no room for it."""
        ...

    def clear(self) -> None:
        """Forget the rows so far, because the query begins again."""
        ...


@dataclass(frozen=True)
class QueryOutcome:
    """How a query ended whose rows went to a sink; `rows` is their number, `truncated` the limit that cut them."""

    columns: tuple[str, ...]
    rows: int
    truncated: str | None
    seconds: float


@dataclass(frozen=True)
class WriteSummary:
    """What a write changed, counted in nodes and relationships."""

    nodes_written: int
    relationships_written: int
    nodes_deleted: int
    relationships_deleted: int
    seconds: float


Progress = Callable[[int, int], None]
"""Called with (done, total) in nodes and relationships; may raise to cancel, and then nothing was changed."""


class GraphEngine(Protocol):
    """A stored graph. Opened by `repoquarry.graphstore.engines.open_engine`; used by any number of threads of one process.

    An engine opened for writing is the only one that writes: the caller (`Store`) holds the data folder's writer lock.
    """

    @property
    def info(self) -> EngineInfo: ...

    def replace_repository(self, graph: RepositoryGraph, progress: Progress | None = None) -> WriteSummary:
        """Make the stored graph of one repository equal to `graph`, writing only what differs where that is cheaper.

        Relationships belong to the repository that they start in; PROVIDES relationships that reach into this one from others are
        kept where their end still exists. Packages are merged, and removed when nothing points at them any more. An engine may take
        the ends of links to another stored repository on trust; one that does not exist is then no link.

        Raises: InvalidGraphError when the graph breaks the schema; StoreReadOnlyError when opened for reading;
        EngineUnavailableError when the engine has gone away. In all cases what was stored before is whole.
        """
        ...

    def change_repository(self, changes: GraphChanges, progress: Progress | None = None) -> WriteSummary:
        """Apply what changed since the stored revision `changes.base`; the result is that of `replace_repository` with the whole.

        Costs what the changes cost, as far as the engine can. Raises: ChangesRefusedError when another revision is stored, when a row
        to be changed or removed is missing or one to be added is there, or when there are more rows than one transaction holds
        (then `replace_repository` does it); and as `replace_repository`. In all cases what was stored before is whole.
        """
        ...

    def prefetch(self, repository: str) -> AbstractContextManager[None]:
        """Inside, an engine may read what `change_repository` of a repository needs, stored or not; outside nothing of it is kept.

        For a writer that is sure to write and has other work before. Raises: StoreCorruptError.
        """
        ...

    def exchange_links(self, removed: Sequence[RelationshipTable], added: Sequence[RelationshipTable]) -> None:
        """Remove links between repositories (PROVIDES from an External) where they are, and add those that are not there.

        Links are trusted as in `replace_repository`. Raises: StoreReadOnlyError, EngineUnavailableError; all of it is done or nothing.
        """
        ...

    def delete_repository(self, repository: str) -> WriteSummary:
        """Delete one repository's nodes and relationships. Raises: NotFoundError, StoreReadOnlyError, EngineUnavailableError."""
        ...

    def run(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits, scope: QueryScope | None = None
    ) -> QueryResult:
        """Run one of our own reading queries in this process; without a scope it is taken from the text.

        Raises: QueryRefusedError, QueryFailedError, QueryLimitError, EngineUnavailableError.
        """
        ...

    def run_untrusted(self, query: UntrustedQuery, rows: RowSink) -> QueryOutcome:
        """Run a query from outside, after the gate, where an abort or exhausted memory harms nothing but the query.

        Waits for the client's turn. Raises: as `run`, and QueryCancelledError, TooManyQueriesError.
        """
        ...

    def query_load(self) -> QueryLoad:
        """Queries from outside that run and wait now."""
        ...

    def repositories(self) -> Sequence[str]:
        """Ids of the repositories that are stored whole, sorted."""
        ...

    def is_damaged(self, repository: str) -> bool:
        """Whether what is stored of a repository was found to be unreadable: it must be written whole."""
        ...

    def close(self) -> None: ...


class AdoptingEngine(GraphEngine, Protocol):
    """An engine with `Capability.ADOPTION`."""

    def adopt_repository(self, folder: Path, repository: str, links: Sequence[RelationshipTable]) -> None:
        """Take the graph of a repository from the data folder of another store on the embedded engine, and join it by `links`.

        The other folder is of no more use. Raises: as `replace_repository`.
        """
        ...


class SharedEngine(GraphEngine, Protocol):
    """An engine with `Capability.CONCURRENT_WRITERS`: texts of its repositories are in the data folders of several stores."""

    def record_data_folder(self, repository: str, revision: str, folder: str) -> None:
        """Name the data folder with the texts of a repository, unless another revision is stored. Raises: as `replace_repository`."""
        ...


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PARAMETER = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | //[^\n\r]* | /\*.*?\*/ | \$(?P<word>\w+) | \$`(?P<quoted>(?:[^`]|``)*)`
      | `(?:[^`]|``)*`""",
    re.VERBOSE | re.DOTALL,
)
"""A parameter, or something that could hold a `$` that is none."""


def with_plain_parameters(text: str, parameters: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
    """The query and its parameters with plain names; unchanged where all names are plain."""
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
    """The nodes and relationships of one repository; of the shared packages those that it points at."""
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
            text = "MATCH (n:Repository {id: $repository}) RETURN n"
        case "Package":
            text = "MATCH (r:Repository {id: $repository})-->(n:Package) RETURN DISTINCT n ORDER BY n.id"
        case _:
            text = f"MATCH (n:{label.name}) WHERE n.repository = $repository RETURN n ORDER BY n.id"
    rows = engine.run(text, {"repository": repository}, _UNBOUNDED).rows
    found = [row[0] for row in rows if isinstance(row[0], Node)]
    return NodeTable(label.name, _columns(label.properties, [node.properties for node in found]))


def _relationships(
    engine: GraphEngine, kind: RelationshipType, start: str, end: str, repository: str
) -> RelationshipTable:
    where = "a.id = $repository" if start == "Repository" else "a.repository = $repository"
    text = (
        f"MATCH (a:{start})-[r:{kind.name}]->(b:{end}) WHERE {where} "
        "RETURN a.id AS a_id, b.id AS b_id, r AS relation ORDER BY a_id, b_id"
    )
    rows = engine.run(text, {"repository": repository}, _UNBOUNDED).rows
    properties = [row[2].properties for row in rows if isinstance(row[2], Relationship)]
    return RelationshipTable(
        kind.name,
        start,
        end,
        [str(row[0]) for row in rows],
        [str(row[1]) for row in rows],
        _columns(kind.properties, properties),
    )


def _columns(properties: tuple[Property, ...], rows: list[dict[str, Value]]) -> dict[str, list[Cell]]:
    return {prop.name: [_cell(row.get(prop.name)) for row in rows] for prop in properties}


def _cell(value: Value) -> Cell:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return value  # type: ignore[return-value]  # the schema has lists of strings and of integers only
    raise TypeError(f"no property holds a {type(value).__name__}")
