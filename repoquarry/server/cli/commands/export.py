"""Command `export` of repository graphs, and writers of its text formats GraphML, DOT and PyCG call graphs (JSON).

In call graphs, modules have dots, then classes and nested functions: `package.module.Class.method`, `module.<lambda1>`; the module itself
calls from its top level; built-ins are `<builtin>.len`, methods of built-in types `<**PyStr**>.join`. Calling a class is an edge to its
`__init__` where the repository has one, and none otherwise; decorators that only mark a method are not calls in this notation.
"""

from __future__ import annotations

import enum
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO
from xml.sax.saxutils import escape, quoteattr

from repoquarry import v1 as pb
from repoquarry.graphstore.errors import EngineUnavailableError
from repoquarry.graphstore.model.call_views import DISPATCH, SURE, is_in_views, site_confidence
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.graphstore.model.values import count_noun
from repoquarry.operations.render import format_name, format_place
from repoquarry.processes.scratch import ScratchFolder
from repoquarry.server.api import Api
from repoquarry.server.cli.commands.show import list_relations
from repoquarry.server.cli.output import opened, translated
from repoquarry.server.cli.session import (
    CliSession,
    argument,
    confidence_option,
    flag,
    how_option,
    list_repositories,
    option,
    repositories,
    with_session,
)
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.graph_exports import ApiGraphSource, write_parquet
from repoquarry.server.neo4j_files import ApiGraphTables, GraphTables, find_neo4j_admin, import_files, write_neo4j_csv
from repoquarry.server.text_format import escape_controls, json_text, short

if TYPE_CHECKING:
    from repoquarry.server.api import Api


class ExportFormat(enum.StrEnum):
    CALLGRAPH_JSON = "callgraph-json"
    GRAPHML = "graphml"
    NEO4J_CSV = "neo4j-csv"
    PARQUET = "parquet"
    DUCKDB = "duckdb"
    SCIP = "scip"
    DOT = "dot"


_FOLDERS = {ExportFormat.NEO4J_CSV, ExportFormat.PARQUET}
"""Formats with several files."""
_NEW_FILES = {ExportFormat.DUCKDB, ExportFormat.SCIP}


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
        "database import; `parquet`: a folder with a file for each label and type; `duckdb`: a database with a table for each; `scip`: an index of "
        "definitions and uses; "
        "`dot`: the calls around --around.",
    ),
    output: Path | None = option(
        None,
        "--output",
        "-o",
        "Output file; defaults to stdout. A new folder for neo4j-csv and parquet, a new file for duckdb and scip.",
    ),
    every: bool = flag("--all", "neo4j-csv: export all repositories of the store."),
    imports: bool = flag(
        "--import",
        "neo4j-csv: import the files into the database of a stopped Neo4j by neo4j-admin of NEO4J_HOME or the PATH; "
        "without --output they are then removed.",
    ),
    overwrite: bool = flag("--overwrite", "--import: replace all that the database holds."),
    around: str | None = option(None, "--around", "dot: name whose calls are drawn."),
    hops: int = option(1, "--hops", "dot: maximum number of hops.", min=1, max=5),
    min_confidence: float | None = confidence_option(None, "; of callgraph-json and dot"),
    how: list[str] | None = how_option(" of callgraph-json; defaults to what may run"),
) -> None:
    """Export the graph of a repository in the format of another tool."""
    if imports != (format is ExportFormat.NEO4J_CSV and imports) or (overwrite and not imports):
        raise invalid_field(
            "--overwrite" if overwrite else "--import",
            "only --format neo4j-csv takes --import, and --import takes --overwrite",
        )
    _check(format, output, around, min_confidence, how, imports=imports)
    program = find_neo4j_admin() if imports else None
    if every and repository:
        raise invalid_field("--all", "name repositories or give --all, not both")
    with session.api() as api:
        names = [item.name for item in list_repositories(api)] if every else list(repository or [])
        _check_count(names, format)
        revisions = _revisions(api, names)
        names = list(revisions)
        if format is ExportFormat.DUCKDB:
            assert output is not None  # noqa: S101 - checked by _check
            _into_database(api, names[0], output)
            _require_unchanged(api, revisions)
        elif format is ExportFormat.SCIP:
            assert output is not None  # noqa: S101 - checked by _check
            _into_scip(api, names[0], output)
            _require_unchanged(api, revisions)
        elif format in _FOLDERS:
            database = session.settings.store.neo4j_database or "neo4j"
            with ScratchFolder("export", None) if output is None else nullcontext(output) as folder:
                command = _into_folder(api, names, format, folder, database)
                _require_unchanged(api, revisions)
                if program is not None:
                    command = import_files(program, folder.resolve(), database, replaces=overwrite)
            print(command, file=sys.stderr)
        else:
            with opened(output) as target:
                _as_text(api, names[0], format, target, around or "", hops, min_confidence, how)
                _require_unchanged(api, revisions)


