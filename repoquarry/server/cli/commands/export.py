"""`repoquarry export`: a repository's graph in the format of another tool."""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid, refuse

if TYPE_CHECKING:
    from repoquarry.server.api import Api


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
    repository: Annotated[str, typer.Argument(help="Id of the repository.", autocompletion=repositories)],
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
        float | None,
        typer.Option(
            "--min-confidence",
            min=0,
            max=1,
            help="callgraph-json, dot: leave out less certain calls; 0.5 for callgraph-json and 0 for dot unless given.",
        ),
    ] = None,
) -> None:
    """Write a repository's graph in another tool's format."""
    from repoquarry.v1.repository_service_pb2 import GetRepositoryRequest

    _check(format, output, around, min_confidence)
    with session.api() as api:
        api.repositories.get_repository(GetRepositoryRequest(name=repository))
        if format in _FOLDERS:
            assert output is not None  # noqa: S101  _check refused otherwise
            _into_folder(api, repository, format, output)
        else:
            with _opened(output) as target:
                _as_text(api, repository, format, target, _Cut(around or "", hops, min_confidence))


@dataclass(frozen=True)
class _Cut:
    """The part of the graph that is asked for."""

    around: str
    hops: int
    least: float | None


def _check(format: Format, output: Path | None, around: str | None, least: float | None) -> None:
    if format in _FOLDERS and output is None:
        raise invalid("--output", f"{format} is a folder of files: name a new one")
    if (format is Format.DOT) != (around is not None):
        raise invalid("--around", f"{'dot needs' if format is Format.DOT else 'only dot takes'} --around NAME")
    if least is not None and format not in (Format.CALLGRAPH_JSON, Format.DOT):
        raise invalid("--min-confidence", f"{format} holds every relationship, with its confidence")


def _as_text(api: Api, repository: str, format: Format, target: TextIO, cut: _Cut) -> None:
    if format is Format.GRAPHML:
        from repoquarry.server.exports import graphml
        from repoquarry.server.exports.reading import RepositoryGraph

        graphml.write(RepositoryGraph(api, repository), target)
    elif format is Format.DOT:
        from repoquarry.server.exports import dot

        dot.write(api, repository, cut.around, cut.hops, cut.least or 0.0, target)
    else:
        from repoquarry.server.exports import callgraph_json

        least = callgraph_json.DEFAULT_CONFIDENCE if cut.least is None else cut.least
        callgraph_json.write(api, repository, least, target)


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
