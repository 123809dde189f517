"""Files for `neo4j-admin database import`, written by columns without compression, and the import itself.

There is a file for each label and for each type between two labels; ids are grouped by label, because they are unique only within
a label. Several repositories share files: a shared package is written once, and links to other repositories are omitted, because
the engine could not write an incomplete repository later.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import compress, groupby, islice, repeat
from pathlib import Path
from typing import IO, Protocol

from repoquarry.graphstore.model.graph_tables import Cell, NodeTable, RelationshipTable
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.processes.programs import run_program
from repoquarry.server.errors import request_error
from repoquarry.server.graph_exports import ApiGraphSource, ExportedRelationship

ARGUMENTS = "arguments.txt"
_SEPARATOR = "\x1f"
"""Separator of list elements; it is replaced in texts."""
_TYPES = {
    PropertyKind.STRING: "string",
    PropertyKind.INTEGER: "long",
    PropertyKind.FLOAT: "double",
    PropertyKind.BOOLEAN: "boolean",
    PropertyKind.STRINGS: "string[]",
    PropertyKind.INTEGERS: "long[]",
}
_ROWS = 10_000
"""Rows that are formatted at once."""


class GraphTables(Protocol):
    """Graph of one repository as tables: `RepositoryGraph`, or `ApiGraphTables`."""

    @property
    def repository(self) -> str: ...

    @property
    def nodes(self) -> Iterable[NodeTable]: ...

    @property
    def relationships(self) -> Iterable[RelationshipTable]: ...


class ApiGraphTables:
    """Tables of the pages of an API, each with at most 10,000 rows."""

    def __init__(self, graph: ApiGraphSource) -> None:
        self.repository = graph.repository
        self._graph = graph

    @property
    def nodes(self) -> Iterator[NodeTable]:
        for label, items in groupby(self._graph.nodes(), key=lambda node: node.label):
            names = [prop.name for prop in NODE_LABELS[label].properties]
            while part := list(islice(items, _ROWS)):
                yield NodeTable(label, {name: [node.properties.get(name) for node in part] for name in names})

    @property
    def relationships(self) -> Iterator[RelationshipTable]:
        waiting: dict[tuple[str, str, str], list[ExportedRelationship]] = {}
        for item in self._graph.relationships():
            kind = item.type, item.start_label, item.end_label
            waiting.setdefault(kind, []).append(item)
            if len(waiting[kind]) >= _ROWS:
                yield _relationship_table(waiting.pop(kind))
        yield from map(_relationship_table, waiting.values())


def _relationship_table(items: Sequence[ExportedRelationship]) -> RelationshipTable:
    first = items[0]
    starts, ends = [item.start_id for item in items], [item.end_id for item in items]
    columns = {
        prop.name: [item.properties.get(prop.name) for item in items]
        for prop in RELATIONSHIP_TYPES[first.type].properties
    }
    return RelationshipTable(first.type, first.start_label, first.end_label, starts, ends, columns)


def write_neo4j_csv(graphs: Iterable[GraphTables], chosen: Collection[str], folder: Path, database: str) -> str:
    """Write the files of the `chosen` repositories into an existing folder. Returns the import command.

    `graphs` are the graphs of the repositories, read one after the other.
    """
    with ExitStack() as opened:
        nodes, edges = _Files(folder, opened), _Files(folder, opened)
        packages: set[Cell] = set()
        for graph in graphs:
            for table in graph.nodes:
                _write_nodes(graph.repository, table, nodes, packages)
            for joined in graph.relationships:
                _write_relationships(joined, edges, chosen)
    lines = [f"--nodes={folder / name}" for name in nodes.names()]
    lines += [f"--relationships={folder / name}" for name in edges.names()]
    lines += ["--array-delimiter=U+001F", "--multiline-fields=true"]
    (folder / ARGUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"neo4j-admin database import full {database} --overwrite-destination @{folder / ARGUMENTS}"


def _write_nodes(repository: str, table: NodeTable, files: _Files, packages: set[Cell]) -> None:
    """Write the nodes of the repository, and packages that are not in the files yet; not the ends of links to others."""
    ids = table.columns["id"]
    if table.label == "Package":
        kept = [id_ not in packages for id_ in ids]
        packages.update(ids)
    else:
        kept = [owner == repository for owner in table.columns["repository"]]
    properties = [prop for prop in NODE_LABELS[table.label].properties if prop.name != "id"]
    header = [f"id:ID({table.label})", *map(_header, properties), ":LABEL"]
    columns = [(_texts, ids), *_property_columns(properties, table.columns)]
    files.write(f"nodes-{table.label}", header, columns, table.label, kept)


def _write_relationships(table: RelationshipTable, files: _Files, chosen: Collection[str]) -> None:
    """Write the relationships whose ends are exported."""
    kept = [True] * len(table)
    if table.type == "PROVIDES" and table.end_label != "Package":
        kept = [end.partition(":")[0] in chosen for end in table.end]
    properties = RELATIONSHIP_TYPES[table.type].properties
    header = [f":START_ID({table.start_label})", f":END_ID({table.end_label})", *map(_header, properties), ":TYPE"]
    columns = [(_texts, table.start), (_texts, table.end), *_property_columns(properties, table.columns)]
    files.write(f"relationships-{table.type}-{table.start_label}-{table.end_label}", header, columns, table.type, kept)


_Format = Callable[[Sequence[Cell]], list[str]]


def _property_columns(
    properties: Iterable[Property], columns: Mapping[str, Sequence[Cell]]
) -> Iterator[tuple[_Format, Sequence[Cell]]]:
    for prop in properties:
        yield (_FORMATS[prop.kind], columns[prop.name]) if prop.name in columns else (_blanks, ())


class _Files:
    """Files without compression, which takes longer than the import saves, opened at their first row."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._folder = folder
        self._opened = opened
        self._files: dict[str, IO[str]] = {}

    def write(
        self,
        name: str,
        header: Sequence[str],
        columns: Sequence[tuple[_Format, Sequence[Cell]]],
        last: str,
        kept: Sequence[bool],
    ) -> None:
        """Write the rows of the columns that are kept; `last` ends every row."""
        for first in range(0, len(kept), _ROWS):
            chosen = kept[first : first + _ROWS]
            texts = [form(cells[first : first + _ROWS]) or repeat("") for form, cells in columns]
            rows = compress(zip(*texts, repeat(last)), chosen)
            if lines := list(map(",".join, rows)):
                self._file(name, header).write("\n".join(lines) + "\n")

    def _file(self, name: str, header: Sequence[str]) -> IO[str]:
        file = self._files.get(name)
        if file is None:
            path = self._folder / f"{name}.csv"
            file = self._opened.enter_context(path.open("w", encoding="utf-8", newline=""))
            self._files[name] = file
            file.write(",".join(header) + "\n")
        return file

    def names(self) -> list[str]:
        return [f"{name}.csv" for name in self._files]