def _check(
    format: ExportFormat,
    output: Path | None,
    around: str | None,
    least: float | None,
    how: Sequence[str] | None,
    *,
    imports: bool,
) -> None:
    if format in _FOLDERS and output is None and not imports:
        raise invalid_field("--output", f"{format} writes a folder; name a new folder")
    if format in _NEW_FILES and (output is None or output.exists()):
        raise invalid_field("--output", f"{output} exists; name a new file" if output else "missing; name a new file")
    if (format is ExportFormat.DOT) != (around is not None):
        raise invalid_field(
            "--around", f"{'dot needs' if format is ExportFormat.DOT else 'only dot takes'} --around NAME"
        )
    if least is not None and format not in (ExportFormat.CALLGRAPH_JSON, ExportFormat.DOT):
        raise invalid_field("--min-confidence", f"{format} contains every relationship, with its confidence")
    if how and format is not ExportFormat.CALLGRAPH_JSON:
        raise invalid_field("--how", f"{format} contains every relationship, with its rule")


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
    api: Api,
    repository: str,
    format: ExportFormat,
    target: TextIO,
    around: str,
    hops: int,
    least: float | None,
    how: Sequence[str] | None,
) -> None:
    if format is ExportFormat.GRAPHML:
        write_graphml(ApiGraphSource(api, repository), target)
    elif format is ExportFormat.DOT:
        write_dot(api, repository, around, hops, least or 0.0, target)
    else:
        views = how if how else () if least is not None else (SURE, DISPATCH)
        write_callgraph(api, repository, least or 0.0, views, target)


