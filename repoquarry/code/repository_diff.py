"""Differences between two stored repositories, and the calls that a changed definition gains or loses.

A definition is the same on both sides if its path and qualified name are. The others are paired as moved: by an equal body first, then by
an equal kind and name where exactly one is left on each side. White space, line breaks and the definition's own name do not count in a body;
comments do, because their syntax depends on the language. Edges follow their ends: the calls of a moved function are the same calls.
"""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.code.calls import Neighbor
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.call_views import site_confidence
from repoquarry.graphstore.model.values import Node, get_float, get_int, get_str
from repoquarry.graphstore.search.requests import WithTests
from repoquarry.graphstore.store import Store
from repoquarry.languages.registry import language_for
from repoquarry.languages.source_text import body_code, split_lines

_TOKEN = re.compile(r"\w+|[^\w\s]")
_MIN_TOKENS: Final = 20
"""Shorter bodies are equal by chance: getters, delegations, `pass`."""


def _hash_tokens(text: str, name: str) -> str:
    """Return the hash of a definition's tokens without its own name; empty if it has too few."""
    tokens = [token for token in _TOKEN.findall(text) if token != name]
    if len(tokens) < _MIN_TOKENS:
        return ""
    return hashlib.sha256("\0".join(tokens).encode("utf-8", "surrogatepass")).hexdigest()


class _DefinitionTexts:
    """Texts of the definitions of a repository; each file is read once, on first use."""

    def __init__(self, store: Store, repository: str) -> None:
        self._store = store
        self._repository = repository
        self._lines: dict[str, list[str]] = {}

    def token_hash(self, node: Node) -> str:
        """Hash a definition's tokens; empty if it is too short or its text is not stored."""
        return _hash_tokens("\n".join(self._span(node)), str(node.properties["name"]))

    def body(self, node: Node) -> str | None:
        """Return the code of a function's body in comparable form; None if its text is not stored."""
        text, name = "\n".join(self._span(node)), str(node.properties["name"])
        comments = language_for(str(node.properties["path"])).comments
        documented = bool(node.properties.get("docstring"))
        rest = text.partition(name)[2] or text
        return body_code(rest, name, comments, documented=documented) if text else None

    def _span(self, node: Node) -> list[str]:
        path = str(node.properties["path"])
        if path not in self._lines:
            try:
                self._lines[path] = split_lines(self._store.source_text(self._repository, path))
            except NotFoundError:
                self._lines[path] = []
        first, last = get_int(node.properties.get("start_line")), get_int(node.properties.get("end_line"))
        return self._lines[path][first - 1 : last] if first else []


Edge = tuple[str, str, str]
"""Relationship type, key of the start, key of the end."""


@dataclass(frozen=True)
class _Side:
    """One of the compared repositories. A key is a node's id without the repository in front of it."""

    repository: str
    definitions: Mapping[str, Node]
    edges: Mapping[Edge, tuple[float, float]]
    """Confidence of each edge, and that of all targets of its call site together, which limits compare."""
    texts: _DefinitionTexts


def _load_side(store: Store, repository: str) -> _Side:
    store.repository(repository)
    prefix = len(repository) + 1
    rows = store.execute_named("definitions_of", repository=repository).rows
    nodes = {row[0].id[prefix:]: row[0] for row in rows if isinstance(row[0], Node)}
    edges: dict[Edge, tuple[float, float]] = {}
    for kind, start, end, confidence, how, targets in store.execute_named("edges_of", repository=repository).rows:
        own = 1.0 if confidence is None else get_float(confidence)
        together = site_confidence(get_str(how), get_int(targets), own)
        edges[str(kind), str(start)[prefix:], str(end)[prefix:]] = own, together
    return _Side(repository, nodes, edges, _DefinitionTexts(store, repository))


_CODE: Final = frozenset({"Class", "Function"})


class ChangeKind(enum.IntEnum):
    ADDED = 1
    REMOVED = 2
    MOVED = 3
    SIGNATURE = 4
    BODY = 5


@dataclass(frozen=True)
class DefinitionChange:
    """A definition that differs; `before` is None for an added one, `after` for a removed one."""

    kind: ChangeKind
    before: Node | None
    after: Node | None
    same_body: bool = False
    """True if a moved definition was paired by its body, not by its name alone."""
    body_changed: bool = False
    """True if the code of a function's body differs; comments, documentation and layout do not count."""

    @property
    def node(self) -> Node:
        """The definition on the later side that has it."""
        node = self.after or self.before
        assert node is not None  # noqa: S101 - a change has a definition on one side at least
        return node

    @property
    def signature_changed(self) -> bool:
        return (
            self.before is not None
            and self.after is not None
            and comparable_signature(self.before) != comparable_signature(self.after)
        )


@dataclass(frozen=True)
class EdgeChange:
    """An edge of one side only; both ids are of that side."""

    kind: str
    appeared: bool
    start: str
    end: str
    confidence: float
    between_kept: bool
    """True if both sides have both ends, so that the edge itself is the difference."""


@dataclass(frozen=True)
class RepositoryDiff:
    """Changed definitions by path and line; changed edges, those between kept definitions first."""

    definitions: tuple[DefinitionChange, ...]
    edges: tuple[EdgeChange, ...]


