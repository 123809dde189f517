"""Connection that answers compiled queries: it has the functions in Python, and reads the entities of a result."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import duckdb

from repoquarry.graphstore.errors import EngineUnavailableError, QueryFailedError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.sql.dynamic_values import EntityId, decode
from repoquarry.graphstore.query.sql.errors import RowsNeededError, UnsupportedError
from repoquarry.graphstore.query.sql.path_search import PATH_FUNCTIONS, PathSearcher
from repoquarry.graphstore.query.sql.query_compiler import CompiledQuery, QueryCompiler
from repoquarry.graphstore.query.sql.scalar_functions import SCALAR_FUNCTIONS, ScalarFunction
from repoquarry.graphstore.query.sql.sql_types import KIND_BITS, LABELS, TYPES, SqlType

_BATCH: Final = 2_000
_FAILURE: Final = re.compile(r"CypherFailure: (.*)", re.DOTALL)


class QuerySession:
    """Session over a connection that has the tables of a graph, as tables or views."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._searcher = PathSearcher()
        self._numbers = itertools.count()
        for name, function in SCALAR_FUNCTIONS.items():
            self._add_function(name, function)
        for name, (call, arguments, result) in PATH_FUNCTIONS.items():
            connection.create_function(
                name,
                _with_arity(partial(call, self._searcher), len(arguments)),
                list(arguments),
                result,
                type="arrow",
                null_handling="special",
            )

    def _add_function(self, name: str, function: ScalarFunction) -> None:
        call: Callable[..., Any] = function.call
        kind, spelled = function.result, name
        if kind == "DOUBLE":  # A float goes through its text, since DuckDB takes NaN of Python for null.
            call, kind, spelled = partial(_float_text, function.call), "VARCHAR", f"{name}_text"
        call = _with_arity(call, len(function.arguments))
        self._connection.create_function(spelled, call, list(function.arguments), kind, null_handling="special")
        if spelled != name:
            names = ", ".join("abc"[: len(function.arguments)])
            self._connection.execute(f"CREATE MACRO {name}({names}) AS {spelled}({names})::DOUBLE")

    def compile(self, text: str, parameters: Mapping[str, Value], path_hops: int = 15) -> CompiledQuery:
        """Compile a query that passed the gate. Raises: QueryRefusedError with the reason."""
        compiler = QueryCompiler(parameters, path_hops, f"{next(self._numbers)}.")
        try:
            return compiler.compile(parse(text), text)
        except (UnsupportedError, RowsNeededError) as exc:
            message = str(exc) or "a part of a list expression that needs rows of its own"
            raise QueryRefusedError(f"{message}; this engine does not answer it", reason="not_portable") from exc

    def stream(self, query: CompiledQuery, seconds: float = 0.0) -> Iterator[tuple[Value, ...]]:
        """Run a query within `seconds` (0: no limit) and yield its rows.

        Raises: QueryFailedError, QueryLimitError.
        """
        cursor = self._connection.cursor()
        timer = threading.Timer(seconds, cursor.interrupt)
        timer.daemon = True
        if seconds:
            timer.start()
        try:
            self._searcher.prepare(dict(query.searches), partial(self._load_edges, query.parameters))
            result = cursor.execute(query.sql, _used(query.sql, query.parameters))
            reader = EntityReader(self._connection.cursor())
            types = [found for _, found in query.columns]
            while batch := result.fetchmany(_BATCH):
                yield from reader.rows(batch, types)
        except duckdb.Error as exc:
            raise translated(exc) from exc
        finally:
            timer.cancel()
            self._searcher.forget(dict(query.searches))
            cursor.close()

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Run SQL of our own."""
        rows: list[tuple[Any, ...]] = self._connection.cursor().execute(sql).fetchall()
        return rows

    def close(self) -> None:
        self._connection.close()

    def _load_edges(self, parameters: Mapping[str, Any], sql: str) -> tuple[Any, Any, Any]:
        found = self._connection.cursor().execute(sql, _used(sql, parameters)).fetchnumpy()
        return tuple(found[name] for name in ("rid", "a", "b"))


def _with_arity(call: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return the function with as many parameters as DuckDB counts."""
    if count == 1:
        return lambda a: call(a)
    return (lambda a, b: call(a, b)) if count == 2 else (lambda a, b, c: call(a, b, c))


def _float_text(call: Callable[..., float | None], *given: Any) -> str | None:
    found = call(*given)
    return None if found is None else repr(float(found))


