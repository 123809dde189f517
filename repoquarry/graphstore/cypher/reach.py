"""In which repositories the matches of a query can lie, as far as its text proves it.

An engine that keeps a graph for each repository loads those alone. Everything here errs towards the whole: a pattern that hangs on
no written repository, node id or parameter, or that can step into another repository by a way that is not followed here, makes the
query one about all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from repoquarry.graphstore.cypher.anchors import Anchors, plain_names
from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.parser import parse
from repoquarry.graphstore.cypher.syntax.walk import walk
from repoquarry.graphstore.engine import WHOLE, Scope
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.model.values import Value

_DIRECTORY = frozenset({"Repository", "Package"})
_BETWEEN = frozenset({"PROVIDES", "DEPENDS_ON"})
_LINKED = frozenset({"External", "Module", "Class", "Function"})
"""Ends of links between repositories."""

_SHARED = "package:"
"""Beginning of the ids of nodes that belong to no repository."""

_CACHED_QUERIES = 1024


@dataclass(frozen=True)
class Reach:
    """What a query's text says of where its matches lie; `scope` adds the values of its parameters."""

    anchored: bool = False
    """Whether every pattern hangs on one of the repositories or nodes below."""

    directory: bool = False
    """Whether only repositories and packages are matched, which lie in a graph of their own."""

    links: int = 0
    """Steps that lead over a link between repositories."""

    repositories: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    """Ids of nodes."""

    repository_parameters: frozenset[str] = frozenset()
    node_parameters: frozenset[str] = frozenset()

    def scope(self, parameters: Mapping[str, Value]) -> Scope:
        """The scope with these parameters."""
        if self.directory:
            return Scope(directory=True)
        named = self._named(parameters)
        return WHOLE if named is None else Scope(named, self.links)

    def sources(self, parameters: Mapping[str, Value]) -> frozenset[str] | None:
        """Repositories to which everything matched belongs with these parameters; None where it may lie in any."""
        return None if self.links else self._named(parameters)

    def _named(self, parameters: Mapping[str, Value]) -> frozenset[str] | None:
        """Repositories that the patterns hang on; None where one hangs on nothing."""
        named = {*self.repositories, *_texts(parameters, self.repository_parameters)}
        nodes = {*self.nodes, *_texts(parameters, self.node_parameters)}
        if not self.anchored or "" in named or any(node.startswith(_SHARED) for node in nodes):
            return None
        return frozenset(named | {node.partition(":")[0] for node in nodes})


@lru_cache(maxsize=_CACHED_QUERIES)
def reach_of_text(text: str) -> Reach:
    """As `reach` of a query that is not parsed yet; one that our grammar does not know is about all repositories."""
    try:
        return reach(parse(text))
    except QueryRefusedError:
        return Reach()


def reach(query: ast.Query) -> Reach:
    """Where the matches of a query lie."""
    directory = _is_directory(list(walk(query)))
    crossings = [_links(list(walk(part))) for part in query.parts]
    links = None if None in crossings else max(count or 0 for count in crossings)
    found = Anchors()
    if links is None or not found.hold(query, frozenset(), {}):
        return Reach(directory=directory)
    return Reach(
        anchored=True,
        directory=directory,
        links=links,
        repositories=frozenset(found.repositories),
        nodes=frozenset(found.nodes),
        repository_parameters=frozenset(found.repository_parameters),
        node_parameters=frozenset(found.node_parameters),
    )


def _texts(parameters: Mapping[str, Value], names: Iterable[str]) -> Iterable[str]:
    """Texts in the parameters, alone or in lists; nothing else can equal an id."""
    for name in names:
        value = parameters.get(name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield item


def _is_directory(nodes: Sequence[ast.Node]) -> bool:
    """Whether only repositories and packages are matched, all by label, and only what joins these."""
    matched = [node for node in nodes if isinstance(node, ast.NodePattern)]
    if not matched or not all(plain_names(node.labels) and plain_names(node.labels) <= _DIRECTORY for node in matched):
        return False
    steps = [step for path in nodes if isinstance(path, ast.PathPattern) for step in _steps(path)]
    return all(types and types <= _BETWEEN for types in (_types(*step) for step in steps))


def _links(nodes: Sequence[ast.Node]) -> int | None:
    """How many steps of the query lead over a link between repositories; None where it may cross in another way."""
    links = 0
    uses = Counter(node.variable for node in nodes if isinstance(node, ast.NodePattern) and node.variable)
    for path in nodes:
        for before, step, after in _steps(path) if isinstance(path, ast.PathPattern) else ():
            types = _types(before, step, after)
            if not types:
                return None
            if not types & _BETWEEN:
                continue
            ends = [plain_names(before.labels), plain_names(after.labels)]
            if types == {"DEPENDS_ON"} and {"Module"} in ends:
                continue
            if step.length is None and types == {"PROVIDES"} and any(end and end <= _LINKED for end in ends):
                links += 1
            elif not _ends_at_package(before, step, after, uses):
                return None
    return links


def _steps(path: ast.PathPattern) -> Iterator[tuple[ast.NodePattern, ast.RelationshipPattern, ast.NodePattern]]:
    for before, step, after in zip(path.elements[::2], path.elements[1::2], path.elements[2::2], strict=False):
        if isinstance(before, ast.NodePattern) and isinstance(after, ast.NodePattern):
            yield before, step, after  # type: ignore[misc]  # elements alternate


def _types(before: ast.NodePattern, step: ast.RelationshipPattern, after: ast.NodePattern) -> frozenset[str]:
    """The types that a step can have: those written, else those that the schema has between its ends; empty where it may be any."""
    if step.types is not None or step.length is not None:
        return plain_names(step.types)
    one, other = plain_names(before.labels), plain_names(after.labels)
    if not one or not other or not one | other <= NODE_LABELS.keys():
        return frozenset()
    return frozenset(
        kind.name
        for kind in RELATIONSHIP_TYPES.values()
        if (one & {*kind.start} and other & {*kind.end}) or (other & {*kind.start} and one & {*kind.end})
    )


def _ends_at_package(
    before: ast.NodePattern, step: ast.RelationshipPattern, after: ast.NodePattern, uses: Counter[str]
) -> bool:
    """Whether a step from a repository to a package leads no further, or the package is one whose id is given."""
    if step.length is not None:
        return False
    for repository, package in ((before, after), (after, before)):
        if plain_names(repository.labels) == {"Repository"} and uses[package.variable or ""] <= 1:
            return True
        written = package.properties.entries if isinstance(package.properties, ast.MapLiteral) else ()
        if plain_names(package.labels) == {"Package"} and any(key == "id" for key, _ in written):
            return True
    return False
