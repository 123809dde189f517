"""`repoquarry export`: a repository's graph in the format of another tool."""

from __future__ import annotations

import enum
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import refuse

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


@with_session
def command(
    session: Session,
    repository: Annotated[str, typer.Argument(help="Id of the repository.")],
    format: Annotated[
        Format, typer.Option("--format", help="`callgraph-json`: {caller: [callees]} in PyCG's naming.")
    ] = Format.CALLGRAPH_JSON,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file, not to stdout.")] = None,
) -> None:
    """Write a repository's graph in another tool's format."""
    from repoquarry.v1.repository_service_pb2 import GetRepositoryRequest

    with session.api() as api:
        api.repositories.get_repository(GetRepositoryRequest(name=repository))
        graph = callgraph(api, repository)
    text = json.dumps(graph, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise refuse("OUTPUT_FAILED", f"{output} cannot be written: {exc.strerror}", path=str(output)) from exc


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
