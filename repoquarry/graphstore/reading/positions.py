"""Definition that a position in a file refers to: the target of the relationship with the name at that position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from repoquarry.graphstore.model.values import Node, get_int, get_int_list, get_str
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.relations import USE_KINDS, expand
from repoquarry.languages.source_text import split_lines

_WORD: Final = re.compile(r"[\w$#@]+")


def find_at_position(reader: CodeReader, repository: str, path: str, line: int, column: int) -> list[Node]:
    """Find what the word at a position (1-based) refers to: targets on its line, otherwise the definition of that name there."""
    lines = split_lines(reader.text(repository, path))
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    word = next((found[0] for found in _WORD.finditer(text) if found.start() < column <= found.end()), "")
    if not word:
        return []
    around = [item for item in reader.inside(repository, path) if item.start_line <= line <= item.end_line]
    starts = [f"{repository}:{path}", *(item.id for item in around)]
    found = {node.id: node for kind in USE_KINDS for node in _targets(reader, starts, kind, line, word)}
    if found:  # A call of a class means the class, not also its constructor.
        return [node for node in found.values() if node.id.partition("(")[0].rpartition(".")[0] not in found]
    rows = reader.store.execute_named("variables_named", repositories=[repository], name=word).rows
    own = [row[0] for row in rows if isinstance(row[0], Node) and _place(row[0]) == (path, line)]
    named = [item.id for item in around if item.name == word][-1:]
    return own or _nodes(reader, named)


def _nodes(reader: CodeReader, ids: list[str]) -> list[Node]:
    rows = reader.store.execute_named("nodes_by_id", ids=[*ids]).rows if ids else ()
    return [row[0] for row in rows if isinstance(row[0], Node)]


def _place(node: Node) -> tuple[str, int]:
    return get_str(node.properties.get("path")), get_int(node.properties.get("start_line"))


def _targets(reader: CodeReader, starts: list[str], kind: str, line: int, word: str) -> Iterator[Node]:
    """Yield the targets of one kind that are reached on a line and have the name; a constructor also has its class's."""
    for hop in expand(reader.store, starts, kind, outgoing=True):
        names = get_str(hop.other.properties.get("qualname") or hop.other.properties.get("name")).split(".")
        is_constructor = hop.other.properties.get("kind") == "constructor"
        is_named = word == names[-1] or (is_constructor and word in names[-2:])
        if is_named and line in get_int_list(hop.relation.properties.get("lines")):
            yield hop.other
