"""Command `export`."""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from repoquarry import v1 as pb
from repoquarry.server.cli.options import argument, confidence_option, flag, option, repositories
from repoquarry.server.cli.output import opened, translated
from repoquarry.server.cli.session import CliSession, list_repositories, with_session
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.text_format import short

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.server.exports.graph_source import GraphSource


class ExportFormat(enum.StrEnum):
    """Export formats."""

    CALLGRAPH_JSON = "callgraph-json"
    GRAPHML = "graphml"
    NEO4J_CSV = "neo4j-csv"
    PARQUET = "parquet"
    DOT = "dot"


_FOLDERS = {ExportFormat.NEO4J_CSV, ExportFormat.PARQUET}
"""Formats with several files."""


@with_session
def export_command(
    session: CliSession,
    repository: list[str] | None = argument(
        None, "Id of the repository; neo4j-csv accepts several.", autocompletion=repositories
    ),
    format: ExportFormat = option(
        ExportFormat.CALLGRAPH_JSON,
        "--format",
        "Output format; `callgraph-json`: {caller: [callees]} in PyCG's naming; `graphml`; `neo4j-csv`: a folder for neo4j-admin "
        "database import; `parquet`: a folder with a file for each label and type; `dot`: the calls around --around.",
    ),
    output: Path | None = option(
        None, "--output", "-o", "Output file; defaults to stdout. A new folder for neo4j-csv and parquet."
    ),
    every: bool = flag("--all", "neo4j-csv: export all repositories of the store."),
    around: str | None = option(None, "--around", "dot: name whose calls are drawn."),
    hops: int = option(1, "--hops", "dot: maximum number of hops.", min=1, max=5),
    min_confidence: float | None = confidence_option(None, "; of callgraph-json (default 0.5) and dot (default 0)"),
) -> None:
    """Export the graph of a repository in the format of another tool."""
    _check(format, output, around, min_confidence)
    if every and repository:
        raise invalid_field("--all", "name repositories or give --all, not both")
    with session.api() as api:
        names = [item.name for item in list_repositories(api)] if every else list(repository or [])
        _check_count(names, format)
        revisions = _revisions(api, names)
        names = list(revisions)
        if format in _FOLDERS:
            assert output is not None  # noqa: S101 - checked by _check
            _into_folder(api, names, format, output, session.settings.store.neo4j_database or "neo4j")
            _require_unchanged(api, revisions)
        else:
            with opened(output) as target:
                _as_text(api, names[0], format, target, around or "", hops, min_confidence)
                _require_unchanged(api, revisions)


def _check(format: ExportFormat, output: Path | None, around: str | None, least: float | None) -> None:
    if format in _FOLDERS and output is None:
        raise invalid_field("--output", f"{format} writes a folder; name a new folder")
    if (format is ExportFormat.DOT) != (around is not None):
        raise invalid_field(
            "--around", f"{'dot needs' if format is ExportFormat.DOT else 'only dot takes'} --around NAME"
        )
    if least is not None and format not in (ExportFormat.CALLGRAPH_JSON, ExportFormat.DOT):
        raise invalid_field("--min-confidence", f"{format} contains every relationship, with its confidence")


def _check_count(names: list[str], format: ExportFormat) -> None:
    if not names:
        raise invalid_field("repository", "missing; name a repository, or several or --all with neo4j-csv")
    if len(names) > 1 and format is not ExportFormat.NEO4J_CSV:
        raise invalid_field("repository", f"{format} contains one repository; use neo4j-csv for several")


def _revisions(api: Api, names: Iterable[str]) -> dict[str, str]:
    """Return revisions by id. Raises: RequestError for an unknown repository."""
    found = [api.repositories.get_repository(pb.GetRepositoryRequest(name=name)).repository for name in names]
    return {short(repository.name): repository.basis.revision for repository in found}


def _require_unchanged(api: Api, revisions: Mapping[str, str]) -> None:
    """Require that no repository changed while its pages were read. Raises: RequestError."""
    if changed := [name for name, revision in _revisions(api, revisions).items() if revision != revisions[name]]:
        raise request_error("REPOSITORY_CHANGED", f"{', '.join(changed)} changed during the export; export again")


def _as_text(
    api: Api, repository: str, format: ExportFormat, target: TextIO, around: str, hops: int, least: float | None
) -> None:
    from repoquarry.server.exports import drawing_formats
    from repoquarry.server.exports.graph_source import ApiGraphSource

    if format is ExportFormat.GRAPHML:
        drawing_formats.write_graphml(ApiGraphSource(api, repository), target)
    elif format is ExportFormat.DOT:
        drawing_formats.write_dot(api, repository, around, hops, least or 0.0, target)
    else:
        least = drawing_formats.DEFAULT_CONFIDENCE if least is None else least
        drawing_formats.write_callgraph(api, repository, least, target)


def _into_folder(api: Api, names: list[str], format: ExportFormat, folder: Path, database: str) -> None:
    from repoquarry.server.exports import table_formats
    from repoquarry.server.exports.graph_source import ApiGraphSource

    with translated(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise invalid_field("--output", f"{folder} is not empty; name a new folder")
        into = folder.resolve()
        if format is ExportFormat.PARQUET:
            summary = table_formats.write_parquet(ApiGraphSource(api, names[0]), into)
        else:
            chosen = list(dict.fromkeys(names))
            summary = table_formats.write_neo4j_csv(_graphs(api, chosen), set(chosen), into, database)
    print(summary, file=sys.stderr)


def _graphs(api: Api, names: list[str]) -> Iterator[GraphSource]:
    """Yield the graphs: complete from a local store, in pages from a server."""
    from repoquarry.server.application.application import Application
    from repoquarry.server.exports.graph_source import ApiGraphSource, StoreGraphSource

    for name in names:
        yield StoreGraphSource(api.host.store, name) if isinstance(api, Application) else ApiGraphSource(api, name)
