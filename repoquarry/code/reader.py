"""`CodeReader`: runs the product's named Cypher queries and returns definitions, edges, calls and repositories as typed records.

Queries run in batches, so that a traversal costs one query per hop and not one per node. A reader caches definitions and edges for its
lifetime and reads one state of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from repoquarry.code.records import (
    DefinitionRecord,
    DependencyGraph,
    EdgeRecord,
    ExternalCall,
    ExternalName,
    RepositoryRecord,
    UnresolvedSite,
)
from repoquarry.code.text_receivers import drop_text_calls, is_text_method
from repoquarry.graphstore.errors import NotFoundError, TextsElsewhereError
from repoquarry.graphstore.model.call_views import OUTSIDE
from repoquarry.graphstore.model.values import Node, Value, get_float, get_int, get_int_list, get_str, get_str_list
from repoquarry.graphstore.store import Store
from repoquarry.languages.registry import family_name, folder_stems
from repoquarry.languages.source_text import split_lines

Row = Mapping[str, Value]
_DEPENDENTS = ("package_dependents", "link_dependents")
_MANY_CALLS = 300
"""Number of calls of a definition from which on its callers are taken from memory: a node costs more than its edge."""


def to_definition(node: Node) -> DefinitionRecord:
    return DefinitionRecord.from_properties(node.id, node.labels[0], node.properties)


def to_repository(properties: Mapping[str, Value]) -> RepositoryRecord:
    read = properties.get
    return RepositoryRecord(
        id=get_str(read("id")),
        summary=get_str(read("summary")),
        languages=get_str_list(read("languages")),
        files=get_int(read("files")),
        lines=get_int(read("lines")),
        readme=get_str(read("readme")),
        unresolved_calls=get_int(read("unresolved_calls")),
    )


def to_edge(kind: str, start: DefinitionRecord, end: DefinitionRecord, row: Row) -> EdgeRecord:
    names = ", ".join(get_str_list(row.get("names")))
    return EdgeRecord(
        kind,
        start,
        end,
        count=get_int(row.get("count")) or 1,
        lines=get_int_list(row.get("lines")),
        how=get_str(row.get("how")) or names or get_str(row.get("kind")),
        confidence=get_float(row["confidence"]) if row.get("confidence") is not None else 1.0,
        targets=get_int(row.get("targets")) or 1,
    )


def to_external(row: Row) -> ExternalName:
    return ExternalName(get_str(row["name"]), get_int(row["count"]), get_int_list(row["lines"]))


class CodeReader:
    """Reader of a store's code as typed records. Not shared between threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, DefinitionRecord] = {}
        self._followed: dict[tuple[str, str], list[EdgeRecord]] = {}
        self._inside: dict[tuple[str, str], list[DefinitionRecord]] = {}
        self._texts: dict[tuple[str, str], str] = {}
        self._unresolved: dict[tuple[tuple[Value, ...], tuple[str, ...]], list[UnresolvedSite]] = {}
        self._graphs: dict[str, DependencyGraph] = {}

    def preload(self, repository: str) -> DependencyGraph:
        """Load the definitions of a repository from memory instead of by queries; return them with their dependents."""
        if repository not in self._graphs:
            graph = self._graphs[repository] = self.store.cached(repository, DependencyGraph)
            self._known.update(graph.definition_by_id)
            self._inside.update(((repository, path), inside) for path, inside in graph.definitions_by_path.items())
        return self._graphs[repository]

    def repositories(self) -> list[RepositoryRecord]:
        return [to_repository(self.store.repository(name)) for name in self.store.repositories()]

    def text(self, repository: str, path: str) -> str:
        """Return the text of an indexed file. Raises: NotFoundError."""
        key = (repository, path)
        if key not in self._texts:
            self._texts[key] = self.store.source_text(repository, path)
        return self._texts[key]

    def lines(self, definition: DefinitionRecord) -> list[str]:
        text = self.text(definition.repository, definition.path).split("\n")
        return text[max(definition.start_line - 1, 0) : definition.end_line]

    def named(self, names: Iterable[str], repositories: Sequence[str]) -> list[DefinitionRecord]:
        """List the classes and functions with one of some short names."""
        return self._definitions("code_named", names=_unique(names), repositories=list(repositories))

    def qualified(self, outer: str, name: str, repositories: Sequence[str]) -> list[DefinitionRecord]:
        """List the classes and functions with a short name that are outermost or directly inside `outer`."""
        qualname = f"{outer}.{name}"
        return self._definitions("code_qualified", name=name, qualname=qualname, repositories=list(repositories))

    def spelled(self, names: Iterable[str], repositories: Sequence[str]) -> list[DefinitionRecord]:
        """List the classes and functions with one of some names, ignoring case."""
        small = _unique(name.lower() for name in names)
        return self._definitions("code_spelled", names=small, repositories=list(repositories))

    def modules_named(self, name: str, repositories: Sequence[str]) -> list[DefinitionRecord]:
        """List the modules whose dotted name or path ends with a name, ignoring case; an index file is named by its folder."""
        last, stems = name.lower(), folder_stems()
        ends: list[Value] = [f"{separator}{last}" for separator in ".:/\\"]
        parts: list[Value] = [*([] if last in stems else [f"/{last}."]), *(f"/{last}/{stem}." for stem in stems)]
        return self._definitions("modules_named", repositories=list(repositories), name=last, ends=ends, parts=parts)

    def definitions(self, ids: Iterable[str]) -> list[DefinitionRecord]:
        """Return modules, classes and functions by id; unknown ids are skipped."""
        wanted = list(dict.fromkeys(ids))
        missing = _unique(item for item in wanted if item not in self._known)
        if missing:
            self._definitions("code_by_id", ids=missing)
        return [self._known[item] for item in wanted if item in self._known]

    def inside(self, repository: str, path: str) -> list[DefinitionRecord]:
        """List the classes and functions of a file by line, outer ones first."""
        key = (repository, path)
        if key not in self._inside:
            found = self._definitions("code_in_files", repository=repository, paths=[path])
            self._inside[key] = sorted(found, key=lambda item: (item.start_line, -item.end_line, item.id))
        return self._inside[key]

    def innermost(self, repository: str, path: str, line: int) -> DefinitionRecord | None:
        """Find the smallest class or function around a line, otherwise the module of the file."""
        around = [item for item in self.inside(repository, path) if item.start_line <= line <= item.end_line]
        smallest = min(around, key=lambda item: item.end_line - item.start_line, default=None)
        return smallest or self.module(repository, path)

    def members(self, definition: DefinitionRecord) -> list[DefinitionRecord]:
        """List everything defined in a class, function or file, at any depth."""
        prefix = f"{definition.qualname}." if definition.qualname else ""
        inside = self.inside(definition.repository, definition.path)
        return [item for item in inside if item.qualname.startswith(prefix)]

    def constructors(self, definition: DefinitionRecord) -> list[DefinitionRecord]:
        """List the constructors of a class; none for other definitions."""
        depth = definition.qualname.count(".") + 1
        members = self.members(definition) if definition.label == "Class" else []
        return [item for item in members if item.kind == "constructor" and item.qualname.count(".") == depth]

    def with_members(self, definitions: Iterable[DefinitionRecord]) -> list[DefinitionRecord]:
        """List some definitions and, for a class or file, everything defined in it."""
        found: dict[str, DefinitionRecord] = {}
        for definition in definitions:
            found[definition.id] = definition
            if definition.label != "Function":
                found.update({item.id: item for item in self.members(definition)})
        return list(found.values())

    def enclosing(self, definition: DefinitionRecord) -> DefinitionRecord | None:
        """Find the class or function directly around a definition."""
        outer = definition.qualname.rpartition(".")[0]
        inside = self.inside(definition.repository, definition.path) if outer else []
        return next((item for item in inside if item.qualname == outer), None)

    def module(self, repository: str, path: str) -> DefinitionRecord | None:
        found = self.definitions([f"{repository}:{path}"])
        return found[0] if found else None

    def modules(self, repositories: Sequence[str], folder: str = "", limit: int = 200) -> list[DefinitionRecord]:
        """List the modules below a folder, most important first."""
        prefix = f"{folder.strip('/')}/" if folder.strip("/.") else ""
        return self._definitions("modules_below", repositories=list(repositories), folder=prefix, limit=limit)

    def core_classes(self, repositories: Sequence[str]) -> list[DefinitionRecord]:
        """List the core classes, most important first."""
        return self._definitions("core_classes", repositories=list(repositories))

    def entry_points(self, repositories: Sequence[str]) -> list[DefinitionRecord]:
        """List the definitions that are entry points, tests excluded."""
        return self._definitions("entry_points", repositories=list(repositories))

    def files_ending(self, path: str, repositories: Sequence[str]) -> list[tuple[str, str]]:
        """List (repository, path) of the modules and documents whose path ends with `path`."""
        rows = self._rows("modules_by_path", repositories=list(repositories), ending=path)
        rows += self._rows("documents_by_path", repositories=list(repositories), ending=path)
        nodes = [node for row in rows if isinstance(node := row["node"], Node)]
        found = [(get_str(node.properties.get("repository")), get_str(node.properties.get("path"))) for node in nodes]
        return sorted(file for file in found if not path or file[1] == path or file[1].endswith("/" + path))

    def calls_from(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the calls in some definitions, inside the repository."""
        return self._edges("calls_from", "CALLS", ids, known_starts=True)

    def calls_to(self, ids: Iterable[str]) -> list[EdgeRecord]:
        wanted = list(ids)
        many = {item.repository for item in self.definitions(wanted) if item.calls_in >= _MANY_CALLS}
        for repository in many:
            self.preload(repository)
        return self._edges("call_sites_to" if many else "calls_to", "CALLS", wanted, known_starts=False)

    def calls_across(self, ids: Iterable[str], repositories: Sequence[str]) -> list[EdgeRecord]:
        """List the calls of some definitions from other repositories, for which the definitions are external."""
        found = self._edges("calls_across_in", "CALLS", ids, known_starts=False)
        return [edge for edge in found if edge.start.repository in repositories]

    def overriding(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the edges from some methods to the methods that override them."""
        return [edge.reversed_override() for edge in self._edges("overrides_to", "OVERRIDES", ids, known_starts=False)]

    def overridden(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the edges from the overridden methods to some methods."""
        return [edge.reversed_override() for edge in self._edges("overrides_from", "OVERRIDES", ids, known_starts=True)]

    def bases(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the edges from some classes to their bases inside the repository."""
        return self._edges("bases_of", "INHERITS", ids, known_starts=True)

    def subclasses(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the edges from direct subclasses to some classes."""
        return self._edges("subclasses_of", "INHERITS", ids, known_starts=False)

    def references_to(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the uses of some definitions that are not calls; `how` is the kind of use."""
        return self._edges("references_to", "REFERENCES", ids, known_starts=False)

    def references_from(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the classes and functions that some definitions use without a call; `how` is the kind of use."""
        return self._edges("references_from", "REFERENCES", ids, known_starts=True)

    def imports_from(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the edges from some modules to the imported ones; `how` lists the imported names."""
        return self._edges("imports_from", "IMPORTS", ids, known_starts=True)

    def imports_to(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """List the edges from the importing modules to some modules."""
        return self._edges("imports_to", "IMPORTS", ids, known_starts=False)

    def dependents(self, ids: Iterable[str]) -> list[tuple[DefinitionRecord, str, float]]:
        """List (dependent, id, weight of the coupling) of the modules that depend on some modules."""
        rows = self._rows("dependents_of", ids=_unique(ids))
        return [(self._take(row["other"]), get_str(row["known"]), get_float(row["weight"])) for row in rows]

    def external_calls(self, ids: Iterable[str]) -> list[ExternalName]:
        return [to_external(row) for row in self._rows("outside_calls_from", ids=_unique(ids))]

    def external_imports(self, ids: Iterable[str]) -> list[ExternalName]:
        return [to_external(row) for row in self._rows("outside_imports_from", ids=_unique(ids))]

    def callers_of_external(self, name: str, repositories: Sequence[str]) -> list[ExternalCall]:
        """List the calls of external code by the end of its dotted name."""
        rows = self._rows("outside_named", repositories=list(repositories), qualname=name, suffix="." + name)
        return [
            ExternalCall(get_str(row["known"]), self._take(row["other"]), get_int_list(row["lines"])) for row in rows
        ]

    def subclasses_of_external(self, name: str, repositories: Sequence[str]) -> list[tuple[str, DefinitionRecord]]:
        """List (dotted name, class) of the classes that inherit from an external class, by the end of its dotted name."""
        rows = self._rows("subclasses_of_outside", repositories=list(repositories), qualname=name, suffix="." + name)
        return [(get_str(row["known"]), self._take(row["other"])) for row in rows]

    def possible_calls(
        self, targets: Iterable[DefinitionRecord], repositories: Sequence[str]
    ) -> list[tuple[UnresolvedSite, DefinitionRecord]]:
        """List unresolved calls with the definition that each may reach.

        The calls are in the language of the definition, in its repository, or in those of `repositories` that depend on it.
        """
        by_repository: dict[str, dict[tuple[str, str], DefinitionRecord]] = {}
        for item in targets:
            by_repository.setdefault(item.repository, {})[item.name, family_name(item.path)] = item
        found: dict[tuple[str, str], tuple[UnresolvedSite, DefinitionRecord]] = {}
        for repository, named in by_repository.items():
            reached = self.dependents_of_repository(repository)
            searched = [id_ for id_ in repositories if id_ == repository or id_ in reached]
            for site in self.unresolved_named((name for name, _ in named), searched):
                target = named.get((site.name, family_name(site.caller.path)))
                if target is not None:
                    found.setdefault((site.caller.id, site.name), (site, target))
        return list(found.values())

    def dependents_of_repository(self, repository: str) -> frozenset[str]:
        """Return the ids of the repositories that depend on one, directly or through others."""
        found: set[str] = set()
        waiting = {repository}
        while waiting:
            near: list[Value] = [*sorted(waiting)]
            rows = [row for query in _DEPENDENTS for row in self._rows(query, repositories=near)]
            waiting = {get_str(row["repository"]) for row in rows} - found - {repository}
            found |= waiting
        return frozenset(found)

    def unresolved_named(self, names: Iterable[str], repositories: Sequence[str]) -> list[UnresolvedSite]:
        """List the unresolved calls of some names in any language that may reach code of a repository.

        Calls on external objects, strings and paths are left out. Use `possible_calls` for the calls of a definition.
        """
        wanted = _unique(names)
        key = tuple(wanted), tuple(repositories)
        if key not in self._unresolved:
            rows = self._rows("unresolved_named", names=wanted, repositories=list(repositories))
            sites = (self._site(row) for row in rows)
            kept = (self._without_text_calls(site) for site in sites if site.reason != OUTSIDE)
            self._unresolved[key] = [site for site in kept if site is not None]
        return self._unresolved[key]

    def count_possible_calls(self, names: Sequence[str], repositories: Sequence[str]) -> dict[str, Counter[str]]:
        """Count the unresolved calls of some names in the languages that define the name, by repository and called name."""
        found: dict[str, Counter[str]] = {}
        sites = self.unresolved_named(names, repositories)
        defined = {(item.repository, item.name, family_name(item.path)) for item in self.named(names, repositories)}
        for site in sites:
            repository = site.caller.repository
            if (repository, site.name, family_name(site.caller.path)) in defined:
                found.setdefault(repository, Counter())[site.name] += site.count
        return found

    def _without_text_calls(self, site: UnresolvedSite) -> UnresolvedSite | None:
        if not is_text_method(site.name, family_name(site.caller.path)):
            return site
        try:
            return drop_text_calls(site, split_lines(self.text(site.caller.repository, site.caller.path)))
        except (NotFoundError, TextsElsewhereError):
            return site

    def unresolved_from(self, ids: Iterable[str]) -> list[UnresolvedSite]:
        return [self._site(row) for row in self._rows("unresolved_from", ids=_unique(ids))]

    def _site(self, row: Row) -> UnresolvedSite:
        caller = self._take(row["other"])
        return UnresolvedSite(
            caller, get_str(row["name"]), get_int(row["count"]), get_int_list(row["lines"]), get_str(row["reason"])
        )

    def _edges(self, query: str, kind: str, ids: Iterable[str], *, known_starts: bool) -> list[EdgeRecord]:
        wanted = list(dict.fromkeys(ids))
        missing = _unique(id_ for id_ in wanted if (query, id_) not in self._followed)
        if missing:
            self._followed.update({(query, id_): [] for id_ in wanted if (query, id_) not in self._followed})
            self._follow(query, kind, missing, known_starts=known_starts)
        edges = [edge for id_ in wanted for edge in self._followed[query, id_]]
        return sorted(edges, key=lambda edge: (edge.start.id, edge.end.id))

    def _follow(self, query: str, kind: str, ids: list[Value], *, known_starts: bool) -> None:
        """Read the edges at some nodes into the cache: one answer follows the same calls several times."""
        rows = self._rows(query, ids=ids)
        ends = {item.id: item for item in self.definitions(get_str(row["known"]) for row in rows)}
        for row in rows:
            known, far = ends.get(get_str(row["known"])), self._take_code(row["other"])
            if known is None or far is None:
                continue
            start, end = (known, far) if known_starts else (far, known)
            self._followed[query, known.id].append(to_edge(kind, start, end, row))

    def _take_code(self, value: Value) -> DefinitionRecord | None:
        """Convert a node, or the id of a definition in the cache; None for external code."""
        if isinstance(value, str):
            return self._known.get(value)
        return self._take(value) if isinstance(value, Node) and "External" not in value.labels else None

    def _definitions(self, query: str, **parameters: Value) -> list[DefinitionRecord]:
        return [self._take(row["node"]) for row in self._rows(query, **parameters)]

    def _rows(self, query: str, **parameters: Value) -> list[Row]:
        result = self.store.execute_named(query, **parameters)
        return [dict(zip(result.columns, row, strict=True)) for row in result.rows]

    def _take(self, value: Value) -> DefinitionRecord:
        """Convert a node through the cache."""
        node = cast(Node, value)
        if node.id not in self._known:
            self._known[node.id] = to_definition(node)
        return self._known[node.id]


def _unique(texts: Iterable[str]) -> list[Value]:
    """Sort strings without repetitions, as a query's parameter."""
    return [*sorted(set(texts))]