def diff_repositories(
    reader: CodeReader, before: str, after: str, *, tests: WithTests = WithTests.INCLUDE, min_confidence: float = 0.0
) -> RepositoryDiff:
    """Compare two stored repositories; edges are of at least `min_confidence`. Raises: NotFoundError."""
    old, new = _load_side(reader.store, before), _load_side(reader.store, after)
    removed = {key: node for key, node in old.definitions.items() if key not in new.definitions}
    added = {key: node for key, node in new.definitions.items() if key not in old.definitions}
    moves = _find_moves(old, new, removed, added)
    arrived = {there for there, _ in moves.values()}
    changes = [
        DefinitionChange(
            ChangeKind.MOVED,
            removed[key],
            added[there],
            same_body,
            _is_body_changed(old, new, removed[key], added[there]),
        )
        for key, (there, same_body) in moves.items()
    ]
    changes += [DefinitionChange(ChangeKind.REMOVED, node, None) for key, node in removed.items() if key not in moves]
    changes += [DefinitionChange(ChangeKind.ADDED, None, node) for key, node in added.items() if key not in arrived]
    for key, node in old.definitions.items():
        other = new.definitions.get(key)
        if other is None or _is_same_file(old, new, node):
            continue
        body_changed = _is_body_changed(old, new, node, other)
        if comparable_signature(node) != comparable_signature(other):
            changes.append(DefinitionChange(ChangeKind.SIGNATURE, node, other, body_changed=body_changed))
        elif body_changed:
            changes.append(DefinitionChange(ChangeKind.BODY, node, other, body_changed=True))
    edges = _diff_edges(old, new, {key: there for key, (there, _) in moves.items()}, min_confidence)
    if tests is not WithTests.INCLUDE:
        is_wanted = tests is WithTests.ONLY
        changes = [change for change in changes if _is_test(change.node) == is_wanted]
        test_ids = {node.id for side in (old, new) for node in side.definitions.values() if _is_test(node)}
        edges = [edge for edge in edges if (edge.start in test_ids) == is_wanted]
    return RepositoryDiff(tuple(sorted(changes, key=_rank_change)), tuple(edges))


def _is_test(node: Node) -> bool:
    return node.properties.get("is_test") is True


def _is_same_file(old: _Side, new: _Side, node: Node) -> bool:
    path = str(node.properties["path"])
    files = [side.definitions[path].properties.get("hash") for side in (old, new) if path in side.definitions]
    return len(files) > 1 and files[0] == files[1]


def _is_body_changed(old: _Side, new: _Side, before: Node, after: Node) -> bool:
    """Return whether a function's body differs; False for other definitions and where a text is not stored."""
    if "Function" not in before.labels or "Function" not in after.labels:
        return False
    known = before.properties.get("body_hash")
    if known is not None and known == after.properties.get("body_hash"):
        return False
    earlier, later = old.texts.body(before), new.texts.body(after)
    return earlier is not None and later is not None and earlier != later


def comparable_signature(node: Node) -> object:
    """Return the interface of a definition: the signature of a function, the bases of a class, None for a module."""
    return node.properties.get("signature") if "Function" in node.labels else node.properties.get("bases")


def _find_moves(
    before: _Side, after: _Side, removed: Mapping[str, Node], added: Mapping[str, Node]
) -> dict[str, tuple[str, bool]]:
    """Pair moved definitions: key -> (key on the other side, whether the bodies are equal)."""
    found: dict[str, tuple[str, bool]] = {}
    by_body = _pair_keys(
        ((key, (node.labels[0], _content(before, node))) for key, node in sorted(removed.items())),
        ((key, (node.labels[0], _content(after, node))) for key, node in sorted(added.items())),
        exact=False,
    )
    found.update({key: (there, True) for key, there in by_body})
    arrived = {there for there, _ in found.values()}
    by_name = _pair_keys(
        ((key, _named(node)) for key, node in sorted(removed.items()) if key not in found),
        ((key, _named(node)) for key, node in sorted(added.items()) if key not in arrived),
        exact=True,
    )
    found.update({key: (there, False) for key, there in by_name})
    return found


def _content(side: _Side, node: Node) -> str:
    return str(node.properties.get("hash") or "") if "Module" in node.labels else side.texts.token_hash(node)


def _named(node: Node) -> tuple[str, str]:
    """Return kind and name, of special methods with the class; modules are paired by content only."""
    if not _CODE & set(node.labels):
        return (node.labels[0], "")
    name, qualname = str(node.properties["name"]), str(node.properties["qualname"])
    special = name.startswith(("__", "<"))
    return (str(node.properties.get("kind")), ".".join(qualname.split(".")[-2:]) if special else name)


def _pair_keys(
    left: Iterable[tuple[str, tuple[str, str]]], right: Iterable[tuple[str, tuple[str, str]]], *, exact: bool
) -> Iterator[tuple[str, str]]:
    """Yield keys of both sides with the same non-empty feature; with `exact` only where each side has one."""
    groups: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for place, items in enumerate((left, right)):
        for key, feature in items:
            if feature[1]:
                groups.setdefault(feature, ([], []))[place].append(key)
    for here, there in groups.values():
        if not exact or (len(here) == 1 and len(there) == 1):
            yield from zip(here, there, strict=False)


