"""What differs between two sides: definitions first, then edges by what became of their ends.

A definition is the same on both sides when its path and qualified name are. What is left over on both sides is paired as moved: by
an equal body first, then by an equal kind and name where that leaves no choice. Edges follow their ends: the calls of a function
that moved are the same calls.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.comparison.sides import Edge, Side
from repoquarry.graphstore.model.properties import text, whole
from repoquarry.graphstore.model.values import Node

_CODE: Final = frozenset({"Class", "Function"})


class ChangeKind(enum.Enum):
    """What became of a definition."""

    REMOVED = "removed"
    ADDED = "added"
    MOVED = "moved"
    SIGNATURE = "signature changed"


@dataclass(frozen=True)
class Change:
    """A definition that differs; `before` is None for an added one, `after` for a removed one."""

    kind: ChangeKind
    before: Node | None
    after: Node | None
    same_body: bool = False
    """Whether a moved definition is known by its body, not by its name alone."""

    @property
    def signature_changed(self) -> bool:
        return self.before is not None and self.after is not None and signature(self.before) != signature(self.after)


@dataclass(frozen=True)
class EdgeChange:
    """An edge of one side only; both ids are those of the side that has it."""

    kind: str
    appeared: bool
    start: str
    end: str
    confidence: float
    between_kept: bool
    """Whether both sides have both of its ends, so that the edge itself is the difference."""


@dataclass(frozen=True)
class Comparison:
    """Changes by path and line; edges with those between kept definitions first."""

    definitions: tuple[Change, ...]
    edges: tuple[EdgeChange, ...]


def compare(before: Side, after: Side) -> Comparison:
    """What has to be said to get from `before` to `after`."""
    gone = {key: node for key, node in before.definitions.items() if key not in after.definitions}
    new = {key: node for key, node in after.definitions.items() if key not in before.definitions}
    moves = _moves(before, after, gone, new)
    arrived = {there for there, _ in moves.values()}
    changes = [Change(ChangeKind.MOVED, gone[key], new[there], same_body) for key, (there, same_body) in moves.items()]
    changes += [Change(ChangeKind.REMOVED, node, None) for key, node in gone.items() if key not in moves]
    changes += [Change(ChangeKind.ADDED, None, node) for key, node in new.items() if key not in arrived]
    for key, node in before.definitions.items():
        other = after.definitions.get(key)
        if other is not None and signature(node) != signature(other):
            changes.append(Change(ChangeKind.SIGNATURE, node, other))
    edges = _edges(before, after, {key: there for key, (there, _) in moves.items()})
    return Comparison(tuple(sorted(changes, key=_by_place)), tuple(edges))


def signature(node: Node) -> object:
    """What a caller has to know of a definition: parameters and annotation, or base classes; nothing of a module."""
    return node.properties.get("signature") if "Function" in node.labels else node.properties.get("bases")


def _moves(before: Side, after: Side, gone: Mapping[str, Node], new: Mapping[str, Node]) -> dict[str, tuple[str, bool]]:
    """Where definitions went: key -> (key on the other side, whether the bodies are equal)."""
    found: dict[str, tuple[str, bool]] = {}
    by_body = _pairs(
        ((key, (node.labels[0], _content(before, node))) for key, node in sorted(gone.items())),
        ((key, (node.labels[0], _content(after, node))) for key, node in sorted(new.items())),
        exact=False,
    )
    found.update({key: (there, True) for key, there in by_body})
    arrived = {there for there, _ in found.values()}
    by_name = _pairs(
        ((key, _named(node)) for key, node in sorted(gone.items()) if key not in found),
        ((key, _named(node)) for key, node in sorted(new.items()) if key not in arrived),
        exact=True,
    )
    found.update({key: (there, False) for key, there in by_name})
    return found


def _content(side: Side, node: Node) -> str:
    return str(node.properties.get("hash") or "") if "Module" in node.labels else side.body(node)


def _named(node: Node) -> tuple[str, str]:
    """Kind and dotted name; special methods are told apart by their class, a module is known by its content only."""
    if not _CODE & set(node.labels):
        return (node.labels[0], "")
    name, qualname = str(node.properties["name"]), str(node.properties["qualname"])
    special = name.startswith(("__", "<"))
    return (str(node.properties.get("kind")), ".".join(qualname.split(".")[-2:]) if special else name)


def _pairs(
    left: Iterable[tuple[str, tuple[str, str]]], right: Iterable[tuple[str, tuple[str, str]]], *, exact: bool
) -> Iterator[tuple[str, str]]:
    """Keys of both sides with the same feature; with `exact` only where there is one on each side. No feature pairs nothing."""
    groups: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for place, items in enumerate((left, right)):
        for key, feature in items:
            if feature[1]:
                groups.setdefault(feature, ([], []))[place].append(key)
    for here, there in groups.values():
        if not exact or (len(here) == 1 and len(there) == 1):
            yield from zip(here, there, strict=False)


def _edges(before: Side, after: Side, moved: Mapping[str, str]) -> list[EdgeChange]:
    def there(edge: Edge) -> Edge:
        kind, start, end = edge
        return kind, moved.get(start, start), moved.get(end, end)

    followed = {there(edge): edge for edge in before.edges}
    back = {new: old for old, new in moved.items()}
    changes = []
    for edge, own in followed.items():
        if edge not in after.edges:
            kept = all(_kept(key, after) for key in edge[1:])
            changes.append(_change(before, own, kept, appeared=False))
    for edge in after.edges:
        if edge not in followed:
            kept = all(_kept(back.get(key, key), before) for key in edge[1:])
            changes.append(_change(after, edge, kept, appeared=True))
    return sorted(changes, key=lambda one: (not one.between_kept, one.kind, one.start, one.end, one.appeared))


def _kept(key: str, other: Side) -> bool:
    """Whether the other side has it; what lies outside the repository always counts as there."""
    return key in other.definitions or key.startswith("external:")


def _change(side: Side, edge: Edge, kept: bool, *, appeared: bool) -> EdgeChange:
    kind, start, end = edge
    prefix = f"{side.repository}:"
    return EdgeChange(kind, appeared, prefix + start, prefix + end, side.edges[edge], kept)


def _by_place(change: Change) -> tuple[str, int, str]:
    node = change.after or change.before
    assert node is not None  # noqa: S101 - a change has a definition on one side at least
    return text(node.properties.get("path")), whole(node.properties.get("start_line")), node.id
