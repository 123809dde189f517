"""Views over the database files of a scope: one connection for each set of files, without access to anything else."""

from __future__ import annotations

import contextlib
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import duckdb

from repoquarry.graphstore.engines.duckdb.graph_folder import CONFIG, DatabaseFolder, number_of
from repoquarry.graphstore.engines.duckdb.graph_tables import LINKS, SHARED, create_tables
from repoquarry.graphstore.engines.duckdb.query_session import QuerySession
from repoquarry.graphstore.engines.embedded_engine import MAX_CATALOG_READS, FolderViews
from repoquarry.graphstore.graph_engine import QueryLimits, QueryResult, QueryScope
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.result_buffer import collect_rows
from repoquarry.graphstore.query.sql.sql_types import KIND_BITS, TYPE_NUMBERS, quote

_MAX_SESSIONS: Final = 8
"""Maximum sets of files that stay open."""

_LINKED: Final = "linked"
_FIRST_LINK: Final = TYPE_NUMBERS["PROVIDES"] << KIND_BITS | 1 << KIND_BITS - 1
"""Id of the first relationship that is made of a link, above those of all repositories."""


class GraphViews(FolderViews[DatabaseFolder]):
    def __init__(self, folder: DatabaseFolder) -> None:
        super().__init__(folder)
        self._sessions: OrderedDict[tuple[tuple[str, ...], int], QuerySession] = OrderedDict()

    def _forget_replaced(self, files: set[str]) -> None:
        for key in [key for key in self._sessions if not files.issuperset(key[0])]:
            self._sessions.pop(key).close()

    def session(self, scope: QueryScope, memory_bytes: int = 0) -> QuerySession:
        """Return a session over the current files of a scope. Raises: StoreCorruptError."""
        with self._guard:
            for _ in range(MAX_CATALOG_READS):
                with contextlib.suppress(FileNotFoundError):
                    return self._session(self.files(scope), memory_bytes)
                self._stamp = ()
            present = tuple(file for file in self.files(scope) if (self._folder.path / file).exists())
            return self._session(present, memory_bytes)

    def files(self, scope: QueryScope) -> tuple[str, ...]:
        """Return the files that can answer queries of a scope."""
        catalogue = self.catalogue()
        names = frozenset(catalogue.entries)
        if scope.repositories is not None:
            names = catalogue.around(scope.repositories, scope.links)
        return tuple(sorted((catalogue.entries[name].file for name in names), key=number_of))

    def _session(self, files: tuple[str, ...], memory_bytes: int) -> QuerySession:
        key = files, memory_bytes
        if key not in self._sessions:
            self._sessions[key] = QuerySession(self._opened(files, memory_bytes))
            while len(self._sessions) > _MAX_SESSIONS:
                self._sessions.popitem(last=False)[1].close()
        self._sessions.move_to_end(key)
        return self._sessions[key]

    def _opened(self, files: Sequence[str], memory_bytes: int) -> Any:
        connection = duckdb.connect(config=dict(CONFIG))
        try:
            if memory_bytes:
                connection.execute(f"SET memory_limit = '{memory_bytes} bytes'")
            for place, file in enumerate(files):
                self._attach(connection, file, f"g{place}")
            create_views(connection, [f"g{place}" for place in range(len(files))])
            connection.execute("SET enable_external_access = false")
            # The functions in Python are added by the session, which needs no setting.
            connection.execute("SET lock_configuration = true")
        except BaseException:
            connection.close()
            raise
        return connection

    def _attach(self, connection: Any, file: str, name: str) -> None:
        path = self._folder.path / file
        if not path.exists():
            raise FileNotFoundError(path)
        try:
            connection.execute(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS {name} (READ_ONLY)")
        except duckdb.Error as exc:
            if not path.exists():
                raise FileNotFoundError(path) from exc
            raise self._folder.mark_damaged(file, exc) from exc

    def drop(self) -> None:
        with self._guard:
            for session in self._sessions.values():
                session.close()
            self._sessions.clear()


def create_views(connection: Any, parts: Sequence[str]) -> None:
    """Create a view of each table over the attached databases, and resolve the links between them."""
    if not parts:
        create_tables(connection)
        return
    for name in NODE_LABELS:
        union = " UNION ALL ".join(f'SELECT * FROM {part}.main."n_{name}"' for part in parts)
        if name == SHARED and len(parts) > 1:
            union = f"SELECT DISTINCT ON (nid) * FROM ({union})"
        connection.execute(f'CREATE VIEW "n_{name}" AS {union}')
    _resolve_links(connection, parts)
    for name in RELATIONSHIP_TYPES:
        union = " UNION ALL ".join(f'SELECT * FROM {part}.main."r_{name}"' for part in parts)
        if name == "PROVIDES":
            union += f" UNION ALL SELECT * FROM {_LINKED}"
        connection.execute(f'CREATE VIEW "r_{name}" AS {union}')


def _resolve_links(connection: Any, parts: Sequence[str]) -> None:
    """Store the links whose ends exist as relationships."""
    properties = "".join(f", NULL AS {quote(p.name)}" for p in RELATIONSHIP_TYPES["PROVIDES"].properties)
    union = " UNION ".join(f"SELECT * FROM {part}.main.{LINKS}" for part in parts)
    kinds = connection.execute(f"SELECT DISTINCT start_label, end_label FROM ({union}) ORDER BY ALL").fetchall()
    arms = [
        f'SELECT a.nid AS s, b.nid AS t FROM ({union}) l JOIN "n_{start}" a ON a.id = l.start_id '
        f"JOIN \"n_{end}\" b ON b.id = l.end_id WHERE l.start_label = '{start}' AND l.end_label = '{end}'"
        for start, end in kinds
        if start in NODE_LABELS and end in NODE_LABELS
    ]
    found = " UNION ALL ".join(arms) or "SELECT 0 AS s, 0 AS t WHERE FALSE"
    connection.execute(
        f"CREATE TABLE {_LINKED} AS SELECT row_number() OVER () + {_FIRST_LINK} AS rid, s, t{properties} FROM ({found})"
    )


def run_query(session: QuerySession, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> QueryResult:
    started = time.perf_counter()
    columns, found = stream_query(session, text, parameters, limits)
    rows, truncated = collect_rows(found, limits)
    return QueryResult(columns, rows, truncated, time.perf_counter() - started)


def stream_query(
    session: QuerySession, text: str, parameters: Mapping[str, Value], limits: QueryLimits
) -> tuple[tuple[str, ...], Iterator[tuple[Value, ...]]]:
    """Return the columns and lazy rows of a read-only query."""
    compiled = session.compile(text, parameters, limits.path_hops or 1_000)
    return tuple(name for name, _ in compiled.columns), session.stream(compiled, limits.seconds)
