"""Compressed CSV for `neo4j-admin database import`, with typed headers, and the arguments that the import needs.

A file for each label and for each type between two labels; ids are grouped by label, because they are unique within theirs only.
Several repositories go into the same files: a package that they share is written once, and a link to a repository that is not among
them is left out, because half a repository would not be one that the engine can write later.
"""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.server.exports.reading import Readable

ARGUMENTS = "arguments.txt"
_SEPARATOR = "\x1f"
"""Between the elements of a list: no text of the graph may hold it, so it is replaced in them."""

_TYPES = {
    PropertyKind.STRING: "string",
    PropertyKind.INTEGER: "long",
    PropertyKind.FLOAT: "double",
    PropertyKind.BOOLEAN: "boolean",
    PropertyKind.STRINGS: "string[]",
    PropertyKind.INTEGERS: "long[]",
}


def write(graphs: Iterable[Readable], chosen: Collection[str], folder: Path, database: str) -> str:
    """Write the files of the `chosen` repositories into an existing folder; how to import them into the database.

    `graphs` are theirs, each read when the one before it is done with.
    """
    with ExitStack() as opened:
        nodes, edges = _Files(folder, opened), _Files(folder, opened)
        packages: set[str] = set()
        for graph in graphs:
            absent = _write_nodes(graph, nodes, chosen, packages)
            _write_relationships(graph, edges, absent)
    lines = [f"--nodes={folder / name}" for name in nodes.names()]
    lines += [f"--relationships={folder / name}" for name in edges.names()]
    lines += ["--array-delimiter=U+001F", "--multiline-fields=true"]
    (folder / ARGUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"neo4j-admin database import full {database} --overwrite-destination @{folder / ARGUMENTS}"


def _write_nodes(graph: Readable, files: _Files, chosen: Collection[str], packages: set[str]) -> set[tuple[str, str]]:
    """Write the nodes of a repository and its packages; label and id of those that are in no chosen repository."""
    absent: set[tuple[str, str]] = set()
    for node in graph.nodes():
        owner = node.properties["repository"]
        if node.label == "Package":
            if node.id in packages:
                continue
            packages.add(node.id)
        elif owner != graph.repository:
            if owner not in chosen:
                absent.add((node.label, node.id))
            continue
        properties = [prop for prop in NODE_LABELS[node.label].properties if prop.name != "id"]
        header = [f"id:ID({node.label})", *map(_column, properties), ":LABEL"]
        row = [node.id, *(node.properties.get(prop.name) for prop in properties), node.label]
        files.write(f"nodes-{node.label}", header, row)
    return absent


def _write_relationships(graph: Readable, files: _Files, absent: set[tuple[str, str]]) -> None:
    for item in graph.relationships():
        if (item.end_label, item.end_id) in absent:
            continue
        properties = list(RELATIONSHIP_TYPES[item.type].properties)
        ends = [f":START_ID({item.start_label})", f":END_ID({item.end_label})"]
        row = [item.start_id, item.end_id, *(item.properties.get(prop.name) for prop in properties), item.type]
        name = f"relationships-{item.type}-{item.start_label}-{item.end_label}"
        files.write(name, [*ends, *map(_column, properties), ":TYPE"], row)


class _Files:
    """Compressed files that are opened when their first row comes."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._folder = folder
        self._opened = opened
        self._files: dict[str, IO[str]] = {}

    def write(self, name: str, header: Sequence[str], row: Iterable[Any]) -> None:
        file = self._files.get(name)
        if file is None:
            path = self._folder / f"{name}.csv.gz"
            compressed = gzip.open(path, "wt", encoding="utf-8", newline="", compresslevel=5)  # noqa: SIM115  the stack closes it
            file = self._opened.enter_context(compressed)
            self._files[name] = file
            file.write(",".join(header) + "\n")
        file.write(",".join(map(_cell, row)) + "\n")

    def names(self) -> list[str]:
        return [f"{name}.csv.gz" for name in self._files]


def _column(prop: Property) -> str:
    return f"{prop.name}:{_TYPES[prop.kind]}"


def _cell(value: Any) -> str:
    """A value as the importer reads it: nothing for null, quotes around all text, so that an empty one stays one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return _quoted(_SEPARATOR.join(str(item).replace(_SEPARATOR, " ") for item in value))
    return _quoted(str(value))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
