"""Neo4j's answers to the queries of `compared_queries`, recorded: `python -m tests.engines.differential.recorded_rows [--all]`.

The command starts Neo4j and records the queries that `neo4j_rows.msgpack.xz` lacks, with `--all` every query, and drops the
others. `make test` compares the embedded engine with the file, `make test-long` compares Neo4j with it.
"""

from __future__ import annotations

import hashlib
import lzma
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.result_buffer import decode_row, encode_row
from tests.engines.differential.compared_queries import GRAPHS, ComparedQuery, list_named_queries, list_queries
from tests.engines.differential.engine_pair import LIMITS, Answer, answer, filled_engine, sorts
from tests.neo4j_server import empty, neo4j_server

FILE = Path(__file__).with_name("neo4j_rows.msgpack.xz")
COMMAND = "python -m tests.engines.differential.recorded_rows"


class _Record(msgspec.Struct, frozen=True, array_like=True):
    """Recorded answer, with the numbers of its cells by column; a query that sorts no rows has them in the order of these."""

    digest: str
    query: str
    columns: tuple[str, ...]
    error: str
    kind: str
    cells: list[list[int]]


class _Recording(msgspec.Struct, frozen=True):
    """Content of the file. Equal cells are stored once, encoded as rows of one cell, which halves the file."""

    cells: list[bytes]
    records: list[_Record]


class RecordedRows:
    """Recorded answers by digest of graphs, query and parameters, with the text of the query."""

    def __init__(self, answers: Mapping[str, tuple[str, Answer]]) -> None:
        self._answers = dict(answers)

    @classmethod
    def load(cls) -> RecordedRows:
        """Read the file; without it nothing is recorded."""
        if not FILE.exists():
            return cls({})
        recording = msgspec.msgpack.decode(lzma.decompress(FILE.read_bytes()), type=_Recording)
        cells = [decode_row(cell)[0] for cell in recording.cells]
        answers: dict[str, tuple[str, Answer]] = {}
        for record in recording.records:
            rows = zip(*([cells[number] for number in column] for column in record.cells), strict=True)
            answers[record.digest] = (record.query, Answer(record.columns, tuple(rows), record.error, record.kind))
        return cls(answers)

    def save(self) -> None:
        encoded = {digest: _encode(given.rows) for digest, (_, given) in self._answers.items()}
        cells = sorted({cell for rows in encoded.values() for row in rows for cell in row})
        numbers = {cell: number for number, cell in enumerate(cells)}
        records: list[_Record] = []
        for digest, (query, given) in sorted(self._answers.items(), key=lambda item: (item[1][0], item[0])):
            rows = [[numbers[cell] for cell in row] for row in encoded[digest]]
            columns = [list(column) for column in zip(*(rows if sorts(query) else sorted(rows)), strict=True)]
            records.append(_Record(digest, query, given.columns, given.error, given.kind, columns))
        content = msgspec.msgpack.encode(_Recording(cells, records))
        FILE.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))

    def list_missing(self, queries: list[ComparedQuery]) -> list[ComparedQuery]:
        return [query for query in queries if _digest(query) not in self._answers]

    def list_unused(self, queries: list[ComparedQuery]) -> list[str]:
        """List texts of recorded queries that are compared no more."""
        unused = self._answers.keys() - {_digest(query) for query in queries}
        return [self._answers[digest][0] for digest in unused]

    def get(self, query: ComparedQuery) -> Answer:
        """Return the recorded answer. Raises: LookupError."""
        if _digest(query) not in self._answers:
            raise LookupError(f"no recorded answer of Neo4j; run {COMMAND}: {query.text}")
        return self._answers[_digest(query)][1]

    def put(self, query: ComparedQuery, given: Answer) -> None:
        self._answers[_digest(query)] = (query.text, given)


def _encode(rows: tuple[tuple[Value, ...], ...]) -> list[list[bytes]]:
    return [[encode_row([cell]) for cell in row] for row in rows]


def _digest(query: ComparedQuery) -> str:
    parameters = msgspec.json.encode(query.parameters, order="sorted")
    parts = (_digest_graphs(query.graphs), query.text.encode(), parameters)
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


@cache
def _digest_graphs(name: str) -> bytes:
    """Return the digest of graphs, so that another graph needs other recorded rows."""
    return hashlib.sha256(msgspec.json.encode(GRAPHS[name](), order="sorted")).digest()


def main() -> None:
    """Record what is missing."""
    queries, recorded = [*list_queries(), *list_named_queries()], RecordedRows.load()
    kept = RecordedRows({})
    missing = queries if "--all" in sys.argv else recorded.list_missing(queries)
    for query in queries:
        if query not in missing:
            kept.put(query, recorded.get(query))
    if missing:
        _record(missing, kept)
    kept.save()
    print(f"recorded {len(missing)} of {len(queries)} queries, dropped {len(recorded.list_unused(queries))}")


def _record(queries: list[ComparedQuery], recorded: RecordedRows) -> None:
    with tempfile.TemporaryDirectory() as name, neo4j_server(Path(name) / "server") as server:
        if server is None:
            raise SystemExit("no Neo4j: set REPOQUARRY_TEST_NEO4J_URI or NEO4J_HOME, or start Docker")
        for graphs, build in GRAPHS.items():
            chosen = [query for query in queries if query.graphs == graphs]
            if not chosen:
                continue
            empty(server)
            with filled_engine(server.settings(Path(name) / graphs), build()) as engine:
                for query in chosen:
                    recorded.put(query, _ask(engine, query))


def _ask(engine: GraphEngine, query: ComparedQuery) -> Answer:
    """Return the answer; the product's own queries pass no gate. Raises: SystemExit if the answer is cut."""
    if query.graphs == "sample":
        result = engine.run(query.text, query.parameters, LIMITS)
        return Answer(result.columns, tuple(result.rows))
    given = answer(engine, query.text, query.parameters)
    if given.kind == "cut":
        raise SystemExit(f"{given.error}; a query that is cut cannot be compared: {query.text}")
    return given


if __name__ == "__main__":
    main()