def _diff_edges(before: _Side, after: _Side, moved: Mapping[str, str], min_confidence: float) -> list[EdgeChange]:
    def there(edge: Edge) -> Edge:
        kind, start, end = edge
        return kind, moved.get(start, start), moved.get(end, end)

    followed = {there(edge): edge for edge in before.edges}
    back = {new: old for old, new in moved.items()}
    changes = []
    for edge, own in followed.items():
        if edge not in after.edges and before.edges[own][1] >= min_confidence:
            kept = all(_kept(key, after) for key in edge[1:])
            changes.append(_change(before, own, kept, appeared=False))
    for edge in after.edges:
        if edge not in followed and after.edges[edge][1] >= min_confidence:
            kept = all(_kept(back.get(key, key), before) for key in edge[1:])
            changes.append(_change(after, edge, kept, appeared=True))
    return sorted(changes, key=lambda one: (not one.between_kept, one.kind, one.start, one.end, one.appeared))


def _kept(key: str, other: _Side) -> bool:
    """Return whether a side has a definition; external code counts as present."""
    return key in other.definitions or key.startswith("external:")


def _change(side: _Side, edge: Edge, kept: bool, *, appeared: bool) -> EdgeChange:
    kind, start, end = edge
    prefix = f"{side.repository}:"
    return EdgeChange(kind, appeared, prefix + start, prefix + end, side.edges[edge][0], kept)


def _rank_change(change: DefinitionChange) -> tuple[str, int, str]:
    node = change.node
    return get_str(node.properties.get("path")), get_int(node.properties.get("start_line")), node.id


_CALLED: Final = re.compile(r"([^\W\d]\w*)\s*\(")


@dataclass(frozen=True)
class CalledNames:
    """Names that one definition calls, before and after a change; empty on a side without the definition."""

    before: DefinitionRecord | None
    after: DefinitionRecord | None
    names_before: frozenset[str]
    names_after: frozenset[str]


@dataclass(frozen=True)
class ChangedEdge:
    """Call that a definition gained or lost."""

    target: Neighbor
    appeared: bool
    by_name: bool
    """True on the side that is not indexed: the target has the called name, and its confidence is not known."""


def extract_called_names(lines: Iterable[str]) -> frozenset[str]:
    """Return the names before an opening bracket in some lines."""
    return frozenset(name for line in lines for name in _CALLED.findall(line))


def find_changed_edges(
    reader: CodeReader, repository: str, changed: Sequence[CalledNames], *, is_new_indexed: bool
) -> list[tuple[ChangedEdge, ...]]:
    """Return the calls that each definition gained or lost, by name; calls of unknown targets are skipped."""
    indexed = [item.after if is_new_indexed else item.before for item in changed]
    targets = _find_targets(reader, [record.id for record in indexed if record is not None])
    unresolved = {
        name for item in changed for name in _other_side(item, is_new_indexed=is_new_indexed)
    }  # One query for all definitions.
    named: dict[str, list[DefinitionRecord]] = {}
    for candidate in reader.named(unresolved, [repository]):
        named.setdefault(candidate.name, []).append(candidate)
    found = []
    for item, record in zip(changed, indexed, strict=True):
        own = item.names_after - item.names_before if is_new_indexed else item.names_before - item.names_after
        calls = targets.get(record.id, {}) if record is not None else {}
        edges = [ChangedEdge(calls[name], is_new_indexed, by_name=False) for name in sorted(own & calls.keys())]
        for name in sorted(_other_side(item, is_new_indexed=is_new_indexed)):
            target = _choose_target(item, named.get(name, ()))
            if target is not None:
                edges.append(ChangedEdge(Neighbor(target), not is_new_indexed, by_name=True))
        found.append(tuple(edges))
    return found


def _other_side(item: CalledNames, *, is_new_indexed: bool) -> frozenset[str]:
    """Return the names that only the side outside the index calls."""
    return item.names_before - item.names_after if is_new_indexed else item.names_after - item.names_before


def _find_targets(reader: CodeReader, ids: Sequence[str]) -> Mapping[str, Mapping[str, Neighbor]]:
    """Return the most confident target of each called name by caller."""
    found: dict[str, dict[str, Neighbor]] = {}
    for edge in reader.calls_from(ids):
        name, target = edge.end.constructed.rpartition(".")[2], Neighbor.from_edge(edge, is_start=False)
        known = found.setdefault(edge.start.id, {}).get(name)
        if known is None or target.confidence > known.confidence:
            found[edge.start.id][name] = target
    return found


def _choose_target(item: CalledNames, candidates: Sequence[DefinitionRecord]) -> DefinitionRecord | None:
    own = item.after or item.before
    others = [record for record in candidates if own is None or record.id != own.id]
    near = [record for record in others if own is not None and record.path == own.path]
    code = near or [record for record in others if not record.is_test]
    return code[0] if len(code) == 1 else None