def _header(prop: Property) -> str:
    return f"{prop.name}:{_TYPES[prop.kind]}"


def _blanks(_: Sequence[Cell]) -> list[str]:
    return []


def _texts(cells: Sequence[Cell]) -> list[str]:
    """Format texts in quotes, so that empty text is kept; nothing for null."""
    return ["" if cell is None else f'"{str(cell).replace(_QUOTE, _QUOTE * 2)}"' for cell in cells]


def _numbers(cells: Sequence[Cell]) -> list[str]:
    return ["" if cell is None else repr(cell) for cell in cells]


def _truths(cells: Sequence[Cell]) -> list[str]:
    return ["" if cell is None else "true" if cell else "false" for cell in cells]


def _lists(cells: Sequence[Cell]) -> list[str]:
    joined: list[Cell] = [
        _SEPARATOR.join(str(item).replace(_SEPARATOR, " ") for item in cell) if isinstance(cell, list) else None
        for cell in cells
    ]
    return _texts(joined)


_QUOTE = '"'
_FORMATS: dict[PropertyKind, _Format] = {
    PropertyKind.STRING: _texts,
    PropertyKind.INTEGER: _numbers,
    PropertyKind.FLOAT: _numbers,
    PropertyKind.BOOLEAN: _truths,
    PropertyKind.STRINGS: _lists,
    PropertyKind.INTEGERS: _lists,
}


def find_neo4j_admin() -> str:
    """Return `neo4j-admin` of `NEO4J_HOME`, or else of the PATH. Raises: RequestError if there is none."""
    home = os.environ.get("NEO4J_HOME")
    program = shutil.which("neo4j-admin", path=str(Path(home) / "bin") if home else None)
    if program is None:
        place = (
            f"in {Path(home) / 'bin'} (NEO4J_HOME)"
            if home
            else "on the PATH; set NEO4J_HOME, or export without --import"
        )
        raise request_error("EXTRA_MISSING", f"there is no neo4j-admin {place}", extra="neo4j-admin")
    return program


def import_files(program: str, folder: Path, database: str, *, replaces: bool) -> str:
    """Import the files of a folder into the stopped server's database. Returns what the program counted.

    Raises: RequestError if the program refuses, for example because the database exists and is not to be replaced.
    """
    destination = ("--overwrite-destination",) if replaces else ()
    command = [program, "database", "import", "full", database, *destination, f"@{folder / ARGUMENTS}"]
    done = run_program(command, seconds=0, cwd=folder)
    output = (done.output + done.errors).decode(errors="replace")
    if done.code:
        raise request_error("OUTPUT_FAILED", f"neo4j-admin: {_failure(output)}", path=database)
    return " ".join(line.strip() for line in output.partition("Imported:")[2].splitlines()[:4] if line.strip())


def _failure(output: str) -> str:
    """Return the innermost cause that the program names, and the remedy where it is an option of ours."""
    lines = [
        line.strip() for line in output.splitlines() if line.strip() and not line.startswith(("\tat ", "Run with"))
    ]
    causes = [line.removeprefix("Caused by:").strip() for line in lines if line.startswith("Caused by:")]
    message = (causes or lines or ["ended without a message"])[-1]
    if "already exist" in output or "overwrite-destination" in output:
        message = "the database exists; give --overwrite to replace all that it holds"
    return message
