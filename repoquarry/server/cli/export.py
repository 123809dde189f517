"""`repoquarry export`: a repository's graph in the format of another tool."""

from __future__ import annotations

import enum
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid, refuse

if TYPE_CHECKING:
    from repoquarry.server.api import Api

_PAGE = 5_000
_MODULES = """
MATCH (m:Module) WHERE m.repository = $repository
RETURN m.path AS path, m.name AS name ORDER BY m.id SKIP $first LIMIT $rows
"""
_FUNCTIONS = """
MATCH (f:Function) WHERE f.repository = $repository
RETURN f.path AS path, f.qualname AS qualname ORDER BY f.id SKIP $first LIMIT $rows
"""
_CALLS = """
MATCH (a)-[:CALLS]->(b) WHERE a.repository = $repository
RETURN a.path AS path, a.qualname AS qualname, labels(b)[0] AS kind, b.path AS to_path, b.qualname AS to_qualname
ORDER BY a.id, b.id SKIP $first LIMIT $rows
"""


class Format(enum.StrEnum):
    """Formats that can be written."""

    CALLGRAPH_JSON = "callgraph-json"
    GRAPHML = "graphml"
    NEO4J_CSV = "neo4j-csv"
    PARQUET = "parquet"
    DOT = "dot"


_FOLDERS = {Format.NEO4J_CSV, Format.PARQUET}
"""Formats of several files."""


@with_session
def command(
    session: Session,
    repository: Annotated[str, typer.Argument(help="Id of the repository.")],
    format: Annotated[
        Format,
        typer.Option(
            "--format",
            help="`callgraph-json`: {caller: [callees]} in PyCG's naming; `graphml`; `neo4j-csv`: a folder for neo4j-admin "
            "database import; `parquet`: a folder with a file for each label and type; `dot`: the calls around --around.",
        ),
    ] = Format.CALLGRAPH_JSON,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write to this file, not to stdout; a new folder for neo4j-csv and parquet."
        ),
    ] = None,
    around: Annotated[str | None, typer.Option("--around", help="dot: the name whose calls are drawn.")] = None,
    hops: Annotated[int, typer.Option("--hops", min=1, max=5, help="dot: how far around it.")] = 1,
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", min=0, max=1, help="dot: leave out less certain calls.")
    ] = 0.0,
) -> None:
    """Write a repository's graph in another tool's format."""
    from repoquarry.v1.repository_service_pb2 import GetRepositoryRequest

    _check(format, output, around)
    with session.api() as api:
        api.repositories.get_repository(GetRepositoryRequest(name=repository))
        if format in _FOLDERS:
            assert output is not None  # noqa: S101  _check refused otherwise
            _into_folder(api, repository, format, output)
        else:
            with _opened(output) as target:
                _as_text(api, repository, format, target, (around or "", hops, min_confidence))


def _check(format: Format, output: Path | None, around: str | None) -> None:
    if format in _FOLDERS and output is None:
        raise invalid("--output", f"{format} is a folder of files: name a new one")
    if (format is Format.DOT) != (around is not None):
        raise invalid("--around", f"{'dot needs' if format is Format.DOT else 'only dot takes'} --around NAME")


def _as_text(api: Api, repository: str, format: Format, target: TextIO, around: tuple[str, int, float]) -> None:
    if format is Format.GRAPHML:
        from repoquarry.server.exports import graphml
        from repoquarry.server.exports.reading import RepositoryGraph

        graphml.write(RepositoryGraph(api, repository), target)
    elif format is Format.DOT:
        from repoquarry.server.exports import dot

        dot.write(api, repository, *around, target)
    else:
        graph = callgraph(api, repository)
        target.write(json.dumps(graph, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def _into_folder(api: Api, repository: str, format: Format, folder: Path) -> None:
    from repoquarry.server.exports import neo4j_csv, parquet
    from repoquarry.server.exports.reading import RepositoryGraph

    write = neo4j_csv.write if format is Format.NEO4J_CSV else parquet.write
    with _translated(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise invalid("--output", f"{folder} is not empty: name a new folder")
        told = write(RepositoryGraph(api, repository), folder.resolve())
    print(told, file=sys.stderr)


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    """Stdout, or a file that is there only when it is whole."""
    if output is None:
        yield sys.stdout
        return
    part = output.with_name(output.name + ".part")
    with _translated(output):
        try:
            with part.open("w", encoding="utf-8") as target:
                yield target
            part.replace(output)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise refuse("OUTPUT_FAILED", f"{path} cannot be written: {exc.strerror}", path=str(path)) from exc


def callgraph(api: Api, repository: str) -> dict[str, list[str]]:
    """`{caller: [callees]}` with every module and function as a caller.

    Naming as PyCG's: `package.module.Class.method`, lambdas `<lambda1>`, built-ins `<builtin>.len`, code at module level is the
    module itself, and calling a class is calling its `__init__` where it defines one.
    """
    modules = dict(_rows(api, _MODULES, repository))
    functions = {(path, qualname) for path, qualname in _rows(api, _FUNCTIONS, repository)}

    def named(path: str, qualname: str | None) -> str:
        module = modules.get(path, path)
        return f"{module}.{qualname}" if qualname else module

    graph: dict[str, set[str]] = {name: set() for name in modules.values()}
    graph.update({named(path, qualname): set() for path, qualname in functions})
    for path, qualname, kind, to_path, to_qualname in _rows(api, _CALLS, repository):
        if kind == "External":
            callee = (
                to_qualname.replace("builtins.", "<builtin>.", 1)
                if to_qualname.startswith("builtins.")
                else to_qualname
            )
        elif kind == "Class" and (to_path, f"{to_qualname}.__init__") in functions:
            callee = named(to_path, f"{to_qualname}.__init__")
        else:
            callee = named(to_path, to_qualname)
        graph.setdefault(named(path, qualname), set()).add(callee)
    return {caller: sorted(callees) for caller, callees in sorted(graph.items())}


def _rows(api: Api, query: str, repository: str) -> Iterator[list[Any]]:
    """All rows of a query, in pages that stay within the limits on a result."""
    from repoquarry.server.values import from_json, to_json
    from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest

    first = 0
    while True:
        parameters = {"repository": from_json(repository), "first": from_json(first), "rows": from_json(_PAGE)}
        rows = [
            [to_json(value) for value in row.values]
            for part in api.queries.execute_cypher(ExecuteCypherRequest(query=query, parameters=parameters))
            for row in part.rows.rows
        ]
        yield from rows
        first += len(rows)
        if len(rows) < _PAGE:
            return