def _into_folder(api: Api, names: list[str], format: ExportFormat, folder: Path, database: str) -> str:
    with translated(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise invalid_field("--output", f"{folder} is not empty; name a new folder")
        into = folder.resolve()
        if format is ExportFormat.PARQUET:
            return write_parquet(ApiGraphSource(api, names[0]), into)
        chosen = list(dict.fromkeys(names))
        return write_neo4j_csv(_graphs(api, chosen), set(chosen), into, database)


def _into_database(api: Api, name: str, target: Path) -> None:
    try:
        from repoquarry.graphstore.engines.duckdb.database_export import write_database
    except EngineUnavailableError as exc:
        message = "the format duckdb needs DuckDB: pip install 'repoquarry[duckdb]'"
        raise request_error("EXTRA_MISSING", message, extra="duckdb") from exc
    with translated(target), ScratchFolder("export", target.resolve().parent) as folder:
        write_parquet(ApiGraphSource(api, name), folder)
        count = write_database(folder, target)
    print(f"{count} tables in {target}", file=sys.stderr)


def _into_scip(api: Api, name: str, target: Path) -> None:
    from repoquarry.server.scip_export import write_scip

    found = api.repositories.get_repository(pb.GetRepositoryRequest(name=name)).repository
    with translated(target), ScratchFolder("export", target.resolve().parent) as folder:
        with (folder / target.name).open("wb") as file:
            summary = write_scip(api, short(found.name), found.basis.commit, file)
        (folder / target.name).replace(target)
    print(
        f"{count_noun(summary.documents, 'document')}, {count_noun(summary.occurrences, 'occurrence')} in {target}; "
        f"{count_noun(summary.without_place, 'use')} without a name in the text left out",
        file=sys.stderr,
    )


def _graphs(api: Api, names: list[str]) -> Iterator[GraphTables]:
    """Yield the graphs: complete from a local store, in pages from a server."""
    from repoquarry.server.application.application import Application

    for name in names:
        yield api.host.store.graph(name) if isinstance(api, Application) else ApiGraphTables(ApiGraphSource(api, name))


_ROOTS = ("src", "lib", "python", "bin")
"""Folders that are no part of the names of the modules in them."""
_MODULES = """
MATCH (m:Module) WHERE m.repository = $repository AND m.id > $after AND m.id <= $until
RETURN m.path AS path, m.name AS name, m.loc AS loc
"""
_FUNCTIONS = "MATCH (f:Function) WHERE f.repository = $repository AND f.id > $after AND f.id <= $until RETURN f.path AS path, f.qualname AS qualname"
_CALLS = """
MATCH (a:{label})-[r:CALLS]->(b) WHERE a.repository = $repository AND a.id > $after AND a.id <= $until
RETURN labels(a)[0] AS label, a.path AS path, a.qualname AS qualname,
       labels(b)[0] AS to_label, b.path AS to_path, b.qualname AS to_qualname, r.how AS how, r.targets AS targets,
       r.confidence AS confidence
"""
_CALL_TYPES = {
    "builtins.str.": "<**PyStr**>.",
    "builtins.dict.": "<**PyDict**>.",
    "builtins.list.": "<**PyList**>.",
    "builtins.tuple.": "<**PyTuple**>.",
}
_MARKS = {"builtins.staticmethod", "builtins.classmethod", "builtins.property"}


class CallGraphNode(NamedTuple):
    """Caller or callee in a call graph."""

    label: str
    """`Module`, `Class`, `Function` or `External`."""
    module: str
    """Dotted name of the module; empty for an External."""
    qualname: str
    """Dotted name inside the module, empty for the module itself; the full dotted name of an External."""


def write_callgraph(api: Api, repository: str, least: float, views: Sequence[str], target: TextIO) -> None:
    """Write the calls of a repository of sites with at least this confidence and one of these views. Raises: the errors of `Api`."""
    graph = ApiGraphSource(api, repository)
    modules = name_modules(graph.rows_of("Module", _MODULES, "path"))

    def node(label: str, path: str | None, qualname: str | None) -> CallGraphNode:
        return CallGraphNode(label, modules.get(path, "") if path else "", qualname or "")

    nodes = [CallGraphNode("Module", name, "") for name in modules.values()]
    nodes += [node("Function", *row) for row in graph.rows_of("Function", _FUNCTIONS, "qualname")]
    calls = (
        row
        for label in RELATIONSHIP_TYPES["CALLS"].start
        for row in graph.rows_of(label, _CALLS.format(label=label), "to_label, to_path, to_qualname")
        if is_in_views(views, row[6], row[7]) and site_confidence(*row[6:]) >= least
    )
    found = call_graph(nodes, ((node(*row[:3]), node(*row[3:6])) for row in calls))
    target.write(json_text(found, indent=1, sort_keys=True) + "\n")


def name_modules(rows: Iterable[Sequence[Any]]) -> dict[str, str]:
    """Name modules by path as PyCG does: without a folder that holds the sources, empty where a file has no dotted name.

    `rows`: path, name and number of lines of each module. A folder that is a package with code of its own stays.
    """
    modules = {path: ("" if name == path else name, lines) for path, name, lines in rows}
    names = {name for name, _ in modules.values()}
    packages = {root for root in _ROOTS if modules.get(f"{root}/__init__.py", ("", 0))[1]}

    def shorten(path: str, name: str) -> str:
        root, _, rest = name.partition(".")
        is_root = rest and root in _ROOTS and root not in packages and path.startswith(f"{root}/")
        return rest if is_root and rest not in names else name

    return {path: shorten(path, name) for path, (name, _) in modules.items()}


def call_graph(
    nodes: Iterable[CallGraphNode], calls: Iterable[tuple[CallGraphNode, CallGraphNode]]
) -> dict[str, list[str]]:
    """Map callers to callees, both sorted; every module and function of `nodes` is a key."""
    graph: dict[str, set[str]] = {_inside(node): set() for node in nodes if node.label != "Class"}
    for caller, target in calls:
        callee = _callee(target)
        if callee is not None:
            graph.setdefault(_inside(caller), set()).add(callee)
            graph.setdefault(callee, set())
    return {caller: sorted(callees) for caller, callees in sorted(graph.items())}


def _inside(node: CallGraphNode) -> str:
    return ".".join(part for part in (node.module, node.qualname) if part)


def _callee(node: CallGraphNode) -> str | None:
    """Return the name of a callee; None where this notation has no edge.

    A class has no edge: the call of its `__init__` is a separate call.
    """
    if node.label != "External":
        return None if node.label == "Class" else _inside(node)
    name = node.qualname
    if name in _MARKS:
        return None
    for prefix, shown in _CALL_TYPES.items():
        if name.startswith(prefix):
            return shown + name[len(prefix) :]
    return f"<builtin>.{name.removeprefix('builtins.')}" if name.startswith("builtins.") else name


MAX_NODES = 400
"""Maximum number of nodes of a drawing; a larger drawing is truncated and reports it."""


def write_dot(api: Api, repository: str, name: str, hops: int, least: float, target: TextIO) -> None:
    """Draw the calls around all definitions of a name in a repository. Raises: the errors of `Api`."""
    nodes: dict[str, pb.Entity] = {}
    edges: dict[tuple[str, str], str] = {}
    centres: set[str] = set()
    cut = False
    for incoming in (False, True):
        for meaning in list_relations(api, name, ("CALLS", incoming), [repository], hops, least).meanings:
            centres.add(meaning.entity.id)
            nodes.setdefault(meaning.entity.id, meaning.entity)
            for relation in meaning.relations:
                if relation.entity.id not in nodes and len(nodes) >= MAX_NODES:
                    cut = True
                    continue
                nodes.setdefault(relation.entity.id, relation.entity)
                ends = (relation.via_id, relation.entity.id)
                edges[ends[::-1] if incoming else ends] = _certainty(relation)
    target.write(f"digraph {_quoted_dot(name)} {{\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n")
    if cut:
        target.write(f"  label={_quoted_dot(f'cut at {MAX_NODES} definitions')};\n")
    for id_, entity in nodes.items():
        style = ", style=bold" if id_ in centres else ""
        shown = _quoted_dot(f"{format_name(entity)}\n{format_place(entity)}")
        target.write(f"  {_quoted_dot(id_)} [label={shown}{style}];\n")
    for (start, end), text in edges.items():
        if start in nodes and end in nodes:
            target.write(f"  {_quoted_dot(start)} -> {_quoted_dot(end)} [label={_quoted_dot(text)}];\n")
    target.write("}\n")


def _certainty(relation: pb.Relation) -> str:
    site = relation.site
    times = f"{site.count}×" if site.count > 1 else ""
    sure = f"{site.confidence:.2f}" if site.HasField("confidence") and site.confidence < 0.9 else ""
    return " ".join(part for part in (times, sure) if part)


def _quoted_dot(text: str) -> str:
    """Quote a DOT string: quotes and backslashes are escaped, line breaks become `\\n`."""
    escaped = escape_controls(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


_TYPES = {PropertyKind.INTEGER: "long", PropertyKind.FLOAT: "double", PropertyKind.BOOLEAN: "boolean"}
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def write_graphml(graph: ApiGraphSource, target: TextIO) -> None:
    """Write GraphML: nodes have `label`, edges have `relationship`, and both have all set properties."""
    target.write(_HEAD)
    nodes = _keys(prop for label in NODE_LABELS.values() for prop in label.properties)
    edges = _keys(prop for kind in RELATIONSHIP_TYPES.values() for prop in kind.properties)
    for side, letter, types in (
        ("node", "n", {"label": "string", **nodes}),
        ("edge", "e", {"relationship": "string", **edges}),
    ):
        for name, kind in types.items():
            target.write(f'<key id="{letter}_{name}" for="{side}" attr.name="{name}" attr.type="{kind}"/>\n')
    target.write('<graph id="repository" edgedefault="directed">\n')
    for node in graph.nodes():
        data = _data("n", {"label": node.label, **node.properties})
        target.write(f"<node id={_quoted(node.label, node.id)}>{data}</node>\n")
    for number, item in enumerate(graph.relationships()):
        ends = f"source={_quoted(item.start_label, item.start_id)} target={_quoted(item.end_label, item.end_id)}"
        data = _data("e", {"relationship": item.type, **item.properties})
        target.write(f'<edge id="e{number}" {ends}>{data}</edge>\n')
    target.write("</graph>\n</graphml>\n")


def _keys(properties: Any) -> dict[str, str]:
    """Return the GraphML type of each property; a name with several types is a string."""
    found: dict[str, str] = {}
    prop: Property
    for prop in properties:
        kind = _TYPES.get(prop.kind, "string")
        found[prop.name] = kind if found.get(prop.name, kind) == kind else "string"
    return found


def _quoted(label: str, id_: str) -> str:
    """Quote an id with its label, because ids are unique only within their label."""
    return quoteattr(_FORBIDDEN.sub("\ufffd", f"{label} {id_}"))


def _data(letter: str, values: Mapping[str, Any]) -> str:
    return "".join(f'<data key="{letter}_{name}">{_text(value)}</data>' for name, value in values.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    return escape(_FORBIDDEN.sub("\ufffd", text), {"\r": "&#13;"})
