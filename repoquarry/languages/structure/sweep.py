"""One sweep over the found nodes in source order: which definition stands in which, and what is counted for whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from repoquarry.languages.structure.grammar import ATTRIBUTE, BRANCH, CALL, DEFINITION, WRAPPER, Captured
from repoquarry.languages.structure.rules import CLASS, SCOPE, Rule, Structure

MAX_NESTING: Final = 100
"""Definitions inside so many others are left out: names would grow with the square of the depth."""


@dataclass
class Entry:
    """A definition, or a scope that gives its name to what stands in it."""

    node: Node
    rule: Rule
    name: str
    outer: Entry | None
    start_byte: int
    start_row: int
    """Row of the first attribute or wrapper, else of the node."""
    attributes: list[Node]
    depth: int
    qualname: str = ""
    key: str = ""
    owner: Entry | None = None
    """The definition around it, or the class that it belongs to; None at the level of the file."""
    branches: int = 0
    calls: int = 0


@dataclass
class Swept:
    """All definitions of a file in source order, and the branches of the whole file."""

    entries: list[Entry] = field(default_factory=list)
    branches: int = 0
    too_deep: int = 0
    """1-based line of the first definition that was left out for its depth; 0 when none was."""


def sweep(structure: Structure, captured: Captured) -> Swept:
    """Find out what stands in what."""
    found = Swept()
    stack: list[Entry] = []
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


def _in_order(captured: Captured) -> Iterator[tuple[str, Node]]:
    """Nodes by where they begin; of two that begin together the outer one first."""
    nodes = [
        (node.start_byte, -node.end_byte, rank, kind, node)
        for rank, kind in enumerate((WRAPPER, ATTRIBUTE, DEFINITION, BRANCH, CALL))
        for node in captured.of(kind)
    ]
    nodes.sort(key=lambda one: one[:3])
    return ((kind, node) for _, _, _, kind, node in nodes)


def _entry(rule: Rule, node: Node, stack: list[Entry], wrappers: list[Node], attributes: list[Node]) -> Entry | None:
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
    return Entry(node, rule, name, outer, first.start_byte, first.start_point.row, beside, depth)


def _name(entries: list[Entry]) -> None:
    """Give qualified names and keys, once all classes are known: a method may stand before its class, and apart from it."""
    classes: dict[str, Entry] = {}
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


def _owner(entry: Entry, classes: dict[str, Entry]) -> Entry | None:
    """The class that a member written apart belongs to, where the file has it; else the definition around."""
    holder = entry.qualname.rpartition(".")[0] if entry.rule.kind != SCOPE else entry.qualname
    if entry.rule.owner(entry.node) and holder in classes and classes[holder] is not entry:
        return classes[holder]
    outer = entry.outer
    return outer.owner if outer is not None and outer.rule.kind == SCOPE else outer
