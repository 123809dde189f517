"""One source file -> its facts, by the table of its language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import GraphBuilder
from repoquarry.languages.encoding import as_utf8
from repoquarry.languages.facts import AssignmentGraph, Decorator, Definition, FileFacts, Import, ParseError
from repoquarry.languages.layout import one_line
from repoquarry.languages.structure import nodes
from repoquarry.languages.structure.comments import Comments
from repoquarry.languages.structure.grammar import COMMENT, IMPORT, PACKAGE, START, Captured, capture
from repoquarry.languages.structure.rules import CLASS, Structure
from repoquarry.languages.structure.sweep import MAX_NESTING, Entry, Swept, sweep
from repoquarry.languages.syntax import broken_places

_MOST_SIGNATURE: Final = 4_000
_SIGNS: Final = frozenset({";", "{", "=", "=>", "end"})
"""Tokens between a head and a body that are part of neither."""


def read_structure(structure: Structure, path: str, source: bytes) -> FileFacts:
    """The facts of one file. Never raises on bad input: see `FileFacts.parse_errors`."""
    text, encoding = as_utf8(source)
    captured = capture(structure, path, text)
    swept = sweep(structure, captured)
    comments = Comments(text, captured.of(COMMENT))
    documentation = {id(entry): comments.above(entry.start_row) for entry in swept.entries}
    definitions = [
        _definition(entry, text, documentation[id(entry)][0], structure.line_comment)
        for entry in _outer_first(swept.entries)
    ]
    errors = broken_places(captured.root)
    if swept.too_deep:
        errors.append(ParseError(swept.too_deep, f"definitions nested deeper than {MAX_NESTING} levels were left out"))
    return FileFacts(
        path=path,
        language=structure.language,
        encoding=encoding,
        loc=text.count(b"\n") + (1 if text and not text.endswith(b"\n") else 0),
        module_name=path.rpartition("/")[2].split(".", 1)[0],
        is_package=False,
        is_stub=structure.is_stub(path),
        docstring=comments.of_file({top for _, top in documentation.values()}),
        branches=swept.branches,
        deepest_indent=max((definition.indent for definition in definitions), default=0),
        definitions=tuple(definitions),
        imports=tuple(_imports(structure, captured, swept)),
        exports=None,
        entry_points=tuple(_starts(structure, captured)),
        parse_errors=tuple(errors),
        graph=_without_calls(definitions),
        namespace=next((structure.package[node.type](node) for node in captured.of(PACKAGE)), ""),
    )


def _starts(structure: Structure, captured: Captured) -> Iterator[tuple[str, str, int]]:
    """The first statement that makes the file a program."""
    at_top = (node for node in captured.of(START) if node.parent is not None and node.parent.parent is None)
    for node in at_top:
        if text := structure.starts[node.type](node):
            yield "main", text, node.start_point.row + 1
            return


def _without_calls(definitions: list[Definition]) -> AssignmentGraph:
    """A graph that knows of the definitions, and of nothing that happens in them."""
    graph = GraphBuilder()
    nothing = graph.variable()
    function, cls = [op.FUNC, 0, nothing, nothing, -1, 0], [op.CLASS, 0, 0, 0]
    records = (cls if one.kind == "class" else function for one in definitions)
    graph.functions = [[len(record) + 1, *record] for record in records]
    return graph.finish()


def _outer_first(entries: list[Entry]) -> Iterator[Entry]:
    """Entries in source order, but none before the one that owns it."""
    given: set[int] = set()
    for entry in entries:
        waiting = []
        current: Entry | None = entry
        while current is not None and id(current) not in given:
            given.add(id(current))
            waiting.append(current)
            current = current.owner
        yield from reversed(waiting)


def _definition(entry: Entry, source: bytes, documentation: str, line_comment: str) -> Definition:
    node, rule = entry.node, entry.rule
    named = rule.name_node(node) or node
    is_class = rule.kind == CLASS
    inside_class = entry.owner is not None and entry.owner.rule.kind == CLASS
    is_method = (
        inside_class
        or bool(rule.owner(node))
        or (entry.outer is not None and bool(entry.outer.rule.owner(entry.outer.node)))
    )
    written = [*(attribute.text or b"" for attribute in entry.attributes), *map(str.encode, rule.decorators(node))]
    last = node.end_point
    return Definition(
        key=entry.key,
        kind="class" if is_class else "method" if is_method and _is_member(entry) else "function",
        name=entry.name,
        qualname=entry.qualname,
        parent=entry.owner.key if entry.owner is not None else "",
        start_line=entry.start_row + 1,
        name_line=named.start_point.row + 1,
        end_line=last.row + 1 if last.column or last.row == node.start_point.row else last.row,
        signature=_class_signature(entry, source) if is_class else _signature(entry, source, line_comment),
        docstring=documentation,
        decorators=tuple(_decorator(text.decode("utf-8", "replace")) for text in written),
        bases=rule.bases(node),
        branches=entry.branches,
        indent=node.start_point.column,
        calls=entry.calls,
        is_async=rule.is_async(node),
        is_generator=False,
        form=rule.form(node),
        is_abstract=rule.is_abstract(node),
    )


def _is_member(entry: Entry) -> bool:
    """Whether a function belongs to a class itself: functions in a namespace or module are no methods."""
    return entry.owner is None or entry.owner.rule.form(entry.owner.node) not in ("namespace", "module")


def _signature(entry: Entry, source: bytes, line_comment: str) -> str:
    """The parameters and what follows them up to the body, as written but for their layout."""
    parameters, end = entry.rule.parameters(entry.node), _end(entry)
    returns = entry.rule.returns(entry.node)
    text = "()"
    if parameters is not None:
        head = entry.rule.head(entry.node) or entry.node
        behind = [part for part in head.children if parameters.end_byte <= part.start_byte < end and _says(part)]
        text = " ".join(
            [_flat(source[parameters.start_byte : parameters.end_byte], line_comment), *map(nodes.text, behind)]
        )
        text = text.replace(" :", ":", 1).strip()
    return f"{text} -> {returns}" if returns else text


def _says(part: Node) -> bool:
    return not part.type.endswith("comment") and part.type not in _SIGNS


def _class_signature(entry: Entry, source: bytes) -> str:
    """What stands between the name of a class and its body: type parameters and bases, as written."""
    named, end = entry.rule.name_node(entry.node), _end(entry)
    if named is None or named.end_byte > end:
        return ""
    behind = (part for part in entry.node.children if named.end_byte <= part.start_byte < end and _says(part))
    return " ".join(map(nodes.text, behind))


def _end(entry: Entry) -> int:
    """Where the head of a definition ends."""
    node = entry.node
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    return (
        min((child.start_byte for child in node.children if child.type in entry.rule.ends), default=end)
        if entry.rule.ends
        else end
    )


def _decorator(written: str) -> Decorator:
    """An annotation or attribute without the marks around it."""
    text = " ".join(written.split()).removeprefix("#").removeprefix("!").removeprefix("@").strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip("[] ")
    dotted, bracket, rest = text.partition("(")
    return Decorator(
        text, dotted.strip().replace("::", ".").replace("\\", "."), rest.rpartition(")")[0] if bracket else None
    )


def _imports(structure: Structure, captured: Captured, swept: Swept) -> Iterator[Import]:
    bodies = [(entry.node.start_byte, entry.node.end_byte) for entry in swept.entries if entry.outer is None]
    at = 0
    for node in captured.of(IMPORT):
        while at < len(bodies) and bodies[at][1] <= node.start_byte:
            at += 1
        outside = at == len(bodies) or node.start_byte < bodies[at][0]
        for seen in structure.imports[node.type](node):
            line = node.start_point.row + 1
            yield Import(seen.module, seen.name, seen.alias, seen.level, line, outside, seen.how)


def _flat(text: bytes, line_comment: str) -> str:
    return one_line(text[:_MOST_SIGNATURE].decode("utf-8", "replace"), line_comment)