def _used(sql: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a text refers to; DuckDB rejects others."""
    named = set(re.findall(r"\$(p\d+)", sql))
    return {name: value for name, value in parameters.items() if name in named}


def translated(exc: duckdb.Error) -> Exception:
    """Translate an error of DuckDB."""
    message = str(exc)
    found = _FAILURE.search(message)
    if found is not None:
        return QueryFailedError(found[1].strip())
    if isinstance(exc, duckdb.OutOfMemoryException):
        return QueryLimitError("the query needs more memory than it may use", limit="memory_bytes")
    if isinstance(exc, duckdb.OutOfRangeException | duckdb.ConversionException):
        return QueryFailedError(f"a number does not fit its type: {message.splitlines()[0]}")
    if isinstance(exc, duckdb.InterruptException):
        return QueryLimitError("the query exceeded its time limit", limit="seconds")
    if isinstance(exc, duckdb.IOException | duckdb.FatalException):
        return EngineUnavailableError(f"the tables of the graph cannot be read: {message.splitlines()[0]}")
    if isinstance(exc, duckdb.ParserException | duckdb.BinderException | duckdb.CatalogException):
        # The engine's message is about the compiled SQL, which the user does not know.
        return QueryRefusedError(
            "this engine does not take the query in the SQL that RepoQuarry compiles it to, which is a bug of RepoQuarry; "
            "write the query in another way, or use another engine (store.engine)",
            reason="not_portable",
        )
    return QueryFailedError(f"the engine could not run the query: {message.splitlines()[0]}")


class EntityReader:
    """Reader of the nodes and relationships whose ids a result has."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._nodes: dict[int, Node] = {}
        self._relationships: dict[int, Relationship] = {}

    def rows(self, batch: Sequence[Sequence[Any]], types: Sequence[SqlType]) -> Iterator[tuple[Value, ...]]:
        """Yield the rows of a batch with entities in place of ids."""
        plain = [found.kind in ("boolean", "integer", "float", "string", "null") for found in types]
        if all(plain):
            yield from map(tuple, batch)
            return
        wanted: dict[str, set[int]] = {"n": set(), "r": set()}
        for row in batch:
            for cell, found in zip(row, types, strict=False):
                _collect(cell, found, wanted)
        self._read(wanted)
        for row in batch:
            yield tuple(self._value(cell, found) for cell, found in zip(row, types, strict=False))

    def _read(self, wanted: Mapping[str, set[int]]) -> None:
        rows = list(self._rows(wanted["r"] - self._relationships.keys(), "r_", "rid", TYPES))
        ends = {end for _, row in rows for end in (row["s"], row["t"])}
        for label, row in self._rows((wanted["n"] | ends) - self._nodes.keys(), "n_", "nid", LABELS):
            number = row.pop("nid")
            self._nodes[number] = Node(row["id"], (label,), row)
        for kind, row in rows:
            number, start, end = row.pop("rid"), self._nodes[row.pop("s")], self._nodes[row.pop("t")]
            self._relationships[number] = Relationship(kind, start.id, start.labels[0], end.id, end.labels[0], row)

    def _rows(self, ids: set[int], prefix: str, key: str, names: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        by_name: dict[str, list[int]] = {}
        for number in ids:
            by_name.setdefault(names[number >> KIND_BITS], []).append(number)
        for name, numbers in by_name.items():
            sql = f'SELECT * FROM "{prefix}{name}" WHERE {key} IN (SELECT unnest($ids::BIGINT[]))'
            found = self._connection.execute(sql, {"ids": numbers})
            columns = [column[0] for column in found.description]
            for row in found.fetchall():
                yield name, {column: cell for column, cell in zip(columns, row, strict=True) if cell is not None}

    def _value(self, cell: Any, found: SqlType) -> Value:
        if cell is None:
            return None
        if found.is_dynamic:
            return self._dynamic(decode(cell))
        if found.kind == "node":
            return self._nodes[cell]
        if found.kind == "relationship":
            return self._relationships[cell]
        if found.kind == "path":
            return self._path(cell["ns"], cell["rs"])
        if found.is_list:
            return [self._value(item, found.items) for item in cell]
        if found.kind == "map":
            return {key: self._value(cell[key], item) for key, item in found.fields}
        value: Value = cell
        return value

    def _dynamic(self, cell: Any) -> Value:
        if isinstance(cell, list):
            return [self._dynamic(item) for item in cell]
        if isinstance(cell, dict):
            return {key: self._dynamic(item) for key, item in cell.items()}
        if isinstance(cell, EntityId):
            if cell.tag == "p":
                return self._path(cell.nodes, cell.relationships)
            return self._nodes[cell.id] if cell.tag == "n" else self._relationships[cell.id]
        value: Value = cell
        return value

    def _path(self, nodes: Sequence[int], relationships: Sequence[int]) -> Path:
        return Path(tuple(self._nodes[n] for n in nodes), tuple(self._relationships[r] for r in relationships))


def _collect(cell: Any, found: SqlType, wanted: Mapping[str, set[int]]) -> None:
    """Add the ids of a cell to those that are read."""
    if cell is None:
        return
    if found.kind in ("node", "relationship"):
        wanted[found.kind[0]].add(cell)
    elif found.kind == "path":
        wanted["n"].update(cell["ns"])
        wanted["r"].update(cell["rs"])
    elif found.is_list:
        for item in cell:
            _collect(item, found.items, wanted)
    elif found.kind == "map":
        for key, item in found.fields:
            _collect(cell[key], item, wanted)
    elif found.is_dynamic:
        _collect_dynamic(decode(cell), wanted)


def _collect_dynamic(cell: Any, wanted: Mapping[str, set[int]]) -> None:
    if isinstance(cell, list | dict):
        for item in cell.values() if isinstance(cell, dict) else cell:
            _collect_dynamic(item, wanted)
    elif isinstance(cell, EntityId):
        if cell.tag == "p":
            wanted["n"].update(cell.nodes)
            wanted["r"].update(cell.relationships)
        else:
            wanted[cell.tag].add(cell.id)
