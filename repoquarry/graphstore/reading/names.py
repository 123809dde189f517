"""Names: everything in the graph that a name can refer to, and what the graph stores about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node, get_int, get_str, get_str_list
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.records import DefinitionRecord, parse_name
from repoquarry.graphstore.reading.relations import expand, repository_of
from repoquarry.graphstore.store import Store
from repoquarry.languages.registry import languages_without_calls

_ID_BATCH = 500
_MAX_SUGGESTIONS = 5
_MIN_SIMILARITY = 0.7
_CALL_COUNTS = frozenset({"calls_in", "calls_out"})
"""Measures that are unknown in a language without call resolution."""
_POSITIONS = frozenset({"start_line", "end_line"})
_CALLABLE: Final = frozenset({"Class", "Function"})


@dataclass(frozen=True)
class NameDescription:
    """One node that a name can refer to, with its measures."""

    node: Node
    measures: tuple[tuple[str, float], ...]
    """(name, value) of its numeric properties, by name."""
    entry_points: tuple[str, ...]
    possible_call_sites: int
    """Unresolved call sites of its name in its repository."""
    members: tuple[Node, ...]
    """Definitions directly inside, by line."""
    score_profile: str
    """Score profile of the importance; empty for a node without importance."""


def require_repositories(store: Store, wanted: Sequence[str]) -> list[str]:
    """Return some repositories, or all stored ones if none is given. Raises: NotFoundError for one that is not stored."""
    for id_ in wanted:
        store.repository(id_)
    return list(wanted) or store.repositories()


def load_nodes(store: Store, ids: Iterable[str]) -> list[Node]:
    """Load nodes of any label by id, in the order of the ids; unknown ids are skipped."""
    wanted = list(dict.fromkeys(ids))
    found: dict[str, Node] = {}
    for start in range(0, len(wanted), _ID_BATCH):
        rows = store.execute_named("nodes_by_id", ids=list(wanted[start : start + _ID_BATCH])).rows
        found.update({row[0].id: row[0] for row in rows if isinstance(row[0], Node)})
    return [found[id_] for id_ in wanted if id_ in found]


def find_meanings(reader: CodeReader, name: str, repositories: Sequence[str]) -> list[Node]:
    """Find every node that a name can refer to, best first: the node of that id, else definitions and source files, else prose files,
    else external code.

    Raises: NotFoundError, which suggests similar names.
    """
    name, store = name.strip(), reader.store
    exact = [node for node in load_nodes(store, [name]) if repository_of(node) in (*repositories, "")]
    if exact:
        return exact
    if found := load_nodes(store, (item.id for item in reader.resolve(name, repositories))):
        return found
    if documents := _find_documents(store, parse_name(name).path, repositories):
        return documents
    external = store.execute_named(
        "externals_named", repositories=list(repositories), qualname=name, suffix=f".{name}"
    ).rows
    if not external:
        similar = _suggest_names(store, name, repositories)
        hint = f"; nearest: {', '.join(similar)}" if similar else ""
        raise NotFoundError(f"nothing is called {name!r}{hint}", kind="name", value=name)
    return [row[0] for row in external if isinstance(row[0], Node)]


def _find_documents(store: Store, path: str, repositories: Sequence[str]) -> list[Node]:
    """Find the prose files of this path, or of a path that ends with it."""
    if not path:
        return []
    rows = store.execute_named("documents_by_path", repositories=list(repositories), ending=path).rows
    nodes = [row[0] for row in rows if isinstance(row[0], Node)]
    return [node for node in nodes if f"/{node.properties['path']}".endswith(f"/{path}")]


def _suggest_names(store: Store, name: str, repositories: Sequence[str]) -> list[str]:
    rows = store.execute_named("definition_names", repositories=list(repositories)).rows
    last = name.rpartition(".")[2].rpartition("/")[2]
    return difflib.get_close_matches(last, [str(row[0]) for row in rows], _MAX_SUGGESTIONS, cutoff=_MIN_SIMILARITY)


def find_definitions(
    reader: CodeReader, name: str, repositories: Sequence[str], labels: Sequence[str] = ()
) -> list[DefinitionRecord]:
    """Find the definitions that a name can refer to, best first; with `labels` only those of one of them.

    Raises: NotFoundError, which says what else the name refers to.
    """
    found = reader.resolve(name, repositories)
    matching = [definition for definition in found if not labels or definition.label in labels]
    if not matching:
        others = ", ".join(sorted({definition.label.lower() for definition in found}))
        hint = f"it is a {others}" if found else "search or locate may find it under another name"
        wanted = " or ".join(labels).lower() or "definition or file"
        raise NotFoundError(f"{name!r} names no {wanted} here; {hint}", kind="name", value=name)
    return matching


def describe_nodes(reader: CodeReader, nodes: Sequence[Node]) -> list[NameDescription]:
    """Describe some nodes, in their order."""
    store = reader.store
    members: dict[str, list[Node]] = {}
    for hop in expand(store, [node.id for node in nodes], "DEFINES", outgoing=True):
        members.setdefault(hop.known, []).append(hop.other)
    return [
        NameDescription(
            node,
            tuple(_iterate_measures(node)),
            get_str_list(node.properties.get("entry_points")),
            _count_possible_call_sites(store, node),
            tuple(sorted(members.get(node.id, ()), key=_line)),
            _load_score_profile(store, node),
        )
        for node in nodes
    ]


def _line(node: Node) -> tuple[int, str]:
    return get_int(node.properties.get("start_line")), node.id


def _iterate_measures(node: Node) -> Iterator[tuple[str, float]]:
    has_no_calls = languages_without_calls([get_str(node.properties.get("path"))])
    skipped = _POSITIONS | _CALL_COUNTS if has_no_calls else _POSITIONS
    for name, value in sorted(node.properties.items()):
        if name not in skipped and isinstance(value, int | float) and not isinstance(value, bool):
            yield name, float(value)


def _count_possible_call_sites(store: Store, node: Node) -> int:
    if not _CALLABLE & set(node.labels):
        return 0
    names = [get_str(node.properties.get("name"))]
    rows = store.execute_named("unresolved_counts", repositories=[repository_of(node)], names=[*names]).rows
    return sum(get_int(row[2]) for row in rows)


def _load_score_profile(store: Store, node: Node) -> str:
    if "importance" not in node.properties:
        return ""
    return get_str(store.repository(repository_of(node)).get("score_profile"))
