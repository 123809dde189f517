"""Extractor for languages without call resolution: definitions, imports and documentation of one file by a table of rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import ConstraintGraphBuilder
from repoquarry.languages.extraction import find_syntax_errors, raise_recursion_limit
from repoquarry.languages.facts import ConstraintGraph, Decorator, Definition, FileFacts, Import, ParseError
from repoquarry.languages.source_text import as_utf8, normalize_layout
from repoquarry.languages.structural import rules
from repoquarry.languages.structural.rules import (
    ATTRIBUTE,
    BRANCH,
    CALL,
    CLASS,
    COMMENT,
    DEFINITION,
    FUNCTION,
    IMPORT,
    PACKAGE,
    SCOPE,
    START,
    WRAPPER,
    DefinitionRule,
    QueryCaptures,
    StructuralLanguage,
    run_queries,
)

_MAX_LINES: Final = 400
"""Lines of comments in a row that are read as one documentation."""
_LICENCE: Final = re.compile(
    r"copyright|licen[cs]e|\bSPDX|all rights reserved|@flow|eslint|jshint|clang-format|vim?:|-\*-", re.I
)
_FIRST_BLOCKS: Final = 3
_RULE: Final = re.compile(r"[\W_]*")
_OPENING: Final = re.compile(r"^\s*(?:/\*[*!]?|//[/!]?|#!?|--)<?\s?")
_CLOSING: Final = re.compile(r"\s*\*+/\s*$")
_MARGIN: Final = re.compile(r"^\s*\*(?!/) ?|^\s*(?=\*/)")
_TAG: Final = re.compile(
    r"</?(?:summary|remarks|para|returns|value|example|param\s[^>]*|see\s[^>]*|c|code|p|br ?/?|b|i|pre)\s*/?>"
)


@dataclass(frozen=True)
class _Comment:
    start_row: int
    node: Node


class CommentIndex:
    """The comments of a file on lines of their own. Rows are 0-based."""

    def __init__(self, source: bytes, found: Iterable[Node]) -> None:
        self._by_end: dict[int, _Comment] = {}
        for node in found:
            start, end = node.start_point, node.end_point
            before = source[node.start_byte - start.column : node.start_byte]
            if not before.strip() or before == b"\xef\xbb\xbf":
                # a line comment of some grammars ends with its line break, at the beginning of the next row
                last = end.row - 1 if end.column == 0 and end.row > start.row else end.row
                self._by_end[last] = _Comment(start.row, node)

    def above(self, row: int) -> tuple[str, int]:
        """Text of the comments that end directly above a row, and the row on which they begin."""
        parts: list[str] = []
        top = row
        while (comment := self._by_end.get(top - 1)) is not None and row - comment.start_row <= _MAX_LINES:
            parts.append((comment.node.text or b"").decode("utf-8", "replace"))
            top = comment.start_row
            if parts[-1].startswith("/*"):
                break  # a block comment is a documentation of its own: what is above it belongs to something else
        return _clean(reversed(parts)), top

    def of_file(self, taken: Container[int]) -> str:
        """Text of the first comments of a file other than a license; `taken` holds the rows on which documentation of definitions begins."""
        ends = sorted(self._by_end)
        starts = [*(self._by_end[end].start_row for end in ends[1:]), -1]
        blocks = [end for end, next_start in zip(ends, starts, strict=False) if end + 1 != next_start]
        for end in blocks[:_FIRST_BLOCKS]:
            said, top = self.above(end + 1)
            if said and top not in taken and not _LICENCE.search(said):
                return said
        return ""


def _clean(comments: Iterable[str]) -> str:
    """Texts of comments without their marks, rules and markup."""
    lines: list[str] = []
    for comment in comments:
        own = comment.rstrip("\r\n").split("\n")
        own[0] = _OPENING.sub("", own[0], count=1)
        own[-1] = _CLOSING.sub("", own[-1])
        own[1:] = [_MARGIN.sub("", line, count=1) for line in own[1:]]
        lines += [_TAG.sub("", line).rstrip() for line in own]
    kept = ["" if _RULE.fullmatch(line) else line for line in lines]
    return "\n".join(kept).strip()


MAX_NESTING: Final = 100
"""Definitions inside so many others are skipped: names would grow with the square of the depth."""


@dataclass
class NestedDefinition:
    """A definition, or a scope that gives its name to its content."""

    node: Node
    rule: DefinitionRule
    name: str
    outer: NestedDefinition | None
    start_byte: int
    start_row: int
    """Row of the first attribute or wrapper, otherwise of the node."""
    attributes: list[Node]
    depth: int
    qualname: str = ""
    key: str = ""
    owner: NestedDefinition | None = None
    """The definition around it, or the class that it belongs to; None at the level of the file."""
    branches: int = 0
    calls: int = 0


@dataclass
class DefinitionTree:
    """All definitions of a file in source order, and the branches of the whole file."""

    entries: list[NestedDefinition] = field(default_factory=list)
    branches: int = 0
    too_deep: int = 0
    """1-based line of the first definition that was skipped for its depth; 0 when none was."""


def nest_definitions(structure: StructuralLanguage, captured: QueryCaptures) -> DefinitionTree:
    """Find out which nodes contain which."""
    found = DefinitionTree()
    stack: list[NestedDefinition] = []
    wrappers: list[Node] = []
    attributes: list[Node] = []
    for kind, node in _in_order(captured):
        start = node.start_byte
        while stack and stack[-1].node.end_byte <= start:
            stack.pop()
        if kind == DEFINITION:
            while wrappers and wrappers[-1].end_byte <= start:
                wrappers.pop()
            entry = _entry(structure.definitions[node.type], node, stack, wrappers, attributes)
            if entry is not None and entry.depth > MAX_NESTING:
                found.too_deep = found.too_deep or entry.start_row + 1
            elif entry is not None:
                stack.append(entry)
                found.entries.append(entry)
                attributes, wrappers = [], []
        elif kind == CALL:
            for around in stack:
                around.calls += 1
        elif kind == BRANCH:
            found.branches += 1
            if stack:
                stack[-1].branches += 1
        elif kind == WRAPPER:
            wrappers.append(node)
        else:
            attributes = [one for one in attributes if one.end_point.row >= node.start_point.row - 1] + [node]
    _name(found.entries)
    found.entries = [entry for entry in found.entries if entry.rule.kind != SCOPE]
    return found


def _in_order(captured: QueryCaptures) -> Iterator[tuple[str, Node]]:
    """Nodes by where they begin; of two that begin together the outer one first."""
    nodes = [
        (node.start_byte, -node.end_byte, rank, kind, node)
        for rank, kind in enumerate((WRAPPER, ATTRIBUTE, DEFINITION, BRANCH, CALL))
        for node in captured.of(kind)
    ]
    nodes.sort(key=lambda one: one[:3])
    return ((kind, node) for _, _, _, kind, node in nodes)


def _entry(
    rule: DefinitionRule, node: Node, stack: list[NestedDefinition], wrappers: list[Node], attributes: list[Node]
) -> NestedDefinition | None:
    name = rule.name(node)
    if not name:
        return None
    wrapper = next((one for one in wrappers if one.end_byte >= node.end_byte), node)
    beside = [one for one in attributes if one.end_point.row >= wrapper.start_point.row - 1]
    while beside and attributes.index(beside[0]):  # attributes in a row belong together
        before = attributes[attributes.index(beside[0]) - 1]
        if before.end_point.row < beside[0].start_point.row - 1:
            break
        beside.insert(0, before)
    first = beside[0] if beside else wrapper
    outer = stack[-1] if stack else None
    depth = outer.depth + 1 if outer else 1
    return NestedDefinition(node, rule, name, outer, first.start_byte, first.start_point.row, beside, depth)


def _name(entries: list[NestedDefinition]) -> None:
    """Give qualified names and keys, once all classes are known: a method may precede its class, and be outside it."""
    classes: dict[str, NestedDefinition] = {}
    for entry in entries:
        inside = entry.outer.qualname if entry.outer else ""
        owner = entry.rule.owner(entry.node)
        entry.qualname = ".".join(
            part for part in (inside, owner, entry.name if entry.rule.kind != SCOPE else "") if part
        )
        if entry.rule.kind == CLASS:
            classes.setdefault(entry.qualname, entry)
    seen: Counter[str] = Counter()
    for entry in entries:
        entry.owner = _owner(entry, classes)
        if entry.rule.kind != SCOPE:
            seen[entry.qualname] += 1
            count = seen[entry.qualname]
            entry.key = f"{entry.qualname}#{count}" if count > 1 else entry.qualname


def _owner(entry: NestedDefinition, classes: dict[str, NestedDefinition]) -> NestedDefinition | None:
    """Return the class of a member defined outside it, where the file has the class; otherwise the definition around."""
    holder = entry.qualname.rpartition(".")[0] if entry.rule.kind != SCOPE else entry.qualname
    if entry.rule.owner(entry.node) and holder in classes and classes[holder] is not entry:
        return classes[holder]
    outer = entry.outer
    return outer.owner if outer is not None and outer.rule.kind == SCOPE else outer


_MAX_SIGNATURE_CHARACTERS: Final = 4_000
_SIGNS: Final = frozenset({";", "{", "=", "=>", "end"})
"""Tokens between a head and a body that are part of neither."""


_MAX_DEPTH: Final = 20_000
"""Frames of Python functions while a file is lowered."""


def extract_structure(structure: StructuralLanguage, path: str, source: bytes) -> FileFacts:
    """Extract the facts of one file. Bad input is recorded in `FileFacts.parse_errors` and raises nothing."""
    text, encoding = as_utf8(source)
    captured = run_queries(structure, path, text)
    swept = nest_definitions(structure, captured)
    comments = CommentIndex(text, captured.of(COMMENT))
    documentation = {id(entry): comments.above(entry.start_row) for entry in swept.entries}
    ordered = list(_outer_first(swept.entries))
    definitions = [_definition(entry, text, documentation[id(entry)][0], structure.line_comment) for entry in ordered]
    errors = find_syntax_errors(captured.root)
    if swept.too_deep:
        errors.append(ParseError(swept.too_deep, f"definitions nested deeper than {MAX_NESTING} levels were skipped"))
    own = b""
    if structure.lower is not None:
        with raise_recursion_limit(_MAX_DEPTH):
            try:
                own = structure.lower(captured.root, {entry.node.id: at for at, entry in enumerate(ordered)})
            except RecursionError:
                errors.append(ParseError(1, "nested too deeply: the calls of the file were skipped"))
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
        exports=_exports(structure, definitions),
        entry_points=tuple(_starts(structure, captured)),
        parse_errors=tuple(errors),
        graph=_without_calls(definitions),
        namespace=next((structure.package[node.type](node) for node in captured.of(PACKAGE)), ""),
        own=own,
    )


def _exports(structure: StructuralLanguage, definitions: list[Definition]) -> tuple[str, ...] | None:
    """Return the names of offered definitions; methods of a class in another file with the name of the class."""
    offers = structure.exports
    if offers is None:
        return None
    names = (one.qualname for one in definitions if not one.parent)
    return tuple(dict.fromkeys(name for name in names if all(map(offers, name.split(".")))))


def _starts(structure: StructuralLanguage, captured: QueryCaptures) -> Iterator[tuple[str, str, int]]:
    """Return the first statement that makes the file a program."""
    at_top = (node for node in captured.of(START) if node.parent is not None and node.parent.parent is None)
    for node in at_top:
        if text := structure.starts[node.type](node):
            yield "main", text, node.start_point.row + 1
            return


def _without_calls(definitions: list[Definition]) -> ConstraintGraph:
    """Return a graph that knows of the definitions, and of nothing that happens in them."""
    graph = ConstraintGraphBuilder()
    nothing = graph.variable()
    function, cls = [op.FUNC, 0, nothing, nothing, -1, 0], [op.CLASS, 0, 0, 0]
    records = (cls if one.kind == "class" else function for one in definitions)
    graph.functions = [[len(record) + 1, *record] for record in records]
    return graph.finish()


def _outer_first(entries: list[NestedDefinition]) -> Iterator[NestedDefinition]:
    """Entries in source order, but none before the one that owns it."""
    given: set[int] = set()
    for entry in entries:
        waiting = []
        current: NestedDefinition | None = entry
        while current is not None and id(current) not in given:
            given.add(id(current))
            waiting.append(current)
            current = current.owner
        yield from reversed(waiting)


def _definition(entry: NestedDefinition, source: bytes, documentation: str, line_comment: str) -> Definition:
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
        signature=_class_signature(entry, source) if is_class else _signature(entry, line_comment),
        docstring=documentation,
        decorators=tuple(_decorator(text.decode("utf-8", "replace")) for text in written),
        bases=rule.bases(node),
        branches=entry.branches,
        indent=node.start_point.column,
        calls=entry.calls,
        is_async=rule.is_async(node),
        form=rule.form(node),
        is_abstract=rule.is_abstract(node),
    )


def _is_member(entry: NestedDefinition) -> bool:
    """Return whether a function belongs to a class itself: functions in a namespace or module are not methods."""
    return entry.owner is None or entry.owner.rule.form(entry.owner.node) not in ("namespace", "module")


def _signature(entry: NestedDefinition, line_comment: str) -> str:
    """Return the parameters and what follows them up to the body, as written but for their layout."""
    parameters, end = entry.rule.parameters(entry.node), _end(entry)
    returns = entry.rule.returns(entry.node)
    text = "()"
    if parameters is not None:
        head = entry.rule.head(entry.node) or entry.node
        behind = [part for part in head.children if parameters.end_byte <= part.start_byte < end and _says(part)]
        text = " ".join([_flat(parameters.text or b"", line_comment), *map(rules.text, behind)])
        text = text.replace(" :", ":", 1).strip()
    return f"{text} -> {returns}" if returns else text


def _says(part: Node) -> bool:
    return not part.type.endswith("comment") and part.type not in _SIGNS


def _class_signature(entry: NestedDefinition, source: bytes) -> str:
    """The text between the name of a class and its body: type parameters and bases, as written."""
    named, end = entry.rule.name_node(entry.node), _end(entry)
    if named is None or named.end_byte > end:
        return ""
    behind = (part for part in entry.node.children if named.end_byte <= part.start_byte < end and _says(part))
    return " ".join(map(rules.text, behind))


def _end(entry: NestedDefinition) -> int:
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
    """Return an annotation or attribute without the marks around it."""
    text = " ".join(written.split()).removeprefix("#").removeprefix("!").removeprefix("@").strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip("[] ")
    dotted, bracket, rest = text.partition("(")
    return Decorator(
        text, dotted.strip().replace("::", ".").replace("\\", "."), rest.rpartition(")")[0] if bracket else None
    )


def _imports(structure: StructuralLanguage, captured: QueryCaptures, swept: DefinitionTree) -> Iterator[Import]:
    bodies = [(entry.node.start_byte, entry.node.end_byte) for entry in swept.entries if entry.outer is None]
    functions = [(one.node.start_byte, one.node.end_byte) for one in swept.entries if one.rule.kind == FUNCTION]
    at = 0
    for node in captured.of(IMPORT):
        while at < len(bodies) and bodies[at][1] <= node.start_byte:
            at += 1
        outside = at == len(bodies) or node.start_byte < bodies[at][0]
        for seen in structure.imports[node.type](node):
            line = node.start_point.row + 1
            inside = seen.runs and any(start <= node.start_byte < end for start, end in functions)
            deferred = seen.deferred or inside
            yield Import(seen.module, seen.name, seen.alias, seen.level, line, outside, seen.how, deferred)


def _flat(text: bytes, line_comment: str) -> str:
    return normalize_layout(text[:_MAX_SIGNATURE_CHARACTERS].decode("utf-8", "replace"), line_comment)
