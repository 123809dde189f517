"""Differences of two stored repositories.

White space, line breaks and the definition's own name do not count; comments and documentation do, because what is a comment
differs from language to language and a text alone does not say so.

A definition is the same on both sides when its path and qualified name are. What is left over on both sides is paired as moved: by
an equal body first, then by an equal kind and name where that leaves no choice. Edges follow their ends: the calls of a function
that moved are the same calls.
"""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node, get_int, get_str
from repoquarry.graphstore.store import Store

_TOKEN = re.compile(r"\w+|[^\w\s]")
_MIN_TOKENS: Final = 20
"""Shorter bodies are alike by chance: getters, delegations, `pass`."""


def token_hash(text: str, name: str) -> str:
    """Hash of a definition's tokens without its own name; empty for one too short to be told from others."""
    tokens = [token for token in _TOKEN.findall(text) if token != name]
    if len(tokens) < _MIN_TOKENS:
        return ""
    return hashlib.sha256("\0".join(tokens).encode("utf-8", "surrogatepass")).hexdigest()


EDGE_KINDS: Final = ("CALLS", "IMPORTS", "INHERITS")
Edge = tuple[str, str, str]
"""Relationship type, key of the start, key of the end."""


@dataclass(frozen=True)
class ComparedRepository:
    """What is compared of one repository. A key is a node's id without the repository in front of it."""

    repository: str
    definitions: Mapping[str, Node]
    edges: Mapping[Edge, float]
    """Confidence of each edge."""
    body: Callable[[Node], str]
    """Hash of a definition's body; empty where it is too short or its text is not stored."""


def load_compared_repository(store: Store, repository: str, *, edges: bool = True) -> ComparedRepository:
    """A stored repository as a side of a comparison. Raises: NotFoundError."""
    store.repository(repository)
    prefix = len(repository) + 1
    rows = store.execute_named("definitions_of", repository=repository).rows
    nodes = {row[0].id[prefix:]: row[0] for row in rows if isinstance(row[0], Node)}
    found: dict[Edge, float] = {}
    if edges:
        for kind, start, end, confidence in store.execute_named("edges_of", repository=repository).rows:
            sure = float(confidence) if isinstance(confidence, int | float) else 1.0
            found[str(kind), str(start)[prefix:], str(end)[prefix:]] = sure
    return ComparedRepository(repository, nodes, found, _bodies(store, repository))


def _bodies(store: Store, repository: str) -> Callable[[Node], str]:
    """Reads each file once, and only those that are asked for."""
    texts: dict[str, list[str]] = {}

    def body(node: Node) -> str:
        path = str(node.properties["path"])
        if path not in texts:
            try:
                texts[path] = store.source_text(repository, path).splitlines()
            except NotFoundError:
                texts[path] = []
        first, last = node.properties["start_line"], node.properties["end_line"]
        if not isinstance(first, int) or not isinstance(last, int):
            return ""
        return token_hash("\n".join(texts[path][first - 1 : last]), str(node.properties["name"]))

    return body


_CODE: Final = frozenset({"Class", "Function"})


class ChangeKind(enum.Enum):
    """What became of a definition."""

    REMOVED = "removed"
    ADDED = "added"
    MOVED = "moved"
    SIGNATURE = "signature changed"


@dataclass(frozen=True)
class DefinitionChange:
    """A definition that differs; `before` is None for an added one, `after` for a removed one."""

    kind: ChangeKind
    before: Node | None
    after: Node | None
    same_body: bool = False
    """Whether a moved definition is known by its body, not by its name alone."""

    @property
    def signature_changed(self) -> bool:
        return (
            self.before is not None
            and self.after is not None
            and comparable_signature(self.before) != comparable_signature(self.after)
        )


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
class RepositoryDiff:
    """Changes by path and line; edges with those between kept definitions first."""

    definitions: tuple[DefinitionChange, ...]
    edges: tuple[EdgeChange, ...]


def diff_repositories(before: ComparedRepository, after: ComparedRepository) -> RepositoryDiff:
    """What has to be said to get from `before` to `after`."""
    gone = {key: node for key, node in before.definitions.items() if key not in after.definitions}
    new = {key: node for key, node in after.definitions.items() if key not in before.definitions}
    moves = _moves(before, after, gone, new)
    arrived = {there for there, _ in moves.values()}
    changes = [
        DefinitionChange(ChangeKind.MOVED, gone[key], new[there], same_body)
        for key, (there, same_body) in moves.items()
    ]
    changes += [DefinitionChange(ChangeKind.REMOVED, node, None) for key, node in gone.items() if key not in moves]
    changes += [DefinitionChange(ChangeKind.ADDED, None, node) for key, node in new.items() if key not in arrived]
    for key, node in before.definitions.items():
        other = after.definitions.get(key)
        if other is not None and comparable_signature(node) != comparable_signature(other):
            changes.append(DefinitionChange(ChangeKind.SIGNATURE, node, other))
    edges = _edges(before, after, {key: there for key, (there, _) in moves.items()})
    return RepositoryDiff(tuple(sorted(changes, key=_by_place)), tuple(edges))


def comparable_signature(node: Node) -> object:
    """What a caller has to know of a definition: parameters and annotation, or base classes; nothing of a module."""
    return node.properties.get("signature") if "Function" in node.labels else node.properties.get("bases")


def _moves(
    before: ComparedRepository, after: ComparedRepository, gone: Mapping[str, Node], new: Mapping[str, Node]
) -> dict[str, tuple[str, bool]]:
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


def _content(side: ComparedRepository, node: Node) -> str:
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


def _edges(before: ComparedRepository, after: ComparedRepository, moved: Mapping[str, str]) -> list[EdgeChange]:
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


def _kept(key: str, other: ComparedRepository) -> bool:
    """Whether the other side has it; what lies outside the repository always counts as there."""
    return key in other.definitions or key.startswith("external:")


def _change(side: ComparedRepository, edge: Edge, kept: bool, *, appeared: bool) -> EdgeChange:
    kind, start, end = edge
    prefix = f"{side.repository}:"
    return EdgeChange(kind, appeared, prefix + start, prefix + end, side.edges[edge], kept)


def _by_place(change: DefinitionChange) -> tuple[str, int, str]:
    node = change.after or change.before
    assert node is not None  # noqa: S101 - a change has a definition on one side at least
    return get_str(node.properties.get("path")), get_int(node.properties.get("start_line")), node.id
